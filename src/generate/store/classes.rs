//! Which kinds of values the arguments of a type can have, and which of them what was learned rules out.

use super::{StoreSnapshot, items};
use crate::generate::learned::Learned;
use crate::generate::limit::{Limit, around_bounds};
use crate::generate::model::{Form, NodeId, SchemaModel};
use crate::generate::names;
use crate::generate::pins::permuted;
use crate::generate::value_class::{self, ValueClass};
use crate::generate::witness::{self, Format, Nth};
use crate::value::{Type, Value};

impl StoreSnapshot {
    /// The value classes of a node, the simplest first; indexed by choices of its class.
    pub fn classes(&self, model: &SchemaModel<'_>, id: NodeId) -> Vec<ValueClass> {
        let node = model.node(id);
        if let Some(values) = self.given(id) {
            // The words of a command have their order.
            let may_permute = !names::runs_programs(&node.name);
            let is_permuted = may_permute && values.iter().any(|value| permuted(value).is_some());
            let classes = [
                (ValueClass::Typical, true),
                (ValueClass::Second, values.len() > 1),
                (ValueClass::Permuted, is_permuted),
            ];
            return classes.into_iter().filter(|(_, is_there)| *is_there).map(|(class, _)| class).collect();
        }
        match &node.form {
            Form::Leaf => self.classes_of_value(node.plain_name(), &node.path, &node.ty),
            Form::Structure { .. } => self.allowed(&node.path, value_class::of_members(&node.form).to_vec()),
            Form::Block(nested) => {
                let said = self.count(&node.path).max;
                let max = (items(nested).1 as u64).min(said.unwrap_or(u64::MAX));
                let fits = |class: &ValueClass| match class {
                    ValueClass::Two => max >= 2,
                    ValueClass::Many => max > 2,
                    _ => true,
                };
                value_class::of_members(&node.form).iter().copied().filter(fits).collect()
            }
        }
    }

    /// The values of a node that what was learned rules out, and those next to a learned bound, the nearest first;
    /// none as long as no configuration is known that the provider accepts.
    pub fn limits(&self, model: &SchemaModel<'_>, id: NodeId) -> Vec<Limit> {
        let node = model.node(id);
        if self.given(id).is_some() {
            return Vec::new();
        }
        match &node.form {
            Form::Leaf => self.limits_of_value(node.plain_name(), &node.path, &node.ty),
            Form::Structure { .. } => {
                self.limits_among(&node.path, &node.ty, value_class::of_members(&node.form))
            }
            Form::Block(nested) => {
                let (min, max) = items(nested);
                let mut limits = self.limits_among(&node.path, &node.ty, &[]);
                limits.retain(|limit| match limit {
                    Limit::Count(count) => (min as u64..=max as u64).contains(count),
                    _ => true,
                });
                limits
            }
        }
    }

    /// As [`StoreSnapshot::limits`], for a value of a type in an argument of this name and schema path.
    pub fn limits_of_value(&self, name: &str, path: &str, ty: &Type) -> Vec<Limit> {
        match self.is_always_typical(name, path, ty) {
            true => Vec::new(),
            false => self.limits_among(path, ty, &self.every_class_of_value(name, path, ty)),
        }
    }

    fn limits_among(&self, path: &str, ty: &Type, classes: &[ValueClass]) -> Vec<Limit> {
        let Some(learned) = self.learned(path).filter(|_| self.has_accepted) else { return Vec::new() };
        let is_ruled_out = |class: &ValueClass| !class.is_usual() && !class.is_allowed(learned);
        let ruled_out = classes.iter().copied().filter(is_ruled_out).map(Limit::Class);
        around_bounds(learned, ty).into_iter().chain(ruled_out).collect()
    }

    /// The classes that what was learned leaves.
    fn allowed(&self, path: &str, mut classes: Vec<ValueClass>) -> Vec<ValueClass> {
        if let Some(learned) = self.learned(path) {
            classes.retain(|class| class.is_allowed(learned));
        }
        classes
    }

    /// The value classes for a type, in an argument of this name and schema path.
    pub fn classes_of_value(&self, name: &str, path: &str, ty: &Type) -> Vec<ValueClass> {
        self.allowed(path, self.every_class_of_value(name, path, ty))
    }

    fn every_class_of_value(&self, name: &str, path: &str, ty: &Type) -> Vec<ValueClass> {
        let mut classes = value_class::of_type(ty);
        if self.is_always_typical(name, path, ty) {
            classes.truncate(2);
        }
        let format = format_of(name, path, ty);
        let non_canonical = self
            .format(name, path, ty)
            .and_then(|format| witness::non_canonical(format, Nth::new(0, 0), "tfcabcdef"));
        let permits =
            |text: &String| self.learned(path).is_none_or(|learned| learned.permits(&Value::string(text)));
        classes.retain(|class| match format {
            _ if *class == ValueClass::NonCanonical => non_canonical.as_ref().is_some_and(permits),
            None => true,
            Some(Format::Json | Format::JsonPolicy) => !class.is_for_any_text() || *class == ValueClass::Json,
            Some(_) => !class.is_for_any_text(),
        });
        classes
    }

    /// The format of the texts of an argument, as far as answers or its name tell.
    pub fn format(&self, name: &str, path: &str, ty: &Type) -> Option<Format> {
        let learned = self.learned(path).filter(|_| *ty == Type::String).and_then(Learned::format);
        learned.or_else(|| format_of(name, path, ty))
    }

    /// Whether an argument has no values but those that a user would write.
    fn is_always_typical(&self, name: &str, path: &str, ty: &Type) -> bool {
        match format_of(name, path, ty) {
            // Anything else might name a file of the machine.
            Some(Format::Path) => self.at_apply,
            // Nothing else is a duration.
            Some(Format::Timeout) => true,
            _ => false,
        }
    }
}

/// The format that an argument's name suggests for its texts.
fn format_of(name: &str, path: &str, ty: &Type) -> Option<Format> {
    names::format_of(name, path).filter(|_| *ty == Type::String)
}
