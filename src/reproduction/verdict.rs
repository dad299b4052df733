//! Whether an engine shows what a rule says it shows.

use std::fmt;

use super::{Runs, Shown, Sought};
use crate::rule::{Enforced, Says, Speaker, fits, is_titled};
use crate::rules::CATALOGUE;

/// What an engine says about a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The engine shows what the rule says, in the run in which it was found.
    Confirmed(Seen),
    /// The engine shows nothing there, and the rule does not say that it would.
    Silent,
    /// The engine shows something else, or shows it elsewhere.
    NotConfirmed {
        seen: Seen,
        /// The run in which it showed that, counted from 0, if it is not the finding's.
        run: Option<usize>,
        /// What was expected, in words.
        expected: String,
    },
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
    /// The plan of an import changes the object.
    ImportChange,
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
            Seen::ImportChange => 4,
            Seen::Warning(_) => 5,
            Seen::Nothing => 6,
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
        if shown.import_change().is_some() {
            return Seen::ImportChange;
        }
        shown.warnings().next().map_or(Seen::Nothing, |warning| Seen::Warning(warning.title.clone()))
    }
}

/// Compares what an engine showed with what it would show of a finding.
pub fn verdict(sought: &Sought<'_>, shown: &Shown) -> Verdict {
    let here = shown.within(sought.runs);
    if let Some(seen) = confirmed(sought, &here) {
        return Verdict::Confirmed(seen);
    }
    let seen = Seen::of(&here);
    let is_silent = matches!(seen, Seen::Nothing | Seen::Warning(_));
    if is_silent && !is_promised(sought, shown) {
        return Verdict::Silent;
    }
    let expected = format!("{}{}", sought.told(), sought.runs);
    let elsewhere = Seen::of(shown);
    match is_silent && elsewhere != seen {
        true => Verdict::NotConfirmed { run: run_of(&elsewhere, shown), seen: elsewhere, expected },
        false => Verdict::NotConfirmed { seen, run: None, expected },
    }
}

/// What of it is the finding.
fn confirmed(sought: &Sought<'_>, here: &Shown) -> Option<Seen> {
    if let Some(message) = here.crash() {
        let is_it = sought.rule.shows.crashes.iter().any(|crash| fits(message, crash.words));
        return is_it.then(|| Seen::Crash(message.to_owned()));
    }
    let first = |is_it: &dyn Fn(&str) -> bool| {
        let error = here.errors().find(|error| is_it(&error.title))?;
        Some(Seen::Error(error.title.clone()))
    };
    match sought.says() {
        Says::Title(title) | Says::TitleIn { title, .. } => first(&|error| is_titled(error, title)),
        Says::OwnWords(Speaker::Provider) => first(&|error| sought.is_said(error)),
        // It names the value in its own way.
        Says::OwnWords(Speaker::Decoder) => {
            first(&|error| !is_of_another_rule(error) && !sought.is_said(error))
        }
        Says::Change => here.change_left().map(|_| Seen::Change),
        Says::ImportChange => here.import_change().map(|_| Seen::ImportChange),
        Says::Nothing => None,
    }
}

fn is_of_another_rule(title: &str) -> bool {
    CATALOGUE.iter().filter_map(|rule| rule.shows.title()).any(|other| is_titled(title, other))
}

/// Whether this engine is said to show something.
fn is_promised(sought: &Sought<'_>, shown: &Shown) -> bool {
    let rule = sought.rule;
    match rule.shows.says {
        _ if sought.is_silent() => false,
        // An older release does not check it.
        _ if shown.engine().is_some_and(|engine| !rule.enforced.is_in(&engine)) => false,
        Says::TitleIn { engine, .. } => shown.is_of(engine),
        Says::Title(_) | Says::OwnWords(_) | Says::Change | Says::ImportChange => true,
        Says::Nothing => !rule.shows.crashes.is_empty(),
    }
}

/// The first run that shows it, counted from 0.
fn run_of(seen: &Seen, shown: &Shown) -> Option<usize> {
    let last = shown.commands.iter().filter_map(|command| command.run).max()?;
    (0..=last).find(|run| Seen::of(&shown.within(Runs::only(*run))) == *seen)
}

