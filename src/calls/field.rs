//! The fields of a message that need inspection.

use std::sync::Arc;

use bytes::Bytes;

use super::diagnostic::{Diagnostic, WirePath};
use super::encoded::Encoded;
use super::raw_state::RawState;
use crate::schema::{Kind, ProviderSchema, Schema};
use crate::value::Type;

/// Which declaration of the provider gives a value its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declared<'m> {
    /// The schema of a kind, under the name that the call addresses.
    Schema(Kind),
    /// The identity schema of the resource type that the call addresses.
    Identity,
    ProviderMeta,
    /// The schema of a kind, under a name that the message itself contains.
    SchemaOf(Kind, &'m str),
    /// The identity schema of a resource type that the message itself names.
    IdentityOf(&'m str),
    /// A parameter of the addressed function, counted from 0; beyond the last, the variadic one.
    Parameter(usize),
    /// The result of the addressed function.
    Return,
}

impl<'m> Declared<'m> {
    /// The name that the message itself contains.
    pub fn name(self) -> Option<&'m str> {
        match self {
            Declared::SchemaOf(_, name) | Declared::IdentityOf(name) => Some(name),
            _ => None,
        }
    }

    /// The schema of the value, if it has one; `addressed` is the name that the call addresses.
    pub fn schema<'s>(self, provider: &'s ProviderSchema, addressed: &str) -> Option<&'s Arc<Schema>> {
        match self {
            Declared::Schema(kind) => provider.get(kind, addressed),
            Declared::SchemaOf(kind, name) => provider.get(kind, name),
            Declared::ProviderMeta => provider.provider_meta.as_ref(),
            Declared::Identity | Declared::IdentityOf(_) | Declared::Parameter(_) | Declared::Return => None,
        }
    }

    /// The type of the value; dynamic if the provider declares no such thing.
    pub fn ty(self, provider: &ProviderSchema, addressed: &str) -> Type {
        let identity =
            |name: &str| provider.identities.get(name).map_or(Type::Dynamic, |schema| schema.implied_type());
        match self {
            Declared::Identity => identity(addressed),
            Declared::IdentityOf(name) => identity(name),
            Declared::Parameter(idx) => provider
                .functions
                .get(addressed)
                .and_then(|function| function.parameters.get(idx).or(function.variadic_parameter.as_ref()))
                .and_then(|parameter| parameter.ty.as_ref().ok().cloned())
                .unwrap_or(Type::Dynamic),
            Declared::Return => provider
                .functions
                .get(addressed)
                .and_then(|function| function.return_type.as_ref()?.as_ref().ok().cloned())
                .unwrap_or(Type::Dynamic),
            Declared::Schema(_) | Declared::SchemaOf(..) | Declared::ProviderMeta => {
                self.schema(provider, addressed).map_or(Type::Dynamic, |schema| schema.implied_type().clone())
            }
        }
    }
}

