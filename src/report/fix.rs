//! What a provider's author does about the findings of a group.

use super::Group;
use crate::rule::sentence;
use crate::value::tree::Tree;

impl Group {
    /// What to do, in one sentence about its attributes.
    pub fn fix(&self) -> String {
        let attributes: Vec<&str> =
            self.attributes.keys().map(String::as_str).filter(|path| !path.is_empty()).collect();
        let mut unknown = Vec::new();
        if let Some(planned) = self.first.evidence.trigger.now.first() {
            collect(planned, "", &mut unknown);
        }
        unknown.sort();
        unknown.dedup();
        let unknown: Vec<&str> = unknown.iter().map(String::as_str).collect();
        sentence(self.own_fix().unwrap_or(self.rule.fix.0), &attributes, &unknown)
    }
}

impl Group {
    /// What the values of its findings tell; `None` if they tell nothing, or not the same.
    fn own_fix(&self) -> Option<&str> {
        let mut told = self.attributes.values().map(|broken| broken.evidence.fix.as_deref());
        let first = told.next()??;
        told.all(|other| other == Some(first)).then_some(first)
    }
}

/// The schema paths of what is unknown.
fn collect(tree: &Tree, at: &str, unknown: &mut Vec<String>) {
    match tree {
        leaf if leaf.is_unknown() => unknown.push(at.to_owned()),
        Tree::Leaf(_) => {}
        Tree::Object(members) => {
            for (name, member) in members {
                let path = if at.is_empty() { name.clone() } else { format!("{at}.{name}") };
                collect(member, &path, unknown);
            }
        }
        Tree::List(elements) | Tree::Set(elements) => {
            elements.iter().for_each(|element| collect(element, at, unknown));
        }
        Tree::Map(entries) => entries.iter().for_each(|(_, entry)| collect(entry, at, unknown)),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::record::{Evidence, Masked, Trigger};
    use crate::report::samples;
    use crate::rules;
    use crate::value;

    #[test]
    fn a_fix_names_the_arguments_that_were_unknown() {
        let mut group = samples::plan_finding();
        group.rule = rules::find("plan/final-plan-agrees").expect("the rule exists");
        let now = vec![
            samples::tree(value!({ "size": unknown, "disk": [{ "label": unknown, "days": 3 }] })),
            samples::tree(value!({ "size": 3, "disk": [{ "label": "a", "days": 3 }] })),
        ];
        let trigger = Arc::new(Trigger { now, ..Trigger::default() });
        group.first.evidence = Masked::sample(Evidence { trigger, ..Evidence::default() });
        assert_eq!(group.fix(), "plan lifecycle.name as unknown while disk.label and size are unknown");
    }
}
