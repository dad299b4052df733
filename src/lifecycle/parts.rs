//! The parts of a run that the provider refused: which of them does it refuse?

use std::fmt::Display;

use super::after_failure::After;
use super::credits::{self, Met, Why};
use super::run::Engine;
use super::{End, Outcome};
use crate::scenario::{EngineRun, Part, Scenario};

impl<E: Display> Engine<'_, '_, E> {
    /// Plays halves of a refused run, halves of refused halves, and so on, each on top of what was
    /// accepted last. Returns the last run that was accepted, and a failure that ends the scenario.
    pub(super) async fn parts(
        &mut self,
        run: &EngineRun,
        refused: &End,
        accepted: Option<EngineRun>,
    ) -> (Option<EngineRun>, Outcome<()>) {
        let ids = |parts: &[Part]| parts.iter().flat_map(|part| part.aims.clone()).collect::<Vec<_>>();
        let (Some(mut base), 2..) = (accepted.clone(), run.parts.len()) else {
            self.player.log().credits.give(&ids(&run.parts), credits::refused(refused));
            return (accepted, Ok(()));
        };
        let mut n_fruitless = 0;
        let mut waiting = halves(&run.parts);
        while let Some(parts) = waiting.pop() {
            let part = run.with_parts(parts, &base);
            // What was accepted already is not asked again.
            let is_new = part.blocks != base.blocks;
            let n_exchanges = self.player.log().exchanges.len();
            let outcome = if is_new { self.run(&part).await } else { Ok(()) };
            let after = match &outcome {
                Ok(()) => None,
                Err(end) => Some((self.after(end, run, n_exchanges, &mut n_fruitless), end)),
            };
            if is_new && !matches!(after, Some((After::Refused, _))) {
                self.player.log().parts.push((self.nth, part.clone()));
            }
            let credit = match after {
                None => {
                    base = part;
                    (Met::Exercised, Why::Exercised)
                }
                Some((After::Nothing, end)) => {
                    let rest: Vec<_> =
                        waiting.iter().flat_map(|parts| ids(parts)).chain(ids(parts)).collect();
                    self.player.log().credits.give(&rest, (Met::Blocked, Why::Ended(end.clone())));
                    return (Some(base), outcome);
                }
                // What an engine rejects says nothing about the other parts either.
                Some(_) if parts.len() > 1 => {
                    waiting.extend(halves(parts));
                    continue;
                }
                Some((After::Judged, _)) => (Met::Exercised, Why::Exercised),
                Some((After::Refused, end)) => credits::refused(end),
            };
            self.player.log().credits.give(&ids(parts), credit);
        }
        (Some(base), Ok(()))
    }
}

/// The scenario with each refused run followed by the parts of it that were played; `None` if there are none.
/// `parts` are in the order of the runs, each with the index of its run.
pub(super) fn by_parts(scenario: &Scenario, parts: Vec<(usize, EngineRun)>) -> Option<Scenario> {
    if parts.is_empty() {
        return None;
    }
    let mut parts = parts.into_iter().peekable();
    let mut runs = Vec::new();
    for (idx, run) in scenario.runs.iter().enumerate() {
        runs.push(EngineRun { parts: Vec::new(), ..run.clone() });
        while let Some((_, part)) = parts.next_if(|(of, _)| *of == idx) {
            runs.push(part);
        }
    }
    Some(Scenario { runs, ..scenario.clone() })
}

/// The two halves, the first one last.
fn halves(parts: &[Part]) -> Vec<&[Part]> {
    let (first, second) = parts.split_at(parts.len().div_ceil(2));
    [second, first].into_iter().filter(|half| !half.is_empty()).collect()
}
