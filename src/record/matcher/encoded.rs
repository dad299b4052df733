//! The bytes behind base64 and hexadecimal digits.

use std::ops::Range;

/// Shorter runs of digits have no room for a secret.
const SHORTEST: usize = 6;

/// Bytes that a part of a text may stand for.
pub struct Decoded<'d> {
    pub bytes: &'d [u8],
    /// Where its digits begin in the text.
    from: usize,
    /// The bits of a digit.
    bits: usize,
}

impl Decoded<'_> {
    /// The digits that some of the bytes, at least one, are written with.
    pub fn range(&self, bytes: Range<usize>) -> Range<usize> {
        self.from + bytes.start * 8 / self.bits..self.from + (bytes.end * 8 - 1) / self.bits + 1
    }
}

/// Visits what parts of a text may stand for: each run of digits, from each digit at which a byte may begin,
/// because other bytes may precede the secret.
pub fn each_decoded(text: &[u8], visit: &mut dyn FnMut(&Decoded<'_>)) {
    let mut bytes = Vec::new();
    for (bits, digit) in [(6, base64 as fn(u8) -> Option<u8>), (4, hexadecimal)] {
        // After so many digits the bits of a byte begin with a digit again.
        let turns = if bits == 6 { 4 } else { 2 };
        let mut at = 0;
        while at < text.len() {
            let length = text[at..].iter().take_while(|byte| digit(**byte).is_some()).count();
            if length >= SHORTEST {
                for from in at..at + turns {
                    decode(&text[from..at + length], bits, digit, &mut bytes);
                    visit(&Decoded { bytes: &bytes, from, bits });
                }
            }
            at += length + 1;
        }
    }
}

/// Reads digits; bits that make no whole byte are left out.
fn decode(digits: &[u8], bits: usize, digit: fn(u8) -> Option<u8>, bytes: &mut Vec<u8>) {
    bytes.clear();
    let (mut buffer, mut held) = (0u32, 0);
    for byte in digits {
        buffer = buffer << bits | u32::from(digit(*byte).unwrap_or_default());
        held += bits;
        if held >= 8 {
            held -= 8;
            bytes.push((buffer >> held) as u8);
            buffer &= (1 << held) - 1;
        }
    }
}

/// A digit of either alphabet.
fn base64(byte: u8) -> Option<u8> {
    match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

fn hexadecimal(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}
