//! Replays a kept finding.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use super::audience::Leftovers;
use super::stage::{Finished, Stage};
use super::together::Processes;
use super::{RunError, RunOptions};
use crate::lifecycle::{Drawing, End, Played, Remote, Walked};
use crate::record::{KeptFor, Masked, MaskedFinding, MaskedJudgement, ShownCall};
use crate::rule::Level;
use crate::scenario::Scenario;
use crate::schema::Kind;
use crate::transcript::Exchange;

/// The plays of a finding's case.
pub struct Replayed {
    pub outcome: ReplayOutcome,
    /// What was asked and answered in the first play that showed the finding, or else in the last.
    pub calls: Masked<Vec<ShownCall>>,
    /// The graphs of the last play, each once.
    pub graphs: Vec<Drawing>,
}

/// The result of replaying a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayOutcome {
    StillThere,
    Fixed,
    /// It is gone, and something else is wrong: the broken rules, or where the play ended before it.
    Changed(Vec<String>),
    /// It appears in some plays and not in others.
    Flaky {
        seen: u32,
        of: u32,
    },
}

impl fmt::Display for ReplayOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayOutcome::StillThere => f.write_str("still there"),
            ReplayOutcome::Fixed => f.write_str("fixed"),
            ReplayOutcome::Changed(rules) => write!(f, "changed: now {}", rules.join(", ")),
            ReplayOutcome::Flaky { seen, of } => write!(f, "flaky: seen in {seen} of {of} plays"),
        }
    }
}

/// Plays a scenario `times` times, each time in new processes, alone or with the beside that it needs, and looks
/// for the finding it was kept for.
///
/// A provider that is gone ends it early; fails if nothing was found until then, or if it is interrupted.
pub async fn replay(
    options: RunOptions,
    remote: Option<Arc<dyn Remote>>,
    (scenario, beside): (&Scenario, &[Scenario]),
    kept_for: &KeptFor,
    times: u32,
) -> Result<Replayed, RunError> {
    let interruption = options.interruption.clone();
    tokio::select! {
        outcome = replay_to_the_end(options, remote, (scenario, beside), kept_for, times) => outcome,
        signal = interruption.happened() => Err(RunError::Interrupted(signal)),
    }
}

async fn replay_to_the_end(
    options: RunOptions,
    remote: Option<Arc<dyn Remote>>,
    (scenario, beside): (&Scenario, &[Scenario]),
    kept_for: &KeptFor,
    times: u32,
) -> Result<Replayed, RunError> {
    let options = Arc::new(options);
    let mut started = options.started().await?;
    if let Some(unusable) = started.unusable.take() {
        started.stock.close().await;
        return Err(unusable);
    }
    let masker = Arc::clone(&options.masker);
    let stage = Stage::new(&options, options.cases, &started, remote);
    let run_settings = options.settings();
    let (mut seen, mut of, mut lost) = (0, 0, None);
    let leftovers = Leftovers::of_earlier_runs();
    let mut others = BTreeSet::new();
    let mut calls = Masked::default();
    let mut graphs = Vec::new();
    let kind = scenario.kind().unwrap_or(Kind::Resource);
    let together: Vec<Scenario> = std::iter::once(scenario).chain(beside).cloned().collect();
    for _ in 0..times {
        let played = match beside {
            [] => {
                let words = leftovers.words(&scenario.label);
                let alone = stage.play_in_new_processes(kind, scenario, &started, words).await;
                alone.map(|finished| vec![finished])
            }
            _ => stage.play_together(kind, &together, Processes::One, &started, &leftovers).await,
        };
        let shows_it = |finished: &Finished| {
            let Finished { played, judgement, .. } = finished;
            let judged = MaskedJudgement::new(&masker, &played.transcript, judgement, &run_settings);
            judged.findings().any(|finding| is_it(&finding, kept_for))
        };
        let finished = match played {
            // Whichever of them shows it.
            Ok(mut played) => {
                let at = played.iter().position(shows_it).unwrap_or_default();
                played.swap_remove(at)
            }
            Err(why) => {
                lost = Some(why);
                break;
            }
        };
        let is_lost = match &finished.played.end {
            End::Lost { why } => Some(RunError::Lost(why.clone())),
            _ => None,
        };
        leftovers.learn(&finished);
        let played = &finished.played;
        graphs = played.walked.iter().map(Walked::drawing).collect();
        graphs.dedup();
        let judged = MaskedJudgement::new(&masker, &played.transcript, &finished.judgement, &run_settings);
        let is_seen = judged.findings().any(|finding| is_it(&finding, kept_for));
        if let (Some(why), false) = (is_lost, is_seen) {
            lost = Some(why);
            break;
        }
        if seen == 0 {
            calls = judged.calls();
        }
        seen += u32::from(is_seen);
        of += 1;
        if !is_seen {
            let refused = refused_earlier(played, &kept_for.answered);
            others.extend(refused.map(|said| judged.shown(&said).into_inner()));
        }
        let serious =
            judged.findings().filter(|finding| finding.level() == Level::Must && !is_it(finding, kept_for));
        others.extend(serious.map(|finding| finding.rule().id.to_owned()));
    }
    started.pool.close().await;
    started.stock.close().await;
    if let (0, Some(why)) = (seen, lost) {
        return Err(why.masked(&masker));
    }
    let outcome = match seen {
        0 if others.is_empty() => ReplayOutcome::Fixed,
        0 => ReplayOutcome::Changed(others.into_iter().collect()),
        seen if seen == of => ReplayOutcome::StillThere,
        seen => ReplayOutcome::Flaky { seen, of },
    };
    Ok(Replayed { outcome, calls, graphs })
}

/// Where the play ended before the call that the finding was about had a good answer: then nothing is fixed.
fn refused_earlier(played: &Played, answered: &str) -> Option<String> {
    let is_answered = |exchange: &Exchange| exchange.call.rpc_name() == answered && exchange.call.succeeded();
    if answered.is_empty() || played.transcript.exchanges.iter().any(is_answered) {
        return None;
    }
    match &played.end {
        End::Refused { rpc, diagnostics, .. } => {
            let said = diagnostics.first().map(|said| format!(": {}", said.line())).unwrap_or_default();
            Some(format!("refused in {rpc}{said}"))
        }
        End::Stopped { rpc: Some(rpc), why, .. } => Some(format!("ended in {rpc}: {why}")),
        End::Stopped { rpc: None, why, .. } => Some(format!("ended: {why}")),
        End::Done | End::Lost { .. } => None,
    }
}

fn is_it(finding: &MaskedFinding<'_>, kept_for: &KeptFor) -> bool {
    finding.rule().id == kept_for.rule
        && finding.schema_path() == kept_for.path
        && *finding.cause() == kept_for.cause
}
