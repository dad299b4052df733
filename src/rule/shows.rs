//! What users of an engine see of a broken rule.

use std::fmt;

use crate::engine::Engine;

/// What an engine shows where a rule is broken. `docs/levels.md` says what it showed of each rule's fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shows {
    pub says: Says,
    /// The title in OpenTofu, where it has another one.
    pub opentofu: Option<&'static str>,
    /// How the engine itself crashes in some cases, or in all if it says nothing.
    pub crashes: &'static [Crash],
}

/// What an engine says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// An error with this title; `…` stands for what differs.
    Title(&'static str),
    /// An error with this title in one engine, and nothing in others.
    TitleIn {
        engine: Engine,
        title: &'static str,
    },
    /// An error in the words of someone else.
    OwnWords(Speaker),
    /// A plan right after an apply has changes.
    Change,
    /// The plan that imports the object changes it.
    ImportChange,
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
    /// The message of the panic, `…` for what differs.
    pub words: &'static str,
}

impl Shows {
    pub const NOTHING: Shows = Shows::only(Says::Nothing);
    pub const CHANGE: Shows = Shows::only(Says::Change);
    pub const IMPORT_CHANGE: Shows = Shows::only(Says::ImportChange);

    const fn only(says: Says) -> Shows {
        Shows { says, opentofu: None, crashes: &[] }
    }

    /// An error with this title.
    pub const fn title_of(title: &'static str) -> Shows {
        Shows::only(Says::Title(title))
    }

    /// An error with this title in one engine alone.
    pub const fn title_in(engine: Engine, title: &'static str) -> Shows {
        Shows::only(Says::TitleIn { engine, title })
    }

    /// An error with this title, or nothing.
    pub const fn title_or_nothing(title: Option<&'static str>) -> Shows {
        match title {
            Some(title) => Shows::only(Says::Title(title)),
            None => Shows::NOTHING,
        }
    }

    /// An error in someone's own words.
    pub const fn words_of(speaker: Speaker) -> Shows {
        Shows::only(Says::OwnWords(speaker))
    }

    /// The engine crashes.
    pub const fn crash(crashes: &'static [Crash]) -> Shows {
        Shows { crashes, ..Shows::NOTHING }
    }

    /// The engine crashes in some cases.
    #[must_use]
    pub const fn or_crash(self, crashes: &'static [Crash]) -> Shows {
        Shows { crashes, ..self }
    }

    /// The same with another title in OpenTofu.
    #[must_use]
    pub const fn in_opentofu(self, title: &'static str) -> Shows {
        Shows { opentofu: Some(title), ..self }
    }

    /// What an engine shows, in words, where it is not what the other engine does.
    pub fn only_in(self, engine: Engine) -> Option<String> {
        let shared =
            || IN_OPENTOFU.iter().find(|(title, _)| self.title() == Some(*title)).map(|(_, other)| *other);
        let title = self.opentofu.or_else(shared).filter(|_| engine.is_opentofu());
        title.map(|title| format!("“{title}”"))
    }

    /// The title of the error, if it is always the same.
    pub fn title(self) -> Option<&'static str> {
        match self.says {
            Says::Title(title) | Says::TitleIn { title, .. } => Some(title),
            Says::OwnWords(_) | Says::Change | Says::ImportChange | Says::Nothing => None,
        }
    }

    /// Whether the engine itself stops with an error or crashes, rather than the provider or nobody.
    pub fn is_from_the_engine(self) -> bool {
        match self.says {
            Says::Title(_) | Says::TitleIn { .. } | Says::OwnWords(Speaker::Decoder) => true,
            Says::OwnWords(Speaker::Provider) | Says::Change | Says::ImportChange | Says::Nothing => {
                !self.crashes.is_empty()
            }
        }
    }
}

/// Whether a text is as a title or a message of a [`Shows`] says, in which `…` stands for any text.
pub fn fits(text: &str, pattern: &str) -> bool {
    let parts: Vec<&str> = pattern.split('…').map(str::trim).collect();
    let [first, middle @ .., last] = &parts[..] else { return text == pattern };
    let inside = text.strip_prefix(first).and_then(|rest| rest.strip_suffix(last));
    let rest = inside.and_then(|inside| {
        middle.iter().try_fold(inside, |rest, part| rest.split_once(part).map(|(_, after)| after))
    });
    rest.is_some()
}

