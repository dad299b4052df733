//! Objects with every member that their type has.
//!
//! An attribute that is a list of objects may be written like blocks, of which engines make objects: what is
//! missing is null.

use serde_json::Value as Json;

use crate::schema::{AttributeKind, Block};
use crate::value::Type;

/// The arguments of a block, with null for the missing members of objects.
pub(super) fn completed(mut json: Json, block: &Block) -> Json {
    if let Json::Object(members) = &mut json {
        for (name, value) in members.iter_mut() {
            if let Some(AttributeKind::Typed(ty)) = block.attribute(name).map(|attribute| &attribute.kind) {
                complete(value, ty);
            } else if let (Some(nested), Json::Array(items)) = (block.block_type(name), value) {
                for item in items {
                    *item = completed(item.take(), &nested.block);
                }
            }
        }
    }
    json
}

fn complete(json: &mut Json, ty: &Type) {
    match (ty, json) {
        (Type::Object(object), Json::Object(members)) => {
            for (name, ty) in object.attributes() {
                complete(members.entry(name.as_ref()).or_insert(Json::Null), ty);
            }
        }
        (Type::List(element) | Type::Set(element), Json::Array(items)) => {
            items.iter_mut().for_each(|item| complete(item, element));
        }
        (Type::Map(element), Json::Object(members)) => {
            members.values_mut().for_each(|item| complete(item, element));
        }
        _ => {}
    }
}
