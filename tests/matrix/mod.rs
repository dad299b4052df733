//! Every fault and control, run and compared with what is expected.

pub mod behaviours;
pub mod play;
pub mod tables;
