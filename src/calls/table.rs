//! Generates everything that lists all RPCs from one table.

/// Declares the RPCs in one table, so that names, paths, the list of RPCs and the typed calls
/// cannot disagree.
///
/// A row is: name in protocol 6, name in protocol 5 (`-` if it has none), which side streams; and
/// the module of the typed call, if there is one, which has a [`Method`](super::Method) of the same
/// name.
macro_rules! rpcs {
    (@v5 $prefix:literal -) => { None };
    (@v5 $prefix:literal $v5:ident) => { Some(concat!($prefix, stringify!($v5))) };
    ($($name:ident, $v5:tt, $streaming:ident $(, $module:ident)?;)*) => {
        $($(pub use $module::*;)?)*

        /// An RPC of the provider service, by its name in protocol 6.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[expect(missing_docs, reason = "the names are the protocol's own")]
        pub enum Rpc { $($name,)* }

        impl Rpc {
            /// Every RPC of either major.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The protocol 6 name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)* }
            }

            /// The HTTP/2 path, `/package.Service/Method`; `None` if `protocol` lacks the RPC.
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

        /// A call of any RPC that has a typed one.
        #[derive(Clone, Debug, Serialize, Deserialize)]
        pub enum AnyCall { $($($name(Call<$module::$name>),)?)* }

        impl AnyCall {
            pub fn rpc(&self) -> Rpc {
                match self { $($(Self::$name(call) => { let _: &Call<$module::$name> = call; Rpc::$name })?)* }
            }

            /// The call for encoded requests, without an outcome yet; `None` for an RPC without a
            /// typed call.
            pub fn decode_request(
                rpc: Rpc,
                protocol: Protocol,
                request: Vec<Bytes>,
            ) -> Result<Option<AnyCall>, DecodeError> {
                Ok(Some(match rpc {
                    $($(Rpc::$name => Self::$name(Call::<$module::$name>::unanswered(
                        Messages::decode(protocol, request)?,
                    )),)?)*
                    _ => return Ok(None),
                }))
            }

            /// Takes over the outcome of another call of the same RPC; ignores other RPCs.
            pub fn take_outcome(&mut self, from: AnyCall) {
                match (self, from) {
                    $($((Self::$name(call), Self::$name(from)) => {
                        let from: Call<$module::$name> = from;
                        call.outcome = from.outcome;
                    })?)*
                    _ => {}
                }
            }

            fn erased(&self) -> &dyn Erased {
                match self { $($(Self::$name(call) => { let call: &Call<$module::$name> = call; call })?)* }
            }

            fn erased_mut(&mut self) -> &mut dyn Erased {
                match self { $($(Self::$name(call) => { let call: &mut Call<$module::$name> = call; call })?)* }
            }
        }

        $($(impl From<Call<$module::$name>> for AnyCall {
            fn from(call: Call<$module::$name>) -> AnyCall {
                AnyCall::$name(call)
            }
        })?)*

        #[cfg(test)]
        /// Which sides of each typed call stream, according to its messages.
        const STREAMS: &[(Rpc, bool, bool)] = &[$($((
            Rpc::$name,
            <<$module::$name as Method>::Request as Messages>::IS_STREAM,
            <<$module::$name as Method>::Response as Messages>::IS_STREAM,
        ),)?)*];
    };
}

pub(super) use rpcs;
