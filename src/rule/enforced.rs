//! Which releases of the engines enforce a rule.

use std::fmt;

use crate::engine::Engine;

/// Since which release an engine enforces a rule. Releases are minor versions of version 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    /// In every release that is imitated.
    Always,
    /// In this release and newer ones.
    Release(u16),
    Never,
}

/// Which releases enforce a rule. What no engine checks has nothing to tell them apart by: it is for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enforced {
    pub terraform: Since,
    pub opentofu: Since,
}

impl Enforced {
    pub const ALWAYS: Enforced = Enforced { terraform: Since::Always, opentofu: Since::Always };

    /// By Terraform, and by no release of OpenTofu.
    pub const fn by_terraform(since: Since) -> Enforced {
        Enforced { terraform: since, opentofu: Since::Never }
    }

    /// Whether the imitated release does.
    pub fn is_by(self, engine: Engine) -> bool {
        match engine {
            Engine::Strict => self.is_by(Engine::Terraform) || self.is_by(Engine::OpenTofu),
            _ if engine.is_opentofu() => self.opentofu.holds_in(engine.release()),
            _ => self.terraform.holds_in(engine.release()),
        }
    }

    /// Whether a release of an engine does, such as `terraform 1.11.4`. What is no release of an engine that is
    /// known here counts as the newest.
    pub fn is_in(self, release: &str) -> bool {
        let (name, version) = release.split_once(' ').unwrap_or((release, ""));
        let minor = version.split('.').nth(1).and_then(|minor| minor.parse().ok()).unwrap_or(u16::MAX);
        match name {
            "terraform" => self.terraform.holds_in(minor),
            "tofu" => self.opentofu.holds_in(minor),
            _ => true,
        }
    }

    /// The engines, as users name them, that do.
    pub fn engines(self) -> Vec<Engine> {
        Engine::ALL.into_iter().filter(|engine| self.is_by(*engine)).collect()
    }
}

impl Since {
    fn holds_in(self, release: u16) -> bool {
        match self {
            Since::Always => true,
            Since::Release(first) => release >= first,
            Since::Never => false,
        }
    }

    fn describe(self, engine: &str) -> String {
        match self {
            Since::Always => engine.to_owned(),
            Since::Release(first) => format!("{engine} since 1.{first}"),
            Since::Never => format!("not {engine}"),
        }
    }
}

/// As in "Terraform since 1.12, not OpenTofu".
impl fmt::Display for Enforced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.terraform.describe("Terraform"), self.opentofu.describe("OpenTofu"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_enforces_what_came_before_it() {
        let since = |release| Enforced::by_terraform(Since::Release(release));
        assert_eq!(since(12).engines(), [Engine::Terraform, Engine::Terraform115, Engine::Strict]);
        let every_terraform = [Engine::Terraform, Engine::Terraform115, Engine::Terraform111, Engine::Strict];
        assert_eq!(since(11).engines(), every_terraform);
        assert_eq!(since(15).to_string(), "Terraform since 1.15, not OpenTofu");
        assert_eq!(Enforced::ALWAYS.engines(), Engine::ALL);
        assert!(since(12).is_in("terraform 1.12.0") && !since(12).is_in("terraform 1.11.4"));
        assert!(!since(12).is_in("tofu 1.12.6") && Enforced::ALWAYS.is_in("tofu 1.12.6"));
    }
}
