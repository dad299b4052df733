//! The Go modules that a program was built of, and the defects of SDKs among them that no provider's author can mend.

mod build_info;
mod defects;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use build_info::read;
pub use defects::{DEFECTS, Defect};

/// What a program was built of: Go, as `go`, and the SDK's modules, each with its version, such as `v1.19.0`. Empty if
/// that is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Modules(BTreeMap<String, String>);

/// The modules that a provider can be built on, in the order in which they are shown.
const SDKS: &[&str] = &[
    "github.com/hashicorp/terraform-plugin-framework",
    "github.com/hashicorp/terraform-plugin-sdk/v2",
    "github.com/hashicorp/terraform-plugin-sdk",
    "github.com/hashicorp/terraform-plugin-mux",
    "github.com/hashicorp/terraform-plugin-go",
];

impl Modules {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn contains(&self, module: &str) -> bool {
        self.0.contains_key(module)
    }

    /// Each with its version, as people write it: `terraform-plugin-go 0.31.0`.
    pub fn shown(&self) -> Vec<String> {
        let modules = SDKS.iter().copied().chain(["go"]);
        modules
            .filter_map(|module| {
                let version = self.0.get(module)?;
                Some(format!(
                    "{} {}",
                    short(module),
                    version.trim_start_matches("go").trim_start_matches('v')
                ))
            })
            .collect()
    }
}

/// A module without the address of its repository's owner.
fn short(module: &str) -> &str {
    match module {
        "go" => "Go",
        _ => module.splitn(3, '/').last().unwrap_or(module),
    }
}

#[cfg(test)]
pub(crate) fn modules<const N: usize>(modules: [(&str, &str); N]) -> Modules {
    Modules(modules.map(|(module, version)| (module.to_owned(), version.to_owned())).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_shown_as_people_write_them() {
        let built = modules([
            ("go", "go1.26.8"),
            ("github.com/hashicorp/terraform-plugin-sdk/v2", "v2.40.1"),
            ("github.com/hashicorp/terraform-plugin-go", "v0.31.0"),
        ]);
        let shown = ["terraform-plugin-sdk/v2 2.40.1", "terraform-plugin-go 0.31.0", "Go 1.26.8"];
        assert_eq!(built.shown(), shown);
    }
}
