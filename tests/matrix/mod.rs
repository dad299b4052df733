//! Every fault and control, played and compared with what is expected.

pub mod play;
pub mod tables;
