//! Whether an engine shows what a rule says it shows.

use std::fmt;

use super::Shown;
use crate::rule::{Rule, Says, Shows, fits, is_titled};

/// What an engine says about a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The engine shows what the rule says.
    Confirmed(Seen),
    /// The engine shows nothing, and the rule does not say that it would.
    Silent,
    /// The engine shows something else.
    NotConfirmed { seen: Seen, expected: Shows },
}

/// What is most striking in what an engine showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// The engine itself crashed, with this message.
    Crash(String),
    /// An error with this title.
    Error(String),
    /// This command did not end in time.
    Hang(String),
    /// A plan right after an apply has something to do.
    Change,
    /// A warning with this title.
    Warning(String),
    Nothing,
}

impl Seen {
    /// Sorts the worst first.
    pub fn rank(&self) -> u8 {
        match self {
            Seen::Crash(_) => 0,
            Seen::Error(_) => 1,
            Seen::Hang(_) => 2,
            Seen::Change => 3,
            Seen::Warning(_) => 4,
            Seen::Nothing => 5,
        }
    }

    pub fn of(shown: &Shown) -> Seen {
        if let Some(message) = shown.crash() {
            return Seen::Crash(message.to_owned());
        }
        if let Some(error) = shown.errors().next() {
            return Seen::Error(error.title.clone());
        }
        if let Some(command) = shown.hung() {
            return Seen::Hang(command.line.clone());
        }
        if shown.change_left().is_some() {
            return Seen::Change;
        }
        shown.warnings().next().map_or(Seen::Nothing, |warning| Seen::Warning(warning.title.clone()))
    }
}

/// Compares what an engine showed with what a rule says it shows.
pub fn verdict(rule: &Rule, shown: &Shown) -> Verdict {
    let seen = Seen::of(shown);
    let titled = |title: &str| shown.errors().find(|error| is_titled(&error.title, title));
    let crashes = |message: &str| rule.shows.crashes.iter().any(|crash| fits(message, crash.words));
    let confirmed = match (rule.shows.says, &seen) {
        (_, Seen::Crash(message)) => crashes(message).then(|| seen.clone()),
        (Says::Title(title) | Says::TitleIn { title, .. }, _) => {
            titled(title).map(|error| Seen::Error(error.title.clone()))
        }
        (Says::OwnWords(_), Seen::Error(_)) | (Says::Change, Seen::Change) => Some(seen.clone()),
        _ => None,
    };
    let is_said = match rule.shows.says {
        // An older release does not check it.
        _ if shown.engine().is_some_and(|engine| !rule.enforced.is_in(&engine)) => false,
        Says::TitleIn { engine, .. } => shown.is_of(engine),
        Says::Title(_) | Says::OwnWords(_) | Says::Change => true,
        Says::Nothing => !rule.shows.crashes.is_empty(),
    };
    let is_silent = matches!(seen, Seen::Nothing | Seen::Warning(_));
    match (confirmed, rule.shows) {
        (Some(seen), _) => Verdict::Confirmed(seen),
        (None, _) if is_silent && !is_said => Verdict::Silent,
        (None, expected) => Verdict::NotConfirmed { seen, expected },
    }
}

impl Verdict {
    /// The verdict with its reason; `engine` is its name and version.
    pub fn told(&self, engine: &str) -> String {
        match self {
            Verdict::Confirmed(seen) => format!("confirmed: {engine} shows {seen}"),
            Verdict::Silent => {
                format!("silent: {engine} shows nothing, and the rule does not say that it would")
            }
            Verdict::NotConfirmed { seen, expected } => {
                format!("not confirmed: {engine} shows {seen}, and the rule says {expected}")
            }
        }
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seen::Crash(message) => write!(f, "it crashes: {message}"),
            Seen::Error(title) => write!(f, "“{title}”"),
            Seen::Hang(command) => write!(f, "`{command}` does not end"),
            Seen::Change => f.write_str("a plan right after apply has changes"),
            Seen::Warning(title) => write!(f, "the warning “{title}”"),
            Seen::Nothing => f.write_str("nothing"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules;

    fn verdict_of(rule: &str, printed: &str) -> Verdict {
        let rule = rules::find(rule).expect("the rule exists");
        verdict(rule, &Shown::read(&format!("== apply -auto-approve\n{printed}\n== exit code 1\n")))
    }

    #[test]
    fn an_engine_confirms_what_it_shows_as_the_rule_says() {
        let invalid = "╷\n│ Error: Provider produced invalid plan\n│ \n│ Why.\n╵";
        let seen = Seen::Error("Provider produced invalid plan".to_owned());
        assert_eq!(verdict_of("plan/keeps-configured-values", invalid), Verdict::Confirmed(seen.clone()));
        let nan = "panic: Float.SetFloat64(NaN)\n\ngoroutine 1 [running]:";
        let crash = Seen::Crash("Float.SetFloat64(NaN)".to_owned());
        assert_eq!(verdict_of("wire/numbers-are-finite", nan), Verdict::Confirmed(crash.clone()));
        assert_eq!(verdict_of("plan/repeats-itself", ""), Verdict::Silent);
        for (rule, printed, seen) in [
            ("plan/keeps-configured-values", "", Seen::Nothing),
            ("plan/keeps-configured-values", nan, crash),
            ("plan/repeats-itself", invalid, seen),
        ] {
            let expected = rules::find(rule).expect("the rule exists").shows;
            assert_eq!(verdict_of(rule, printed), Verdict::NotConfirmed { seen, expected });
        }
    }
}
