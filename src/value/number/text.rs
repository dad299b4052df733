//! Decimal text: parsing, and printing with the fewest digits.

use std::fmt;

use num_bigint::BigUint;
use num_traits::Zero;

use super::{Big, MAX_EXPONENT, MAX_TEXT, Number, NumberError, Repr};

impl Number {
    /// Parses decimal text the way go-cty does: optional sign, digits with an
    /// optional point, an optional `e` (or, binary, `p`) exponent, or an infinity.
    ///
    /// A text of more than 12,000 characters is an error.
    pub fn parse(text: &str) -> Result<Number, NumberError> {
        if text.len() > MAX_TEXT {
            return Err(NumberError::TooLong(text.len()));
        }
        let (negative, rest) = match text.as_bytes().first() {
            Some(b'-') => (true, &text[1..]),
            Some(b'+') => (false, &text[1..]),
            _ => (false, text),
        };
        if rest == "Inf" || rest == "inf" {
            return Ok(Number(Repr::Infinite { negative }));
        }
        if !rest.is_empty() && rest.len() <= 18 && rest.bytes().all(|b| b.is_ascii_digit()) {
            let value: i64 = rest.parse().map_err(|_| NumberError::Syntax)?;
            if value != 0 || !negative {
                return Ok(Number::from_i64(if negative { -value } else { value }));
            }
        }
        let (digits_part, exponent_part) = match rest.find(['e', 'E', 'p', 'P']) {
            Some(at) => (&rest[..at], Some((rest.as_bytes()[at], &rest[at + 1..]))),
            None => (rest, None),
        };
        let (whole, fraction) = digits_part.split_once('.').unwrap_or((digits_part, ""));
        let is_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        if !is_digits(whole) || !is_digits(fraction) || (whole.is_empty() && fraction.is_empty()) {
            return Err(NumberError::Syntax);
        }
        let exponent = exponent_part.map(|(_, text)| parse_exponent(text)).transpose()?.unwrap_or(0);
        let binary = exponent_part.is_some_and(|(mark, _)| mark.eq_ignore_ascii_case(&b'p'));

        let mut digits = String::with_capacity(whole.len() + fraction.len());
        digits.push_str(whole);
        digits.push_str(fraction);
        let mantissa = BigUint::parse_bytes(digits.as_bytes(), 10).ok_or(NumberError::Syntax)?;
        let ten_exponent = (if binary { 0 } else { exponent }) - fraction.len() as i64;
        let two_exponent = if binary { exponent } else { 0 };
        Ok(Number::from_ratio(negative, mantissa, ten_exponent, two_exponent))
    }
}

fn parse_exponent(text: &str) -> Result<i64, NumberError> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(NumberError::Syntax);
    }
    let value: i64 = text.parse().map_err(|_| NumberError::Exponent)?;
    if value.abs() > MAX_EXPONENT { Err(NumberError::Exponent) } else { Ok(value) }
}

impl Big {
    /// Significant decimal digits of `mantissa × 2^exponent` without trailing
    /// zeros, and how many of them come before the decimal point.
    fn digits(mantissa: &BigUint, exponent: i64) -> (Vec<u8>, i64) {
        let (text, behind) = if exponent >= 0 {
            ((mantissa << exponent as u64).to_str_radix(10), 0)
        } else {
            let behind = exponent.unsigned_abs();
            ((mantissa * BigUint::from(5u8).pow(behind as u32)).to_str_radix(10), behind as i64)
        };
        let before = text.len() as i64 - behind;
        let mut digits = text.into_bytes();
        while digits.last() == Some(&b'0') {
            digits.pop();
        }
        (digits, before)
    }

    /// The fewest digits that read back as this value at its own precision.
    fn shortest(&self) -> (Vec<u8>, i64) {
        let (mut digits, before) = Big::digits(&self.mantissa, self.exponent);
        // One bit more than the precision, so the last bit is half a unit in the last place.
        let shift = i64::from(self.precision) + 1 - self.mantissa.bits() as i64;
        let scaled = &self.mantissa << shift as u64;
        let scale = self.exponent - shift;
        let inclusive = !scaled.bit(1);
        let (lower, _) = Big::digits(&(&scaled - 1u8), scale);
        let (upper, _) = Big::digits(&(&scaled + 1u8), scale);
        let at = |digits: &[u8], idx: usize| digits.get(idx).copied().unwrap_or(b'0');
        for idx in 0..digits.len() {
            let digit = digits[idx];
            let (low, up) = (at(&lower, idx), at(&upper, idx));
            let may_cut = low != digit || (inclusive && idx + 1 == lower.len());
            let may_raise = digit != up && (inclusive || digit + 1 < up || idx + 1 < upper.len());
            let raise = match (may_cut, may_raise) {
                (false, false) => continue,
                (true, false) => false,
                (false, true) => true,
                (true, true) => rounds_up(&digits, idx + 1),
            };
            return cut(&mut digits, idx + 1, before, raise);
        }
        (digits, before)
    }
}

/// Whether cutting `digits` to `keep` digits rounds up: to nearest, ties to even.
fn rounds_up(digits: &[u8], keep: usize) -> bool {
    match digits.get(keep) {
        None => false,
        Some(b'5') if keep + 1 == digits.len() => keep > 0 && (digits[keep - 1] - b'0') % 2 == 1,
        Some(next) => *next >= b'5',
    }
}

