//! What a rule is.
//!
//! A rule lives in one file of [`crate::rules`]: its ID, the text for a
//! provider author who has just been told they are wrong, the citation, the
//! check over the narrowest view that suffices, and the fault that breaks it. A
//! check never sees a provider, a clock or a file.

mod context;
mod declared;
mod differences;
pub mod edit;
pub mod emptiness;
mod encoding_issue;
mod enforced;
pub mod example;
pub mod failed;
mod fault;
mod findings;
mod fix;
pub mod named;
mod own_words;
mod shows;
mod views;

pub use context::{Context, Volatile};
pub use declared::{Declared, declared, problems};
pub use differences::differences;
pub use encoding_issue::EncodingIssue;
pub use enforced::{Enforced, Since};
pub use fault::{Fault, FaultContext, Injection, Memory, Noise, ProcessInjection};
pub(crate) use findings::Abstained;
pub use findings::{Finding, Findings};
pub use fix::{Fix, sentence};
pub use own_words::own_words;
pub use shows::{Crash, Says, Shows, Speaker, fits, is_titled};
pub use views::{Applied, Asked, DataRead, DestroyPlan, Moved, Planned, Read, Upgraded};

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::schema::ProviderSchema;
use crate::transcript::PriorOrigin;

/// A lasting slug, `group/what-must-hold`. A retired one is never given to another rule.
pub type RuleId = &'static str;

/// How much a broken rule matters. A run fails from the default level on, unless set otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Worth knowing.
    Advice,
    /// Documented, and no engine checks it.
    Should,
    /// Breaks the contract; the engine forgives it because of the legacy flag.
    Tolerated,
    /// An engine shows an error or crashes, or an invariant of the lifecycle is broken.
    #[default]
    Must,
}

impl Level {
    pub const ALL: [Level; 4] = [Level::Must, Level::Tolerated, Level::Should, Level::Advice];

    pub fn name(self) -> &'static str {
        match self {
            Level::Must => "must",
            Level::Tolerated => "tolerated",
            Level::Should => "should",
            Level::Advice => "advice",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What the legacy flag in a response does to a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Legacy {
    /// The flag excuses nothing.
    Kept,
    /// The engine only writes to its log: the finding is [`Level::Tolerated`].
    Excused,
}

/// What a rule presumes of the prior state of a call. See [`Rule::most_on`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presumes {
    /// What it finds does not depend on the prior state: a made-up one shows it as well.
    Nothing,
    /// The prior state could be one that the provider returned.
    Likely,
    /// The provider returned it.
    Applied,
}

/// The document and section behind a rule, and the words that oblige.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Citation {
    pub document: &'static str,
    pub section: &'static str,
    /// The few words that oblige: the document's own, or ours where it only implies the duty.
    pub words: &'static str,
}

/// A duty of providers, with everything the project knows about it.
#[derive(Debug)]
pub struct Rule {
    pub id: RuleId,
    pub level: Level,
    pub legacy: Legacy,
    /// What it presumes of the prior state of a call.
    pub presumes: Presumes,
    /// The planning behaviours that alone can break it; empty if other scenarios do, too.
    pub behaviours: &'static [&'static str],
    /// The entries of the contract that it covers.
    pub covers: &'static [&'static str],
    /// What users of an engine see.
    pub shows: Shows,
    /// Which releases of the engines check it.
    pub enforced: Enforced,
    /// What to do about a finding.
    pub fix: Fix,
    /// How it is usually done with the plugin framework, if one sentence can say it.
    pub framework: Option<&'static str>,
    /// The same with SDKv2.
    pub sdkv2: Option<&'static str>,
    pub cites: Citation,
    /// One sentence, a blank line, then what a provider author needs to know.
    pub text: &'static str,
    pub check: Check,
    /// The deliberate breach that this rule finds, and the nearest legal action, which it must not report.
    pub fault: Fault,
    pub control: Fault,
}

