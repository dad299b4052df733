//! Numbers: binary floats of up to 512 bits that remember their precision.
//!
//! A number parsed from decimal text has 512 bits, one from an integer 64, one from a double 53.
//! The precision never changes the value, but it decides the text: a number is written with the
//! fewest digits that read back as the same value *at its own precision*, so a double `0.1` and a
//! decimal `0.1` are different binary values with one text, and equal.
//!
//! Source: contract section 2.4, wire section 4.5.

mod text;

use std::cmp::Ordering;
use std::sync::{Arc, OnceLock};

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

/// Precision of numbers read from text, in bits.
pub const TEXT_PRECISION: u32 = 512;
const INTEGER_PRECISION: u32 = 64;
const DOUBLE_PRECISION: u32 = 53;

/// Largest decimal (or binary) exponent accepted in text. Core accepts more and then writes that
/// many digits; no real value comes close, and a short hostile text must not cost megabytes.
pub const MAX_EXPONENT: i64 = 5_000;

/// The longest text of a number that is read, in characters: the digits of the largest exponent, with room
/// for as many behind the point. Reading takes the square of the length.
pub const MAX_TEXT: usize = 12_000;

#[derive(Clone)]
pub struct Number(Repr);

#[derive(Clone)]
enum Repr {
    /// Any integer that fits, with at least 64 bits of precision: nearly every number.
    Small(i64),
    Big(Arc<Big>),
    /// Positive or negative infinity.
    Infinite {
        negative: bool,
    },
}

/// `mantissa × 2^exponent`; the mantissa is odd, or zero with exponent 0.
struct Big {
    negative: bool,
    mantissa: BigUint,
    exponent: i64,
    precision: u32,
    /// Written once: it is slow, and most numbers are written and compared several times.
    text: OnceLock<Box<str>>,
}

/// Why a text is not a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NumberError {
    #[error("not a decimal number")]
    Syntax,
    #[error("exponent beyond ±{MAX_EXPONENT}")]
    Exponent,
    #[error("a number of {0} characters")]
    TooLong(usize),
    #[error("not a number (NaN)")]
    NotANumber,
}

impl Number {
    pub fn from_i64(value: i64) -> Number {
        Number(Repr::Small(value))
    }

    pub fn from_u64(value: u64) -> Number {
        match i64::try_from(value) {
            Ok(small) => Number::from_i64(small),
            Err(_) => Number::big(false, BigUint::from(value), 0, INTEGER_PRECISION),
        }
    }

    /// A number from a double, with 53 bits of precision; NaN is an error.
    pub fn from_f64(value: f64) -> Result<Number, NumberError> {
        if value.is_nan() {
            return Err(NumberError::NotANumber);
        }
        if value.is_infinite() {
            return Ok(Number(Repr::Infinite { negative: value < 0.0 }));
        }
        let bits = value.to_bits();
        let biased = ((bits >> 52) & 0x7ff) as i64;
        let fraction = bits & ((1 << 52) - 1);
        let (mantissa, exponent) =
            if biased == 0 { (fraction, -1074) } else { (fraction | (1 << 52), biased - 1075) };
        Ok(Number::big(value.is_sign_negative(), BigUint::from(mantissa), exponent, DOUBLE_PRECISION))
    }

    pub fn infinity(negative: bool) -> Number {
        Number(Repr::Infinite { negative })
    }

    /// `digits × 10^ten × 2^two`, rounded to 512 bits, ties to even.
    fn from_ratio(negative: bool, digits: BigUint, ten: i64, two: i64) -> Number {
        if digits.is_zero() {
            return Number::big(negative, digits, 0, TEXT_PRECISION);
        }
        let five = BigUint::from(5u8).pow(ten.unsigned_abs() as u32);
        let (numerator, denominator) =
            if ten >= 0 { (digits * five, BigUint::one()) } else { (digits, five) };
        let exponent = ten + two;
        if denominator.is_one() {
            return Number::rounded(negative, numerator, false, exponent);
        }
        // Enough quotient bits that the last ones can only decide the rounding.
        let shift = (TEXT_PRECISION as i64 + 3 + denominator.bits() as i64 - numerator.bits() as i64).max(0);
        let (quotient, rest) = (numerator << shift as u64).div_rem(&denominator);
        Number::rounded(negative, quotient, !rest.is_zero(), exponent - shift)
    }

