//! What a provider writes to stderr: the last part is kept, all of it may be copied to a file, and
//! each line is parsed as Core does.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value};

use super::go_panic::begins_go_panic;
use super::note::Note;

/// How much of the end is shown, in bytes; also of the start of a Go panic.
pub const KEPT: usize = 64 << 10;

/// How much more is kept: secrets are found before the text is cut, and not in half.
const MARGIN: usize = 64 << 10;

/// Longest line that is parsed as a log record; Core's limit.
const MAX_RECORD: usize = 64 << 10;

/// Quotes what a program printed: control characters escaped, truncated at 200 characters.
pub fn quote(printed: &str) -> String {
    const SHOWN: usize = 200;
    match printed.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}…", &printed[..end]),
        None => format!("{printed:?}"),
    }
}

/// The level of a log line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Trace,
    Debug,
    Info,
    Warn,
    Error,
}

impl Level {
    fn from_name(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "trace" => Self::Trace,
            "debug" => Self::Debug,
            "info" => Self::Info,
            "warn" => Self::Warn,
            "error" => Self::Error,
            _ => return None,
        })
    }
}

/// One line of stderr as Core would log it.
#[derive(Clone, Debug, PartialEq)]
pub struct LogLine {
    /// `Debug` if the line does not say.
    pub level: Level,
    /// The message, or the whole line if it is not a record.
    pub message: String,
    /// Whether the line is a record, not a plain message.
    pub is_record: bool,
    /// The record's other fields.
    pub fields: Map<String, Value>,
    /// The field that must be a string but is not, which crashes Terraform.
    pub crashes_core: Option<&'static str>,
}

/// Parses one line of stderr, without its line end.
///
/// Never fails: a line that is not an hclog record is itself the message.
pub fn parse_line(line: &str) -> LogLine {
    const MEMBERS: [&str; 3] = ["@message", "@level", "@timestamp"];
    let verbatim = |level, crashes_core| LogLine {
        level,
        message: line.to_owned(),
        is_record: false,
        fields: Map::new(),
        crashes_core,
    };
    if !line.starts_with('{') {
        return verbatim(level_of_prefix(line), None);
    }
    let Ok(Value::Object(mut fields)) = serde_json::from_str(line) else {
        return verbatim(Level::Debug, None);
    };
    let wrong =
        MEMBERS.into_iter().find(|member| fields.get(*member).is_some_and(|value| !value.is_string()));
    let level = fields.get("@level").and_then(Value::as_str).and_then(Level::from_name);
    let (Some(level), None) = (level, wrong) else {
        return verbatim(Level::Debug, wrong);
    };
    let message = match fields.remove("@message") {
        Some(Value::String(message)) => message,
        _ => String::new(),
    };
    fields.remove("@level");
    LogLine { level, message, is_record: true, fields, crashes_core: None }
}

fn level_of_prefix(line: &str) -> Level {
    line.strip_prefix('[')
        .and_then(|rest| rest.split_once(']'))
        .and_then(|(name, _)| Level::from_name(name))
        .unwrap_or(Level::Debug)
}

/// A shared, growing log of one process's stderr.
#[derive(Clone, Debug, Default)]
pub struct StderrLog(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    tail: VecDeque<u8>,
    panic: Vec<u8>,
    line: Vec<u8>,
    line_is_long: bool,
    notes: Vec<Note>,
    tee: Option<File>,
}

impl StderrLog {
    /// A log that also copies everything to `tee`.
    pub fn new(tee: Option<File>) -> Self {
        let state = State { tee, ..State::default() };
        Self(Arc::new(Mutex::new(state)))
    }

    /// The last 128 KiB, invalid UTF-8 replaced; whoever shows it cuts it to [`KEPT`] once it is masked.
    ///
    /// If a Go panic does not begin in the part that is shown, its first 64 KiB instead: they contain the
    /// message and the goroutine that failed.
    pub fn tail(&self) -> String {
        let mut state = self.state();
        state.tail.make_contiguous();
        let tail = state.tail.as_slices().0;
        let shown = String::from_utf8_lossy(&tail[tail.len().saturating_sub(KEPT)..]);
        if state.panic.is_empty() || shown.lines().any(begins_go_panic) {
            return String::from_utf8_lossy(tail).into_owned();
        }
        String::from_utf8_lossy(&state.panic).into_owned()
    }

