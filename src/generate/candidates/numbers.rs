//! Numbers that satisfy what is known.

use num_traits::ToPrimitive;

use crate::generate::facts::{Constraint, ValueFacts};
use crate::value::Number;

/// What is tried after the ends of the ranges.
const USUAL: [i64; 19] =
    [1, 2, 10, 60, 7, 5, 3, 100, 30, 20, 300, 1000, 3600, 443, 0, 8080, 64512, 4096, 100_000];

/// The ends of the ranges that are known, and the numbers next to them that are whole and can be divided as
/// demanded.
pub(super) fn ends(facts: &ValueFacts) -> Vec<Number> {
    let constraints = || facts.facts.iter().map(|fact| &fact.constraint);
    let divisors: Vec<i64> = constraints()
        .filter_map(|constraint| match constraint {
            Constraint::DivisibleBy(divisor) => Some(divisor.saturating_abs().max(1)),
            _ => None,
        })
        .collect();
    let mut ends = Vec::new();
    for constraint in constraints() {
        let Constraint::Range { min, max } = constraint else { continue };
        for (bound, is_min) in [(min, true), (max, false)] {
            let Some(bound) = bound else { continue };
            let whole = bound.to_f64_lossy();
            let whole = if is_min { whole.ceil() } else { whole.floor() }.to_i64();
            for divisor in &divisors {
                ends.extend(whole.and_then(|whole| multiple(whole, *divisor, is_min)).map(Number::from_i64));
            }
            ends.push(bound.clone());
            if !bound.is_integer() {
                ends.extend(whole.map(Number::from_i64));
            }
        }
    }
    for divisor in divisors {
        ends.extend(
            [Some(divisor), divisor.checked_mul(2), divisor.checked_mul(10)]
                .into_iter()
                .flatten()
                .map(Number::from_i64),
        );
    }
    ends
}

pub(super) fn usual() -> impl Iterator<Item = Number> {
    USUAL.into_iter().map(Number::from_i64)
}

/// The nearest multiple of a divisor that is not below a number, or not above it.
fn multiple(whole: i64, divisor: i64, up: bool) -> Option<i64> {
    match whole.rem_euclid(divisor) {
        0 => Some(whole),
        rest if up => whole.checked_add(divisor - rest),
        rest => whole.checked_sub(rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::facts::{Evidence, Fact, Strength};

    #[test]
    fn the_ends_are_exact_whole_and_divisible() {
        let mut facts = ValueFacts::default();
        let range = |min: &str, max: &str| Constraint::Range {
            min: Some(Number::parse(min).unwrap()),
            max: Some(Number::parse(max).unwrap()),
        };
        let mut add = |constraint| {
            facts.add(Fact { constraint, strength: Strength::Hard, evidence: Evidence::default() });
            ends(&facts).iter().map(Number::to_string).collect::<Vec<_>>()
        };
        assert_eq!(add(range("0.5", "100")), ["0.5", "1", "100"]);
        assert_eq!(add(Constraint::DivisibleBy(60)), ["60", "0.5", "1", "60", "100", "60", "120", "600"]);
    }
}
