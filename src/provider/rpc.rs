//! The calls of the provider service: their names in both majors and their shape.
//!
//! Protocol 6's names are used throughout; protocol 5 differs in a handful.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A major version of the provider protocol. Minor versions do not exist on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Protocol {
    /// Package `tfplugin5`.
    V5,
    /// Package `tfplugin6`.
    V6,
}

impl Protocol {
    /// Both, lowest first.
    pub const ALL: [Self; 2] = [Self::V5, Self::V6];

    /// The number in the handshake, 5 or 6.
    pub const fn major(self) -> u32 {
        match self {
            Self::V5 => 5,
            Self::V6 => 6,
        }
    }

    /// The protocol of a handshake's number, if it is one we speak.
    pub const fn from_major(major: i64) -> Option<Self> {
        match major {
            5 => Some(Self::V5),
            6 => Some(Self::V6),
            _ => None,
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.major())
    }
}

/// Which side of a call sends more than one message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Streaming {
    /// One request, one response.
    Unary,
    /// One request, any number of responses.
    Server,
    /// Any number of requests, one response.
    Client,
}

/// Declares the calls as one table, so that names, paths and the list of all cannot disagree.
///
/// A row is: name in protocol 6, name in protocol 5 (`-` where it has none), streaming.
macro_rules! rpcs {
    (@v5 $prefix:literal -) => { None };
    (@v5 $prefix:literal $v5:ident) => { Some(concat!($prefix, stringify!($v5))) };
    ($($name:ident, $v5:tt, $streaming:ident;)*) => {
        /// A call of the provider service, by its name in protocol 6.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[expect(missing_docs, reason = "the names are the protocol's own")]
        pub enum Rpc { $($name,)* }

        impl Rpc {
            /// Every call of either major.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The protocol 6 name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)* }
            }

            /// The HTTP/2 path, `/package.Service/Method`; none where `protocol` lacks the call.
            pub const fn path(self, protocol: Protocol) -> Option<&'static str> {
                match (protocol, self) {
                    $((Protocol::V6, Self::$name) => {
                        Some(concat!("/tfplugin6.Provider/", stringify!($name)))
                    })*
                    $((Protocol::V5, Self::$name) => rpcs!(@v5 "/tfplugin5.Provider/" $v5),)*
                }
            }

            /// Which side streams.
            pub const fn streaming(self) -> Streaming {
                match self { $(Self::$name => Streaming::$streaming,)* }
            }
        }
    };
}

rpcs! {
    GetMetadata, GetMetadata, Unary;
    GetProviderSchema, GetSchema, Unary;
    GetResourceIdentitySchemas, GetResourceIdentitySchemas, Unary;
    ValidateProviderConfig, PrepareProviderConfig, Unary;
    ValidateResourceConfig, ValidateResourceTypeConfig, Unary;
    ValidateDataResourceConfig, ValidateDataSourceConfig, Unary;
    ValidateEphemeralResourceConfig, ValidateEphemeralResourceConfig, Unary;
    ValidateListResourceConfig, ValidateListResourceConfig, Unary;
    ValidateActionConfig, ValidateActionConfig, Unary;
    UpgradeResourceState, UpgradeResourceState, Unary;
    UpgradeResourceIdentity, UpgradeResourceIdentity, Unary;
    ConfigureProvider, Configure, Unary;
    ReadResource, ReadResource, Unary;
    PlanResourceChange, PlanResourceChange, Unary;
    ApplyResourceChange, ApplyResourceChange, Unary;
    ImportResourceState, ImportResourceState, Unary;
    MoveResourceState, MoveResourceState, Unary;
    GenerateResourceConfig, GenerateResourceConfig, Unary;
    ReadDataSource, ReadDataSource, Unary;
    OpenEphemeralResource, OpenEphemeralResource, Unary;
    RenewEphemeralResource, RenewEphemeralResource, Unary;
    CloseEphemeralResource, CloseEphemeralResource, Unary;
    GetFunctions, GetFunctions, Unary;
    CallFunction, CallFunction, Unary;
    ListResource, ListResource, Server;
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
    /// The call at an HTTP/2 path, and the major whose service it belongs to.
    pub fn from_path(path: &str) -> Option<(Protocol, Self)> {
        Protocol::ALL.into_iter().find_map(|protocol| {
            let rpc = Self::ALL.iter().find(|rpc| rpc.path(protocol) == Some(path))?;
            Some((protocol, *rpc))
        })
    }
}

impl fmt::Display for Rpc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_the_package_of_their_major() {
        let schema = Rpc::GetProviderSchema;
        assert_eq!(schema.path(Protocol::V5), Some("/tfplugin5.Provider/GetSchema"));
        assert_eq!(schema.path(Protocol::V6), Some("/tfplugin6.Provider/GetProviderSchema"));
        assert_eq!(Rpc::LockState.path(Protocol::V5), None);
    }

    #[test]
    fn every_path_leads_back_to_its_call() {
        for protocol in Protocol::ALL {
            for rpc in Rpc::ALL {
                if let Some(path) = rpc.path(protocol) {
                    assert_eq!(Rpc::from_path(path), Some((protocol, *rpc)));
                }
            }
        }
        assert_eq!(Rpc::from_path("/tfplugin6.Provider/GetSchema"), None);
    }
}