    /// What is worth reporting in the lines so far; each kind once.
    pub fn notes(&self) -> Vec<Note> {
        self.state().notes.clone()
    }

    /// Adds what was read from the pipe, in pieces of any size.
    pub fn push(&self, bytes: &[u8]) {
        let mut state = self.state();
        // A full disk loses the copy but does not fail the run.
        if let Some(tee) = &mut state.tee
            && tee.write_all(bytes).is_err()
        {
            state.tee = None;
        }
        let bytes_kept = &bytes[bytes.len().saturating_sub(KEPT + MARGIN)..];
        let excess = (state.tail.len() + bytes_kept.len()).saturating_sub(KEPT + MARGIN);
        state.tail.drain(..excess);
        state.tail.extend(bytes_kept);
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            state.push_piece(piece);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing here can panic halfway through a change that matters.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn push_piece(&mut self, piece: &[u8]) {
        if self.line.len() + piece.len() > MAX_RECORD {
            self.line_is_long = true;
        }
        if !self.line_is_long {
            self.line.extend_from_slice(piece);
        }
        if piece.ends_with(b"\n") {
            self.end_line();
        }
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.line_is_long) {
            return;
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end_matches(['\n', '\r']);
        let in_panic = !self.panic.is_empty() || begins_go_panic(text);
        if in_panic && self.panic.len() + line.len() <= KEPT {
            self.panic.extend_from_slice(&line);
        }
        // Most lines are faultless records; check that without allocating.
        if !text.starts_with('{') || !text.contains("\"@") {
            return;
        }
        if let Some(member) = parse_line(text).crashes_core {
            let known = self
                .notes
                .iter()
                .any(|note| matches!(note, Note::LogLineCrashesCore { member: m, .. } if m == member));
            if !known {
                self.notes.push(Note::LogLineCrashesCore { member: member.to_owned(), line: quote(text) });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_taken_apart() {
        let line = r#"{"@level":"warn","@message":"slow","@module":"provider","took":3}"#;
        let parsed = parse_line(line);
        assert_eq!((parsed.level, parsed.message.as_str()), (Level::Warn, "slow"));
        assert_eq!(parsed.fields.len(), 2);
        assert_eq!(parsed.crashes_core, None);
    }

    #[test]
    fn other_lines_are_their_own_message() {
        for (line, level) in [
            ("[ERROR] disk on fire", Level::Error),
            ("plain", Level::Debug),
            (r#"{"@message":"no level"}"#, Level::Debug),
            ("{broken", Level::Debug),
        ] {
            let parsed = parse_line(line);
            assert_eq!((parsed.level, parsed.message.as_str()), (level, line));
        }
    }

    #[test]
    fn a_message_that_is_no_string_is_noted_once() {
        let log = StderrLog::default();
        log.push(b"{\"@mess");
        log.push(b"age\":5}\n{\"@message\":6}\n");
        let notes = log.notes();
        assert_eq!(notes.len(), 1);
        assert_eq!(
            notes[0].to_string(),
            r#"a JSON log line whose @message is not a string crashes Terraform: "{\"@message\":5}""#
        );
    }

    #[test]
    fn the_end_is_kept_and_the_start_of_a_panic() {
        let log = StderrLog::default();
        log.push(b"panic: boom\n");
        assert_eq!(log.tail(), "panic: boom\n");
        log.push("goroutine 7 [select]:\n".repeat(10_000).as_bytes());
        assert!(log.tail().starts_with("panic: boom\ngoroutine 7"));
        assert!(log.tail().len() <= KEPT);

        let log = StderrLog::default();
        log.push(&[b'x'; 3 * KEPT]);
        log.push(b"end");
        assert_eq!(log.tail().len(), KEPT + MARGIN);
        assert!(log.tail().ends_with("xend"));

        // What is in the margin is not shown, so a panic there is kept from its start.
        let log = StderrLog::default();
        log.push(b"panic: boom\n");
        log.push("goroutine 7 [select]:\n".repeat(KEPT / 20).as_bytes());
        assert!(log.tail().starts_with("panic: boom\ngoroutine 7"));
        assert!(log.tail().len() <= KEPT);
    }
}
