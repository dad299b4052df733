//! Walks encoded objects of a block that may not decode, as far as their bytes can be followed.
//!
//! Repeated names, values of other types and odd encodings are passed over: each part is told its place,
//! and what is not declared there counts as secret if there are secrets.

mod json;
mod msgpack;

use crate::schema::Place;
use crate::value::Number;

pub(super) use json::json;
pub(super) use msgpack::msgpack;

/// What is done with the parts of an object. `None` leaves one as it is, byte by byte.
pub(super) trait Parts {
    fn text(&mut self, place: Place<'_>, text: &str) -> Option<String>;
    fn number(&mut self, place: Place<'_>, number: &Number) -> Option<Number>;
    fn bool(&mut self, place: Place<'_>, value: bool) -> Option<bool>;
    /// A key of the map at a place, or the name of an attribute of the object there.
    fn key(&mut self, place: Place<'_>, key: &str) -> Option<String>;
}

/// What became of an object's bytes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Rewritten {
    pub bytes: Vec<u8>,
    /// Where the bytes began that were dropped, because they may be secret and cannot be read.
    pub dropped_from: Option<usize>,
}

/// An array or a map whose end has not been reached.
struct Open<'s> {
    place: Place<'s>,
    is: Container<'s>,
}

enum Container<'s> {
    /// So many elements were read.
    Array(usize),
    /// The place of the value whose key was read; `None` before a key.
    Map(Option<Place<'s>>),
}

impl<'s> Open<'s> {
    fn array(place: Place<'s>) -> Open<'s> {
        Open { place, is: Container::Array(0) }
    }

    fn map(place: Place<'s>) -> Open<'s> {
        Open { place, is: Container::Map(None) }
    }

    /// The place of a value that is read now. After it, a map has a key again.
    fn take(&mut self) -> Place<'s> {
        match &mut self.is {
            Container::Array(read) => {
                *read += 1;
                self.place.element(*read - 1)
            }
            Container::Map(value) => value.take().unwrap_or_else(|| self.place.misfit()),
        }
    }

    fn awaits_key(&self) -> bool {
        matches!(self.is, Container::Map(None))
    }

    /// Reads a key; returns what replaces it.
    fn key(&mut self, key: &str, parts: &mut dyn Parts) -> Option<String> {
        self.is = Container::Map(Some(self.place.member(key)));
        parts.key(self.place, key)
    }
}

#[cfg(test)]
mod tests;
