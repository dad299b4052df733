//! Engine profiles: what an engine sends, checks and tolerates.

pub mod defects;
mod several;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// An engine whose behaviour is imitated.
///
/// Source: contract sections 5.2 and 8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Engine {
    /// Terraform 1.x, like its newest release: 1.16.
    #[default]
    #[serde(rename = "terraform")]
    Terraform,
    #[serde(rename = "terraform-1.15")]
    Terraform115,
    #[serde(rename = "terraform-1.11")]
    Terraform111,
    /// OpenTofu 1.x, like its newest release: 1.12.
    #[serde(rename = "opentofu")]
    OpenTofu,
    #[serde(rename = "opentofu-1.12")]
    OpenTofu112,
    /// Refuses what either of the newest would refuse.
    #[serde(rename = "strict")]
    Strict,
}

pub use several::Engines;

/// The release that an imitated engine was held against: the same sequences of runs, call by call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confirmed {
    /// Name and version, such as `terraform 1.11.4`.
    pub by: &'static str,
    /// How many calls were compared.
    pub n_calls: u32,
    /// For how many objects its errors were predicted, and compared.
    pub n_verdicts: u32,
    /// What is known to differ.
    pub but: Option<&'static str>,
}

/// What an engine tells a provider that it supports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ClientCapabilities {
    pub deferral_allowed: bool,
    pub write_only_attributes_allowed: bool,
    /// Protocol 6 only.
    pub store_planned_private: bool,
    /// Protocol 6 only.
    pub computed_blocks_allowed: bool,
}

