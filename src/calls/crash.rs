//! How a provider's process crashed, and when two crashes count as the same.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::value::made_up;

/// The numbers of signals that end what passes a limit.
const SIGKILL: i32 = 9;
const SIGXFSZ: i32 = 25;

/// What is known about the end of a process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CrashReport {
    pub exit: ExitKind,
    /// The end of what it wrote to standard error, invalid UTF-8 replaced: at most 128 KiB, 64 KiB once masked.
    pub stderr_tail: String,
    pub go_panic: Option<GoPanic>,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExitKind {
    /// It exited with this code; 0 is success, 2 is a Go panic.
    Code(i32),
    /// This signal ended it.
    Signal(i32),
    /// The connection broke and the process is still running, or its exit was not seen.
    Unknown,
}

/// A Go panic, as the runtime printed it to standard error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoPanic {
    /// The text after `panic: `, or the whole `fatal error: …` line.
    pub message: String,
    /// The function of the first frame that is the provider's own, such as `main.(*thing).Create`.
    pub frame: Option<String>,
    /// Where in that function, as `file:line`.
    #[serde(default)]
    pub location: Option<String>,
}

/// How the line begins that a sandbox adds to the standard error of a process that it ends; the limit follows.
pub const KILLED: &str = "tfconform: killed in the sandbox: ";

/// What runtimes say of a machine that gives them no more: threads, processes, memory, room.
const EXHAUSTED: [(&str, &str); 5] = [
    ("failed to create new OS thread", "the machine allowed no more threads"),
    ("pthread_create failed", "the machine allowed no more threads"),
    ("cannot allocate memory", "the machine had no more memory"),
    ("out of memory", "the machine had no more memory"),
    ("no space left on device", "the disk was full"),
];

impl CrashReport {
    /// The limit that ended the process, in words without a full stop: one of the sandbox, of the kernel or of the machine.
    /// It says nothing about the provider's answers.
    pub fn limit(&self) -> Option<&str> {
        let killed = |line: &str| line.strip_prefix(KILLED).map(str::len);
        if self.exit == ExitKind::Signal(SIGKILL)
            && let Some(line) = self.stderr_tail.lines().rev().find(|line| killed(line).is_some())
        {
            return line.strip_prefix(KILLED);
        }
        if self.exit == ExitKind::Signal(SIGXFSZ) {
            return Some("a file was to be larger than it may be (`run.max_file_size`)");
        }
        // Go says why before the message itself, which only names the function that needed it.
        let of_runtime = |line: &&str| line.starts_with("runtime: ") || line.starts_with("runtime/cgo: ");
        let before = self.stderr_tail.lines().filter(of_runtime);
        let fatal = self.go_panic.iter().map(|panic| panic.message.as_str());
        let said: Vec<&str> =
            before.chain(fatal.filter(|message| message.starts_with("fatal error: "))).collect();
        let says = |(words, _): &&(&str, &str)| said.iter().any(|said| said.contains(words));
        EXHAUSTED.iter().find(says).map(|(_, limit)| *limit)
    }

    /// What distinguishes crashes: the function that panicked, the template of its message, and the line.
    ///
    /// The line number is no part of the text, because it changes between releases, and the varying parts of
    /// a message are `…`. Without a Go panic, it is how the process ended.
    pub fn cause(&self) -> Cause {
        match &self.go_panic {
            Some(GoPanic { message, frame, location }) => Cause {
                place: frame.clone().unwrap_or_default(),
                message: Some(message.clone()),
                site: location.clone(),
            },
            None => Cause::from(self.exit.in_a_finding()),
        }
    }
}

/// What tells two findings apart where rule, type and place are the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cause {
    /// A template or a function, never an id.
    pub place: String,
    /// A message as the provider wrote it.
    pub message: Option<String>,
    /// `file:line`, which differs from release to release: it only tells apart what one run found.
    pub site: Option<String>,
}

