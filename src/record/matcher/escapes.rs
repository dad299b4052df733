//! Texts as they read once their escapes are undone.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr;

/// A text with some escapes undone, which knows what it is made of.
pub struct View<'t> {
    bytes: Cow<'t, [u8]>,
    /// What stands for something else in the text, in order. Every other byte is one of the text.
    undone: Vec<Undone>,
}

/// What an escape became.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Undone {
    at: usize,
    length: usize,
    /// The part of the text.
    from: Range<usize>,
}

/// The length of an escape in bytes, and what it stands for.
pub type Read = (usize, Char);

pub enum Char {
    Byte(u8),
    Unicode(char),
}

impl Char {
    pub fn push_to(&self, bytes: &mut Vec<u8>) {
        match self {
            Char::Byte(byte) => bytes.push(*byte),
            Char::Unicode(char) => bytes.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

/// A kind of escapes.
pub struct Kind {
    /// How each begins.
    pub marker: u8,
    pub read: fn(&[u8]) -> Option<Read>,
}

pub const KINDS: [Kind; 3] = [
    Kind { marker: b'\\', read: backslash },
    Kind { marker: b'%', read: percent },
    Kind { marker: b'&', read: reference },
];

impl<'t> View<'t> {
    /// The text itself.
    pub fn of(text: &'t [u8]) -> View<'t> {
        View { bytes: Cow::Borrowed(text), undone: Vec::new() }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What tells it from every other view of the text.
    pub fn key(&self) -> (Vec<u8>, Vec<Undone>) {
        (self.bytes.to_vec(), self.undone.clone())
    }

    /// The part of the text that a part of the view, which is not empty, is made of.
    pub fn range(&self, range: Range<usize>) -> Range<usize> {
        self.source(range.start).start..self.source(range.end - 1).end
    }

    /// The part of the text that a byte is made of.
    fn source(&self, at: usize) -> Range<usize> {
        let before = self.undone.partition_point(|undone| undone.at <= at);
        match self.undone[..before].last() {
            None => at..at + 1,
            Some(undone) if at < undone.at + undone.length => undone.from.clone(),
            Some(undone) => {
                let start = undone.from.end + at - (undone.at + undone.length);
                start..start + 1
            }
        }
    }

    /// The view in which escapes of a kind are undone once; `None` if there are none.
    pub fn without(&self, kind: &Kind) -> Option<View<'static>> {
        let mut bytes = Vec::new();
        let mut undone = Vec::new();
        let mut earlier = self.undone.iter().peekable();
        let mut has_changed = false;
        // Up to where it is copied, and up to where it is known to have no escape.
        let (mut copied, mut at) = (0, 0);
        while let Some(marker) = memchr(kind.marker, &self.bytes[at..]).map(|found| at + found) {
            at = marker + 1;
            let Some((length, char)) = (kind.read)(&self.bytes[marker..]) else { continue };
            while let Some(one) = earlier.next_if(|one| one.at < marker) {
                undone.push(Undone { at: bytes.len() + one.at - copied, ..one.clone() });
            }
            bytes.extend_from_slice(&self.bytes[copied..marker]);
            at = marker + length;
            copied = at;
            has_changed = true;
            // An escape is made of these.
            while earlier.next_if(|one| one.at < at).is_some() {}
            let begin = bytes.len();
            char.push_to(&mut bytes);
            undone.push(Undone { at: begin, length: bytes.len() - begin, from: self.range(marker..at) });
        }
        if !has_changed {
            return None;
        }
        undone.extend(earlier.map(|one| Undone { at: bytes.len() + one.at - copied, ..one.clone() }));
        bytes.extend_from_slice(&self.bytes[copied..]);
        Some(View { bytes: Cow::Owned(bytes), undone })
    }
}

/// As in Go, JSON, Rust, Python and shells.
fn backslash(text: &[u8]) -> Option<Read> {
    let plain = |byte: u8| Some((2, Char::Byte(byte)));
    match *text.get(1)? {
        b'a' => plain(7),
        b'b' => plain(8),
        b'e' => plain(27),
        b'f' => plain(12),
        b'n' => plain(b'\n'),
        b'r' => plain(b'\r'),
        b't' => plain(b'\t'),
        b'v' => plain(11),
        b'x' => Some((4, Char::Byte(number(text.get(2..4)?, 16)? as u8))),
        b'0'..=b'7' => {
            let length = text[1..].iter().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
            Some((1 + length, Char::Byte(u8::try_from(number(&text[1..=length], 8)?).ok()?)))
        }
        b'u' if text.get(2) == Some(&b'{') => {
            let length = text[3..].iter().take(7).position(|byte| *byte == b'}')?;
            Some((4 + length, Char::Unicode(char::from_u32(number(&text[3..3 + length], 16)?)?)))
        }
        b'u' => {
            let first = number(text.get(2..6)?, 16)?;
            if let Some(char) = char::from_u32(first) {
                return Some((6, Char::Unicode(char)));
            }
            let rest = text.get(6..12).filter(|rest| rest.starts_with(b"\\u"))?;
            let pair = [first as u16, number(&rest[2..], 16)? as u16];
            Some((12, Char::Unicode(char::decode_utf16(pair).next()?.ok()?)))
        }
        b'U' => Some((10, Char::Unicode(char::from_u32(number(text.get(2..10)?, 16)?)?))),
        other if other.is_ascii_punctuation() || other == b' ' => plain(other),
        _ => None,
    }
}

/// As in URLs.
fn percent(text: &[u8]) -> Option<Read> {
    Some((3, Char::Byte(number(text.get(1..3)?, 16)? as u8)))
}

/// As in HTML and XML.
fn reference(text: &[u8]) -> Option<Read> {
    /// The length of `&#x0010ffff;`.
    const LONGEST: usize = 12;
    let end = text.iter().take(LONGEST).position(|byte| *byte == b';')?;
    let char = match &text[1..end] {
        b"amp" => '&',
        b"lt" => '<',
        b"gt" => '>',
        b"quot" => '"',
        b"apos" => '\'',
        b"nbsp" => '\u{a0}',
        [b'#', b'x' | b'X', digits @ ..] => char::from_u32(number(digits, 16)?)?,
        [b'#', digits @ ..] => char::from_u32(number(digits, 10)?)?,
        _ => return None,
    };
    Some((end + 1, Char::Unicode(char)))
}

/// A number of digits alone.
fn number(digits: &[u8], radix: u32) -> Option<u32> {
    let text = std::str::from_utf8(digits).ok().filter(|text| !text.starts_with('+'))?;
    u32::from_str_radix(text, radix).ok()
}
