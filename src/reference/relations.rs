//! What the remote system requires of objects that use each other.

use std::io;

use super::objects::{Failure, Objects, broken};
use super::store::{Named, Record};
use crate::schema::Block;
use crate::transcript::Diagnostic;
use crate::value::Value;

/// Something that one object has and no other can take: its name, or the continued existence of what it uses.
enum Claim<'a> {
    Name(&'a str),
    Use { attribute: &'static str, object: Named<'a> },
}

impl Objects<'_> {
    /// Makes what an object is about to be possible: its name is its own, and what it uses exists and stays.
    /// `before` is null for a new object. Nothing has changed if this fails.
    pub fn claim(&self, handle: &str, before: &Value, after: &Value) -> Result<(), Failure> {
        let mut claimed = Vec::new();
        for claim in self.claims(before, after) {
            match self.enter(handle, &claim) {
                Ok(()) => claimed.push(claim),
                Err(failure) => {
                    for claim in &claimed {
                        self.leave(handle, claim).map_err(broken)?;
                    }
                    return Err(failure);
                }
            }
        }
        if self.definition.relations.is_some() {
            self.store.admit(Named { type_name: self.type_name, handle }).map_err(broken)?;
        }
        Ok(())
    }

    /// Ends what an object no longer needs once it is `after`, or gone if that is null.
    pub fn unclaim(&self, handle: &str, before: &Value, after: &Value) -> Result<(), Failure> {
        self.claims(after, before).iter().try_for_each(|claim| self.leave(handle, claim)).map_err(broken)
    }

    /// Makes sure that nothing uses an object that is about to be deleted.
    pub fn dismiss(&self, handle: &str) -> Result<(), Failure> {
        if self.definition.relations.is_none() {
            return Ok(());
        }
        let users = self.store.dismiss(Named { type_name: self.type_name, handle }).map_err(broken)?;
        match &users[..] {
            [] => Ok(()),
            users => {
                let detail = format!("{handle} cannot be deleted while it is used by {}.", users.join(", "));
                Err(Diagnostic::error("Object is in use", &detail))
            }
        }
    }

    /// What a data source shows of the object that has the configured name.
    pub fn look_up(&self, shown: &Block, config: &Value) -> Result<Value, Failure> {
        let name = config.attribute("name").and_then(Value::as_str).unwrap_or_default();
        let handle = self.store.named(self.type_name, name).map_err(broken)?;
        let record =
            handle.map(|handle| self.store.get(self.type_name, &handle)).transpose().map_err(broken)?;
        let Some(record) = record.flatten() else {
            let detail = format!("There is no {} with the name {name:?}.", self.type_name);
            return Err(Diagnostic::error("Object does not exist", &detail));
        };
        let state = self.state_of(&record)?;
        let attributes = shown.attributes.iter();
        Ok(Value::object(attributes.map(|shown| (shown.name.clone(), state.member(&shown.name)))))
    }

    /// The state with an object's claims; null if the type has none.
    pub fn related_state(&self, record: &Record) -> Result<Value, Failure> {
        match self.definition.relations {
            Some(_) => self.state_of(record),
            None => Ok(self.schema.null()),
        }
    }

    /// The claims of one state that another one does not have.
    fn claims<'s>(&self, without: &Value, with: &'s Value) -> Vec<Claim<'s>> {
        let new = |attribute: &str| {
            let text = with.attribute(attribute).and_then(Value::as_str);
            text.filter(|text| without.attribute(attribute).and_then(Value::as_str) != Some(*text))
        };
        let Some(relations) = &self.definition.relations else { return Vec::new() };
        let name = relations.unique_name.then(|| new("name")).flatten().map(Claim::Name);
        let uses = relations.uses.iter().filter_map(|(attribute, type_name)| {
            Some(Claim::Use { attribute, object: Named { type_name, handle: new(attribute)? } })
        });
        name.into_iter().chain(uses).collect()
    }

    fn enter(&self, handle: &str, claim: &Claim<'_>) -> Result<(), Failure> {
        match claim {
            Claim::Name(name) => {
                let own = Named { type_name: self.type_name, handle };
                match self.store.claim(own, name).map_err(broken)? {
                    true => Ok(()),
                    false => {
                        let detail = format!("There is a {} with the name {name:?}.", self.type_name);
                        Err(Diagnostic::error("Name is taken", &detail))
                    }
                }
            }
            Claim::Use { attribute, object } => match self.store.hold(*object, handle).map_err(broken)? {
                true => Ok(()),
                false => {
                    let Named { type_name, handle } = object;
                    let detail = format!("{attribute}: there is no {type_name} with the ID {handle:?}.");
                    Err(Diagnostic::error("Object does not exist", &detail))
                }
            },
        }
    }

    fn leave(&self, handle: &str, claim: &Claim<'_>) -> io::Result<()> {
        match claim {
            Claim::Name(name) => self.store.release(self.type_name, name),
            Claim::Use { object, .. } => self.store.let_go(*object, handle),
        }
    }
}
