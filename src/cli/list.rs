//! `list`: rules, faults, kinds of scenarios, contract entries, engines or exit codes.

use std::fmt::Write as _;

use super::args::{List, What};
use super::explain::listed;
use super::{Outcome, print};
use crate::engine::defects::DEFECTS;
use crate::engine::{Confirmed, Engine};
use crate::generate::behaviour;
use crate::report::Exit;
use crate::rules::CATALOGUE;
use crate::rules::behaviours::BEHAVIOUR_FAULTS;
use crate::rules::contract;
use crate::rules::planned_private::PRIVATE_FAULTS;
use crate::transcript::ScenarioLabel;

pub(super) fn list(list: &List) -> Outcome {
    let mut out = String::new();
    match list.what {
        What::Rules => out = listed(CATALOGUE.iter().copied()),
        What::Faults => {
            let of_rules = CATALOGUE.iter().map(|rule| (&rule.fault, rule.id, &rule.control));
            let of_private = PRIVATE_FAULTS.iter().map(|one| (&one.fault, one.breaks, &one.control));
            for (fault, breaks, control) in of_rules.chain(of_private) {
                let _ = writeln!(out, "{:<48} {}", fault.name, fault.about);
                let _ = writeln!(out, "{:<48}   breaks {breaks}", "");
                let _ = writeln!(out, "{:<48} control: {}", control.name, control.about);
            }
            for one in &BEHAVIOUR_FAULTS {
                let _ = writeln!(out, "{:<48} {}", one.fault.name, one.fault.about);
                let _ = writeln!(out, "{:<48}   breaks {}, in {}", "", one.breaks, one.behaviours.join(", "));
            }
        }
        What::Contract => {
            for (entry, coverage) in contract::entries() {
                let _ = writeln!(out, "{entry:<16} {}", contract::says(&entry).unwrap_or_default());
                for covered_by in coverage {
                    let _ = writeln!(out, "{:<16}   {covered_by}", "");
                }
            }
        }
        What::Scenarios => {
            for (name, about) in ScenarioLabel::KINDS {
                let _ = writeln!(out, "{name:<36} {about}");
            }
            for behaviour in behaviour::all() {
                let _ = writeln!(out, "{:<36} {}", behaviour.name, behaviour.about);
            }
        }
        What::Engines => {
            for engine in Engine::ALL {
                let _ = writeln!(out, "{:<16} {}", engine.name(), engine.about());
                let Some(Confirmed { by, n_calls, but, .. }) = engine.confirmed() else { continue };
                let differs = but.map(|but| format!("; not imitated: {but}")).unwrap_or_default();
                let _ = writeln!(out, "{:<16}   compared with {by} in {n_calls} calls{differs}", "");
                for defect in DEFECTS.iter().filter(|defect| defect.has.contains(&by)) {
                    let _ = writeln!(out, "{:<16}   has a defect: {}, see docs/engines.md", "", defect.id);
                }
            }
        }
        What::ExitCodes => {
            for exit in Exit::ALL {
                let _ = writeln!(out, "{:>4}  {}", exit.code(), exit.meaning());
            }
        }
    }
    print(&out)
}
