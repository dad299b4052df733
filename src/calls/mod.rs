//! The RPCs of the provider service, each in its own file.
//!
//! A file has an RPC's request and response, both ways on the wire in both majors, what its fields
//! contain and which declarations give its values their types, and what it addresses. The table
//! below generates the rest: the list of RPCs with their names and paths, and [`AnyCall`].
//!
//! Values are kept as bytes along with what they decode to ([`Encoded`]), so that encoding issues
//! and hostile answers are data too. Nothing here knows how a message is transported.

mod any_call;
mod apply_resource_change;
mod call;
mod call_function;
mod configure_provider;
mod crash;
mod diagnostic;
mod diagnostics_response;
mod encoded;
mod failure;
mod field;
mod get_metadata;
mod get_provider_schema;
mod get_resource_identity_schemas;
mod import_resource_state;
mod list_resource;
mod method;
mod move_resource_state;
mod plan_resource_change;
mod protocol;
mod raw_state;
mod read_data_source;
mod read_resource;
mod seen;
mod table;
mod upgrade_resource_state;
mod validate_data_resource_config;
mod validate_provider_config;
mod validate_resource_config;
mod wire;

use std::fmt;

use bytes::Bytes;
use prost::DecodeError;
use serde::{Deserialize, Serialize};

use call::Erased;
use table::rpcs;

pub use call::{Call, Side, Visit, VisitMut};
pub use crash::{Cause, CrashReport, ExitKind, GoPanic, KILLED, template};
pub use diagnostic::{
    Diagnostic, LONGEST_TEXT, MOST_DIAGNOSTICS, MOST_PATHS, WirePath, WireStep, has_errors,
};
pub use diagnostics_response::DiagnosticsResponse;
pub use encoded::{DynamicValue, Encoded, Form};
pub use failure::{Busy, RpcFailure, UNIMPLEMENTED};
pub use field::{Declared, Field, FieldMut, Fields};
pub use method::{Address, Message, Messages, Method, Stream};
pub use protocol::{Protocol, Streaming};
pub use raw_state::RawState;
pub use seen::{Seen, Unreadable};

rpcs! {
    GetMetadata, GetMetadata, Unary, get_metadata;
    GetProviderSchema, GetSchema, Unary, get_provider_schema;
    GetResourceIdentitySchemas, GetResourceIdentitySchemas, Unary, get_resource_identity_schemas;
    ValidateProviderConfig, PrepareProviderConfig, Unary, validate_provider_config;
    ValidateResourceConfig, ValidateResourceTypeConfig, Unary, validate_resource_config;
    ValidateDataResourceConfig, ValidateDataSourceConfig, Unary, validate_data_resource_config;
    ValidateEphemeralResourceConfig, ValidateEphemeralResourceConfig, Unary;
    ValidateListResourceConfig, ValidateListResourceConfig, Unary;
    ValidateActionConfig, ValidateActionConfig, Unary;
    UpgradeResourceState, UpgradeResourceState, Unary, upgrade_resource_state;
    UpgradeResourceIdentity, UpgradeResourceIdentity, Unary;
    ConfigureProvider, Configure, Unary, configure_provider;
    ReadResource, ReadResource, Unary, read_resource;
    PlanResourceChange, PlanResourceChange, Unary, plan_resource_change;
    ApplyResourceChange, ApplyResourceChange, Unary, apply_resource_change;
    ImportResourceState, ImportResourceState, Unary, import_resource_state;
    MoveResourceState, MoveResourceState, Unary, move_resource_state;
    GenerateResourceConfig, GenerateResourceConfig, Unary;
    ReadDataSource, ReadDataSource, Unary, read_data_source;
    OpenEphemeralResource, OpenEphemeralResource, Unary;
    RenewEphemeralResource, RenewEphemeralResource, Unary;
    CloseEphemeralResource, CloseEphemeralResource, Unary;
    GetFunctions, GetFunctions, Unary;
    CallFunction, CallFunction, Unary, call_function;
    ListResource, ListResource, Server, list_resource;
    PlanAction, PlanAction, Unary;
    InvokeAction, InvokeAction, Server;
    ValidateStateStoreConfig, -, Unary;
    ConfigureStateStore, -, Unary;
    ReadStateBytes, -, Server;
    WriteStateBytes, -, Client;
    LockState, -, Unary;
    UnlockState, -, Unary;
    GetStates, -, Unary;
    DeleteState, -, Unary;
    StopProvider, Stop, Unary;
}

impl Rpc {
    /// The RPC at an HTTP/2 path, and the major whose service it belongs to.
    pub fn from_path(path: &str) -> Option<(Protocol, Self)> {
        Protocol::ALL.into_iter().find_map(|protocol| {
            let rpc = Self::ALL.iter().find(|rpc| rpc.path(protocol) == Some(path))?;
            Some((protocol, *rpc))
        })
    }

    /// Whether a provider may leave it unimplemented: engines never ask for metadata, do without identity schemas and
    /// functions that are missing, and let a provider decide whether its objects can be imported.
    pub const fn is_optional(self) -> bool {
        matches!(
            self,
            Rpc::GetMetadata | Rpc::GetResourceIdentitySchemas | Rpc::GetFunctions | Rpc::ImportResourceState
        )
    }
}

impl fmt::Display for Rpc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests;