/// What OpenTofu says in place of a title of Terraform, whatever the cause.
const IN_OPENTOFU: [(&str, &str); 1] =
    [("Failed to load plugin schemas", "failed to read provider configuration schema for …")];

/// What an engine says now and then in place of a title: where a process ends while a call is sent to it, the
/// connection may be closed before the engine knows that nobody will answer.
const NOW_AND_THEN: [(&str, &str); 1] = [("Plugin did not respond", "Request cancelled")];

/// Whether an engine's error has a title, in any of the words that stand for it.
pub fn is_titled(error: &str, title: &str) -> bool {
    let mut others = IN_OPENTOFU.iter().chain(&NOW_AND_THEN).filter(|(usual, _)| *usual == title);
    fits(error, title) || others.any(|(_, other)| fits(error, other))
}

/// As after "engine shows".
impl fmt::Display for Shows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.says {
            Says::Title(title) => write!(f, "“{title}”")?,
            Says::TitleIn { engine, title } => write!(f, "“{title}” in {engine} alone")?,
            Says::OwnWords(Speaker::Provider) => f.write_str("an error in the provider's own words")?,
            Says::OwnWords(Speaker::Decoder) => f.write_str("an error in the decoder's own words")?,
            Says::Change => f.write_str("changes in the next plan")?,
            Says::ImportChange => f.write_str("changes in the plan of the import")?,
            Says::Nothing if self.crashes.is_empty() => f.write_str("nothing")?,
            Says::Nothing => {}
        }
        for (idx, crash) in self.crashes.iter().enumerate() {
            let is_first = idx == 0 && self.says == Says::Nothing;
            f.write_str(if is_first { "" } else { ", or " })?;
            write!(f, "{} crashes: “{}”", crash.engine, crash.words)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ellipsis_stands_for_what_differs() {
        assert!(fits("Plugin error", "Plugin error"));
        assert!(!fits("Plugin error 2", "Plugin error"));
        assert!(fits("failed to encode a.b in state: not known", "failed to encode … in state: not known"));
        assert!(!fits("failed to encode a.b in state: other", "failed to encode … in state: not known"));
        assert!(fits("invalid primitive type name \"x\"", "invalid primitive type name …"));
    }

    #[test]
    fn opentofu_has_titles_of_its_own() {
        let invalid = Shows::title_of("Provider produced invalid plan");
        assert_eq!(invalid.only_in(Engine::OpenTofu), None);
        let other = invalid.in_opentofu("Invalid provider response");
        assert_eq!(other.only_in(Engine::OpenTofu).unwrap(), "“Invalid provider response”");
        assert_eq!(other.only_in(Engine::default()), None);
        let load = Shows::title_of("Failed to load plugin schemas").only_in(Engine::OpenTofu);
        assert!(load.unwrap().starts_with("“failed to read provider configuration schema"));
    }

    #[test]
    fn a_process_that_ends_may_cancel_a_call() {
        assert!(is_titled("Request cancelled", "Plugin did not respond"));
        assert!(!is_titled("Plugin did not respond", "Request cancelled"));
        assert!(!is_titled("Request cancelled", "Plugin error"));
    }

    #[test]
    fn what_an_engine_shows_is_said_in_words() {
        const CRASH: &[Crash] = &[Crash { engine: "terraform 1.11.4", words: "out of memory" }];
        let shown = [
            Shows::title_or_nothing(Some("Plugin error")),
            Shows::NOTHING,
            Shows::crash(CRASH),
            Shows::words_of(Speaker::Decoder).or_crash(CRASH),
        ];
        let shown = shown.map(|shows| shows.to_string());
        assert_eq!(
            shown,
            [
                "“Plugin error”",
                "nothing",
                "terraform 1.11.4 crashes: “out of memory”",
                "an error in the decoder's own words, or terraform 1.11.4 crashes: “out of memory”",
            ]
        );
    }
}
