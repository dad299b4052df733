//! Behaviours: what an engine does to resource instances besides creating one, changing its arguments and
//! destroying it.
//!
//! Each is a kind of scenario, made for every managed type that allows it. A file holds one group; to add a
//! behaviour, add it to the list of its group; a fault that only it shows goes into `src/rules/behaviours.rs`, if
//! it breaks no rule of its own.

mod ignore;
mod import;
mod instances;
mod options;
mod replace;
mod setting;
mod state;
mod walk;

use super::obligation::{Obligation, ObligationKind};
use super::spec::TypeGenerator;
use crate::scenario::EngineRun;
use setting::Setting;

/// The runs of a behaviour, the one that it is about last; or why a type does not allow it.
pub(crate) type Runs = Result<Vec<EngineRun>, &'static str>;

/// One thing that an engine does to resource instances.
#[derive(Debug)]
pub struct Behaviour {
    /// `group/name`; the kind of its scenarios.
    pub name: &'static str,
    /// What the user and the engine do, as one sentence without a full stop.
    pub about: &'static str,
    runs: fn(&Setting<'_>) -> Runs,
}

/// Every behaviour, the most common first.
pub fn all() -> impl Iterator<Item = &'static Behaviour> {
    let groups =
        [replace::ALL, state::ALL, options::ALL, ignore::ALL, instances::ALL, import::ALL, walk::ALL];
    groups.into_iter().flatten()
}

/// The behaviour of that name.
pub fn of_name(name: &str) -> Option<&'static Behaviour> {
    all().find(|behaviour| behaviour.name == name)
}

impl Behaviour {
    /// The runs of the scenario with that number, counted from 1.
    pub(super) fn runs(&self, at: &TypeGenerator<'_>, number: u64) -> Runs {
        let setting = Setting::new(at, number);
        if !setting.config().is_wholly_known() {
            return Err("an argument that is required may not be set here");
        }
        (self.runs)(&setting)
    }

    pub(super) fn obligation(&'static self) -> Obligation {
        Obligation::whole(ObligationKind::Behaviour(self.name))
    }
}

/// The n-th of those that are among the obligations of a type, counted from 0.
pub(super) fn nth(n: usize, at: &TypeGenerator<'_>) -> Option<&'static Behaviour> {
    let names = at.universe().list.iter().filter_map(|obligation| match obligation.kind {
        ObligationKind::Behaviour(name) => Some(name),
        _ => None,
    });
    names.skip(n).find_map(of_name)
}

/// Those that a type allows.
pub(super) fn feasible(at: &TypeGenerator<'_>) -> impl Iterator<Item = &'static Behaviour> {
    // Without an object there is nothing that an engine could do to it.
    all().filter(|behaviour| at.store.at_apply && behaviour.runs(at, 1).is_ok())
}

/// Those that it does not allow, and why.
pub(super) fn infeasible(at: &TypeGenerator<'_>) -> impl Iterator<Item = (Obligation, &'static str)> {
    all().filter_map(|behaviour| Some((behaviour.obligation(), behaviour.runs(at, 1).err()?)))
}
