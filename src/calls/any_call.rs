//! What can be done with any call.

use bytes::Bytes;

use super::call::{Side, Visit, VisitMut};
use super::diagnostic::{Diagnostic, MOST_PATHS};
use super::encoded::Encoded;
use super::failure::RpcFailure;
use super::field::{Declared, Field, FieldMut};
use super::method::Address;
use super::protocol::Protocol;
use super::{AnyCall, has_errors};
use crate::schema::{Kind, ProviderSchema};

impl AnyCall {
    /// The RPC, by its protocol 6 name.
    pub fn rpc_name(&self) -> &'static str {
        self.rpc().name()
    }

    /// What the call addresses; `None` if it addresses nothing in particular.
    pub fn address(&self) -> Option<Address<'_>> {
        self.erased().address()
    }

    /// The kind of thing the call is for, if any.
    pub fn kind(&self) -> Option<Kind> {
        self.address().map(|address| address.kind)
    }

    /// The type the call is for; `None` for the provider and functions.
    pub fn type_name(&self) -> Option<&str> {
        let address = self.address()?;
        (!matches!(address.kind, Kind::Provider | Kind::Function)).then_some(address.name)
    }

    pub fn failure(&self) -> Option<&RpcFailure> {
        self.erased().failure()
    }

    pub fn failure_mut(&mut self) -> Option<&mut RpcFailure> {
        self.erased_mut().failure_mut()
    }

    /// Replaces the outcome with a failure.
    pub fn fail(&mut self, failure: RpcFailure) {
        self.erased_mut().fail(failure);
    }

    /// Visits every field of the request, then of the response, that is more than a number or a name.
    pub fn fields<'m>(&'m self, visit: Visit<'_, 'm>) {
        self.erased().fields(visit);
    }

    pub fn fields_mut<'m>(&'m mut self, visit: VisitMut<'_, 'm>) {
        self.erased_mut().fields_mut(visit);
    }

    /// The provider's diagnostics; empty if the call failed.
    pub fn diagnostics(&self) -> Vec<&Diagnostic> {
        let mut said = Vec::new();
        self.fields(&mut |_, field| {
            if let Field::Diagnostics(diagnostics) = field {
                said.extend(diagnostics);
            }
        });
        said
    }

    /// Whether the answer was too large to be read as a whole.
    pub fn is_cut(&self) -> bool {
        let has_every_path = match self {
            AnyCall::PlanResourceChange(call) => {
                call.outcome.as_ref().is_ok_and(|answer| answer.requires_replace.len() >= MOST_PATHS)
            }
            _ => false,
        };
        has_every_path || self.diagnostics().into_iter().any(Diagnostic::is_cut)
    }

    /// The first diagnostics field of the response, if it has one.
    pub fn diagnostics_mut(&mut self) -> Option<&mut Vec<Diagnostic>> {
        let mut found = None;
        self.fields_mut(&mut |_, field| {
            if let (None, FieldMut::Diagnostics(diagnostics)) = (&found, field) {
                found = Some(diagnostics);
            }
        });
        found
    }

    /// Whether there is an answer without error diagnostics.
    pub fn succeeded(&self) -> bool {
        let mut errs = self.failure().is_some();
        self.fields(&mut |_, field| match field {
            Field::Diagnostics(diagnostics) => errs |= has_errors(diagnostics),
            Field::Refusal(_) => errs = true,
            _ => {}
        });
        !errs
    }

    /// Whether the response sets the flag of the legacy type system.
    pub fn legacy_type_system(&self) -> bool {
        let mut is_legacy = false;
        self.fields(&mut |_, field| is_legacy |= matches!(field, Field::LegacyTypeSystem(true)));
        is_legacy
    }

    /// Whether the provider deferred its answer.
    pub fn is_deferred(&self) -> bool {
        let mut is_deferred = false;
        self.fields(&mut |_, field| is_deferred |= matches!(field, Field::Deferred(Some(_))));
        is_deferred
    }

    /// Decodes every value that is not decoded yet.
    pub fn decode(&mut self, schema: &ProviderSchema) {
        let addressed = self.addressed_name();
        self.fields_mut(&mut |_, field| {
            if let FieldMut::Value { declared, value, .. } = field {
                value.decode(&declared.ty(schema, &addressed));
            }
        });
    }

    /// The name that the call addresses, as [`Declared`] needs it; empty if it addresses nothing.
    pub fn addressed_name(&self) -> String {
        self.address().map(|address| address.name.to_owned()).unwrap_or_default()
    }

    /// The values of one side, by their names in the protocol, in the order a person compares them.
    pub fn values(&self, side: Side) -> Vec<(&'static str, &Encoded)> {
        let mut values = Vec::new();
        self.fields(&mut |of, field| {
            // Provider metadata is never compared.
            if let Field::Value { name, declared, value } = field
                && of == side
                && declared != Declared::ProviderMeta
            {
                values.push((name, value));
            }
        });
        values
    }

    /// How many bytes the values of the response take.
    pub fn answer_size(&self) -> usize {
        self.values(Side::Response).into_iter().map(|(_, value)| value.size()).sum()
    }

    /// The first object in the response, such as a new state, of the type that the call addresses.
    pub fn answered_object_mut(&mut self) -> Option<&mut Encoded> {
        let mut found = None;
        self.fields_mut(&mut |side, field| {
            if let (None, Side::Response, FieldMut::Value { declared: Declared::Schema(kind), value, .. }) =
                (&found, side, field)
                && kind != Kind::Provider
            {
                found = Some(value);
            }
        });
        found
    }

    /// The request as encoded messages: one, unless the client streams.
    pub fn encode_request(&self, protocol: Protocol) -> Vec<Bytes> {
        self.erased().encode_request(protocol)
    }

    /// The answer as encoded messages: one, unless the server streams. The failure if there is none.
    pub fn encode_response(&self, protocol: Protocol) -> Result<Vec<Bytes>, RpcFailure> {
        self.erased().encode_response(protocol)
    }

    /// Stores the answer in the call. Values are not decoded yet.
    pub fn decode_response(&mut self, protocol: Protocol, answer: Vec<Bytes>) {
        if let Err(error) = self.erased_mut().decode_response(protocol, answer) {
            self.fail(RpcFailure::Garbled { message: error.to_string() });
        }
    }
}
