//! Maps the options of the command line to the keys of a suite.

use std::path::PathBuf;
use std::time::Duration;

use crate::engine::Engines;
use crate::generate::Cases;
use crate::rule::Level;
use crate::suite::{Config, ReportFile, Selector, Selectors, Where};

/// An option, and the key of a suite that it replaces.
pub(super) struct Row {
    /// The option's name in clap: its field.
    pub option: &'static str,
    pub key: &'static str,
    /// The key's default.
    pub default: Option<String>,
}

/// Makes the table of overrides: field of `Overrides` => key of the suite.
macro_rules! overrides {
    ($($option:ident => $section:ident . $key:ident),* $(,)?) => {
        impl Overrides {
            /// Replaces the key of every option that was given.
            fn put(&self, suite: &mut Suite) {
                $(Said::put(&self.$option, &mut suite.$section.$key);)*
            }

            /// The options that were given, as words of a command line.
            fn words(&self) -> Vec<String> {
                let mut words = Vec::new();
                $(say(stringify!($option), self.$option.values(), &mut words);)*
                words
            }

            /// Every option that replaces a key.
            pub fn table() -> Vec<Row> {
                let (said, suite) = (Overrides::default(), Suite::default());
                vec![$(Row {
                    option: stringify!($option),
                    key: concat!(stringify!($section), ".", stringify!($key)),
                    default: Said::shown(&said.$option, &suite.$section.$key),
                }),*]
            }
        }
    };
}
pub(super) use overrides;

/// A value as a word of the command line.
pub(super) trait Word: Clone {
    fn word(&self) -> String;
}

impl Word for usize {
    fn word(&self) -> String {
        self.to_string()
    }
}

impl Word for u64 {
    fn word(&self) -> String {
        self.to_string()
    }
}

impl Word for u8 {
    fn word(&self) -> String {
        self.to_string()
    }
}

impl Word for String {
    fn word(&self) -> String {
        self.clone()
    }
}

impl Word for Duration {
    fn word(&self) -> String {
        self.as_secs_f64().to_string()
    }
}

impl Word for Cases {
    fn word(&self) -> String {
        self.to_string()
    }
}

impl Word for Engines {
    fn word(&self) -> String {
        self.to_string()
    }
}

impl Word for Level {
    fn word(&self) -> String {
        self.name().to_owned()
    }
}

impl Word for PathBuf {
    fn word(&self) -> String {
        self.display().to_string()
    }
}

impl Word for ReportFile {
    fn word(&self) -> String {
        self.to_string()
    }
}

impl Word for Selector {
    fn word(&self) -> String {
        self.to_string()
    }
}

impl Word for Where {
    fn word(&self) -> String {
        self.to_string()
    }
}

impl Word for Config {
    /// Arguments exist only in files: no option holds them.
    fn word(&self) -> String {
        match self {
            Config::File(file) => file.display().to_string(),
            Config::Arguments(_) | Config::MadeUp(_) => String::new(),
        }
    }
}

/// An option, against the key that it replaces.
pub(super) trait Said<Key> {
    /// Replaces the key, if the option was given.
    fn put(&self, key: &mut Key);

    /// A key as text for people; `None` if there is nothing to show.
    fn shown(&self, key: &Key) -> Option<String>;
}

impl<T: Word> Said<T> for Option<T> {
    fn put(&self, key: &mut T) {
        if let Some(value) = self {
            *key = value.clone();
        }
    }

    fn shown(&self, key: &T) -> Option<String> {
        Some(key.word()).filter(|word| !word.is_empty())
    }
}

impl<T: Word> Said<Option<T>> for Option<T> {
    fn put(&self, key: &mut Option<T>) {
        if self.is_some() {
            key.clone_from(self);
        }
    }

    fn shown(&self, key: &Option<T>) -> Option<String> {
        key.as_ref().map(Word::word)
    }
}

impl<T: Word> Said<Vec<T>> for Vec<T> {
    fn put(&self, key: &mut Vec<T>) {
        if !self.is_empty() {
            key.clone_from(self);
        }
    }

    fn shown(&self, _: &Vec<T>) -> Option<String> {
        None
    }
}

/// Those of the suite stay: the ones of the command line are stronger.
impl Said<Selectors> for Vec<Selector> {
    fn put(&self, key: &mut Selectors) {
        key.in_command.clone_from(self);
    }

    fn shown(&self, _: &Selectors) -> Option<String> {
        None
    }
}

impl Said<bool> for bool {
    fn put(&self, key: &mut bool) {
        *key |= *self;
    }

    fn shown(&self, _: &bool) -> Option<String> {
        None
    }
}

/// The values of an option, one for each time it was given.
pub(super) trait Values {
    fn values(&self) -> Vec<Option<String>>;
}

impl<T: Word> Values for Option<T> {
    fn values(&self) -> Vec<Option<String>> {
        self.iter().map(|value| Some(value.word())).collect()
    }
}

impl<T: Word> Values for Vec<T> {
    fn values(&self) -> Vec<Option<String>> {
        self.iter().map(|value| Some(value.word())).collect()
    }
}

impl Values for bool {
    fn values(&self) -> Vec<Option<String>> {
        if *self { vec![None] } else { Vec::new() }
    }
}

/// Adds an option to the words, once for each of its values.
pub(super) fn say(option: &str, values: Vec<Option<String>>, words: &mut Vec<String>) {
    for value in values {
        words.push(format!("--{}", option.replace('_', "-")));
        words.extend(value);
    }
}
