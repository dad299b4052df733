//! What a provider's author does about the findings of a group.

use std::collections::BTreeMap;

use super::Group;
use crate::rule::sentence;
use crate::value::tree::Tree;

impl Group {
    /// What to do, in one sentence about its attributes, or in one for those with the same values to tell it.
    pub fn fix(&self) -> String {
        let mut unknown = Vec::new();
        if let Some(planned) = self.first.evidence.trigger.now.first() {
            collect(planned, "", &mut unknown);
        }
        unknown.sort();
        unknown.dedup();
        let unknown: Vec<&str> = unknown.iter().map(String::as_str).collect();
        let mut told: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (path, broken) in &self.attributes {
            let fix = broken.evidence.fix.as_deref().unwrap_or(self.rule.fix.0);
            told.entry(fix).or_default().extend((!path.is_empty()).then_some(path.as_str()));
        }
        let mut told: Vec<(&str, Vec<&str>)> = told.into_iter().collect();
        told.sort_by(|(_, one), (_, other)| one.cmp(other));
        let said = told.into_iter().map(|(fix, attributes)| sentence(fix, &attributes, &unknown));
        said.collect::<Vec<_>>().join("; ")
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
    use crate::report::{Broken, samples};
    use crate::rules;
    use crate::value;

    #[test]
    fn attributes_whose_values_tell_more_have_a_sentence_of_their_own() {
        let mut group = samples::plan_finding();
        let broken = group.attributes.values().next().expect("one attribute").clone();
        let telling =
            |fix: &str| Masked::sample(Evidence { fix: Some(fix.to_owned()), ..Evidence::default() });
        let told = Broken { evidence: telling("declare {attributes} computed"), ..broken.clone() };
        group.attributes = [("revision".to_owned(), broken), ("zone".to_owned(), told.clone())].into();
        assert_eq!(group.fix(), "do what holds for revision; declare zone computed");
        group.attributes = [("size".to_owned(), told.clone()), ("zone".to_owned(), told)].into();
        assert_eq!(group.fix(), "declare size and zone computed");
    }

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