    fn rounded(negative: bool, mantissa: BigUint, sticky: bool, exponent: i64) -> Number {
        let excess = mantissa.bits() as i64 - i64::from(TEXT_PRECISION);
        if excess <= 0 {
            return Number::big(negative, mantissa, exponent, TEXT_PRECISION);
        }
        let kept = &mantissa >> excess as u64;
        let dropped = &mantissa - (&kept << excess as u64);
        let half = BigUint::one() << (excess as u64 - 1);
        let up = match dropped.cmp(&half) {
            Ordering::Greater => true,
            Ordering::Equal => sticky || kept.is_odd(),
            Ordering::Less => false,
        };
        let kept = if up { kept + 1u8 } else { kept };
        Number::big(negative, kept, exponent + excess, TEXT_PRECISION)
    }

    fn big(negative: bool, mantissa: BigUint, exponent: i64, precision: u32) -> Number {
        let zeros = mantissa.trailing_zeros().unwrap_or(0);
        let (mantissa, exponent) =
            if mantissa.is_zero() { (mantissa, 0) } else { (mantissa >> zeros, exponent + zeros as i64) };
        let big = Big { negative, mantissa, exponent, precision, text: OnceLock::new() };
        if precision >= INTEGER_PRECISION
            && !(big.negative && big.mantissa.is_zero())
            && let Some(small) = big.to_i64()
        {
            return Number::from_i64(small);
        }
        Number(Repr::Big(Arc::new(big)))
    }

    pub fn is_infinite(&self) -> bool {
        matches!(self.0, Repr::Infinite { .. })
    }

    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Small(_) => true,
            Repr::Big(big) => big.exponent >= 0,
            Repr::Infinite { .. } => false,
        }
    }

    pub fn is_negative(&self) -> bool {
        match &self.0 {
            Repr::Small(value) => *value < 0,
            Repr::Big(big) => big.negative && !big.mantissa.is_zero(),
            Repr::Infinite { negative } => *negative,
        }
    }

    /// The value as an `i64` if that is exact; −0 is 0.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Small(value) => Some(*value),
            Repr::Big(big) => big.to_i64(),
            Repr::Infinite { .. } => None,
        }
    }

    /// The value as a double if that is exact; infinities included.
    pub fn to_f64_exact(&self) -> Option<f64> {
        match &self.0 {
            Repr::Small(value) => {
                let double = *value as f64;
                (double as i128 == i128::from(*value)).then_some(double)
            }
            Repr::Infinite { negative } => Some(if *negative { f64::NEG_INFINITY } else { f64::INFINITY }),
            Repr::Big(big) => big.to_f64_exact(),
        }
    }

    /// The double nearest to the value, for bounds and display arithmetic only.
    pub fn to_f64_lossy(&self) -> f64 {
        self.to_f64_exact().unwrap_or_else(|| self.to_string().parse().unwrap_or(f64::NAN))
    }

    fn parts(&self) -> Option<(bool, BigUint, i64)> {
        match &self.0 {
            Repr::Small(value) => Some((*value < 0, BigUint::from(value.unsigned_abs()), 0)),
            Repr::Big(big) => Some((big.negative, big.mantissa.clone(), big.exponent)),
            Repr::Infinite { .. } => None,
        }
    }

    /// Orders by value, regardless of precision; −0 equals 0.
    pub fn compare_value(&self, other: &Number) -> Ordering {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0) {
            return a.cmp(b);
        }
        let infinite = |n: &Number| match n.0 {
            Repr::Infinite { negative } => {
                if negative {
                    -1
                } else {
                    1
                }
            }
            Repr::Small(_) | Repr::Big(_) => 0,
        };
        match (self.parts(), other.parts()) {
            (Some(a), Some(b)) => {
                // Comparing magnitudes first keeps 2^5000 from being aligned with 2^-5000.
                let magnitude = |(_, mantissa, exponent): &(bool, BigUint, i64)| {
                    if mantissa.is_zero() { i64::MIN } else { mantissa.bits() as i64 + exponent }
                };
                let sign =
                    |(negative, mantissa, _): &(bool, BigUint, i64)| match (mantissa.is_zero(), negative) {
                        (true, _) => 0,
                        (false, true) => -1,
                        (false, false) => 1,
                    };
                let (a_sign, b_sign) = (sign(&a), sign(&b));
                if a_sign != b_sign || a_sign == 0 {
                    return a_sign.cmp(&b_sign);
                }
                let absolute = magnitude(&a).cmp(&magnitude(&b)).then_with(|| {
                    let low = a.2.min(b.2);
                    (&a.1 << (a.2 - low) as u64).cmp(&(&b.1 << (b.2 - low) as u64))
                });
                if a_sign < 0 { absolute.reverse() } else { absolute }
            }
            _ => infinite(self).cmp(&infinite(other)),
        }
    }
}

