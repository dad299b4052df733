//! Types that exercise the life cycle: replacement, versions, and the legacy flag.

use super::{parts, upgrades};
use crate::reference::definition::Definition;
use crate::reference::modify::{
    Modifier, Whole, all, any, default, existed, if_set, requires_replace, requires_replace_if, sequence,
    undecided, when,
};
use crate::schema::{Attribute, Block, NestedBlock, Nesting};
use crate::value::{Refinements, Type, Value};

/// A placement: most changes of it require replacement.
pub fn placement(protocol: u8) -> Definition {
    let mut attributes = parts::base();
    attributes.extend([
        Attribute::typed("region", Type::String).required().describe("Another region is another object."),
        Attribute::typed("site", Type::String).optional(),
        Attribute::typed("address", Type::String).computed().describe("Region and site."),
        Attribute::typed("capacity", Type::Number)
            .optional()
            .computed()
            .describe("May grow, but not shrink."),
        Attribute::typed("tier", Type::String).optional().describe("Leaving `fixed` needs a new object."),
        Attribute::typed("labels", Type::set(Type::String)).optional(),
        Attribute::typed("tags", Type::map(Type::String)).optional(),
        Attribute::typed("created_at", Type::String).computed(),
    ]);
    if protocol == 6 {
        let member = vec![
            Attribute::typed("subnet", Type::String).optional(),
            Attribute::typed("lease", Type::String).computed(),
        ];
        attributes.push(Attribute::nested("network", Nesting::Single, member).optional());
    }
    let leaves_fixed =
        when(|prior, planned| prior.as_str() == Some("fixed") && planned.as_str() != Some("fixed"));
    Definition::new(attributes, parts::every_block(&[]))
        .identified()
        .renewed("revision")
        .renewed("address")
        .modifier(
            "id",
            Modifier::Promise(Refinements { not_null: true, ..Refinements::with_prefix("placement-") }),
        )
        .modifier("address", Modifier::Promise(Refinements { not_null: true, ..Refinements::default() }))
        .modifier("region", requires_replace())
        .modifier("capacity", default(Value::number(1)))
        .modifier("capacity", requires_replace_if(parts::shrinks()))
        .modifier("tier", requires_replace_if(all(vec![existed(), leaves_fixed])))
        .modifier("network.subnet", requires_replace())
        .modifier(
            "disk.size",
            requires_replace_if(any(vec![
                sequence(vec![existed(), undecided()]),
                if_set(when(|prior, planned| prior != planned)),
            ])),
        )
        .modify_plan(move_to_address)
}

/// The address follows from region and site, and an object cannot move to another one.
fn move_to_address(whole: &mut Whole<'_>) {
    let (region, site) = (whole.planned.member("region"), whole.planned.member("site"));
    let address = match (region.as_str(), site.as_str()) {
        _ if region.is_unknown() || site.is_unknown() => Value::unknown(Type::String),
        (Some(region), Some(site)) => Value::string(&format!("{region}/{site}")),
        (Some(region), None) => Value::string(region),
        _ => Value::null(Type::String),
    };
    whole.set("address", address);
    whole.replace_because_of("address");
}

/// A type that has been changed twice since its first release.
pub fn versioned() -> Definition {
    let mut attributes = parts::base();
    attributes.extend([
        Attribute::typed("size", Type::Number).optional(),
        Attribute::typed("ratio", Type::Number).optional(),
        Attribute::typed("enabled", Type::Bool).optional().computed(),
        Attribute::typed("tags", Type::map(Type::String)).optional(),
        Attribute::typed("ports", Type::list(Type::Number)).optional(),
        Attribute::typed("kind", Type::String).optional(),
        Attribute::typed("choice", Type::String).optional().computed(),
        Attribute::typed("updated_at", Type::String).computed(),
    ]);
    let rule = Block::new(
        vec![
            Attribute::typed("port", Type::Number).required(),
            Attribute::typed("path", Type::String).optional().computed(),
        ],
        vec![],
    );
    let rule = NestedBlock::new("rule", Nesting::Set, rule).items(0, 5);
    Definition::new(attributes, vec![rule, parts::timeouts()])
        .identified()
        .renewed("revision")
        .renewed("updated_at")
        .modifier("enabled", default(Value::bool(true)))
        .modifier("kind", requires_replace())
        .upgrades(vec![upgrades::title_becomes_name, upgrades::tag_list_becomes_map])
}

/// A type that sets the legacy flag. It conforms anyway, unless a fault is armed for it, so it has
/// something of every kind for engines to excuse, more than the legacy SDK has.
pub fn legacy(protocol: u8) -> Definition {
    let mut attributes = parts::base();
    attributes.extend([
        Attribute::typed("comment", Type::String).optional(),
        Attribute::typed("weight", Type::Number).optional(),
        Attribute::typed("choice", Type::String).optional().computed(),
        Attribute::typed("alias", Type::String).optional().computed(),
        Attribute::typed("any", Type::Dynamic).optional(),
        Attribute::typed("labels", Type::set(Type::String)).optional(),
        Attribute::typed("kind", Type::String).optional(),
        Attribute::typed("ports", Type::list(Type::Number)).optional(),
        Attribute::typed("tags", Type::map(Type::String)).optional(),
    ]);
    let rule = Block::new(
        vec![
            Attribute::typed("port", Type::Number).required(),
            Attribute::typed("path", Type::String).optional().computed(),
        ],
        vec![],
    );
    if protocol == 6 {
        attributes.extend(parts::nested(&[]));
    }
    let blocks = vec![
        NestedBlock::new("rule", Nesting::Set, rule.clone()),
        NestedBlock::new("entry", Nesting::List, rule.clone()),
        NestedBlock::new("zone", Nesting::Map, rule.clone()),
        NestedBlock::new("one", Nesting::Single, rule),
        parts::timeouts(),
    ];
    Definition::new(attributes, blocks)
        .legacy()
        .renewed("revision")
        .modifier("alias", Modifier::Promise(Refinements::not_null()))
        .modifier("kind", requires_replace())
        .upgrades(vec![upgrades::title_becomes_name])
}
