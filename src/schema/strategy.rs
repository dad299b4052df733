//! Random valid schemas, and objects of them, for property tests.

use proptest::prelude::*;

use super::*;
use crate::value::strategy::{alike, types, values};
use crate::value::{Refinements, Value};

/// Schemas every engine accepts: attributes of all flags, nested attributes and nested blocks of all
/// nestings, two levels deep.
pub(crate) fn blocks() -> impl Strategy<Value = Block> {
    block(2, Inside::default())
}

/// What is forbidden at a place.
#[derive(Clone, Copy, Default)]
struct Inside {
    /// No dynamic and no write-only attributes.
    set: bool,
    /// Only computed members.
    computed: bool,
}

fn block(depth: u32, inside: Inside) -> BoxedStrategy<Block> {
    let attributes = prop::collection::btree_map("[a-c]", attribute(depth, inside), 0..3);
    let n_blocks = if depth == 0 { 0..1 } else { 0..3usize };
    let nested = prop::collection::btree_map("[m-o]", Just(()), n_blocks).prop_flat_map(move |names| {
        let nested: Vec<_> = names.into_keys().map(|name| nested_block(name, depth, inside)).collect();
        nested
    });
    (attributes, nested)
        .prop_map(move |(attributes, nested)| {
            let attributes =
                attributes.into_iter().map(|(name, attribute)| Attribute { name, ..attribute }).collect();
            Block { computed: inside.computed, ..Block::new(attributes, nested) }
        })
        .boxed()
}

fn nested_block(name: String, depth: u32, inside: Inside) -> BoxedStrategy<NestedBlock> {
    let nestings = prop_oneof![
        Just(Nesting::Single),
        Just(Nesting::Group),
        Just(Nesting::List),
        Just(Nesting::Set),
        Just(Nesting::Map)
    ];
    (nestings, prop::bool::weighted(0.15))
        .prop_flat_map(move |(nesting, computed)| {
            let name = name.clone();
            // A group cannot be computed.
            let nesting =
                if inside.computed && nesting == Nesting::Group { Nesting::Single } else { nesting };
            let inner = Inside {
                set: inside.set || nesting == Nesting::Set,
                computed: inside.computed || (computed && nesting != Nesting::Group),
            };
            block(depth - 1, inner).prop_map(move |block| NestedBlock::new(&name, nesting, block))
        })
        .boxed()
}

fn attribute(depth: u32, inside: Inside) -> BoxedStrategy<Attribute> {
    let plain = types().prop_map(move |ty| {
        Attribute::typed("", if inside.set && ty.has_dynamic() { Type::String } else { ty })
    });
    let kind = if depth == 0 {
        plain.boxed()
    } else {
        let nestings =
            prop_oneof![Just(Nesting::Single), Just(Nesting::List), Just(Nesting::Set), Just(Nesting::Map)];
        let nested = nestings.prop_flat_map(move |nesting| {
            let inner = Inside { set: inside.set || nesting == Nesting::Set, ..inside };
            prop::collection::btree_map("[a-c]", attribute(depth - 1, inner), 1..3).prop_map(move |inner| {
                let inner = inner.into_iter().map(|(name, attribute)| Attribute { name, ..attribute });
                Attribute::nested("", nesting, inner.collect())
            })
        });
        prop_oneof![2 => plain, 1 => nested].boxed()
    };
    (kind, 0..8u8)
        .prop_map(move |(attribute, flags)| match flags {
            _ if inside.computed => attribute.computed(),
            0 | 1 => attribute.required(),
            2 | 3 => attribute.optional(),
            4 => attribute.computed(),
            5 => attribute.optional().sensitive(),
            6 if !inside.set => attribute.optional().write_only(),
            _ => attribute.optional().computed(),
        })
        .boxed()
}

/// Objects a user could configure: required attributes set, computed-only ones null, blocks never null.
/// Collections of computed blocks are empty, as before the engine prepares them.
pub(crate) fn configs(block: &Block, unknowns: bool) -> BoxedStrategy<Value> {
    let ty = block.implied_type().clone();
    let members: Vec<_> = ty
        .as_object()
        .expect("a block implies an object type")
        .attributes()
        .iter()
        .map(|(name, _)| match block.block_type(name) {
            Some(nested) => configured_blocks(nested, unknowns),
            None => configured_attribute(block.attribute(name).expect("a member has a schema"), unknowns),
        })
        .collect();
    members.prop_map(move |values| Value::object_of(&ty, values)).boxed()
}

