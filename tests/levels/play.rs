//! A rule's fault and control under a real engine.

use std::path::Path;
use std::process::Command;

use tfconform::reproduction::{Seen, Shown, Verdict};
use tfconform::rule::{Level, Rule};

use super::document::plain;
use crate::fault::find;
use crate::proof::{Found, reference};

/// How many cases of a fault are played until the engine shows what the rule says.
const CASES: usize = 4;

/// An engine's name and version, such as `terraform 1.11.4`.
pub fn version(program: &Path) -> Option<String> {
    // Without a file of its own, so that no warning about it comes first.
    let mut version = Command::new(program);
    version.arg("version").env("CHECKPOINT_DISABLE", "1").env("TF_CLI_CONFIG_FILE", "/dev/null");
    let output = version.output().ok()?;
    Shown::read(&format!("== version\n{}", String::from_utf8_lossy(&output.stdout))).engine()
}

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
