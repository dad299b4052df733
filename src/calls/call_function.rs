//! CallFunction: the result of a function, or its error.

use bytes::Bytes;
use prost::{DecodeError, Message as _};
use serde::{Deserialize, Serialize};

use super::encoded::Encoded;
use super::field::{Declared, fields};
use super::method::{Address, Message, Method};
use super::protocol::Protocol;
use super::wire::{bytes, optional_in, optional_out, value_in, value_out};
use crate::proto::v6;
use crate::schema::Kind;

#[derive(Clone, Debug)]
pub struct CallFunction;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CallFunctionRequest {
    pub name: String,
    /// In the order of the parameters, variadic arguments last.
    pub arguments: Vec<Encoded>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CallFunctionResponse {
    pub result: Option<Encoded>,
    /// Functions have no diagnostics.
    pub error: Option<FunctionError>,
}

/// Why a function has no result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FunctionError {
    pub text: String,
    /// The argument at fault, counted from 0; `None` if it is none in particular.
    pub argument: Option<i64>,
}

impl Method for CallFunction {
    type Request = CallFunctionRequest;
    type Response = CallFunctionResponse;

    fn address(request: &CallFunctionRequest) -> Option<Address<'_>> {
        Some(Address::new(Kind::Function, &request.name))
    }
}

fields! { CallFunctionRequest { name: plain, arguments: values(Declared::Parameter) } }

impl Message for CallFunctionRequest {
    fn encode(&self, _: Protocol) -> Bytes {
        bytes(&v6::call_function::Request {
            name: self.name.clone(),
            arguments: self.arguments.iter().filter_map(value_out).collect(),
        })
    }

    fn decode(_: Protocol, message: Bytes) -> Result<CallFunctionRequest, DecodeError> {
        let wire = v6::call_function::Request::decode(message)?;
        let arguments = wire.arguments.into_iter().map(|argument| value_in(Some(argument)));
        Ok(CallFunctionRequest { name: wire.name, arguments: arguments.collect() })
    }
}

fields! { CallFunctionResponse { result: optional(Declared::Return), error: each } }

fields! { FunctionError { text: refusal, argument: plain } }

impl Message for CallFunctionResponse {
    fn encode(&self, _: Protocol) -> Bytes {
        let error = self
            .error
            .as_ref()
            .map(|error| v6::FunctionError { text: error.text.clone(), function_argument: error.argument });
        bytes(&v6::call_function::Response { result: optional_out(self.result.as_ref()), error })
    }

    fn decode(_: Protocol, message: Bytes) -> Result<CallFunctionResponse, DecodeError> {
        let wire = v6::call_function::Response::decode(message)?;
        let error =
            wire.error.map(|wire| FunctionError { text: wire.text, argument: wire.function_argument });
        Ok(CallFunctionResponse { result: optional_in(wire.result), error })
    }
}
