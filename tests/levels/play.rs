//! A rule's fault and control under a real engine.

use std::path::Path;

use tfconform::reproduction::{Seen, Verdict};
use tfconform::rule::{Level, Rule};

use super::document::plain;
use crate::fault::find;
use crate::proof::{Found, reference};

/// How many cases of a fault are played until the engine shows what the rule says.
const CASES: usize = 4;

/// What an engine shows of a rule's fault, as a cell of the document.
///
/// That of the first case that confirms the rule, or else of the case that shows the worst.
pub fn seen(rule: &'static Rule, engine: &Path) -> Result<String, String> {
    let (protocol, cases) = find(rule, Level::Advice)?;
    let suite = reference(rule.fault.name, protocol);
    let mut best: Option<(&Found, Seen)> = None;
    let mut unplayed = None;
    for case in cases.iter().filter(|case| case.rule.id == rule.id).take(CASES) {
        let (verdict, shown) = match case.judged(&suite, engine) {
            Ok(judged) => judged,
            Err(why) => {
                unplayed = Some(why);
                continue;
            }
        };
        if let Verdict::Confirmed(seen) = verdict {
            best = Some((case, seen));
            break;
        }
        let seen = Seen::of(&shown);
        if best.as_ref().is_none_or(|(_, best)| seen.rank() < best.rank()) {
            best = Some((case, seen));
        }
    }
    match (best, unplayed) {
        (Some((case, seen)), _) => {
            Ok(format!("{}{}", plain(&seen.to_string()), control(rule, protocol, case, engine)))
        }
        (None, Some(why)) => Ok(format!("not played: {}", plain(&why))),
        (None, None) => Err("there is no case".to_owned()),
    }
}

/// What an engine shows of the control, if it shows anything.
fn control(rule: &Rule, protocol: u8, case: &Found, engine: &Path) -> String {
    if matches!(rule.control.injection, tfconform::rule::Injection::Nothing(_)) {
        return String::new();
    }
    let suite = reference(rule.control.name, protocol);
    match case.shown(&suite, engine).map(|shown| Seen::of(&shown)) {
        Ok(Seen::Nothing | Seen::Warning(_)) => String::new(),
        Ok(seen) => format!("; control: {}", plain(&seen.to_string())),
        Err(why) => format!("; control not played: {}", plain(&why)),
    }
}
