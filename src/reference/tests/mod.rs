//! The provider from outside, by single calls.

mod breaches;
mod coverage;
mod drifting;
mod driver;
mod functions;
mod importing;
mod life;
mod moving;
mod property;
mod reach;
mod sharing;
mod upgrading;
mod world;
