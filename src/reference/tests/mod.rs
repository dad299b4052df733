//! The provider from outside, by calls made by hand.

mod breaches;
mod coverage;
mod drifting;
mod driver;
mod functions;
mod importing;
mod life;
mod property;
mod reach;
mod sharing;
mod upgrading;