impl Big {
    fn to_i64(&self) -> Option<i64> {
        if self.mantissa.is_zero() {
            return Some(0);
        }
        if self.exponent < 0 || self.mantissa.bits() as i64 + self.exponent > 64 {
            return None;
        }
        let sign = if self.negative { Sign::Minus } else { Sign::Plus };
        BigInt::from_biguint(sign, &self.mantissa << self.exponent as u64).to_i64()
    }

    fn to_f64_exact(&self) -> Option<f64> {
        if self.mantissa.is_zero() {
            return Some(if self.negative { -0.0 } else { 0.0 });
        }
        let bits = self.mantissa.bits() as i64;
        if bits > 53 || self.exponent < -1074 || bits + self.exponent > 1024 {
            return None;
        }
        let mantissa = self.mantissa.to_u64()? as f64;
        // Two steps, because 2^-1074 alone is below what powi reaches from one side.
        let half = self.exponent / 2;
        let value = mantissa * 2f64.powi(half as i32) * 2f64.powi((self.exponent - half) as i32);
        Some(if self.negative { -value } else { value })
    }
}

/// Equality as in the language: two integers by value, an integer and a fraction never, two
/// fractions by the text each has at its own precision.
impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) => a == b,
            (Repr::Infinite { negative: a }, Repr::Infinite { negative: b }) => a == b,
            (Repr::Infinite { .. }, _) | (_, Repr::Infinite { .. }) => false,
            _ if self.is_integer() != other.is_integer() => false,
            _ if self.is_integer() => self.compare_value(other) == Ordering::Equal,
            (Repr::Big(a), Repr::Big(b)) => Arc::ptr_eq(a, b) || a.text() == b.text(),
            (Repr::Small(_), Repr::Big(_)) | (Repr::Big(_), Repr::Small(_)) => false,
        }
    }
}

impl Eq for Number {}

impl From<i64> for Number {
    fn from(value: i64) -> Number {
        Number::from_i64(value)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_double_equals_the_decimal_with_its_text() {
        assert_eq!(Number::from_f64(0.1).unwrap(), Number::parse("0.1").unwrap());
        assert_ne!(
            Number::from_f64(2f64.powi(70)).unwrap(),
            Number::parse("1180591620717411300000").unwrap()
        );
        assert_eq!(Number::parse("-0").unwrap(), Number::from_i64(0));
        assert_eq!(Number::from_f64(3.0).unwrap(), Number::from_i64(3));
        assert_ne!(Number::parse("0.5").unwrap(), Number::parse("-0.5").unwrap());
    }

    #[test]
    fn doubles_are_exact_or_nothing() {
        for value in [1.5, -0.5, 5e-324, f64::MAX, f64::MIN_POSITIVE, 2f64.powi(60)] {
            assert_eq!(Number::from_f64(value).unwrap().to_f64_exact(), Some(value));
        }
        assert_eq!(Number::parse("0.1").unwrap().to_f64_exact(), None);
        assert_eq!(Number::from_i64(i64::MAX).to_f64_exact(), None);
    }

    proptest! {
        #[test]
        fn order_is_that_of_the_doubles(a: f64, b: f64) {
            prop_assume!(!a.is_nan() && !b.is_nan());
            let (x, y) = (Number::from_f64(a).unwrap(), Number::from_f64(b).unwrap());
            prop_assert_eq!(x.compare_value(&y), a.partial_cmp(&b).unwrap());
        }
    }
}
