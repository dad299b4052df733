//! The bodies of blocks: arguments and nested blocks.

use super::expression::{
    Expressions, after, braces, brackets, literal, name, pairs, place_of_element, quoted,
};
use super::lines::Lines;
use crate::schema::{Block, NestedBlock, Nesting};
use crate::value::{AttributePath, Value};

/// Writes what is set in a block: `now` while the run is planned, and `later` when it is applied.
pub(super) fn write(
    lines: &mut Lines,
    expressions: &mut Expressions<'_>,
    block: &Block,
    now: &Value,
    later: &Value,
    at: &AttributePath,
) {
    for attribute in &block.attributes {
        let at = at.attribute(&attribute.name);
        let (now, later) = (now.member(&attribute.name), later.member(&attribute.name));
        if !now.is_null() || expressions.reference(&at).is_some() {
            let value = expressions.attribute(attribute, &now, &later, &at);
            lines.line(&format!("{} = {value}", attribute.name));
        }
    }
    for nested in &block.block_types {
        let at = at.attribute(&nested.name);
        let (now, later) = (now.member(&nested.name), later.member(&nested.name));
        if now.is_unknown() {
            let all = expressions.upstream.result(all_blocks(nested, &later));
            write_dynamic(lines, nested, &all);
        } else {
            write_blocks(lines, expressions, nested, &now, &later, &at);
        }
    }
}

fn write_blocks(
    lines: &mut Lines,
    expressions: &mut Expressions<'_>,
    nested: &NestedBlock,
    now: &Value,
    later: &Value,
    at: &AttributePath,
) {
    let mut one = |label: &str, now: &Value, later: &Value, at: &AttributePath| {
        lines.open(&format!("{}{label} {{", nested.name));
        write(lines, expressions, &nested.block, now, later, at);
        lines.close();
    };
    match nested.nesting {
        // A group that is left out is an object of absent members.
        Nesting::Group if *now == nested.empty_value() => {}
        Nesting::Single | Nesting::Group | Nesting::Invalid(_) if now.is_set() => one("", now, later, at),
        Nesting::Single | Nesting::Group | Nesting::Invalid(_) => {}
        Nesting::List | Nesting::Set => {
            for (idx, (element, later)) in pairs(now, later).into_iter().enumerate() {
                one("", element, later, &place_of_element(at, now, idx, element));
            }
        }
        Nesting::Map => {
            for (step, element) in now.children() {
                let label = format!(" {}", quoted(&name(&step)));
                one(&label, element, &after(later, &step, element), &at.with(step));
            }
        }
    }
}

/// Blocks of which not even the number is known: one for each element of `all`.
fn write_dynamic(lines: &mut Lines, nested: &NestedBlock, all: &str) {
    lines.open(&format!("dynamic {} {{", quoted(&nested.name)));
    lines.line(&format!("for_each = {all}"));
    lines.open("content {");
    let from = format!("{}.value", nested.name);
    for attribute in nested.block.attributes.iter().filter(|attribute| attribute.is_configurable()) {
        lines.line(&format!("{} = {from}.{}", attribute.name, attribute.name));
    }
    // Labels cannot be unknown, so labelled blocks inside are left out.
    for inner in nested.block.block_types.iter().filter(|inner| inner.nesting != Nesting::Map) {
        write_dynamic(lines, inner, &format!("{from}.{}", inner.name));
    }
    lines.close();
    lines.close();
}

/// Known blocks as a collection that a dynamic block goes through; every object has every member.
fn all_blocks(nested: &NestedBlock, value: &Value) -> String {
    let object = |value: &Value| {
        let block = &nested.block;
        let attributes = block.attributes.iter().filter(|attribute| attribute.is_configurable());
        let attributes = attributes.map(|attribute| {
            (attribute.name.clone(), literal(&value.member(&attribute.name), &attribute.ty()))
        });
        let inner = block.block_types.iter().filter(|inner| inner.nesting != Nesting::Map);
        let inner = inner.map(|inner| (inner.name.clone(), all_blocks(inner, &value.member(&inner.name))));
        braces(attributes.chain(inner).collect())
    };
    match nested.nesting {
        Nesting::List | Nesting::Set => {
            brackets(value.elements().unwrap_or_default().iter().map(object).collect())
        }
        Nesting::Map | Nesting::Single | Nesting::Group | Nesting::Invalid(_) => {
            brackets(Some(value).filter(|value| value.is_set()).map(object).into_iter().collect())
        }
    }
}
