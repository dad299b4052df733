//! What an engine printed while the script ran it.

use super::script::{EXIT, MARK, RUN};
use super::sought::Runs;
use crate::engine::Engine;
use crate::process::parse_go_panic;

/// What an engine showed, command by command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    pub commands: Vec<Command>,
}

/// One command of the engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// As the script runs it, without the engine's name.
    pub line: String,
    /// Its run, counted from 0; `None` before the first.
    pub run: Option<usize>,
    /// What it printed outside of errors and warnings.
    pub printed: String,
    /// `None` if it did not end in time.
    pub exit: Option<i32>,
    pub errors: Vec<Diagnostic>,
    pub warnings: Vec<Diagnostic>,
    /// The message with which the engine itself crashed.
    pub crash: Option<String>,
}

/// An error or a warning, as an engine frames it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostic {
    pub title: String,
    /// The rest, with line ends as blanks.
    pub detail: String,
}

/// What engines print above everything that a plugin wrote before it crashed.
const OF_A_PLUGIN: &str = "Stack trace from the ";
/// Warnings that are about the way the provider is found.
const ABOUT_US: [&str; 2] =
    ["Provider development overrides are in effect", "Applied changes may be incomplete"];

impl Shown {
    /// Reads what the script printed; escape sequences are ignored.
    pub fn read(output: &str) -> Shown {
        let text = anstream::adapter::strip_str(output).to_string();
        let mut commands: Vec<(Command, String)> = Vec::new();
        let mut run = None;
        for line in text.lines() {
            if let Some(number) = line.strip_prefix(RUN) {
                run = number.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            } else if let (Some(code), Some((command, _))) = (line.strip_prefix(EXIT), commands.last_mut()) {
                command.exit = code.trim().parse().ok();
            } else if let Some(name) = line.strip_prefix(MARK) {
                let command = Command { line: name.to_owned(), run, ..Command::default() };
                commands.push((command, String::new()));
            } else if let Some((_, printed)) = commands.last_mut() {
                printed.push_str(line);
                printed.push('\n');
            }
        }
        let commands = commands.into_iter().map(|(command, printed)| command.with(&printed));
        Shown { commands: commands.collect() }
    }

    /// The engine's name and version, such as `terraform 1.11.4`.
    pub fn engine(&self) -> Option<String> {
        let version = self.commands.iter().find(|command| command.line == "version")?;
        let (name, number) = version.printed.lines().next()?.split_once(" v")?;
        let name = if name == "OpenTofu" { "tofu".to_owned() } else { name.to_lowercase() };
        Some(format!("{name} {number}"))
    }

    /// Whether it is what an engine that is imitated is in reality.
    pub fn is_of(&self, engine: Engine) -> bool {
        let name = self.engine().unwrap_or_default();
        name.starts_with(if engine.is_opentofu() { "tofu " } else { "terraform " })
    }

    /// What it showed in some runs.
    #[must_use]
    pub fn within(&self, runs: Runs) -> Shown {
        let within = self.commands.iter().filter(|command| runs.holds(command.run));
        Shown { commands: within.cloned().collect() }
    }

    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.commands.iter().flat_map(|command| &command.errors)
    }

    pub fn warnings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.commands.iter().flat_map(|command| &command.warnings)
    }

    /// The message with which the engine itself crashed.
    pub fn crash(&self) -> Option<&str> {
        self.commands.iter().find_map(|command| command.crash.as_deref())
    }

    /// The first command that did not end in time.
    pub fn hung(&self) -> Option<&Command> {
        self.commands.iter().find(|command| command.exit.is_none())
    }

    /// The first plan after an apply that has something left to do.
    pub fn change_left(&self) -> Option<&Command> {
        self.commands
            .iter()
            .find(|command| command.line.contains("-detailed-exitcode") && command.exit == Some(2))
    }

    /// The first plan that imports an object and changes or replaces it.
    pub fn import_change(&self) -> Option<&Command> {
        self.commands.iter().find(|command| command.printed.lines().any(imports_and_changes))
    }
}

impl Command {
    fn with(mut self, printed: &str) -> Command {
        let mut framed: Option<Vec<&str>> = None;
        for line in printed.lines() {
            if line.starts_with('╷') {
                framed = Some(Vec::new());
            } else if line.starts_with('╵') {
                self.add(&framed.take().unwrap_or_default());
            } else if let Some(lines) = &mut framed {
                lines.push(line.strip_prefix('│').unwrap_or(line).trim());
            } else {
                self.printed.push_str(line);
                self.printed.push('\n');
            }
        }
        let of_the_engine = self.printed.split(OF_A_PLUGIN).next().unwrap_or_default();
        let panic = parse_go_panic(of_the_engine).map(|panic| panic.message);
        self.crash = panic.or_else(|| below_banner(of_the_engine));
        self
    }