impl Cause {
    /// The cause as reports and files name it. What varies in the message is left out after it was masked:
    /// before, a part of a secret could be all that is left of it.
    pub fn text(&self, mask: impl Fn(&str) -> String) -> String {
        let place = mask(&self.place);
        match &self.message {
            None => place,
            Some(message) if place.is_empty() => template(&mask(message)),
            Some(message) => format!("{place}: {}", template(&mask(message))),
        }
    }
}

impl<T: Into<String>> From<T> for Cause {
    fn from(place: T) -> Cause {
        Cause { place: place.into(), message: None, site: None }
    }
}

impl fmt::Display for CrashReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(limit) = self.limit() {
            return write!(f, "the provider process was stopped by a limit: {limit}");
        }
        write!(f, "the provider process ended ({})", self.exit.in_a_finding())?;
        match &self.go_panic {
            Some(go_panic) => write!(f, ": panic: {go_panic}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for GoPanic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(frame) = &self.frame {
            write!(f, " in {frame}")?;
        }
        if let Some(location) = &self.location {
            write!(f, " at {location}")?;
        }
        Ok(())
    }
}

impl ExitKind {
    /// The wording in findings must not change: baselines and known failures of suites contain it.
    fn in_a_finding(self) -> String {
        match self {
            ExitKind::Code(code) => format!("exit status {code}"),
            ExitKind::Signal(signal) => format!("signal {signal}"),
            ExitKind::Unknown => "no exit status".to_owned(),
        }
    }
}

impl fmt::Display for ExitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExitKind::Code(code) => write!(f, "exit code {code}"),
            ExitKind::Signal(signal) => match signal_name(*signal) {
                Some(name) => write!(f, "signal {name}"),
                None => write!(f, "signal {signal}"),
            },
            ExitKind::Unknown => f.write_str("exit status unknown"),
        }
    }
}

#[cfg(unix)]
fn signal_name(signal: i32) -> Option<&'static str> {
    nix::sys::signal::Signal::try_from(signal).ok().map(nix::sys::signal::Signal::as_str)
}

#[cfg(not(unix))]
fn signal_name(_signal: i32) -> Option<&'static str> {
    None
}

