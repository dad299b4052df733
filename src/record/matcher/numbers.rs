//! Numbers in texts.

use std::collections::HashSet;
use std::ops::Range;

use super::secret::unsigned;
use crate::value::Number;

/// Beyond the digits of the longest secret number: a point, an exponent, zeros.
const SLACK: usize = 16;

/// The length of the longest.
pub fn longest(numbers: &HashSet<String>) -> usize {
    numbers.iter().map(String::len).max().unwrap_or_default()
}

/// Visits every number in a text as its digits without a sign: with a fraction or an exponent if it has one,
/// and its digits alone. Digits in the middle of others are no number.
///
/// Numbers much longer than `longest` are passed over.
pub fn each_number(text: &[u8], longest: usize, visit: &mut dyn FnMut(Range<usize>, &str)) {
    let mut at = 0;
    while let Some(found) = text[at..].iter().position(u8::is_ascii_digit) {
        let start = at + found;
        let whole = digits(text, start);
        let fraction = match text.get(whole) {
            Some(b'.') => Some(digits(text, whole + 1)).filter(|end| *end > whole + 1),
            _ => None,
        };
        let mantissa = fraction.unwrap_or(whole);
        let exponent = exponent(text, mantissa);
        let ends = [exponent, fraction, Some(whole)];
        for end in ends.into_iter().flatten().filter(|end| end - start <= longest + SLACK) {
            let literal = std::str::from_utf8(&text[start..end]).expect("digits and signs are ASCII");
            // The digits before a fraction are no number of their own, unless there are several points.
            let is_dotted = start > 0 && text[start - 1] == b'.' || text.get(mantissa) == Some(&b'.');
            let is_part = end == whole && fraction.is_some() && !is_dotted;
            if !is_part && let Ok(number) = Number::parse(literal) {
                visit(start..end, &unsigned(&number));
            }
        }
        at = whole;
    }
}

fn digits(text: &[u8], from: usize) -> usize {
    from + text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// The end of the exponent that begins here, if one does.
fn exponent(text: &[u8], at: usize) -> Option<usize> {
    let first = text.get(at).filter(|byte| byte.eq_ignore_ascii_case(&b'e'));
    first?;
    let signed = at + 1 + usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
    Some(digits(text, signed)).filter(|end| *end > signed && *end - signed <= 4)
}
