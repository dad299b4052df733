//! From drafts to scenarios, lazily.

use super::Options;
use super::choices::{ChoiceKey, Choices, Facet, Purpose};
use super::draft::{Act, Class, DATA, Draft, MANAGED};
use super::recipe::{Mask, Workshop};
use crate::scenario::{Intent, Node, Scenario};
use crate::schema::Kind;
use crate::schema::Schema;
use crate::transcript::ScenarioLabel;
use crate::value::Value;

/// Scenarios for one managed type or data source: `options.cases` of them, one class after
/// the other in turn, the simplest first. When a class has no more the others go on; when
/// none has, the rest are mixes.
///
/// Where something that must be set may not be filled, the scenarios only validate and plan.
pub fn scenarios<'s>(
    schema: &'s Schema,
    kind: Kind,
    type_name: &str,
    options: &Options,
) -> impl Iterator<Item = Scenario> + use<'s> {
    let classes = if kind == Kind::DataSource { DATA } else { MANAGED };
    Scenarios {
        workshop: Workshop::new(schema, type_name, options),
        kind,
        apply: options.apply,
        turns: classes.iter().map(|class| (*class, 0)).collect(),
        next: 0,
        number: 0,
    }
    .take(options.cases)
}

/// Updates of one type that are shown.
const SHOWN_CHANGES: usize = 6;

/// The few scenarios that show what a type is like, whatever `options.cases` says.
///
/// Everything in them is known from the start, but for one plan with every argument unknown.
pub fn shown(schema: &Schema, kind: Kind, type_name: &str, options: &Options) -> Vec<Scenario> {
    let mut scenarios = Scenarios {
        workshop: Workshop::new(schema, type_name, options),
        kind,
        apply: options.apply,
        turns: Vec::new(),
        next: 0,
        number: 0,
    };
    let n_changes = if options.apply { SHOWN_CHANGES } else { 0 };
    let mut classes = vec![(Class::Required, 0), (Class::Everything, 0)];
    if kind == Kind::Resource {
        // Of two the second is the one with everything on.
        let has_both = scenarios.workshop.more_than_minimal().is_some();
        classes.push((Class::AllUnknown, usize::from(has_both)));
        classes.extend((0..n_changes).map(|n| (Class::Change, n)));
    }
    let mut shown = Vec::new();
    for (number, (class, n)) in (1..).zip(classes) {
        scenarios.number = number;
        let draft = class.nth(n, u64::from(number), &scenarios.workshop);
        shown.extend(draft.map(|draft| scenarios.scenario(plainly(draft, class))));
    }
    shown
}

/// The draft without what is unknown by chance.
fn plainly(mut draft: Draft, class: Class) -> Draft {
    if class == Class::AllUnknown {
        draft.acts.truncate(1);
    }
    let known = |act| match act {
        Act::ReachAfterUnknown(recipe) => Act::Reach(recipe),
        other => other,
    };
    Draft { acts: draft.acts.into_iter().map(known).collect(), ..draft }
}

struct Scenarios<'s> {
    workshop: Workshop<'s>,
    kind: Kind,
    apply: bool,
    /// Classes that may have more, and how many each had.
    turns: Vec<(Class, usize)>,
    /// Whose turn it is.
    next: usize,
    number: u32,
}

impl Iterator for Scenarios<'_> {
    type Item = Scenario;

    fn next(&mut self) -> Option<Scenario> {
        self.number += 1;
        let draft = self.draft();
        Some(self.scenario(draft))
    }
}

impl Scenarios<'_> {
    fn draft(&mut self) -> Draft {
        while !self.turns.is_empty() {
            self.next %= self.turns.len();
            let (class, had) = &mut self.turns[self.next];
            if let Some(draft) = class.nth(*had, u64::from(self.number), &self.workshop) {
                *had += 1;
                self.next += 1;
                return draft;
            }
            self.turns.remove(self.next);
        }
        Class::Mix.nth(0, u64::from(self.number), &self.workshop).expect("there is always another mix")
    }

    fn scenario(&self, draft: Draft) -> Scenario {
        let steps = draft.acts.iter().enumerate().flat_map(|(idx, act)| self.intents(idx, act)).collect();
        let label = if self.kind == Kind::DataSource { "data-source" } else { "lifecycle" };
        let type_name = self.workshop.type_name.clone();
        Scenario {
            label: ScenarioLabel {
                type_name: type_name.clone(),
                kind: label.to_owned(),
                about: draft.about,
                number: self.number,
                seed: self.workshop.seed,
            },
            nodes: vec![Node { name: "a".to_owned(), kind: self.kind, type_name, steps }],
        }
    }

    fn intents(&self, idx: usize, act: &Act) -> Vec<Intent> {
        let number = u64::from(self.number);
        match act {
            Act::Drift(_) if !self.apply => Vec::new(),
            Act::Drift(kind) => vec![Intent::Drift { kind: *kind }],
            Act::Sweep(recipe, mask) => {
                let config = self.workshop.config(number, recipe);
                let mut choices = self.workshop.choices(number, recipe);
                vec![self.look(self.workshop.unknown(&config, *mask, &mut choices))]
            }
            Act::Reach(recipe) => self.reach(None, self.workshop.config(number, recipe)),
            Act::ReachAfterUnknown(recipe) => {
                let config = self.workshop.config(number, recipe);
                let mut choices = self.workshop.choices(number, recipe);
                // Each step of a scenario hides other places.
                choices.seed = choices.seed.wrapping_add(1 + idx as u64);
                let unknown = self.unknown(&config, &mut choices);
                self.reach(unknown, config)
            }
        }
    }

    /// What the configuration looks like at first; nothing where no place became unknown.
    fn unknown(&self, config: &Value, choices: &mut dyn Choices) -> Option<Value> {
        if !config.is_wholly_known() {
            return None;
        }
        let key = |path, purpose| ChoiceKey { facet: Facet::Unknown, path, purpose };
        let mask = match choices.pick(&key("", Purpose::Variant), 5) {
            0 => return None,
            1 => {
                let n_leaves = self.workshop.n_leaves(config).max(1) as u64;
                Mask::Leaf(choices.pick(&key("", Purpose::Target), n_leaves) as usize)
            }
            2 => Mask::All,
            _ => Mask::Some,
        };
        let unknown = self.workshop.unknown(config, mask, choices);
        (!unknown.is_wholly_known()).then_some(unknown)
    }

    /// Looks at what the provider says about a configuration, and leaves it at that.
    fn look(&self, config: Value) -> Intent {
        match self.kind {
            Kind::DataSource => Intent::Validate { config },
            _ => Intent::Plan { config },
        }
    }

    fn reach(&self, unknown: Option<Value>, config: Value) -> Vec<Intent> {
        if !self.apply || !config.is_wholly_known() {
            return unknown.into_iter().chain([config]).map(|config| self.look(config)).collect();
        }
        match self.kind {
            Kind::DataSource => {
                let before = unknown.map(|config| Intent::Validate { config });
                before.into_iter().chain([Intent::ReadData { config }]).collect()
            }
            _ => vec![Intent::Apply { unknown, config }],
        }
    }
}
