//! Playing a kept finding again.

use std::fmt;
use std::sync::Arc;

use super::{Options, Unusable, start};
use crate::judge::{Judged, Settings, judge};
use crate::lifecycle::{self, Remote};
use crate::record::KeptFor;
use crate::rule::Level;
use crate::rules::CATALOGUE;
use crate::scenario::Scenario;

/// What became of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    StillThere,
    Fixed,
    /// It is gone, and something else is wrong: the rules that say so.
    Changed(Vec<String>),
    /// It shows in some plays and not in others.
    Flaky {
        seen: u32,
        of: u32,
    },
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fate::StillThere => f.write_str("still there"),
            Fate::Fixed => f.write_str("fixed"),
            Fate::Changed(rules) => write!(f, "changed: now {}", rules.join(", ")),
            Fate::Flaky { seen, of } => write!(f, "flaky: seen in {seen} of {of} plays"),
        }
    }
}

/// Plays a scenario some times and looks for the finding it was kept for.
pub async fn replay(
    options: Options,
    remote: Option<Arc<dyn Remote>>,
    scenario: &Scenario,
    kept_for: &KeptFor,
    times: u32,
) -> Result<Fate, Unusable> {
    let options = Arc::new(options);
    let mut started = start::start(&options).await?;
    if let Some(ended) = started.ended.take() {
        started.stock.close().await;
        return Err(ended);
    }
    let settings = Settings { engine: options.engine, volatile: options.volatile.clone() };
    let mut seen = 0;
    let mut others = std::collections::BTreeSet::new();
    for play in 0..times {
        let may = lifecycle::Options { apply: options.apply, provider_meta: None };
        let turn = play as usize;
        let played =
            lifecycle::play(scenario, &started.subject, &started.pool, remote.as_deref(), &may, turn).await;
        let judgement = judge(CATALOGUE, &played.transcript, &settings);
        seen += u32::from(judgement.findings.iter().any(|judged| is_it(judged, kept_for)));
        let serious = judgement
            .findings
            .iter()
            .filter(|judged| judged.level == Level::Must && !is_it(judged, kept_for));
        others.extend(serious.map(|judged| judged.rule.id.to_owned()));
    }
    started.pool.close().await;
    started.stock.close().await;
    Ok(match seen {
        0 if others.is_empty() => Fate::Fixed,
        0 => Fate::Changed(others.into_iter().collect()),
        seen if seen == times => Fate::StillThere,
        seen => Fate::Flaky { seen, of: times },
    })
}

fn is_it(judged: &Judged, kept_for: &KeptFor) -> bool {
    judged.rule.id == kept_for.rule
        && judged.finding.path.schema_path() == kept_for.path
        && judged.finding.cause == kept_for.cause
}
