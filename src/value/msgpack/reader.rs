//! The lowest level of decoding: markers and lengths in a byte slice.

/// A position in the bytes. Never reads past their end.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// One MessagePack item; containers carry only their announced length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Item<'a> {
    Nil,
    Bool(bool),
    Unsigned { value: u64, minimal: bool },
    Signed { value: i64, minimal: bool },
    Double { value: f64, single: bool },
    Text(&'a [u8]),
    Binary(&'a [u8]),
    Array(u64),
    Map(u64),
    Extension { code: i8, payload: &'a [u8] },
}

impl Item<'_> {
    pub(super) fn describe(&self) -> &'static str {
        match self {
            Item::Nil => "nil",
            Item::Bool(_) => "a bool",
            Item::Unsigned { .. } | Item::Signed { .. } => "an integer",
            Item::Double { .. } => "a float",
            Item::Text(_) => "a string",
            Item::Binary(_) => "binary",
            Item::Array(_) => "an array",
            Item::Map(_) => "a map",
            Item::Extension { .. } => "an extension",
        }
    }
}

const CUT: &str = "the bytes end inside a value";

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, at: 0 }
    }

    pub(super) fn offset(&self) -> usize {
        self.at
    }

    pub(super) fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    fn take(&mut self, count: u64) -> Result<&'a [u8], &'static str> {
        let count = usize::try_from(count).map_err(|_| CUT)?;
        let end = self.at.checked_add(count).filter(|end| *end <= self.bytes.len()).ok_or(CUT)?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    fn uint(&mut self, width: u64) -> Result<u64, &'static str> {
        Ok(self.take(width)?.iter().fold(0, |value, byte| value << 8 | u64::from(*byte)))
    }

    fn unsigned(&mut self, width: u64) -> Result<Item<'a>, &'static str> {
        let value = self.uint(width)?;
        let limit = match width {
            1 => 0x7f,
            2 => 0xff,
            4 => 0xffff,
            _ => 0xffff_ffff,
        };
        Ok(Item::Unsigned { value, minimal: value > limit })
    }

    fn signed(&mut self, width: u64) -> Result<Item<'a>, &'static str> {
        let shift = 64 - 8 * width;
        let value = ((self.uint(width)? << shift) as i64) >> shift;
        let limit = match width {
            1 => -32,
            2 => i64::from(i8::MIN),
            4 => i64::from(i16::MIN),
            _ => i64::from(i32::MIN),
        };
        Ok(Item::Signed { value, minimal: value < limit })
    }

    pub(super) fn item(&mut self) -> Result<Item<'a>, &'static str> {
        let marker = self.take(1)?[0];
        Ok(match marker {
            0x00..=0x7f => Item::Unsigned { value: u64::from(marker), minimal: true },
            0x80..=0x8f => Item::Map(u64::from(marker & 0x0f)),
            0x90..=0x9f => Item::Array(u64::from(marker & 0x0f)),
            0xa0..=0xbf => Item::Text(self.take(u64::from(marker & 0x1f))?),
            0xc0 => Item::Nil,
            0xc1 => return Err("the marker 0xc1 means nothing"),
            0xc2 => Item::Bool(false),
            0xc3 => Item::Bool(true),
            0xc4..=0xc6 => {
                let length = self.uint(1 << (marker - 0xc4))?;
                Item::Binary(self.take(length)?)
            }
            0xc7..=0xc9 => {
                let length = self.uint(1 << (marker - 0xc7))?;
                self.extension(length)?
            }
            0xca => Item::Double { value: f64::from(f32::from_bits(self.uint(4)? as u32)), single: true },
            0xcb => Item::Double { value: f64::from_bits(self.uint(8)?), single: false },
            0xcc..=0xcf => self.unsigned(1 << (marker - 0xcc))?,
            0xd0..=0xd3 => self.signed(1 << (marker - 0xd0))?,
            0xd4..=0xd8 => self.extension(1 << (marker - 0xd4))?,
            0xd9..=0xdb => {
                let length = self.uint(1 << (marker - 0xd9))?;
                Item::Text(self.take(length)?)
            }
            0xdc | 0xdd => Item::Array(self.uint(if marker == 0xdc { 2 } else { 4 })?),
            0xde | 0xdf => Item::Map(self.uint(if marker == 0xde { 2 } else { 4 })?),
            0xe0..=0xff => Item::Signed { value: i64::from(marker as i8), minimal: true },
        })
    }

    fn extension(&mut self, length: u64) -> Result<Item<'a>, &'static str> {
        let code = self.take(1)?[0] as i8;
        Ok(Item::Extension { code, payload: self.take(length)? })
    }
}