fn cut(digits: &mut Vec<u8>, keep: usize, mut before: i64, raise: bool) -> (Vec<u8>, i64) {
    digits.truncate(keep);
    if raise {
        while digits.last() == Some(&b'9') {
            digits.pop();
        }
        match digits.last_mut() {
            Some(last) => *last += 1,
            None => {
                digits.push(b'1');
                before += 1;
            }
        }
    } else {
        while digits.last() == Some(&b'0') {
            digits.pop();
        }
    }
    (std::mem::take(digits), before)
}

/// Plain positional decimal text without an exponent; −0 is `-0`, infinities are `Inf` and `-Inf`.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let big = match &self.0 {
            Repr::Small(value) => return write!(f, "{value}"),
            Repr::Infinite { negative } => return f.write_str(if *negative { "-Inf" } else { "Inf" }),
            Repr::Big(big) => big,
        };
        f.write_str(big.text())
    }
}

impl Big {
    pub(super) fn text(&self) -> &str {
        self.text.get_or_init(|| self.write().into())
    }

    fn write(&self) -> String {
        let mut text = String::new();
        if self.negative {
            text.push('-');
        }
        if self.mantissa.is_zero() {
            text.push('0');
            return text;
        }
        let (digits, before) = self.shortest();
        let digit = |idx: i64| usize::try_from(idx).ok().and_then(|idx| digits.get(idx)).copied();
        if before <= 0 {
            text.push('0');
        } else {
            text.extend((0..before).map(|idx| char::from(digit(idx).unwrap_or(b'0'))));
        }
        if (digits.len() as i64) > before {
            text.push('.');
            text.extend((before..digits.len() as i64).map(|idx| char::from(digit(idx).unwrap_or(b'0'))));
        }
        text
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use proptest::prelude::*;

    use super::*;

    fn text(input: &str) -> String {
        Number::parse(input).unwrap().to_string()
    }

    #[test]
    fn decimal_text_keeps_its_digits() {
        for (input, expected) in [
            ("0.1", "0.1"),
            ("1e-7", "0.0000001"),
            ("3.0", "3"),
            ("-0", "-0"),
            (".5", "0.5"),
            ("5.", "5"),
            ("1p3", "8"),
            ("007", "7"),
            ("9223372036854775808", "9223372036854775808"),
            ("-1.50", "-1.5"),
            ("1e30", "1000000000000000000000000000000"),
            ("+Inf", "Inf"),
            ("-Inf", "-Inf"),
        ] {
            assert_eq!(text(input), expected, "{input}");
        }
    }

    #[test]
    fn what_is_no_decimal_number_is_refused() {
        for input in
            ["", " 1", "Infinity", "NaN", "0x10", "0b1", "1_000", ".", "e5", "1e", "1e5.0", "--1", "+"]
        {
            assert_eq!(Number::parse(input).unwrap_err(), NumberError::Syntax, "{input:?}");
        }
        assert_eq!(Number::parse("1e999999999999").unwrap_err(), NumberError::Exponent);
        let digits = "1".repeat(10_000_000);
        assert_eq!(Number::parse(&digits).unwrap_err(), NumberError::TooLong(10_000_000));
        assert!(Number::parse(&digits[..5_000]).is_ok());
    }

    #[test]
    fn integral_doubles_are_written_with_53_bits() {
        let text = |value: f64| Number::from_f64(value).unwrap().to_string();
        assert_eq!(text(2f64.powi(70)), "1180591620717411300000");
        assert_eq!(text(2f64.powi(63)), "9223372036854776000");
        assert_eq!(text(1e23), "100000000000000000000000");
        assert_eq!(text(0.1), "0.1");
        assert!(text(f64::from_bits(1)).starts_with("0.000"));
    }

    #[test]
    fn a_double_half_way_between_two_texts_takes_the_even_one() {
        // Exactly …248.25: one digit less leaves …248.2 and …248.3, equally near. The engines' printer
        // rounds to even; Rust's rounds up.
        let number = Number::from_f64(f64::from_bits(14_057_586_773_031_172_513)).unwrap();
        assert_eq!(number.to_string(), "-1588983908806248.2");
    }

    /// Whether a double is exactly halfway between its shortest text and a neighbour of that.
    fn is_a_tie(value: f64) -> bool {
        let exact = format!("{value:.1100}");
        let exact = exact.trim_end_matches('0');
        exact.ends_with('5') && exact.len() == format!("{value}").len() + 1
    }

    proptest! {
        #[test]
        fn normal_doubles_print_as_rust_prints_them(bits: u64) {
            let value = f64::from_bits(bits);
            // A subnormal has fewer than 53 bits, and at a power of two the distance to the
            // next double below is halved: Rust considers both, the engines neither.
            prop_assume!(value.is_normal() && bits.trailing_zeros() < 52);
            // Of two equally short and equally near texts Rust takes the upper, the engines the even one.
            prop_assume!(!is_a_tie(value));
            prop_assert_eq!(Number::from_f64(value).unwrap().to_string(), format!("{value}"));
        }

        #[test]
        fn text_reads_back_as_the_same_number(digits in "-?[0-9]{1,200}(\\.[0-9]{1,200})?", exponent in -400i64..400) {
            let number = Number::parse(&format!("{digits}e{exponent}")).unwrap();
            let again = Number::parse(&number.to_string()).unwrap();
            prop_assert_eq!(number.compare_value(&again), Ordering::Equal);
            prop_assert_eq!(&number, &again);
        }

        #[test]
        fn parsing_is_total(text in "\\PC{0,40}") {
            let _ = Number::parse(&text);
        }
    }
}
