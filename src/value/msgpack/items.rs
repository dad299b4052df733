//! The items of any bytes, one after the other, whatever they mean.

use super::reader::{Item, Reader};

/// Reads the items of MessagePack bytes in order; a container comes before what is in it.
///
/// Ends where the bytes end, or cannot be read: [`Items::rest`] is what was not read.
pub struct Items<'a> {
    reader: Reader<'a>,
    bytes: &'a [u8],
    read: usize,
}

impl<'a> Items<'a> {
    pub fn new(bytes: &'a [u8]) -> Items<'a> {
        Items { reader: Reader::new(bytes), bytes, read: 0 }
    }

    /// The bytes after the last item; empty if all were read.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.read..]
    }
}

impl<'a> Iterator for Items<'a> {
    /// An item, and its bytes: of a container, those of its length.
    type Item = (Item<'a>, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let from = self.read;
        if self.reader.remaining() == 0 || self.reader.offset() != from {
            return None;
        }
        let item = self.reader.item().ok()?;
        self.read = self.reader.offset();
        Some((item, &self.bytes[from..self.read]))
    }
}