/// What a check looks at. The judge calls it only where there is such a thing: an answer without errors
/// whose values decode. Rules about diagnostics and failures take [`Check::Asked`], which sees every call.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// The provider's schema, once for each different one that was fetched.
    Schema(fn(&Context<'_>, &ProviderSchema, &mut Findings)),
    /// Once for each time the provider's schema was fetched.
    EverySchema(fn(&Context<'_>, &ProviderSchema, &mut Findings)),
    /// Any call, answered or not.
    Asked(fn(&Context<'_>, &Asked<'_>, &mut Findings)),
    /// Every plan that is not a destroy, the second one of a replacement included.
    Plan(fn(&Context<'_>, &Planned<'_>, &mut Findings)),
    DestroyPlan(fn(&Context<'_>, &DestroyPlan<'_>, &mut Findings)),
    /// Every apply, creates and updates and deletes alike.
    Apply(fn(&Context<'_>, &Applied<'_>, &mut Findings)),
    Read(fn(&Context<'_>, &Read<'_>, &mut Findings)),
    Upgrade(fn(&Context<'_>, &Upgraded<'_>, &mut Findings)),
    Move(fn(&Context<'_>, &Moved<'_>, &mut Findings)),
    DataRead(fn(&Context<'_>, &DataRead<'_>, &mut Findings)),
}

impl Rule {
    /// The first line of the text, without its full stop.
    pub fn headline(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim().trim_end_matches('.')
    }

    /// The most that a finding about a call with such a prior state can matter.
    pub fn most_on(&self, prior: PriorOrigin) -> Level {
        let is_made_up = matches!(prior, PriorOrigin::Injected | PriorOrigin::Synthesised);
        match self.presumes {
            _ if !is_made_up => Level::Must,
            Presumes::Nothing => Level::Must,
            Presumes::Applied => Level::Advice,
            Presumes::Likely if prior == PriorOrigin::Synthesised && self.shows.is_from_the_engine() => {
                Level::Must
            }
            Presumes::Likely => Level::Should,
        }
    }

    /// Whether it can say something about a call with such a prior state. What an apply returned beside an error may be
    /// no whole object.
    pub fn is_about(&self, prior: PriorOrigin) -> bool {
        !(self.presumes == Presumes::Applied && prior == PriorOrigin::Failed)
    }

    /// The part of the ID before the slash.
    pub fn group(&self) -> &'static str {
        self.id.split('/').next().unwrap_or_default()
    }
}

/// Declares the one rule of a file as `pub static RULE`.
///
/// The documentation comment is the rule's text: rustdoc shows it and `explain` prints it. What an
/// engine shows is `title: Some("its title")`, `title: None` for nothing, or `shows:` and a [`Shows`]. `fix:` is the
/// text of a [`Fix`]; `framework:` and `sdkv2:` may say how it is done there.
#[macro_export]
macro_rules! declare_rule {
    (
        $(#[doc = $text:literal])+
        $id:literal, $level:ident $(, legacy: $legacy:ident)? $(, presumes: $presumes:ident)?
        $(, behaviours: [$($behaviour:literal),+])?,
        covers: [$($covers:literal),+ $(,)?],
        $seen:ident: $shows:expr,
        $(enforced: $enforced:expr,)?
        fix: $fix:literal,
        $(framework: $framework:literal,)?
        $(sdkv2: $sdkv2:literal,)?
        cites: $document:literal, $section:literal: $words:literal;
        check: $check:expr;
        fault: $fault:expr;
        control: $control:expr $(;)?
    ) => {
        $(#[doc = $text])+
        pub static RULE: $crate::rule::Rule = $crate::rule::Rule {
            id: $id,
            level: $crate::rule::Level::$level,
            legacy: $crate::declare_rule!(@legacy $($legacy)?),
            presumes: $crate::declare_rule!(@presumes $($presumes)?),
            behaviours: &[$($($behaviour),+)?],
            covers: &[$($covers),+],
            shows: $crate::declare_rule!(@$seen $shows),
            enforced: $crate::declare_rule!(@enforced $($enforced)?),
            fix: $crate::rule::Fix($fix),
            framework: $crate::declare_rule!(@said $($framework)?),
            sdkv2: $crate::declare_rule!(@said $($sdkv2)?),
            cites: $crate::rule::Citation { document: $document, section: $section, words: $words },
            text: concat!($($text, "\n"),+),
            check: $check,
            fault: $fault,
            control: $control,
        };
    };
    (@legacy) => { $crate::rule::Legacy::Kept };
    (@legacy $legacy:ident) => { $crate::rule::Legacy::$legacy };
    (@title $title:expr) => { $crate::rule::Shows::title_or_nothing($title) };
    (@shows $shows:expr) => { $shows };
    (@said) => { None };
    (@said $said:literal) => { Some($said) };
    (@enforced) => { $crate::rule::Enforced::ALWAYS };
    (@enforced $enforced:expr) => { $enforced };
    (@presumes) => { $crate::rule::Presumes::Likely };
    (@presumes $presumes:ident) => { $crate::rule::Presumes::$presumes };
}
