//! Where the examples of a provider's documentation are.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Deserializer};

/// Where the examples of a provider's documentation are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Examples {
    /// In `examples`, `docs`, `website/docs` and `templates` next to the program, in the working folder and at the root
    /// of the Go module that these are in, where they exist; and in that module's acceptance tests.
    #[default]
    Auto,
    /// None are used.
    None,
    /// In this folder, or in the three below it.
    Folder(PathBuf),
}

impl Examples {
    /// `auto`, `none`, or the name of a folder.
    pub fn parse(text: &str) -> Examples {
        match text {
            "auto" => Examples::Auto,
            "none" => Examples::None,
            folder => Examples::Folder(folder.into()),
        }
    }

    pub(super) fn folder_mut(&mut self) -> Option<&mut PathBuf> {
        match self {
            Examples::Folder(folder) => Some(folder),
            Examples::Auto | Examples::None => None,
        }
    }
}

impl fmt::Display for Examples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Examples::Auto => f.write_str("auto"),
            Examples::None => f.write_str("none"),
            Examples::Folder(folder) => write!(f, "{}", folder.display()),
        }
    }
}

impl<'de> Deserialize<'de> for Examples {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Examples, D::Error> {
        String::deserialize(deserializer).map(|text| Examples::parse(&text))
    }
}
