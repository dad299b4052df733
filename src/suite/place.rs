//! Where something of a provider is to be read.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Deserializer};

/// Where something of a provider is to be read: examples, or its repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Where {
    /// Wherever it is found: next to the program, in the working folder, and in the Go module that these are in.
    #[default]
    Auto,
    /// Nothing is read.
    None,
    /// In this folder.
    Folder(PathBuf),
}

impl Where {
    /// `auto`, `none`, or the name of a folder.
    pub fn parse(text: &str) -> Where {
        match text {
            "auto" => Where::Auto,
            "none" => Where::None,
            folder => Where::Folder(folder.into()),
        }
    }

    pub(super) fn folder_mut(&mut self) -> Option<&mut PathBuf> {
        match self {
            Where::Folder(folder) => Some(folder),
            Where::Auto | Where::None => None,
        }
    }
}

impl fmt::Display for Where {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Where::Auto => f.write_str("auto"),
            Where::None => f.write_str("none"),
            Where::Folder(folder) => write!(f, "{}", folder.display()),
        }
    }
}

impl<'de> Deserialize<'de> for Where {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Where, D::Error> {
        String::deserialize(deserializer).map(|text| Where::parse(&text))
    }
}