    fn add(&mut self, lines: &[&str]) {
        let Some((first, rest)) = lines.split_first() else { return };
        let Some((kind, title)) = first.split_once(": ") else { return };
        let detail = rest.iter().filter(|line| !line.is_empty()).copied().collect::<Vec<_>>().join(" ");
        let diagnostic = Diagnostic { title: title.trim().to_owned(), detail };
        match kind {
            "Error" => self.errors.push(diagnostic),
            _ if ABOUT_US.contains(&diagnostic.title.as_str()) => {}
            _ => self.warnings.push(diagnostic),
        }
    }
}

/// Whether a line sums up a plan that imports and changes something: `Plan: 1 to import, 0 to add, 1 to change, …`.
fn imports_and_changes(line: &str) -> bool {
    let Some(counts) = line.trim().strip_prefix("Plan: ") else { return false };
    let has = |what: &str| {
        counts.split(", ").any(|count| {
            count
                .trim_end_matches('.')
                .split_once(' ')
                .is_some_and(|(number, of)| of == what && number != "0")
        })
    };
    has("to import") && (has("to change") || has("to destroy"))
}

/// The message with which OpenTofu crashed: it has caught the panic, and prints it below its second banner.
fn below_banner(printed: &str) -> Option<String> {
    let (_, below) = printed.rsplit_once("OPENTOFU CRASH")?;
    let mut lines = below.lines().skip(1).filter(|line| !line.trim().is_empty());
    lines.next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "\
== version
== exit code 0
== run 1
== apply -auto-approve -input=false
╷
│ Warning: Provider development overrides are in effect
│ 
│ The following
╵

Plan: 1 to add, 0 to change, 0 to destroy.
\u{1b}[31m╷\u{1b}[0m\u{1b}[0m
\u{1b}[31m│\u{1b}[0m \u{1b}[0m\u{1b}[1m\u{1b}[31mError: \u{1b}[0m\u{1b}[0m\u{1b}[1mPlugin did not respond\u{1b}[0m
\u{1b}[31m│\u{1b}[0m \u{1b}[0m
\u{1b}[31m│\u{1b}[0m \u{1b}[0mThe plugin encountered
\u{1b}[31m│\u{1b}[0m \u{1b}[0man error.
\u{1b}[31m╵\u{1b}[0m\u{1b}[0m

Stack trace from the terraform-provider-reference plugin:

panic: runtime error: invalid memory address

goroutine 1 [running]:
== exit code 1
== plan -input=false -detailed-exitcode
== exit code 2
== run 2
== destroy -auto-approve -input=false
!!!!!!!!!!!!!!!!!!!!!!!!!!! TERRAFORM CRASH !!!!!!!!!!!!!!!!!!!!!!!!!!!!
panic: can't use elements of different types

goroutine 61 [running]:
== exit code 11
";

    #[test]
    fn what_an_engine_prints_is_read_command_by_command() {
        let shown = Shown::read(OUTPUT);
        let [version, apply, plan, destroy] = &shown.commands[..] else { panic!("{shown:?}") };
        let runs = [version, apply, plan, destroy].map(|command| command.run);
        assert_eq!(runs, [None, Some(0), Some(0), Some(1)]);
        let error = Diagnostic {
            title: "Plugin did not respond".to_owned(),
            detail: "The plugin encountered an error.".to_owned(),
        };
        assert_eq!((&apply.errors[..], apply.exit, &apply.crash), (&[error][..], Some(1), &None));
        assert!(apply.warnings.is_empty());
        assert_eq!(shown.change_left(), Some(plan));
        assert_eq!(destroy.crash.as_deref(), Some("can't use elements of different types"));
        assert_eq!(shown.crash(), Some("can't use elements of different types"));
    }

    #[test]
    fn opentofu_says_why_it_crashed_below_its_banner() {
        let banner = "!!!!!!!!!!!!! OPENTOFU CRASH !!!!!!!!!!!!!\n";
        let printed = format!(
            "== apply\n\n{banner}\nOpenTofu crashed!\n\n{banner}\nFloat.SetFloat64(NaN)\ngoroutine 117 [running]:\n\
             == exit code 11\n"
        );
        assert_eq!(Shown::read(&printed).crash(), Some("Float.SetFloat64(NaN)"));
    }

    #[test]
    fn a_plan_that_imports_may_change_the_object() {
        let changes = |line: &str| Shown::read(&format!("== apply\n{line}\n")).import_change().is_some();
        assert!(changes("Plan: 1 to import, 0 to add, 1 to change, 0 to destroy."));
        assert!(changes("Plan: 1 to import, 1 to add, 0 to change, 1 to destroy."));
        assert!(!changes("Plan: 1 to import, 1 to add, 0 to change, 0 to destroy."));
        assert!(!changes("Plan: 0 to add, 1 to change, 0 to destroy."));
    }

    #[test]
    fn a_command_without_an_exit_code_did_not_end() {
        let shown = Shown::read("== apply -auto-approve\nreference_plain.a: Creating...\n");
        assert_eq!(shown.hung().map(|command| command.line.as_str()), Some("apply -auto-approve"));
        assert_eq!(Shown::read("").hung(), None);
    }
}
