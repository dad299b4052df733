//! Ways to add to schemas, or change them.

use std::sync::Arc;

use crate::schema::{Attribute, Block, NestedBlock, ProviderSchema, Schema};

/// The name of what a fault adds to a schema.
pub const ARMED: &str = "armed";

/// Changes the first managed resource schema for which `change` succeeds.
pub fn resource_schema(provider: &mut ProviderSchema, change: impl Fn(&mut Schema) -> bool) -> bool {
    provider.resources.values_mut().any(|schema| {
        let mut changed = Schema::clone(schema);
        let did = change(&mut changed);
        if did {
            changed.block.changed();
            *schema = Arc::new(changed);
        }
        did
    })
}

/// Declares one more attribute, which no configuration sets.
pub fn declare(provider: &mut ProviderSchema, attribute: Attribute) -> bool {
    resource_schema(provider, |schema| {
        let fresh = is_free(&schema.block, &attribute.name);
        if fresh {
            schema.block.attributes.push(attribute.clone());
        }
        fresh
    })
}

/// Declares one more nested block type, which no configuration has.
pub fn declare_block(provider: &mut ProviderSchema, nested: NestedBlock) -> bool {
    resource_schema(provider, |schema| {
        let fresh = is_free(&schema.block, &nested.name);
        if fresh {
            schema.block.block_types.push(nested.clone());
        }
        fresh
    })
}

fn is_free(block: &Block, name: &str) -> bool {
    block.attribute(name).is_none() && block.block_type(name).is_none()
}

/// Changes the first nested block type at the root of a resource that satisfies a predicate.
pub fn nested_block(
    provider: &mut ProviderSchema,
    holds: impl Fn(&NestedBlock) -> bool,
    change: impl Fn(&mut NestedBlock),
) -> bool {
    resource_schema(provider, |schema| {
        let nested = schema.block.block_types.iter_mut().find(|nested| holds(nested));
        nested.map(&change).is_some()
    })
}
