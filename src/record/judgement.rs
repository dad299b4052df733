//! A judged transcript that only returns masked things.

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use super::collect::of_transcript;
use super::ended::Ended;
use super::evidence::{Evidence, Scene};
use super::found_in::FoundIn;
use super::masked::Masked;
use super::masker::{Masker, Secrets};
use super::matcher::Tier;
use super::shown_call::ShownCall;
use super::words::Words;
use super::{Found, KeptFor, Reason, Recorded, RunSettings};
use crate::judge::{Judgement, WeighedFinding};
use crate::lifecycle::Played;
use crate::rule::{Level, Rule, RuleId};
use crate::scenario::Scenario;
use crate::schema::Kind;
use crate::sdk::Defect;
use crate::transcript::{Exchange, ExchangeId, Phase, PriorOrigin, Purpose, ScenarioLabel, Transcript};

/// A transcript, its judgement and its scenario, for everything that stores a part of them.
///
/// Masking is lazy, because most transcripts are not kept: each part is masked once, when it is first needed.
pub struct MaskedJudgement<'j> {
    masker: &'j Masker,
    transcript: &'j Transcript,
    judgement: &'j Judgement,
    settings: &'j RunSettings,
    scenario: Option<&'j Scenario>,
    ended: Option<Masked<Ended>>,
    /// Its secrets that are looked for only here.
    own: OnceCell<Arc<Tier>>,
    masked: OnceCell<Masked<Transcript>>,
    intentions: OnceCell<Masked<Scenario>>,
    /// What the findings of the last exchange share: findings come exchange by exchange.
    scene: RefCell<Option<(ExchangeId, Scene)>>,
}

/// A finding of such a judgement.
pub struct MaskedFinding<'f> {
    judgement: &'f MaskedJudgement<'f>,
    weighed: &'f WeighedFinding,
}

impl<'j> MaskedJudgement<'j> {
    /// Calls that no scenario made. `settings` are those of the run.
    pub fn new(
        masker: &'j Masker,
        transcript: &'j Transcript,
        judgement: &'j Judgement,
        settings: &'j RunSettings,
    ) -> MaskedJudgement<'j> {
        MaskedJudgement {
            masker,
            transcript,
            judgement,
            settings,
            scenario: None,
            ended: None,
            own: OnceCell::new(),
            masked: OnceCell::new(),
            intentions: OnceCell::new(),
            scene: RefCell::default(),
        }
    }

    /// A scenario about a type of this kind, as it was played: by parts where it was.
    pub fn of_played(
        masker: &'j Masker,
        (kind, scenario, played): (Kind, &'j Scenario, &'j Played),
        judgement: &'j Judgement,
        settings: &'j RunSettings,
    ) -> MaskedJudgement<'j> {
        let judged = MaskedJudgement::new(masker, &played.transcript, judgement, settings);
        let ended = Ended::of(kind, played, |text| judged.shown(text), masker);
        let scenario = played.by_parts.as_ref().unwrap_or(scenario);
        MaskedJudgement { scenario: Some(scenario), ended: Some(ended), ..judged }
    }

    /// A file, judged again. It was masked when it was written; `masker` has no further secrets.
    pub fn of_file(
        masker: &'j Masker,
        recorded: &'j Recorded,
        judgement: &'j Judgement,
    ) -> MaskedJudgement<'j> {
        MaskedJudgement {
            scenario: recorded.scenario.as_ref(),
            ended: recorded.ended.clone(),
            ..MaskedJudgement::new(masker, &recorded.transcript, judgement, &recorded.settings)
        }
    }

    fn secrets(&self) -> Secrets<'_> {
        let own = self.own.get_or_init(|| self.masker.own(of_transcript(self.transcript)));
        self.masker.secrets_of(Arc::clone(own))
    }

    /// How the scenario ended; `None` for calls that no scenario made.
    pub fn ended(&self) -> Option<&Masked<Ended>> {
        self.ended.as_ref()
    }

    pub fn label(&self) -> &ScenarioLabel {
        &self.transcript.scenario
    }

    /// The settings of the run.
    pub fn settings(&self) -> &RunSettings {
        self.settings
    }

    /// How often each rule gave each verdict.
    pub fn judgement(&self) -> &Judgement {
        self.judgement
    }

    /// Why rules were inconclusive, and how often.
    pub fn inconclusive(&self) -> impl Iterator<Item = (RuleId, Masked<String>, u64)> {
        let inconclusive = self.judgement.inconclusive.iter();
        inconclusive.map(|((rule, reason), count)| (*rule, self.shown(reason), *count))
    }

    /// A text from the provider about this transcript, for people.
    pub fn shown(&self, text: &str) -> Masked<String> {
        self.secrets().shown(text)
    }

    /// With a token for each secret, so that it can still be judged.
    pub fn transcript(&self) -> &Masked<Transcript> {
        self.masked.get_or_init(|| self.secrets().transcript(self.transcript))
    }

    /// The scenario; `None` for calls that no scenario made.
    pub fn scenario(&self) -> Option<&Masked<Scenario>> {
        let scenario = self.scenario?;
        let masked = || {
            let secrets = self.masker.secrets_to_play(of_transcript(self.transcript));
            secrets.scenario(scenario, &self.transcript.subject.schema)
        };
        Some(self.intentions.get_or_init(masked))
    }

    fn scene(&self, exchange: &Exchange) -> Scene {
        let mut last = self.scene.borrow_mut();
        match &*last {
            Some((id, scene)) if *id == exchange.id => scene.clone(),
            _ => {
                let scene = Scene::of(exchange, self.transcript, &self.secrets());
                *last = Some((exchange.id, scene.clone()));
                scene
            }
        }
    }

    /// What was asked and answered, call by call.
    pub fn calls(&self) -> Masked<Vec<ShownCall>> {
        self.shown_calls(|_| true)
    }

    fn shown_calls(&self, is_shown: impl Fn(&Exchange) -> bool) -> Masked<Vec<ShownCall>> {
        let (secrets, masked) = (self.secrets(), self.transcript());
        let calls = masked.exchanges.iter().filter(|exchange| is_shown(exchange));
        Masked::new(calls.map(|exchange| ShownCall::of(exchange, &masked.subject, &secrets)).collect())
    }

    pub fn findings(&self) -> impl Iterator<Item = MaskedFinding<'_>> {
        self.judgement.findings.iter().map(|weighed| MaskedFinding { judgement: self, weighed })
    }
}

