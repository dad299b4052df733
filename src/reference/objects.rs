//! Create, update, delete and read of remote objects.

use std::io;

use serde_json::value::RawValue;

use super::computed_values::{ComputedValues, hash};
use super::definition::Definition;
use super::merge::{Mode, merge};
use super::private::{Private, Settled};
use super::store::{Record, Store};
use crate::core::without_write_only;
use crate::schema::{Member, Nesting, Schema};
use crate::transcript::Diagnostic;
use crate::value::{Answer, PathStep, Value, msgpack, state_json};

/// One type's objects in the remote system.
pub struct Objects<'a> {
    pub store: &'a Store,
    pub seed: u64,
    /// The name under which the remote system has them.
    pub type_name: &'a str,
    pub definition: &'a Definition,
    pub schema: &'a Schema,
}

/// An object as it is after a call.
#[derive(Clone, Debug)]
pub struct Object {
    pub state: Value,
    pub private: Private,
}

/// A failure of the remote system, as a diagnostic.
pub type Failure = Diagnostic;

pub(super) fn broken(error: io::Error) -> Failure {
    Diagnostic::error("Remote system failed", &error.to_string())
}

impl Objects<'_> {
    pub fn create(&self, planned: &Value, config: &Value) -> Result<Object, Failure> {
        let fingerprint = format!("{:x?}", msgpack::encode(planned, self.schema.implied_type()));
        let handle = self.store.new_handle(self.type_name, self.seed, &fingerprint).map_err(broken)?;
        self.claim(&handle, &self.schema.null(), planned)?;
        self.write(handle, 1, planned, config, 1)
    }

    /// Makes an object what was planned, whatever the configuration says.
    pub fn update(
        &self,
        prior: &Value,
        planned: &Value,
        config: &Value,
        private: &Private,
    ) -> Result<Object, Failure> {
        let (handle, record) = self
            .find(prior, private)?
            .ok_or_else(|| Diagnostic::error("Object is gone", "The object to update no longer exists."))?;
        let n_writes = if private.writes == 0 { record.revision } else { private.writes };
        let before = self.related_state(&record)?;
        self.claim(&handle, &before, planned)?;
        let object = self.write(handle.clone(), record.revision + 1, planned, config, n_writes + 1)?;
        self.unclaim(&handle, &before, planned)?;
        Ok(object)
    }

    fn write(
        &self,
        handle: String,
        revision: u64,
        planned: &Value,
        config: &Value,
        n_writes: u64,
    ) -> Result<Object, Failure> {
        let block = &self.schema.block;
        let creation = merge(self.definition, block, Mode::Renew, &self.schema.null(), config);
        let computed = ComputedValues { seed: self.seed, handle: &handle, revision };
        let state = computed.fill(block, planned, &creation);
        self.put(&handle, revision, &state, config)?;
        let settled = self.definition.legacy.then(|| Settled::of(config, &state));
        Ok(Object { state, private: Private { handle: Some(handle), writes: n_writes, settled } })
    }

    /// Stores a state as the remote system would: in its own spelling, with empty collections where
    /// nested blocks are null, and without write-only values.
    pub fn put(&self, handle: &str, revision: u64, state: &Value, config: &Value) -> Result<(), Failure> {
        let state = without_write_only(&self.schema.block, state);
        let kept = state.transform(&mut |path, value| {
            let spelling = self.definition.spellings.get(&path.schema_path());
            let ends_at_name = matches!(path.steps().last(), Some(PathStep::Attribute(_)));
            if let (true, Some(Member::Block(nested))) = (value.is_null(), self.schema.block.find(path)) {
                return if nested.nesting == Nesting::Single { value } else { nested.empty_value() };
            }
            match (spelling, value.as_str()) {
                (Some(spelling), Some(text)) if ends_at_name => Value::string(&spelling.canonical(text)),
                _ => value,
            }
        });
        let json = state_json::encode(&kept, self.schema.implied_type())
            .map_err(|error| Diagnostic::error("State cannot be kept", &error.to_string()))?;
        let raw = RawValue::from_string(json)
            .map_err(|error| Diagnostic::error("State cannot be kept", &error.to_string()))?;
        // Only a digest of a secret is stored, as a server would do.
        let facts = config
            .attributes()
            .filter(|(name, value)| {
                value.is_set()
                    && self.schema.block.attribute(name).is_some_and(|attribute| attribute.write_only)
            })
            .map(|(name, value)| (name.to_owned(), format!("{:016x}", hash(&[handle, &value.to_string()]))))
            .collect();
        let id = state.attribute("id").and_then(Value::as_str).unwrap_or(handle).to_owned();
        self.store.put(self.type_name, handle, &Record { id, revision, state: raw, facts }).map_err(broken)
    }

    /// Deletes an object; succeeds if it is already gone.
    pub fn delete(&self, prior: &Value, private: &Private) -> Result<(), Failure> {
        match self.find(prior, private)? {
            Some((handle, record)) => self.remove(&handle, &record),
            None => Ok(()),
        }
    }

    /// Removes an object, unless another one uses it.
    pub fn remove(&self, handle: &str, record: &Record) -> Result<(), Failure> {
        let before = self.related_state(record)?;
        self.dismiss(handle)?;
        self.unclaim(handle, &before, &self.schema.null())?;
        self.store.remove(self.type_name, handle).map_err(broken)
    }

    /// The object a state describes, as it is now; `None` if it does not exist.
    ///
    /// What still means the same as in `current` comes back as it is there.
    pub fn read(
        &self,
        current: &Value,
        id: Option<&str>,
        private: &Private,
    ) -> Result<Option<Object>, Failure> {
        let named = current.attribute("id").and_then(Value::as_str).or(id);
        let found = self.store.find(self.type_name, private.handle.as_deref(), named).map_err(broken)?;
        let Some((handle, record)) = found else { return Ok(None) };
        let remote = self.state_of(&record)?;
        let state = self.in_the_form_of(current, &remote);
        let writes = if private.writes == 0 { record.revision } else { private.writes };
        let settled = private.settled.clone();
        Ok(Some(Object { state, private: Private { handle: Some(handle), writes, settled } }))
    }

    pub fn state_of(&self, record: &Record) -> Result<Value, Failure> {
        state_json::decode(record.state.get().as_bytes(), self.schema.implied_type())
            .map_err(|error| Diagnostic::error("Remote object does not fit", &error.to_string()))
    }

    fn in_the_form_of(&self, current: &Value, remote: &Value) -> Value {
        if remote.equals(current) == Answer::True {
            return current.clone();
        }
        if self.definition.spellings.is_empty() {
            return remote.clone();
        }
        remote.transform(&mut |path, value| {
            let Some(spelling) = self.definition.spellings.get(&path.schema_path()) else {
                return value;
            };
            match (value.as_str(), current.at(path)) {
                (Some(text), Some(before))
                    if before.as_str().is_some_and(|before| spelling.same(before, text)) =>
                {
                    before
                }
                _ => value,
            }
        })
    }

    pub fn find(&self, state: &Value, private: &Private) -> Result<Option<(String, Record)>, Failure> {
        let id = state.attribute("id").and_then(Value::as_str);
        self.store.find(self.type_name, private.handle.as_deref(), id).map_err(broken)
    }
}