impl Verdict {
    /// The verdict with its reason; `engine` is its name and version, and `enforced` is about the rule.
    pub fn told(&self, engine: &str, enforced: Enforced) -> String {
        match self {
            Verdict::Confirmed(seen) => format!("confirmed: {engine} shows {seen}"),
            Verdict::Silent if !enforced.is_in(engine) => {
                format!(
                    "silent: {engine} shows nothing, because it does not check this; those that do: {enforced}"
                )
            }
            Verdict::Silent => {
                format!("silent: {engine} shows nothing, and the rule does not say that it would")
            }
            Verdict::NotConfirmed { seen, run, expected } => {
                let place = run.map(|run| Runs::only(run).to_string()).unwrap_or_default();
                format!("not confirmed: {engine} shows {seen}{place}, and the rule says {expected}")
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
            Seen::ImportChange => f.write_str("changes in the plan of an import"),
            Seen::Warning(title) => write!(f, "the warning “{title}”"),
            Seen::Nothing => f.write_str("nothing"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules;

    fn sought(rule: &str) -> Sought<'static> {
        Sought::anywhere(rules::find(rule).expect("the rule exists"))
    }

    fn verdict_of(rule: &str, printed: &str) -> Verdict {
        verdict(&sought(rule), &Shown::read(&run(1, printed)))
    }

    /// What a script prints for a run, counted from 1.
    fn run(number: usize, printed: &str) -> String {
        format!("== run {number}\n== apply -auto-approve\n{printed}\n== exit code 1\n")
    }

    fn error(title: &str) -> String {
        format!("╷\n│ Error: {title}\n│ \n│ Why.\n╵")
    }

    #[test]
    fn an_engine_confirms_what_it_shows_as_the_rule_says() {
        let invalid = &error("Provider produced invalid plan");
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
            let expected = sought(rule).rule.shows.to_string();
            assert_eq!(verdict_of(rule, printed), Verdict::NotConfirmed { seen, run: None, expected });
        }
    }

    #[test]
    fn an_engine_that_does_not_check_yet_is_told_from_those_that_do() {
        let rule = rules::find("move/identity-is-known").expect("the rule exists");
        let told = |engine: &str| Verdict::Silent.told(engine, rule.enforced);
        assert_eq!(
            told("terraform 1.11.4"),
            "silent: terraform 1.11.4 shows nothing, because it does not check this; those that do: Terraform \
             since 1.12, not OpenTofu"
        );
        let newer = "silent: terraform 1.15.9 shows nothing, and the rule does not say that it would";
        assert_eq!(told("terraform 1.15.9"), newer);
    }

    #[test]
    fn an_engine_is_silent_about_a_finding_that_none_shows_whatever_the_rule_says() {
        let changes = sought("read/keeps-the-form");
        let hidden = Sought { shows: Some("nothing"), ..changes };
        let verdict = |sought| verdict(&sought, &Shown::read(&run(1, "")));
        assert_eq!(verdict(hidden), Verdict::Silent);
        assert!(matches!(verdict(changes), Verdict::NotConfirmed { .. }));
    }

    #[test]
    fn an_error_in_another_run_does_not_count() {
        let title = "Provider produced invalid plan";
        let second = Sought { runs: Runs::only(1), ..sought("plan/keeps-configured-values") };
        let verdict = |printed: &[String]| verdict(&second, &Shown::read(&printed.concat()));
        let confirmed = Verdict::Confirmed(Seen::Error(title.to_owned()));
        assert_eq!(verdict(&[run(1, ""), run(2, &error(title))]), confirmed);
        let elsewhere = verdict(&[run(1, &error(title)), run(2, "")]);
        assert_eq!(
            elsewhere.told("terraform 1.11.4", Enforced::ALWAYS),
            "not confirmed: terraform 1.11.4 shows “Provider produced invalid plan” in run 1, and the rule says \
             “Provider produced invalid plan” in run 2"
        );
    }

    #[test]
    fn only_the_words_of_the_finding_are_the_providers_own_words() {
        let said =
            ["Cannot create “a-1”: status 400".to_owned(), "token (sensitive value) is old".to_owned()];
        let own = Sought { said: &said, ..sought("apply/succeeds-as-planned") };
        let verdict = |title: &str| verdict(&own, &Shown::read(&run(1, &error(title))));
        for (title, is_it) in [
            ("Cannot create “a-1”: status 400", true),
            ("Cannot create “a-2”: status 503", true),
            ("token s3cret is old", true),
            ("Cannot delete “a-1”: status 400", false),
            ("Provider produced invalid plan", false),
        ] {
            assert_eq!(matches!(verdict(title), Verdict::Confirmed(_)), is_it, "{title}");
        }
        assert!(
            verdict("Other")
                .told("tofu 1.12", Enforced::ALWAYS)
                .ends_with("says the provider's own error: “Cannot create “a-1”: status 400”")
        );
    }

    #[test]
    fn the_decoders_words_are_those_of_nobody_else() {
        let said = ["Cannot create".to_owned()];
        let of_decoder = Sought { said: &said, ..sought("wire/decodes") };
        let verdict = |title: &str| verdict(&of_decoder, &Shown::read(&run(1, &error(title))));
        assert!(matches!(verdict("[\"colour\"]: string is required"), Verdict::Confirmed(_)));
        for other in ["Cannot create", "Provider produced invalid plan"] {
            assert!(matches!(verdict(other), Verdict::NotConfirmed { .. }), "{other}");
        }
    }
}
