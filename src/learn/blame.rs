//! Whose fault a refusal is that names nobody.
//!
//! An unknown value satisfies every validator, so the complaint goes away with the value that it is about.

use std::collections::BTreeSet;

use super::course::{Asked, Course};
use super::{Oracle, Stop};
use crate::generate::lesson::Lesson;
use crate::generate::model::NodeId;
use crate::generate::shape::Shape;
use crate::generate::spec::ConfigSpec;
use crate::generate::unknown::{PlaceKind, relax};
use crate::scenario::Operation;
use crate::value::{AttributePath, Value};

/// How many questions one complaint may take.
const BUDGET: u32 = 15;

impl<O: Oracle> Course<'_, '_, O> {
    /// Looks for the argument behind the first complaint that names none, and changes it; whether it did.
    pub(super) async fn blame(
        &mut self,
        lessons: &[Lesson],
        asked: &Asked,
        shape: &mut Shape,
        wanted: &BTreeSet<NodeId>,
        at: Operation,
        end: u32,
    ) -> Result<bool, Stop> {
        let Some(lesson) = lessons.first() else { return Ok(false) };
        let end = end.min(self.n_asked + BUDGET);
        // A plan of unknown values may fail for other reasons.
        if at == Operation::Validate
            && let Some(path) = self.guilty_value(&lesson.complaint(), asked, end).await?
        {
            let named = Lesson { path: Some(path), edits: Vec::new(), ..lesson.clone() };
            return Ok(self.take(&[named], asked, shape, wanted));
        }
        self.guilty_presence(&lesson.complaint(), shape, wanted, at, end).await
    }

    /// The schema path of the value without which a complaint is not made.
    async fn guilty_value(
        &mut self,
        complained: &str,
        asked: &Asked,
        end: u32,
    ) -> Result<Option<String>, Stop> {
        let mut suspects = self.places(&asked.config);
        if suspects.is_empty() || self.is_made(complained, asked, &suspects).await? {
            return Ok(None);
        }
        while suspects.len() > 1 && self.n_asked < end {
            let half = suspects.len() / 2;
            let (one, other) = suspects.split_at(half);
            let (one, other) = (one.to_vec(), other.to_vec());
            if !self.is_made(complained, asked, &one).await? {
                suspects = one;
            } else if !self.is_made(complained, asked, &other).await? {
                suspects = other;
            } else {
                // It takes several values.
                return Ok(None);
            }
        }
        let [guilty] = &suspects[..] else { return Ok(None) };
        Ok(guilty.parse::<AttributePath>().ok().map(|path| path.schema_path().to_string()))
    }

    /// Whether a complaint is still made with some places unknown.
    async fn is_made(&mut self, complained: &str, asked: &Asked, unknown: &[String]) -> Result<bool, Stop> {
        let generator = &self.generator;
        let config = relax(&generator.model, &generator.store, &asked.config, &mut |place| {
            let is_suspect = unknown.iter().any(|path| path == place.path);
            is_suspect.then(|| place.unknown())
        });
        self.complains(complained, &config, Operation::Validate).await
    }

    async fn complains(&mut self, complained: &str, config: &Value, stage: Operation) -> Result<bool, Stop> {
        let Some((at, diagnostics)) = self.ask(config, stage).await? else { return Ok(false) };
        let lessons = self.lessons(at, &diagnostics, config)?;
        Ok(lessons.iter().any(|lesson| lesson.complaint() == complained))
    }

    /// The places of values that can be unknown.
    fn places(&self, config: &Value) -> Vec<String> {
        let mut places = Vec::new();
        relax(&self.generator.model, &self.generator.store, config, &mut |place| {
            if place.kind == PlaceKind::Attribute {
                places.push(place.path.to_owned());
            }
            None
        });
        places
    }

    /// Leaves out the optional argument without which a complaint is not made, or sets the one that is missing.
    pub(super) async fn guilty_presence(
        &mut self,
        complained: &str,
        shape: &mut Shape,
        wanted: &BTreeSet<NodeId>,
        at: Operation,
        end: u32,
    ) -> Result<bool, Stop> {
        let on: Vec<NodeId> = self.generator.model.ids().filter(|id| shape.is_on(*id)).collect();
        let removable: Vec<NodeId> = on.into_iter().filter(|id| !wanted.contains(id)).collect();
        let mut suspects = removable;
        if suspects.is_empty() || self.is_made_without(complained, shape, &suspects, at).await? {
            return Ok(false);
        }
        while suspects.len() > 1 && self.n_asked < end {
            let half = suspects.len() / 2;
            let (one, other) = (suspects[..half].to_vec(), suspects[half..].to_vec());
            if !self.is_made_without(complained, shape, &one, at).await? {
                suspects = one;
            } else if !self.is_made_without(complained, shape, &other, at).await? {
                suspects = other;
            } else {
                break;
            }
        }
        let mut is_out = false;
        for id in suspects {
            is_out |= self.switch_off(id, shape, wanted);
        }
        Ok(is_out)
    }

    async fn is_made_without(
        &mut self,
        complained: &str,
        shape: &Shape,
        without: &[NodeId],
        stage: Operation,
    ) -> Result<bool, Stop> {
        let shape = without.iter().fold(shape.clone(), |shape, id| shape.without(*id));
        let asked = self.asked(shape.clone(), &ConfigSpec::plain(shape));
        self.complains(complained, &asked.config, stage).await
    }
}
