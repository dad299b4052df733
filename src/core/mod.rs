//! An engine's own algorithms, as pure functions.
//!
//! One function per algorithm of the engines' plan and apply steps, each
//! parameterised by [`Engine`](crate::engine::Engine). Nothing here knows a
//! provider, a transcript or a clock.