impl<'f> MaskedFinding<'f> {
    pub fn judgement(&self) -> &'f MaskedJudgement<'f> {
        self.judgement
    }

    pub fn rule(&self) -> &'static Rule {
        self.weighed.rule
    }

    pub fn level(&self) -> Level {
        self.weighed.level
    }

    /// The schema path: attribute names alone.
    pub fn schema_path(&self) -> String {
        self.weighed.finding.path.schema_path().to_string()
    }

    /// The resource type or data source; empty if the finding is about none.
    pub fn type_name(&self) -> &str {
        &self.weighed.type_name
    }

    /// What distinguishes the cause, if the place does not.
    pub fn cause(&self) -> Masked<String> {
        let words = self.words();
        let shown = |text: &str| words.shown(&self.judgement.shown(text));
        Masked::new(self.weighed.finding.cause.text(shown))
    }

    /// The line of source code that tells it from findings with the same cause; empty if none is known.
    pub fn site(&self) -> Masked<String> {
        let site = self.weighed.finding.cause.site.as_deref();
        self.judgement.shown(site.unwrap_or_default())
    }

    /// Why it does not fail a run, if the suite knows it or the SDK is to blame.
    pub fn reason(&self) -> Option<Reason> {
        let of_suite = self.known().map(|reason| Reason::Known(reason.to_owned()));
        let of_sdk = || {
            let defect =
                Defect::of(self.weighed.rule.id, &self.weighed.finding, &self.judgement.settings.modules);
            defect.map(|defect| Reason::Sdk(defect.id.to_owned()))
        };
        of_suite.or_else(of_sdk)
    }

    fn known(&self) -> Option<&'f str> {
        let (rule, path) = (self.weighed.rule.id, self.schema_path());
        let known = &self.judgement.settings.known;
        // Few rules are known, and a cause takes time to tell.
        let cause = known.iter().any(|known| known.rule == rule).then(|| self.cause())?;
        let ty = self.kind().zip(Some(self.type_name())).filter(|(_, name)| !name.is_empty());
        let excuse = known.iter().find(|known| known.excuses(rule, ty, &path, &cause));
        Some(excuse?.reason.as_str())
    }

    /// Where in its scenario it was found; nothing is known about calls that no scenario made.
    pub fn found_in(&self) -> FoundIn {
        let (transcript, scenario) = (self.judgement.transcript, self.judgement.scenario);
        scenario.map(|scenario| FoundIn::of(self.exchanged(), transcript, scenario)).unwrap_or_default()
    }

    pub fn phase(&self) -> Phase {
        self.weighed.phase
    }

    /// Where the prior state of the exchange comes from.
    pub fn prior(&self) -> PriorOrigin {
        self.weighed.prior
    }

    /// What is special about the prior state, if tfconform altered it.
    pub fn altered(&self) -> Option<String> {
        match &self.exchanged().purpose {
            Purpose::UpgradeOf(old) => Some(old.to_string()),
            _ => None,
        }
    }

    /// Position of the exchange in its transcript, counted from 1.
    pub fn exchange(&self) -> u32 {
        self.weighed.exchange.0 + 1
    }

    pub fn rpc(&self) -> &'static str {
        self.weighed.rpc
    }

    /// The kind of type the call was for; `None` for a call that was for none.
    pub fn kind(&self) -> Option<Kind> {
        self.judgement.transcript.exchange(self.weighed.exchange)?.call.kind()
    }

    pub fn instance(&self) -> &str {
        &self.weighed.instance
    }

    /// What was asked and answered in its step.
    pub fn calls(&self) -> Masked<Vec<ShownCall>> {
        let at = self.weighed.exchange;
        let exchanges = &self.judgement.transcript.exchanges;
        let is_other = |exchange: &&Exchange| exchange.phase != self.weighed.phase;
        let (before, after) = exchanges.split_at((at.0 as usize).min(exchanges.len()));
        let first = before.iter().rev().find(is_other).map_or(0, |exchange| exchange.id.0 + 1);
        let last = after.iter().find(is_other).map_or(u32::MAX, |exchange| exchange.id.0);
        self.judgement.shown_calls(|exchange| (first..last).contains(&exchange.id.0))
    }

    /// Its evidence.
    pub fn evidence(&self) -> Masked<Evidence> {
        let (secrets, subject) = (self.judgement.secrets(), &self.judgement.transcript.subject);
        let scene = self.judgement.scene(self.exchanged());
        Evidence::of(self.weighed, self.exchanged(), subject, (&secrets, &self.words()), &scene)
    }

    fn exchanged(&self) -> &'f Exchange {
        let exchange = self.judgement.transcript.exchange(self.weighed.exchange);
        exchange.expect("a finding is about an exchange of its transcript")
    }

    /// The values that its message may repeat, if it is about a sensitive attribute.
    fn words(&self) -> Words {
        let subject = &self.judgement.transcript.subject;
        let said = if self.weighed.finding.sensitive { Words::of } else { Words::said_in };
        said(self.exchanged(), subject)
    }

    /// The finding that a case of it is kept for.
    pub fn kept_for(&self) -> Masked<KeptFor> {
        let exchange = self.judgement.transcript.exchange(self.weighed.exchange);
        let answered = exchange.filter(|exchange| exchange.call.succeeded());
        Masked::new(KeptFor {
            rule: self.weighed.rule.id.to_owned(),
            path: self.schema_path(),
            cause: self.cause().into_inner(),
            answered: answered.map_or("", |exchange| exchange.call.rpc_name()).to_owned(),
            found: Some(self.found()),
        })
    }

    fn found(&self) -> Found {
        let call = &self.exchanged().call;
        let errors = call.diagnostics().into_iter().filter(|said| said.is_error());
        let shown = |text: &str| self.words().shown(&self.judgement.shown(text));
        Found {
            run: self.found_in().run,
            phase: self.weighed.phase,
            said: errors.map(|error| shown(&error.summary)).collect(),
            shows: self.weighed.finding.shows.as_deref().map(shown),
        }
    }
}