fn configured_blocks(nested: &NestedBlock, unknowns: bool) -> BoxedStrategy<Value> {
    if nested.block.computed {
        return Just(nested.empty_value()).boxed();
    }
    let element = configs(&nested.block, unknowns);
    let ty = nested.implied_type();
    let is_uniform = !nested.block.implied_type().has_dynamic();
    let owned = nested.clone();
    let known = match nested.nesting {
        Nesting::Single => prop_oneof![Just(nested.empty_value()), element].boxed(),
        Nesting::Group => element,
        Nesting::List | Nesting::Set => {
            prop::collection::vec(element, 0..4).prop_map(move |elements| owned.collect(elements)).boxed()
        }
        Nesting::Map => prop::collection::btree_map("[k-l]", element, 0..3)
            .prop_map(move |entries| match is_uniform {
                true => Value::map(owned.block.implied_type().clone(), entries),
                false => Value::object(entries),
            })
            .boxed(),
        Nesting::Invalid(_) => Just(nested.empty_value()).boxed(),
    };
    if unknowns { prop_oneof![8 => known, 1 => Just(Value::unknown(ty))].boxed() } else { known }
}

fn configured_attribute(attribute: &Attribute, unknowns: bool) -> BoxedStrategy<Value> {
    let ty = attribute.ty();
    let null = Just(Value::null(ty.clone()));
    if !attribute.is_configurable() {
        return null.boxed();
    }
    let set = match attribute.nested_attributes() {
        None => values(&ty, unknowns).prop_filter("no null", |value| !value.is_null()).boxed(),
        Some(nested) => nested_attribute(nested, unknowns),
    };
    let unknown =
        prop_oneof![Just(Value::unknown(ty.clone())), Just(Value::refined(ty, Refinements::not_null()))];
    match (attribute.required, unknowns) {
        (true, false) => set,
        (true, true) => prop_oneof![6 => set, 1 => unknown].boxed(),
        (false, false) => prop_oneof![2 => set, 1 => null].boxed(),
        (false, true) => prop_oneof![6 => set, 3 => null, 1 => unknown].boxed(),
    }
}

fn nested_attribute(nested: &NestedAttributes, unknowns: bool) -> BoxedStrategy<Value> {
    let ty = nested.element_type();
    let mut members = Vec::new();
    for (name, _) in ty.as_object().expect("elements are objects").attributes() {
        members.push(configured_attribute(nested.attribute(name).expect("a member has a schema"), unknowns));
    }
    let element = {
        let ty = ty.clone();
        members.prop_map(move |values| Value::object_of(&ty, values))
    };
    let keys = ["k", "l", "m"];
    let nesting = nested.nesting;
    match nesting {
        Nesting::List | Nesting::Set | Nesting::Map => prop::collection::vec(element, 0..4)
            .prop_map(move |elements| {
                // Elements of one collection have one type, however dynamic their members are.
                let (ty, elements) = alike(&ty, elements);
                match nesting {
                    Nesting::List => Value::list(ty, elements),
                    Nesting::Set => Value::set(ty, elements),
                    _ => Value::map(ty, keys.into_iter().zip(elements)),
                }
            })
            .boxed(),
        _ => element.boxed(),
    }
}

proptest! {
    #[test]
    fn random_schemas_are_accepted_by_every_engine(block in blocks()) {
        let schema = Schema { version: 0, block };
        for engine in crate::engine::Engine::ALL {
            prop_assert_eq!(check(&schema, engine), vec![]);
        }
    }

    #[test]
    fn random_configurations_conform_to_their_schema(
        (block, config) in blocks().prop_flat_map(|block| (Just(block.clone()), configs(&block, true))),
    ) {
        prop_assert!(config.ty().conforms(block.implied_type()), "{config:?}");
    }
}
