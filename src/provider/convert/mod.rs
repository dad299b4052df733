//! Between the protocol's messages and the typed calls of a transcript.
//!
//! Both majors put every field under the same number in all but a few messages,
//! so protocol 6's generated types serve both; [`schema`] and the two messages
//! named in [`call`] are the exceptions. Both directions are here: the harness
//! asks, and the reference provider answers.

pub mod call;
mod majors;
mod parts;
pub mod schema;
