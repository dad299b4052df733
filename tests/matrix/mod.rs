//! Every fault and control, run and compared with what is expected.

pub mod play;
pub mod tables;
