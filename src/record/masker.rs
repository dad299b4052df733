//! Replaces secrets: in files by tokens, for people by the same words for all.
//!
//! Equal secrets become equal tokens and different ones different tokens, so that
//! a file can still be judged. Tokens are keyed per run, so that values cannot be
//! tried against them.

use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sha2::{Digest, Sha256};

use super::masked::Masked;
use super::matcher::{Matcher, Secret, Tier};
use crate::calls::Cause;
use crate::generate::published_keys;
use crate::process::KEPT;
use crate::scenario::Scenario;
use crate::schema::ProviderSchema;
use crate::value::Number;
use crate::value::tree::SENSITIVE;

/// The secrets of a run, and their tokens.
pub struct Masker {
    key: [u8; 32],
    known: Mutex<Known>,
}

/// The secrets so far: of every call, because what a provider says about one object may contain those of
/// another.
#[derive(Default)]
struct Known {
    all: HashSet<Secret>,
    /// Those that the matcher does not have yet.
    fresh: Vec<Secret>,
    matcher: Matcher,
    /// Those that the user wrote, in the provider's configuration or for it.
    named: Matcher,
}

/// The secrets of one transcript and those of the run so far.
pub struct Secrets<'m> {
    masker: &'m Masker,
    matcher: Matcher,
    /// Whether a provider is to be given what is written: it accepts no token in place of a key. Keys of ours that
    /// anybody can read stay as they are.
    is_to_play: bool,
}

impl Masker {
    /// A masker with a new key; `named` are secrets wherever they occur.
    pub fn new(named: Vec<String>) -> Masker {
        let mut hasher = Sha256::new();
        // The key only has to differ for every run and not be guessable.
        hasher.update(std::process::id().to_le_bytes());
        hasher.update(format!("{:?}", std::time::SystemTime::now()).as_bytes());
        hasher.update(format!("{:p}", &named).as_bytes());
        if let Ok(mut random) = std::fs::File::open("/dev/urandom") {
            let mut bytes = [0; 32];
            if std::io::Read::read_exact(&mut random, &mut bytes).is_ok() {
                hasher.update(bytes);
            }
        }
        let masker = Masker { key: hasher.finalize().into(), known: Mutex::default() };
        masker.name(named.iter().filter_map(|text| Secret::text(text)).collect());
        masker
    }

    /// Adds secrets that the user wrote: they are looked for in all that is kept.
    pub(super) fn name(&self, secrets: Vec<Secret>) {
        let secrets: Vec<Secret> = secrets.into_iter().map(Secret::named).collect();
        self.known().named.add(secrets.clone());
        self.remember(secrets);
    }

    fn digest(&self, secret: &[u8]) -> [u8; 32] {
        let mut hasher = Sha256::new();
        hasher.update(self.key);
        hasher.update(secret);
        hasher.update(self.key);
        hasher.finalize().into()
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds secrets to those that are looked for in all that is kept from now on.
    pub(super) fn remember(&self, secrets: impl IntoIterator<Item = Secret>) {
        let mut known = self.known();
        let Known { all, fresh, .. } = &mut *known;
        fresh.extend(secrets.into_iter().filter(|secret| all.insert(secret.clone())));
    }

    fn matcher(&self) -> Matcher {
        let mut known = self.known();
        let fresh = std::mem::take(&mut known.fresh);
        known.matcher.add(fresh);
        known.matcher.clone()
    }

    /// The secrets of a transcript, and those of the run so far.
    pub(super) fn secrets_of(&self, own: Arc<Tier>) -> Secrets<'_> {
        Secrets { masker: self, matcher: self.matcher().and(own), is_to_play: false }
    }

    /// The secrets of a transcript, and those that the user wrote.
    ///
    /// For what is to be played again: what the configuration has openly stays what it is, even if it is a
    /// secret of another object.
    pub(super) fn secrets_to_play(&self, own: BTreeSet<Secret>) -> Secrets<'_> {
        let own = Arc::new(Tier::new(own.into_iter().collect()));
        let matcher = self.known().named.clone().and(own);
        Secrets { masker: self, matcher, is_to_play: true }
    }

    /// Of the secrets of a transcript, those that are looked for there alone; the others are remembered.
    pub(super) fn own(&self, secrets: BTreeSet<Secret>) -> Arc<Tier> {
        let (elsewhere, own): (Vec<_>, Vec<_>) = secrets.into_iter().partition(Secret::is_telling_elsewhere);
        self.remember(elsewhere);
        Arc::new(Tier::new(own))
    }

    fn of_run(&self) -> Secrets<'_> {
        Secrets { masker: self, matcher: self.matcher(), is_to_play: false }
    }

    /// A text for people that belongs to no single transcript, with every secret so far left out.
    pub fn shown(&self, text: &str) -> Masked<String> {
        self.of_run().shown(text)
    }

    /// A scenario for people, with a token for every secret so far.
    pub fn scenario(&self, scenario: &Scenario, schema: &ProviderSchema) -> Masked<Scenario> {
        self.of_run().scenario(scenario, schema)
    }

    /// The end of what a process wrote, for people.
    pub fn shown_output(&self, output: &str) -> Masked<String> {
        Masked::new(self.of_run().shown_output(output))
    }

    /// A cause, of which nothing but the template of its message is kept.
    pub fn cause(&self, cause: &Cause) -> Masked<String> {
        Masked::new(cause.text(|text| self.shown(text).into_inner()))
    }
}

