//! Schemas as `terraform providers schema -json` prints them, both ways.

use serde_json::{Map, Value as Json, json};

use super::{Attribute, AttributeKind, Block, InvalidKind, NestedAttributes, NestedBlock, Nesting, Schema};
use crate::value::Type;

/// Why JSON is not a schema, and where.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{at}: {problem}")]
pub struct SchemaJsonError {
    pub at: String,
    pub problem: String,
}

type Outcome<T> = Result<T, SchemaJsonError>;

fn error<T>(at: &str, problem: impl Into<String>) -> Outcome<T> {
    Err(SchemaJsonError { at: at.to_owned(), problem: problem.into() })
}

/// Parses a schema, or a bare block.
pub fn schema_from_json(json: &Json) -> Outcome<Schema> {
    let version = json.get("version").and_then(Json::as_i64).unwrap_or(0);
    let block = match json.get("block") {
        Some(block) => block_from_json(block)?,
        None => block_from_json(json)?,
    };
    Ok(Schema { version, block })
}

pub fn block_from_json(json: &Json) -> Outcome<Block> {
    read_block(json, "block")
}

fn read_block(json: &Json, at: &str) -> Outcome<Block> {
    let Some(members) = json.as_object() else { return error(at, "a block must be an object") };
    known_members(
        members,
        at,
        &[
            "attributes",
            "block_types",
            "description",
            "description_kind",
            "deprecated",
            "deprecation_message",
            "computed",
        ],
    )?;
    let mut block = Block {
        description: text(members, "description"),
        deprecated: flag(members, "deprecated"),
        deprecation_message: text(members, "deprecation_message"),
        computed: flag(members, "computed"),
        ..Block::default()
    };
    block.attributes = read_attributes(members.get("attributes"), at)?;
    for (name, nested) in object(members.get("block_types"), at)? {
        let at = format!("{at}.{name}");
        let Some(members) = nested.as_object() else { return error(&at, "a nested block must be an object") };
        known_members(members, &at, &["nesting_mode", "block", "min_items", "max_items"])?;
        let inner = match present(members, "block") {
            Some(block) => read_block(block, &at)?,
            None => Block { missing: true, ..Block::default() },
        };
        block.block_types.push(NestedBlock {
            name: name.clone(),
            nesting: read_nesting(members, &at)?,
            block: inner,
            min_items: members.get("min_items").and_then(Json::as_i64).unwrap_or(0),
            max_items: members.get("max_items").and_then(Json::as_i64).unwrap_or(0),
        });
    }
    Ok(block)
}

fn read_attributes(json: Option<&Json>, at: &str) -> Outcome<Vec<Attribute>> {
    let mut attributes = Vec::new();
    for (name, attribute) in object(json, at)? {
        let at = format!("{at}.{name}");
        let Some(members) = attribute.as_object() else {
            return error(&at, "an attribute must be an object");
        };
        known_members(
            members,
            &at,
            &[
                "type",
                "nested_type",
                "description",
                "description_kind",
                "deprecated",
                "deprecation_message",
                "required",
                "optional",
                "computed",
                "sensitive",
                "write_only",
            ],
        )?;
        let kind = match (present(members, "type"), present(members, "nested_type")) {
            (Some(_), Some(_)) => AttributeKind::Invalid(InvalidKind::BothTypeAndNested),
            (None, None) => AttributeKind::Invalid(InvalidKind::NeitherTypeNorNested),
            (Some(ty), None) => match Type::from_json(ty) {
                Ok(ty) => AttributeKind::Typed(ty),
                Err(error) => AttributeKind::Invalid(InvalidKind::Type(error)),
            },
            (None, Some(nested)) => {
                let Some(nested) = nested.as_object() else {
                    return error(&at, "nested_type must be an object");
                };
                known_members(nested, &at, &["attributes", "nesting_mode", "min_items", "max_items"])?;
                let inner = read_attributes(nested.get("attributes"), &at)?;
                AttributeKind::Nested(Box::new(NestedAttributes::new(read_nesting(nested, &at)?, inner)))
            }
        };
        attributes.push(Attribute {
            required: flag(members, "required"),
            optional: flag(members, "optional"),
            computed: flag(members, "computed"),
            sensitive: flag(members, "sensitive"),
            write_only: flag(members, "write_only"),
            deprecated: flag(members, "deprecated"),
            deprecation_message: text(members, "deprecation_message"),
            description: text(members, "description"),
            markdown: text(members, "description_kind") == "markdown",
            ..Attribute::of(name, kind)
        });
    }
    Ok(attributes)
}

/// A member that is present and not null.
fn present<'m>(members: &'m Map<String, Json>, name: &str) -> Option<&'m Json> {
    members.get(name).filter(|json| !json.is_null())
}

