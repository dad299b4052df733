//! Texts as they read once their escapes are undone.

use std::borrow::Cow;
use std::ops::Range;

/// A text with some escapes undone, which knows what it is made of.
pub struct View<'t> {
    bytes: Cow<'t, [u8]>,
    /// Where each byte comes from in the text; `None` for the text itself.
    from: Option<Vec<(u32, u32)>>,
}

/// What an escape stands for, and its length in bytes.
type Undone = (usize, Char);

enum Char {
    Byte(u8),
    Unicode(char),
}

/// A kind of escapes.
pub struct Kind {
    /// How each begins.
    pub marker: u8,
    read: fn(&[u8]) -> Option<Undone>,
}

pub const KINDS: [Kind; 3] = [
    Kind { marker: b'\\', read: backslash },
    Kind { marker: b'%', read: percent },
    Kind { marker: b'&', read: reference },
];

impl<'t> View<'t> {
    /// The text itself.
    pub fn of(text: &'t [u8]) -> View<'t> {
        View { bytes: Cow::Borrowed(text), from: None }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The part of the text that a part of the view, which is not empty, is made of.
    pub fn range(&self, range: Range<usize>) -> Range<usize> {
        match &self.from {
            None => range,
            Some(from) => from[range.start].0 as usize..from[range.end - 1].1 as usize,
        }
    }

    /// The view in which escapes of a kind are undone once; `None` if there are none.
    pub fn without(&self, kind: &Kind) -> Option<View<'static>> {
        // The places in a longer text would not fit.
        let in_reach = self.bytes.contains(&kind.marker) && u32::try_from(self.bytes.len()).is_ok();
        if !in_reach {
            return None;
        }
        let mut bytes = Vec::with_capacity(self.bytes.len());
        let mut from = Vec::with_capacity(self.bytes.len());
        let (mut at, mut has_changed) = (0, false);
        while let Some(&byte) = self.bytes.get(at) {
            let undone = if byte == kind.marker { (kind.read)(&self.bytes[at..]) } else { None };
            has_changed |= undone.is_some();
            let (length, char) = undone.unwrap_or((1, Char::Byte(byte)));
            let source = self.range(at..at + length);
            match char {
                Char::Byte(byte) => bytes.push(byte),
                Char::Unicode(char) => bytes.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
            }
            from.resize(bytes.len(), (source.start as u32, source.end as u32));
            at += length;
        }
        has_changed.then_some(View { bytes: Cow::Owned(bytes), from: Some(from) })
    }
}

/// As in Go, JSON, Rust, Python and shells.
fn backslash(text: &[u8]) -> Option<Undone> {
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
fn percent(text: &[u8]) -> Option<Undone> {
    Some((3, Char::Byte(number(text.get(1..3)?, 16)? as u8)))
}

/// As in HTML and XML.
fn reference(text: &[u8]) -> Option<Undone> {
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
