//! What users of an engine see of a broken rule.

use std::fmt;

/// What an engine shows where a rule is broken. `docs/levels.md` says what each rule's fault was seen to
/// show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// An error with this title.
    Title(&'static str),
    /// An error in the words of someone else.
    OwnWords(Speaker),
    /// The engine itself crashes.
    Crash(&'static [Crash]),
    /// A plan right after an apply has changes.
    Change,
    /// Nothing.
    Nothing,
}

/// Whose words the title of an error are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The provider's diagnostics.
    Provider,
    /// What decodes values.
    Decoder,
}

/// How an engine crashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crash {
    /// Name and version, such as `terraform 1.11.4`.
    pub engine: &'static str,
    /// The message of the panic, or its fixed part.
    pub words: &'static str,
}

impl Shows {
    /// A title, or nothing.
    pub const fn title_or_nothing(title: Option<&'static str>) -> Shows {
        match title {
            Some(title) => Shows::Title(title),
            None => Shows::Nothing,
        }
    }

    /// The title of the error, if it is always the same.
    pub fn title(self) -> Option<&'static str> {
        match self {
            Shows::Title(title) => Some(title),
            Shows::OwnWords(_) | Shows::Crash(_) | Shows::Change | Shows::Nothing => None,
        }
    }
}

/// As after "engine shows".
impl fmt::Display for Shows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shows::Title(title) => write!(f, "“{title}”"),
            Shows::OwnWords(Speaker::Provider) => f.write_str("an error in the provider's own words"),
            Shows::OwnWords(Speaker::Decoder) => f.write_str("an error in the decoder's own words"),
            Shows::Crash(crashes) => {
                for (idx, crash) in crashes.iter().enumerate() {
                    let comma = if idx == 0 { "" } else { "; " };
                    write!(f, "{comma}{} crashes: {}", crash.engine, crash.words)?;
                }
                Ok(())
            }
            Shows::Change => f.write_str("changes in the next plan"),
            Shows::Nothing => f.write_str("nothing"),
        }
    }
}
