//! The places of a schema, as prose and sources name them.

use std::collections::BTreeMap;

use crate::generate::facts::{Claim, Constraint};
use crate::generate::model::{Form, NodeId, Presence, SchemaModel};
use crate::value::{Number, Type};

/// The most places of a schema that one name without its block may stand for.
const PLACES: usize = 4;

/// The schema paths of what can be set, as prose and sources name them.
pub(super) struct Paths<'s> {
    model: &'s SchemaModel<'s>,
    by_path: BTreeMap<&'s str, NodeId>,
    by_name: BTreeMap<&'s str, Vec<&'s str>>,
    /// By name without underscores, as fields of structs are called.
    by_field: BTreeMap<String, Vec<&'s str>>,
}

impl<'s> Paths<'s> {
    pub fn of(model: &'s SchemaModel<'s>) -> Paths<'s> {
        let mut paths =
            Paths { model, by_path: BTreeMap::new(), by_name: BTreeMap::new(), by_field: BTreeMap::new() };
        for id in model.ids().filter(|id| model.node(*id).presence != Presence::Never) {
            let node = model.node(id);
            paths.by_path.insert(&node.path, id);
            paths.by_name.entry(&node.name).or_default().push(&node.path);
            paths.by_field.entry(node.name.replace('_', "")).or_default().push(&node.path);
        }
        paths
    }

    /// The arguments of a name inside of some blocks, which are names or paths; at the top without any, or else where
    /// few have that name.
    pub fn find(&self, blocks: &[String], name: &str) -> Vec<String> {
        let all = self.by_name.get(name.rsplit('.').next().unwrap_or(name)).map_or(&[][..], Vec::as_slice);
        let ends = |path: &str, end: &str| path == end || path.ends_with(&format!(".{end}"));
        let all = all.iter().filter(|path| ends(path, name));
        if blocks.is_empty() {
            if self.by_path.contains_key(name) {
                return vec![name.to_owned()];
            }
            return few(all.map(|path| (*path).to_owned()).collect());
        }
        let is_inside = |path: &&&str| {
            let outer = path.strip_suffix(name).map_or("", |outer| outer.trim_end_matches('.'));
            blocks.iter().any(|block| ends(outer, block))
        };
        all.filter(is_inside).map(|path| (*path).to_owned()).collect()
    }

    /// The arguments that a field of a struct holds.
    pub fn of_field(&self, field: &str) -> Vec<String> {
        let all = self.by_field.get(&field.to_lowercase()).map_or(&[][..], Vec::as_slice);
        let top = all.iter().find(|path| !path.contains('.'));
        match top {
            Some(top) => vec![(*top).to_owned()],
            None => few(all.iter().map(|path| (*path).to_owned()).collect()),
        }
    }

    /// Whether something of that name, or at that path, has members.
    pub fn holds_members(&self, name: &str) -> bool {
        let leaf = name.rsplit('.').next().unwrap_or(name);
        self.by_name.get(leaf).is_some_and(|paths| paths.iter().any(|path| self.has_members(path)))
    }

    pub fn has_members(&self, path: &str) -> bool {
        self.by_path.get(path).is_some_and(|id| !matches!(self.model.node(*id).form, Form::Leaf))
    }

    /// A claim that can be about its argument: a bool has no values to choose from, and a number no letters.
    pub fn fitted(&self, claim: Claim) -> Option<Claim> {
        let node = self.model.node(*self.by_path.get(claim.path.as_str())?);
        let ty = node.ty.element().unwrap_or(&node.ty);
        let is_name = |text: &String| self.by_name.contains_key(text.as_str());
        let is_number = |text: &String| Number::parse(text).is_ok();
        let fits = match (ty, &claim.constraint) {
            // Prose that says which arguments go together.
            (Type::String, Constraint::OneOf(members)) => !members.iter().all(is_name),
            (Type::String, _) => true,
            (Type::Number, Constraint::OneOf(members)) => members.iter().all(is_number),
            (Type::Number, Constraint::Literal(text)) => is_number(text),
            (Type::Number, Constraint::Range { .. }) => true,
            _ => false,
        };
        (fits && matches!(node.form, Form::Leaf)).then_some(claim)
    }
}

fn few(paths: Vec<String>) -> Vec<String> {
    if paths.len() <= PLACES { paths } else { Vec::new() }
}