/// A field of a message that is more than a number or a name.
#[derive(Debug)]
pub enum Field<'m> {
    Value {
        /// The name in the protocol.
        name: &'static str,
        declared: Declared<'m>,
        value: &'m Encoded,
    },
    /// Bytes that only the provider can read.
    Opaque(&'m Bytes),
    /// A stored object, by the declaration of its newest version.
    RawState {
        /// The name in the protocol.
        name: &'static str,
        declared: Declared<'m>,
        state: &'m RawState,
    },
    Diagnostics(&'m Vec<Diagnostic>),
    /// A text from the user or the provider.
    Text(&'m String),
    /// Places in an object, which may have keys.
    Paths(&'m Vec<WirePath>),
    /// The error of a call without diagnostics.
    Refusal(&'m String),
    /// Whether the answer is deferred, and the number of the reason.
    Deferred(&'m Option<i32>),
    /// The flag of the legacy type system.
    LegacyTypeSystem(&'m bool),
}

/// Like [`Field`], but mutable.
#[derive(Debug)]
pub enum FieldMut<'m> {
    Value { name: &'static str, declared: Declared<'m>, value: &'m mut Encoded },
    Opaque(&'m mut Bytes),
    RawState { name: &'static str, declared: Declared<'m>, state: &'m mut RawState },
    Diagnostics(&'m mut Vec<Diagnostic>),
    Text(&'m mut String),
    Paths(&'m mut Vec<WirePath>),
    Refusal(&'m mut String),
    Deferred(&'m mut Option<i32>),
    LegacyTypeSystem(&'m mut bool),
}

/// A message whose fields can be visited; implemented by `fields!`.
pub trait Fields {
    /// Visits the fields in the order in which people compare them.
    fn fields<'m>(&'m self, visit: &mut dyn FnMut(Field<'m>));

    fn fields_mut<'m>(&'m mut self, visit: &mut dyn FnMut(FieldMut<'m>));
}

/// Says of every field of a message what it holds; one that is left out does not compile, so that no
/// secret is forgotten.
///
/// | Kind | Field |
/// | --- | --- |
/// | `plain` | nothing to inspect: a name, a number, a flag |
/// | `value(Declared)` | an [`Encoded`], by a declaration |
/// | `optional(Declared)` | one that may be missing |
/// | `values(fn(usize) -> Declared)` | a list of them, by position |
/// | `each` | a list of parts, or one that may be missing, that have fields themselves |
/// | `raw_state(Declared)` | a [`RawState`], by a declaration |
/// | `opaque`, `diagnostics`, `text`, `paths`, `refusal`, `deferred`, `legacy_type_system` | as in [`Field`] |
///
/// A declaration may use the other fields of the message by their names.
macro_rules! fields {
    ($message:ident { $($field:ident: $kind:ident $(($declared:expr))?),* $(,)? }) => {
        impl $crate::calls::field::Fields for $message {
            fn fields<'m>(&'m self, visit: &mut dyn FnMut($crate::calls::field::Field<'m>)) {
                let $message { $($field),* } = self;
                $(fields!(@$kind [Field iter fields] visit $field $(($declared))?);)*
                let _ = visit;
            }

            fn fields_mut<'m>(&'m mut self, visit: &mut dyn FnMut($crate::calls::field::FieldMut<'m>)) {
                let $message { $($field),* } = self;
                $(fields!(@$kind [FieldMut iter_mut fields_mut] visit $field $(($declared))?);)*
                let _ = visit;
            }
        }
    };
    (@plain $by:tt $visit:ident $field:ident) => {
        let _ = $field;
    };
    (@value [$Field:ident $iter:ident $fields:ident] $visit:ident $field:ident ($declared:expr)) => {
        $visit($crate::calls::field::$Field::Value {
            name: stringify!($field),
            declared: $declared,
            value: $field,
        })
    };
    (@optional [$Field:ident $iter:ident $fields:ident] $visit:ident $field:ident ($declared:expr)) => {
        for value in $field.$iter() {
            $visit($crate::calls::field::$Field::Value { name: stringify!($field), declared: $declared, value });
        }
    };
    (@values [$Field:ident $iter:ident $fields:ident] $visit:ident $field:ident ($declared:expr)) => {
        for (idx, value) in $field.$iter().enumerate() {
            let declared = $declared(idx);
            $visit($crate::calls::field::$Field::Value { name: stringify!($field), declared, value });
        }
    };
    (@each [$Field:ident $iter:ident $fields:ident] $visit:ident $field:ident) => {
        for part in $field.$iter() {
            $crate::calls::field::Fields::$fields(part, $visit);
        }
    };
    (@opaque [$Field:ident $iter:ident $fields:ident] $visit:ident $field:ident) => {
        $visit($crate::calls::field::$Field::Opaque($field))
    };
    (@raw_state [$Field:ident $iter:ident $fields:ident] $visit:ident $field:ident ($declared:expr)) => {
        $visit($crate::calls::field::$Field::RawState {
            name: stringify!($field),
            declared: $declared,
            state: $field,
        })
    };
    (@diagnostics [$Field:ident $iter:ident $fields:ident] $visit:ident $field:ident) => {
        $visit($crate::calls::field::$Field::Diagnostics($field))
    };
    (@text [$Field:ident $iter:ident $fields:ident] $visit:ident $field:ident) => {
        $visit($crate::calls::field::$Field::Text($field))
    };
    (@paths [$Field:ident $iter:ident $fields:ident] $visit:ident $field:ident) => {
        $visit($crate::calls::field::$Field::Paths($field))
    };
    (@refusal [$Field:ident $iter:ident $fields:ident] $visit:ident $field:ident) => {
        $visit($crate::calls::field::$Field::Refusal($field))
    };
    (@deferred [$Field:ident $iter:ident $fields:ident] $visit:ident $field:ident) => {
        $visit($crate::calls::field::$Field::Deferred($field))
    };
    (@legacy_type_system [$Field:ident $iter:ident $fields:ident] $visit:ident $field:ident) => {
        $visit($crate::calls::field::$Field::LegacyTypeSystem($field))
    };
}

pub(crate) use fields;
