//! Finds secrets in texts and replaces them.
//!
//! Equal secrets become equal tokens and different ones different tokens, so that
//! a file can still be judged. Tokens are keyed per run, so that values cannot be
//! tried against them. People read the same words in place of every secret.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde_json::Value as Json;
use sha2::{Digest, Sha256};

use super::masked::Masked;
use crate::value::Number;
use crate::value::tree::SENSITIVE;

/// Shorter secrets are replaced only if they are a whole value: elsewhere they match by chance.
const SHORTEST: usize = 4;

/// The secrets of a run, and their tokens.
pub struct Masker {
    key: [u8; 32],
    /// Secrets that the user named: values of `secret_env` and the like.
    named: Vec<String>,
    /// The secrets of every call so far: what a process writes about one object may appear in the
    /// standard error that is kept for another.
    seen: Mutex<BTreeSet<String>>,
}

/// The secrets of one transcript, and their tokens.
pub struct Secrets<'m> {
    masker: &'m Masker,
    /// Longest first, so that one that contains another is replaced whole.
    texts: Cow<'m, [String]>,
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
        Masker { key: hasher.finalize().into(), named, seen: Mutex::default() }
    }

    fn digest(&self, secret: &str) -> [u8; 32] {
        let mut hasher = Sha256::new();
        hasher.update(self.key);
        hasher.update(secret.as_bytes());
        hasher.update(self.key);
        hasher.finalize().into()
    }

    fn token(&self, secret: &str) -> String {
        let hex: String = self.digest(secret)[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        format!("secret-{hex}")
    }

    fn number_token(&self, number: &Number) -> Number {
        let digest = self.digest(&number.to_string());
        Number::from_i64(i64::from(u32::from_le_bytes([digest[0], digest[1], digest[2], digest[3]])))
    }

    /// These secrets and those that the user declared, in every spelling.
    pub(super) fn spellings(&self, mut texts: BTreeSet<String>) -> Vec<String> {
        texts.extend(self.named.iter().filter(|text| !text.is_empty()).cloned());
        spellings(texts)
    }

    /// Spellings of secrets, to be found in texts.
    pub(super) fn secrets_of<'m>(&'m self, texts: impl Into<Cow<'m, [String]>>) -> Secrets<'m> {
        Secrets { masker: self, texts: texts.into() }
    }

    /// Adds secrets of the run.
    pub(super) fn remember(&self, texts: BTreeSet<String>) {
        if !texts.is_empty() {
            self.seen.lock().unwrap_or_else(PoisonError::into_inner).extend(texts);
        }
    }

    /// A text for people that belongs to no single transcript, with every secret so far left out.
    pub fn shown(&self, text: &str) -> Masked<String> {
        Masked::new(replaced(text, &self.all(), |_| SENSITIVE.to_owned()))
    }

    fn all(&self) -> Vec<String> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        spellings(seen.iter().chain(&self.named).filter(|text| !text.is_empty()).cloned().collect())
    }
}

impl Secrets<'_> {
    /// A text with every secret replaced by its token.
    pub(super) fn text(&self, text: &str) -> String {
        replaced(text, &self.texts, |secret| self.masker.token(secret))
    }

    /// What a process wrote, which may be about any object of the run, with tokens.
    pub(super) fn output(&self, text: &str) -> String {
        replaced(text, &self.masker.all(), |secret| self.masker.token(secret))
    }

    /// The token of a text that is secret as a whole.
    pub(super) fn token(&self, secret: &str) -> String {
        self.masker.token(secret)
    }

    pub(super) fn number_token(&self, number: &Number) -> Number {
        self.masker.number_token(number)
    }

    /// Like [`Secrets::shown`], for a text from inside a value: one as short as a short secret is left alone,
    /// because there it matches by chance.
    pub(super) fn shown_inside(&self, text: &str) -> String {
        inside(text, &self.texts, |_| SENSITIVE.to_owned())
    }

    /// A text for people, with every secret left out.
    pub fn shown(&self, text: &str) -> Masked<String> {
        Masked::new(replaced(text, &self.texts, |_| SENSITIVE.to_owned()))
    }
}

/// The texts as they are and as they look in quotes; the longest first.
fn spellings(mut texts: BTreeSet<String>) -> Vec<String> {
    let quoted: Vec<String> = texts
        .iter()
        .map(|text| Json::from(text.as_str()).to_string())
        .map(|quoted| quoted[1..quoted.len() - 1].to_owned())
        .collect();
    texts.extend(quoted);
    let mut texts: Vec<String> = texts.into_iter().collect();
    texts.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    texts
}

/// A text with each of some secrets replaced, the longest first.
///
/// Replacements are not searched again: they could contain another secret by chance.
fn replaced(text: &str, secrets: &[String], stand_in: impl Fn(&str) -> String) -> String {
    if secrets.iter().any(|secret| secret == text) {
        return stand_in(text);
    }
    inside(text, secrets, stand_in)
}

/// The same for a text that is a secret as a whole but counts as none here.
fn inside(text: &str, secrets: &[String], stand_in: impl Fn(&str) -> String) -> String {
    let mut masked = String::new();
    let mut rest = text;
    let long = || secrets.iter().filter(|secret| secret.len() >= SHORTEST);
    while let Some((at, _, secret)) =
        long().filter_map(|secret| Some((rest.find(secret.as_str())?, Reverse(secret.len()), secret))).min()
    {
        masked.push_str(&rest[..at]);
        masked.push_str(&stand_in(secret));
        rest = &rest[at + secret.len()..];
    }
    masked + rest
}
