//! `judge`: recorded transcripts once more, without a provider.

use std::fmt::Write as _;

use super::args::Judge;
use super::{Failed, Outcome, print};
use crate::judge::{Settings, judge as apply};
use crate::record;
use crate::report::Exit;
use crate::rule::{Level, Volatile};
use crate::rules::CATALOGUE;

pub(super) fn judge(judge: &Judge) -> Outcome {
    let least = if judge.strict { Level::Advice } else { Level::Must };
    let (mut failing, mut out) = (0, String::new());
    for file in &judge.files {
        let recorded = record::read(file).map_err(|error| Failed::usage(error.to_string()))?;
        let engine = judge.engine.unwrap_or(recorded.transcript.subject.engine);
        let settings = Settings { engine, volatile: Volatile::default() };
        let judgement = apply(CATALOGUE, &recorded.transcript, &settings);
        let counted = judgement.findings.iter().filter(|judged| judged.level >= least);
        for judged in counted {
            failing += 1;
            let _ = writeln!(
                out,
                "{}: {} {}  exchange {} ({}), {}: {}",
                file.display(),
                judged.level.name().to_uppercase(),
                judged.rule.id,
                judged.exchange.0 + 1,
                judged.rpc,
                judged.finding.path,
                judged.finding.message
            );
        }
        for (rule, id, why) in &judgement.inconclusive {
            let _ =
                writeln!(out, "{}: inconclusive {}  exchange {}: {why}", file.display(), rule.id, id.0 + 1);
        }
    }
    let _ = writeln!(out, "{} files judged, {failing} findings at {least} or above", judge.files.len());
    print(&out);
    Ok(if failing > 0 { Exit::Violates } else { Exit::Conforms })
}