/// A message with `…` for what varies: quoted text, and every word that contains a digit
/// (numbers, indexes, addresses, identifiers) or a name that we made up.
pub fn template(message: &str) -> String {
    const ELLIPSIS: char = '…';
    let mut template = String::new();
    let mut rest = message;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' | '`' => quoted(rest, first),
            // Inside a word it is an apostrophe.
            '\'' if !template.ends_with(char::is_alphanumeric) => quoted(rest, first),
            _ => None,
        };
        if let Some(length) = length {
            template.extend([first, ELLIPSIS, first]);
            rest = &rest[length..];
            continue;
        }
        let word = rest.find(ends_word).unwrap_or(rest.len()).max(first.len_utf8());
        match rest[..word].contains(|c: char| c.is_ascii_digit()) || made_up::is_in(&rest[..word]) {
            true => template.push(ELLIPSIS),
            false => template.push_str(&rest[..word]),
        }
        rest = &rest[word..];
    }
    template
}

/// The length of the quoted text at the start, including both quotes; `None` if it is not closed.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' if quote == '"' => drop(chars.next()),
            c if c == quote => return Some(at + c.len_utf8()),
            _ => {}
        }
    }
    None
}

fn ends_word(c: char) -> bool {
    c.is_whitespace() || "()[]{}<>,;:=\"'`".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_no_crash_of_the_provider_and_a_panic_is() {
        let ended = |exit, stderr: &str| {
            let go_panic = crate::process::parse_go_panic(stderr);
            CrashReport { exit, stderr_tail: stderr.to_owned(), go_panic }
        };
        let killed = "starting\n\ntfconform: killed in the sandbox: more memory than 9 MiB was used\n";
        assert_eq!(ended(ExitKind::Signal(9), killed).limit(), Some("more memory than 9 MiB was used"));
        // A provider that only prints the line was not killed.
        assert_eq!(ended(ExitKind::Code(2), killed).limit(), None);
        let threads = "runtime: failed to create new OS thread (have 9 already; errno=11)\n\
                       runtime: may need to increase max user processes (ulimit -u)\nfatal error: newosproc\n\n\
                       goroutine 1 [running]:\nmain.main()\n\t/src/main.go:3 +0x1\n";
        assert_eq!(ended(ExitKind::Code(2), threads).limit(), Some("the machine allowed no more threads"));
        let cgo = "runtime/cgo: pthread_create failed: Resource temporarily unavailable\nSIGABRT: abort\n";
        assert_eq!(ended(ExitKind::Code(2), cgo).limit(), Some("the machine allowed no more threads"));
        let memory = "fatal error: runtime: out of memory\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:3 +0x1\n";
        assert_eq!(ended(ExitKind::Code(2), memory).limit(), Some("the machine had no more memory"));
        for own in [
            "panic: the API is out of memory\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:3 +0x1\n",
            "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:3 +0x1\n",
            "panic: runtime error: makeslice: len out of range\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:3 +0x1\n",
        ] {
            assert_eq!(ended(ExitKind::Code(2), own).limit(), None, "{own}");
        }
    }

    #[test]
    fn a_template_keeps_what_does_not_vary() {
        for (message, expected) in [
            (
                "runtime error: index out of range [5] with length 3",
                "runtime error: index out of range […] with length …",
            ),
            (
                "slice bounds out of range [:12] with capacity 0x8",
                "slice bounds out of range [:…] with capacity …",
            ),
            ("assignment to entry in nil map", "assignment to entry in nil map"),
            (r#"no "a \" b" or `c` or 'd e' in 3f2b-77"#, r#"no "…" or `…` or '…' in …"#),
            ("can't find it, isn't there", "can't find it, isn't there"),
            ("an odd \" quote and é7", "an odd \" quote and …"),
            ("value of id-1234: key=k9", "value of …: key=…"),
            ("no bucket tfcabcdef-x in Tfc, tfcabc", "no bucket … in Tfc, tfcabc"),
            ("", ""),
        ] {
            assert_eq!(template(message), expected, "{message}");
        }
    }

    fn crash(message: &str, frame: Option<&str>, location: &str) -> CrashReport {
        CrashReport {
            exit: ExitKind::Code(2),
            stderr_tail: String::new(),
            go_panic: Some(GoPanic {
                message: message.to_owned(),
                frame: frame.map(str::to_owned),
                location: Some(location.to_owned()),
            }),
        }
    }

    #[test]
    fn the_same_crash_in_another_release_is_the_same() {
        let frame = Some("main.(*disk).Read");
        let one = crash("index out of range [5] with length 3", frame, "/build/v1/disk.go:71");
        let other = crash("index out of range [7] with length 2", frame, "/build/v2/disk.go:84");
        assert_eq!(
            one.cause().text(str::to_owned),
            "main.(*disk).Read: index out of range […] with length …"
        );
        assert_eq!(one.cause().text(str::to_owned), other.cause().text(str::to_owned));
        assert_ne!(
            one.cause().text(str::to_owned),
            crash("boom", frame, "/build/v1/disk.go:71").cause().text(str::to_owned)
        );
        assert_ne!(
            one.cause().text(str::to_owned),
            crash("boom", Some("main.(*disk).Plan"), "/build/v1/disk.go:71").cause().text(str::to_owned)
        );
        assert_eq!(crash("boom 1", None, "").cause().text(str::to_owned), "boom …");
        assert_eq!(
            one.to_string(),
            "the provider process ended (exit status 2): panic: index out of range [5] with length 3 \
             in main.(*disk).Read at /build/v1/disk.go:71"
        );
    }

    #[test]
    fn where_no_panic_was_told_the_exit_is_the_cause() {
        let crash = CrashReport { exit: ExitKind::Signal(9), go_panic: None, ..crash("", None, "") };
        assert_eq!(crash.cause().text(str::to_owned), "signal 9");
    }

    #[test]
    fn exits_are_named() {
        assert_eq!(ExitKind::Code(2).to_string(), "exit code 2");
        assert_eq!(ExitKind::Signal(9).to_string(), "signal SIGKILL");
    }
}