fn read_nesting(members: &Map<String, Json>, at: &str) -> Outcome<Nesting> {
    match members.get("nesting_mode") {
        Some(Json::String(mode)) => Ok(match mode.as_str() {
            "single" => Nesting::Single,
            "group" => Nesting::Group,
            "list" => Nesting::List,
            "set" => Nesting::Set,
            "map" => Nesting::Map,
            // The tools print an invalid mode as a word, too; any word other than the five means one.
            _ => Nesting::Invalid(0),
        }),
        Some(Json::Number(number)) => {
            Ok(Nesting::Invalid(number.as_i64().and_then(|n| i32::try_from(n).ok()).unwrap_or(0)))
        }
        None => Ok(Nesting::Invalid(0)),
        Some(_) => error(at, "nesting_mode must be a word"),
    }
}

fn object<'j>(json: Option<&'j Json>, at: &str) -> Outcome<Vec<(&'j String, &'j Json)>> {
    match json {
        None | Some(Json::Null) => Ok(Vec::new()),
        Some(Json::Object(members)) => Ok(members.iter().collect()),
        Some(_) => error(at, "an object is required"),
    }
}

fn known_members(members: &Map<String, Json>, at: &str, known: &[&str]) -> Outcome<()> {
    match members.keys().find(|name| !known.contains(&name.as_str())) {
        Some(name) => error(at, format!("{name:?} is not part of a schema")),
        None => Ok(()),
    }
}

fn flag(members: &Map<String, Json>, name: &str) -> bool {
    members.get(name).and_then(Json::as_bool).unwrap_or(false)
}

fn text(members: &Map<String, Json>, name: &str) -> String {
    members.get(name).and_then(Json::as_str).unwrap_or_default().to_owned()
}

/// Writes a schema in the tools' form; members that are false, empty or missing are left out, as the tools do.
pub fn schema_to_json(schema: &Schema) -> Json {
    match schema.block.missing {
        true => json!({ "version": schema.version }),
        false => json!({ "version": schema.version, "block": write_block(&schema.block) }),
    }
}

fn write_block(block: &Block) -> Json {
    let mut members = Map::new();
    if !block.attributes.is_empty() {
        members.insert("attributes".into(), write_attributes(&block.attributes));
    }
    if !block.block_types.is_empty() {
        let mut nested_blocks: Vec<&NestedBlock> = block.block_types.iter().collect();
        nested_blocks.sort_by(|a, b| a.name.cmp(&b.name));
        let nested_blocks = nested_blocks.into_iter().map(|nested| {
            let mut members = Map::new();
            members.insert("nesting_mode".into(), write_nesting(nested.nesting));
            if !nested.block.missing {
                members.insert("block".into(), write_block(&nested.block));
            }
            for (name, count) in [("min_items", nested.min_items), ("max_items", nested.max_items)] {
                if count != 0 {
                    members.insert(name.into(), count.into());
                }
            }
            (nested.name.clone(), Json::Object(members))
        });
        members.insert("block_types".into(), Json::Object(nested_blocks.collect()));
    }
    write_text(&mut members, "description", &block.description);
    write_flag(&mut members, "deprecated", block.deprecated);
    write_text(&mut members, "deprecation_message", &block.deprecation_message);
    write_flag(&mut members, "computed", block.computed);
    Json::Object(members)
}

fn write_attributes(attributes: &[Attribute]) -> Json {
    let mut attributes: Vec<&Attribute> = attributes.iter().collect();
    attributes.sort_by(|a, b| a.name.cmp(&b.name));
    let attributes = attributes.into_iter().map(|attribute| {
        let mut members = Map::new();
        match &attribute.kind {
            AttributeKind::Typed(ty) => {
                members.insert("type".into(), ty.to_json());
            }
            AttributeKind::Nested(nested) => {
                let nested_type = json!({
                    "attributes": write_attributes(&nested.attributes),
                    "nesting_mode": write_nesting(nested.nesting),
                });
                members.insert("nested_type".into(), nested_type);
            }
            AttributeKind::Invalid(_) => {}
        }
        write_text(&mut members, "description", &attribute.description);
        if attribute.markdown {
            members.insert("description_kind".into(), "markdown".into());
        }
        write_flag(&mut members, "required", attribute.required);
        write_flag(&mut members, "optional", attribute.optional);
        write_flag(&mut members, "computed", attribute.computed);
        write_flag(&mut members, "sensitive", attribute.sensitive);
        write_flag(&mut members, "write_only", attribute.write_only);
        write_flag(&mut members, "deprecated", attribute.deprecated);
        write_text(&mut members, "deprecation_message", &attribute.deprecation_message);
        (attribute.name.clone(), Json::Object(members))
    });
    Json::Object(attributes.collect())
}

fn write_nesting(nesting: Nesting) -> Json {
    match nesting {
        Nesting::Single => "single".into(),
        Nesting::Group => "group".into(),
        Nesting::List => "list".into(),
        Nesting::Set => "set".into(),
        Nesting::Map => "map".into(),
        Nesting::Invalid(number) => number.into(),
    }
}

fn write_flag(members: &mut Map<String, Json>, name: &str, flag: bool) {
    if flag {
        members.insert(name.into(), true.into());
    }
}

fn write_text(members: &mut Map<String, Json>, name: &str, text: &str) {
    if !text.is_empty() {
        members.insert(name.into(), text.into());
    }
}