impl Engine {
    pub const ALL: [Engine; 6] = [
        Engine::Terraform,
        Engine::Terraform115,
        Engine::Terraform111,
        Engine::OpenTofu,
        Engine::OpenTofu112,
        Engine::Strict,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Engine::Terraform => "terraform",
            Engine::Terraform115 => "terraform-1.15",
            Engine::Terraform111 => "terraform-1.11",
            Engine::OpenTofu => "opentofu",
            Engine::OpenTofu112 => "opentofu-1.12",
            Engine::Strict => "strict",
        }
    }

    /// What an engine is like, in a few words.
    pub fn about(self) -> &'static str {
        match self {
            Engine::Terraform => "the newest Terraform: 1.16",
            Engine::Terraform115 => "Terraform 1.15",
            Engine::Terraform111 => "Terraform 1.11",
            Engine::OpenTofu => "the newest OpenTofu: 1.12",
            Engine::OpenTofu112 => "OpenTofu 1.12",
            Engine::Strict => "refuses what the newest of either would refuse",
        }
    }

    /// Which real engine it was compared with.
    ///
    /// Source: `TFCONFORM_ORACLE=all cargo test --test engine_oracle`; calls with ten seeds, verdicts with two.
    pub fn confirmed(self) -> Option<Confirmed> {
        let as_meant = |by, n_calls, n_verdicts| Some(Confirmed { by, n_calls, n_verdicts, but: None });
        match self {
            Engine::Terraform => Some(Confirmed {
                by: "terraform 1.16.0-rc2",
                n_calls: 165_845,
                n_verdicts: 14_184,
                but: Some(
                    "where its own defects keep it from doing what it planned, the plan is carried out",
                ),
            }),
            Engine::Terraform115 => as_meant("terraform 1.15.9", 187_697, 14_184),
            Engine::Terraform111 => as_meant("terraform 1.11.4", 187_697, 14_184),
            Engine::OpenTofu | Engine::OpenTofu112 => as_meant("tofu 1.12.6", 164_076, 14_040),
            Engine::Strict => None,
        }
    }

    /// Whether it is any release of OpenTofu.
    pub fn is_opentofu(self) -> bool {
        matches!(self, Engine::OpenTofu | Engine::OpenTofu112)
    }

    /// The minor version of 1.x that it is like.
    pub fn release(self) -> u16 {
        match self {
            Engine::Terraform | Engine::Strict => 16,
            Engine::Terraform115 => 15,
            Engine::Terraform111 => 11,
            Engine::OpenTofu | Engine::OpenTofu112 => 12,
        }
    }

    /// Whether it has what came to Terraform with 1.`release`, and not to OpenTofu.
    fn is_terraform_since(self, release: u16) -> bool {
        !self.is_opentofu() && self.release() >= release
    }

    /// Whether it has what OpenTofu alone has.
    fn is_opentofu_or_strict(self) -> bool {
        self.is_opentofu() || self == Engine::Strict
    }

    /// All names, as a sentence lists them.
    pub fn names() -> String {
        let names = Engine::ALL.map(Engine::name);
        let (last, others) = names.split_last().expect("there are engines");
        format!("{} or {last}", others.join(", "))
    }

    /// What it sends in every message of a protocol that carries capabilities, but for
    /// [`Engine::allows_deferral_in_apply`].
    pub fn client_capabilities(self, protocol: u8) -> ClientCapabilities {
        let has_latest = protocol >= 6 && self.is_terraform_since(16);
        ClientCapabilities {
            deferral_allowed: false,
            write_only_attributes_allowed: true,
            store_planned_private: has_latest,
            computed_blocks_allowed: has_latest,
        }
    }

    /// Whether it says in the walk in which a plan is applied that it allows deferral, and nowhere else.
    ///
    /// Source: the requests of Terraform 1.11.4.
    pub fn allows_deferral_in_apply(self) -> bool {
        !self.is_opentofu()
    }

    /// The version text in `ConfigureProvider`.
    pub fn terraform_version(self) -> &'static str {
        match self {
            Engine::Terraform | Engine::Strict => "1.16.0",
            Engine::Terraform115 => "1.15.9",
            Engine::Terraform111 => "1.11.4",
            // OpenTofu pretends to be a Terraform.
            Engine::OpenTofu | Engine::OpenTofu112 => "1.13.0",
        }
    }

    pub fn knows_computed_blocks(self) -> bool {
        self.is_terraform_since(16)
    }

    /// Whether a planned block collection that is null is an error even if the configuration is null too.
    pub fn refuses_null_blocks_outright(self) -> bool {
        self.is_terraform_since(16)
    }

    /// Whether the plan checks have a separate check for planned write-only values.
    pub fn plan_checks_write_only(self) -> bool {
        !self.is_opentofu()
    }

    /// Whether the engine panics on a null element of a nested attribute's list or map where one is
    /// configured.
    pub fn panics_on_null_nested_elements(self) -> bool {
        self.is_opentofu_or_strict()
    }

    /// Whether an element of a nested attribute or map of blocks that has no prior element is
    /// proposed as configured, not merged with an absent one.
    pub fn keeps_new_map_elements_as_configured(self) -> bool {
        !self.is_terraform_since(12)
    }

    /// Whether paths that require replacement are checked before planned and prior state are compared.
    pub fn replaces_before_comparing(self) -> bool {
        !self.is_opentofu()
    }

    /// Whether a path is write-only according to the schema, not by its presence in the planned state.
    pub fn finds_write_only_paths_by_schema(self) -> bool {
        self.is_opentofu()
    }

    /// Whether everything read is normalised, not only what the legacy SDK may have sent.
    pub fn normalizes_every_read(self) -> bool {
        !self.is_terraform_since(16)
    }

    /// Whether numbers become doubles when attributes are stripped from state before an upgrade.
    pub fn strips_through_doubles(self) -> bool {
        self.is_opentofu()
    }

    pub fn checks_write_only_in_sets(self) -> bool {
        !self.is_opentofu()
    }

    pub fn checks_deprecation_messages(self) -> bool {
        self.is_terraform_since(15)
    }

    pub fn checks_identity(self) -> bool {
        self.is_terraform_since(12)
    }

    /// Whether it stores identities and sends them back.
    pub fn knows_identity(self) -> bool {
        self.is_opentofu() || self.is_terraform_since(12)
    }

    /// Whether it looks at list resources, actions and state stores.
    pub fn knows_list_resources(self) -> bool {
        self.is_terraform_since(14)
    }

    /// Whether the version of an ephemeral resource's schema must not be negative.
    pub fn checks_ephemeral_versions(self) -> bool {
        self.is_opentofu_or_strict()
    }

    /// Whether the engine fails to plan an object whose planned identity has unknown parts, because it
    /// stores planned objects with their identities.
    ///
    /// Source: contract, IDENTITY-010, and OpenTofu 1.12.6.
    pub fn refuses_unknown_planned_identities(self) -> bool {
        self.is_opentofu_or_strict()
    }

    pub fn checks_functions(self) -> bool {
        !self.is_opentofu()
    }

    /// Whether the engine panics on a function description of an undefined kind instead of reading
    /// it as plain.
    pub fn panics_at_odd_text(self) -> bool {
        self.is_opentofu_or_strict()
    }

    /// Whether unknowns in upgraded and read state are errors, not silently turned into null or passed on.
    pub fn refuses_unknown_state(self) -> bool {
        !self.is_opentofu()
    }

    /// Whether the engine looks at deferred answers and refuses them: we never allow deferral.
    pub fn knows_deferral(self) -> bool {
        !self.is_opentofu()
    }

    /// Whether the destruction of an object that is no longer configured is planned even by a run that only refreshes.
    ///
    /// Source: the requests of Terraform 1.15.9 and OpenTofu 1.12.6.
    pub fn plans_orphans_when_it_refreshes(self) -> bool {
        !self.is_opentofu()
    }

    /// Whether an object that is no longer configured is read only after its destruction was planned.
    ///
    /// Source: the requests of Terraform 1.11.4.
    pub fn plans_orphans_before_reading(self) -> bool {
        !self.is_opentofu() && !self.is_terraform_since(12)
    }

    /// Whether an object that is destroyed last forces others to be created first in the same run.
    ///
    /// Source: the requests of Terraform 1.16.0-rc2.
    pub fn creates_first_for_the_destroyed(self) -> bool {
        self.is_terraform_since(16)
    }

    /// Whether a `lifecycle` block may say `destroy = false`, so that an instance that is no longer configured is forgotten.
    ///
    /// Source: Terraform 1.11.4 and 1.15.9, which refuse the argument; 1.16.0-rc2 and OpenTofu 1.12.6.
    pub fn knows_destroy_false(self) -> bool {
        self.is_opentofu() || self.is_terraform_since(16)
    }

    /// Whether `destroy = false` also keeps an object from being destroyed when it is replaced. Terraform destroys it,
    /// unless it is tainted: the defect `destroys-what-is-replaced`.
    ///
    /// Source: the requests of Terraform 1.16.0-rc2 and OpenTofu 1.12.6.
    pub fn forgets_what_it_replaces(self, is_tainted: bool) -> bool {
        self.is_opentofu() || is_tainted && self.knows_destroy_false()
    }

    /// Whether an object that a `removed` block has it forget is read before.
    ///
    /// Source: the requests of Terraform 1.11.4 and OpenTofu 1.12.6.
    pub fn reads_what_it_forgets(self) -> bool {
        self.is_opentofu()
    }

    /// Whether targets also destroy what is no longer configured and uses a targeted object that is destroyed.
    ///
    /// Source: the requests of Terraform 1.16.0-rc2.
    pub fn destroys_users_of_targets(self) -> bool {
        self.is_terraform_since(16)
    }

    /// Whether changes are applied for a target that does not change itself, but depends on them. Otherwise they are
    /// planned and not applied.
    ///
    /// Source: the requests of Terraform 1.11.4 and OpenTofu 1.12.6.
    pub fn applies_for_unchanged_targets(self) -> bool {
        !self.is_opentofu()
    }

    /// Whether an object that gets another type is moved to it before anything is planned, by a process that is
    /// not configured, and only if the provider declares that it can; and then upgraded like any other object.
    /// Otherwise this takes the place of the upgrade.
    pub fn moves_before_planning(self) -> bool {
        !self.is_opentofu()
    }

    /// Whether a move across types is told the identity of the object, and returns another one. Otherwise the object
    /// keeps the identity that it had under its former type.
    ///
    /// Source: the requests of Terraform 1.11.4 and OpenTofu 1.12.6.
    pub fn moves_identities(self) -> bool {
        !self.is_opentofu()
    }

    /// Whether an object keeps the identity that an import returned. Otherwise it has none until it is read.
    ///
    /// Source: the requests of Terraform 1.11.4 and OpenTofu 1.12.6.
    pub fn imports_identities(self) -> bool {
        self.is_opentofu() || self.is_terraform_since(12)
    }

    /// Whether it demands an identity of an object that it imports by one.
    ///
    /// Source: contract, IMPORT-007.
    pub fn demands_imported_identities(self) -> bool {
        self.is_terraform_since(12)
    }

    /// The registry of providers for which a configuration names none.
    pub fn registry(self) -> &'static str {
        if self.is_opentofu() { "registry.opentofu.org" } else { "registry.terraform.io" }
    }

    /// Whether the second plan of a replacement is given the first one's planned identity.
    pub fn second_plan_has_identity(self) -> bool {
        self.is_terraform_since(12)
    }

    /// Whether the plan of the apply phase is given the initial plan's private data.
    pub fn sends_planned_private(self) -> bool {
        self.is_terraform_since(16)
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(text: &str) -> Result<Engine, String> {
        match text {
            "tofu" => Ok(Engine::OpenTofu),
            _ => Engine::ALL
                .into_iter()
                .find(|engine| engine.name() == text)
                .ok_or_else(|| format!("{text:?} is not an engine; use {}", Engine::names())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn protocol_5_is_told_nothing_that_only_protocol_6_can_carry() {
        for engine in Engine::ALL {
            let told = engine.client_capabilities(5);
            assert!(!told.store_planned_private && !told.computed_blocks_allowed, "{engine}");
            assert!(told.write_only_attributes_allowed && !told.deferral_allowed, "{engine}");
        }
        assert!(Engine::Terraform.client_capabilities(6).store_planned_private);
        assert!(!Engine::OpenTofu.client_capabilities(6).store_planned_private);
    }
}
