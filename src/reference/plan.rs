//! Planning: a pure function of the prior state and the configuration.

use super::definition::Definition;
use super::merge::{Mode, merge};
use super::modify::{Whole, wants_replacement};
use crate::schema::{Block, Member, align};
use crate::value::{AttributePath, Value};

/// What is planned for an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub planned_state: Value,
    pub requires_replace: Vec<AttributePath>,
}

/// Plans a create (null prior) or an update. An unchanged configuration changes nothing.
pub fn plan(definition: &Definition, block: &Block, prior: &Value, config: &Value) -> Plan {
    let kept = merge(definition, block, Mode::Keep, prior, config);
    let planned = if kept == *prior { kept } else { merge(definition, block, Mode::Renew, prior, config) };
    let mut whole = Whole { prior, config, planned, requires_replace: Vec::new() };
    if let Some(modify) = definition.modify_plan {
        modify(&mut whole);
    }
    if !prior.is_null() {
        align(block, [prior, &whole.planned.clone()], &mut |aligned| {
            let [before, after] = &aligned.values;
            let chain = definition.chain(&aligned.path.schema_path());
            if matches!(aligned.member, Member::Attribute(_)) && wants_replacement(chain, before, after) {
                whole.requires_replace.push(aligned.path);
            }
        });
    }
    Plan { planned_state: whole.planned, requires_replace: whole.requires_replace }
}