impl Secrets<'_> {
    /// A text with every secret replaced by its token.
    pub(super) fn text(&self, text: &str) -> String {
        self.replaced(text, |secret| self.token(secret))
    }

    /// The end of what a process wrote, with tokens.
    pub(super) fn output(&self, output: &str) -> String {
        self.end(output, |secret| self.token(secret))
    }

    /// The token of a text that is secret as a whole.
    pub(super) fn token(&self, secret: &str) -> String {
        if self.is_to_play && published_keys().any(|key| key == secret) {
            return secret.to_owned();
        }
        let digest = self.masker.digest(secret.as_bytes());
        let hex: String = digest[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        format!("secret-{hex}")
    }

    pub(super) fn number_token(&self, number: &Number) -> Number {
        let digest = self.masker.digest(number.to_string().as_bytes());
        Number::from_i64(i64::from(u32::from_le_bytes([digest[0], digest[1], digest[2], digest[3]])))
    }

    /// What stands for a bool in an attribute of this name: there are only two, so it is the same or the
    /// other one, and which of them is as secret as the key.
    pub(super) fn bool_token(&self, name: &str, value: bool) -> bool {
        value ^ (self.masker.digest(format!("bool {name}").as_bytes())[0] & 1 == 1)
    }

    /// Whether a number that is not at a secret place equals one that is.
    pub(super) fn is_secret_number(&self, number: &Number) -> bool {
        !self.matcher.find(number.to_string().as_bytes()).is_empty()
    }

    /// Bytes with every secret replaced by its token.
    pub(super) fn bytes(&self, bytes: &[u8]) -> Vec<u8> {
        let mut masked = Vec::with_capacity(bytes.len());
        let mut rest = 0;
        for found in self.matcher.find(bytes) {
            masked.extend_from_slice(&bytes[rest..found.start]);
            masked.extend_from_slice(self.token(&String::from_utf8_lossy(&bytes[found.clone()])).as_bytes());
            rest = found.end;
        }
        masked.extend_from_slice(&bytes[rest..]);
        masked
    }

    /// Like [`Secrets::shown`], for a text from inside a value: one as short as a short secret is left alone,
    /// because there it matches by chance.
    pub(super) fn shown_inside(&self, text: &str) -> String {
        self.inside(text, 0, |_| SENSITIVE.to_owned())
    }

    /// A text for people, with every secret left out.
    pub fn shown(&self, text: &str) -> Masked<String> {
        Masked::new(self.replaced(text, |_| SENSITIVE.to_owned()))
    }

    /// The end of what a process wrote, for people.
    pub(super) fn shown_output(&self, output: &str) -> String {
        self.end(output, |_| SENSITIVE.to_owned())
    }

    fn replaced(&self, text: &str, stand_in: impl Fn(&str) -> String) -> String {
        if self.matcher.is_secret(text) { stand_in(text) } else { self.inside(text, 0, stand_in) }
    }

    /// The end of a text, cut only after secrets were found: part of a secret could not be found any more.
    fn end(&self, text: &str, stand_in: impl Fn(&str) -> String) -> String {
        let start = (text.len().saturating_sub(KEPT)..).find(|at| text.is_char_boundary(*at));
        self.inside(text, start.unwrap_or_default(), stand_in)
    }

    /// A text from `start` on, with secrets replaced. Replacements are not searched again: they could contain
    /// another secret by chance.
    fn inside(&self, text: &str, start: usize, stand_in: impl Fn(&str) -> String) -> String {
        let mut masked = String::with_capacity(text.len() - start);
        let mut rest = start;
        for found in self.matcher.find(text.as_bytes()).into_iter().filter(|found| found.end > start) {
            let from = (0..=found.start).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
            let to = (found.end..).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
            masked.push_str(&text[rest.min(from.max(start))..from.max(start)]);
            masked.push_str(&stand_in(&text[from..to]));
            rest = to;
        }
        masked + &text[rest..]
    }
}
