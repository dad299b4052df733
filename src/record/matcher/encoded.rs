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

/// Digits of a number system by the bytes that write them; other bytes are `NONE`.
type Digits = [u8; 256];

const NONE: u8 = u8::MAX;

/// Visits what parts of a text may stand for: each run of digits, from each digit at which a byte may begin,
/// because other bytes may precede the secret.
pub fn each_decoded(text: &[u8], visit: &mut dyn FnMut(&Decoded<'_>)) {
    let mut bytes = Vec::new();
    // After so many digits the bits of a byte begin with a digit again.
    for (bits, digits, turns) in [(6, &BASE64, 4), (4, &HEXADECIMAL, 2)] {
        let mut at = 0;
        while at < text.len() {
            let begin = at;
            while at < text.len() && digits[text[at] as usize] != NONE {
                at += 1;
            }
            if at - begin >= SHORTEST {
                for from in begin..begin + turns {
                    decode(&text[from..at], bits, digits, &mut bytes);
                    visit(&Decoded { bytes: &bytes, from, bits });
                }
            }
            at += 1;
        }
    }
}

/// Reads digits; bits that make no whole byte are left out.
fn decode(text: &[u8], bits: usize, digits: &Digits, bytes: &mut Vec<u8>) {
    bytes.clear();
    let (mut buffer, mut held) = (0u32, 0);
    for byte in text {
        buffer = buffer << bits | u32::from(digits[*byte as usize]);
        held += bits;
        if held >= 8 {
            held -= 8;
            bytes.push((buffer >> held) as u8);
            buffer &= (1 << held) - 1;
        }
    }
}

/// The digits of either alphabet.
static BASE64: Digits = {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let mut table = of_digits(digits);
    (table[b'+' as usize], table[b'-' as usize]) = (62, 62);
    (table[b'/' as usize], table[b'_' as usize]) = (63, 63);
    table
};

static HEXADECIMAL: Digits = {
    let mut table = of_digits(b"0123456789abcdef");
    let mut digit = b'A';
    while digit <= b'F' {
        table[digit as usize] = digit - b'A' + 10;
        digit += 1;
    }
    table
};

const fn of_digits(digits: &[u8]) -> Digits {
    let mut table = [NONE; 256];
    let mut value = 0;
    while value < digits.len() {
        table[digits[value] as usize] = value as u8;
        value += 1;
    }
    table
}
