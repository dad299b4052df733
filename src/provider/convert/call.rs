//! Whole calls: requests and responses, as bytes and typed.

use bytes::Bytes;
use prost::{DecodeError, Message};

use super::parts::{
    bytes, capabilities_in, capabilities_out, deferred_in, deferred_out, diagnostics_in, diagnostics_out,
    identity_in, identity_out, optional_in, optional_out, path_in, path_out, raw_state_in, raw_state_out,
    value_in, value_out,
};
use super::schema;
use crate::provider::proto::{v5, v6};
use crate::provider::rpc::{Protocol, Rpc};
use crate::transcript::{
    AnyCall, ApplyResourceChangeRequest, ApplyResourceChangeResponse, Call, ConfigureProviderRequest,
    DiagnosticsResponse, MetadataResponse, PlanResourceChangeRequest, PlanResourceChangeResponse,
    ReadDataSourceRequest, ReadDataSourceResponse, ReadResourceRequest, ReadResourceResponse, RpcFailure,
    SchemaRequest, UpgradeResourceStateRequest, UpgradeResourceStateResponse,
    ValidateDataResourceConfigRequest, ValidateProviderConfigRequest, ValidateProviderConfigResponse,
    ValidateResourceConfigRequest,
};

/// The RPC that carries a call.
pub fn rpc(call: &AnyCall) -> Rpc {
    match call {
        AnyCall::GetProviderSchema(_) => Rpc::GetProviderSchema,
        AnyCall::GetMetadata(_) => Rpc::GetMetadata,
        AnyCall::ValidateProviderConfig(_) => Rpc::ValidateProviderConfig,
        AnyCall::ConfigureProvider(_) => Rpc::ConfigureProvider,
        AnyCall::ValidateResourceConfig(_) => Rpc::ValidateResourceConfig,
        AnyCall::ValidateDataResourceConfig(_) => Rpc::ValidateDataResourceConfig,
        AnyCall::UpgradeResourceState(_) => Rpc::UpgradeResourceState,
        AnyCall::ReadResource(_) => Rpc::ReadResource,
        AnyCall::PlanResourceChange(_) => Rpc::PlanResourceChange,
        AnyCall::ApplyResourceChange(_) => Rpc::ApplyResourceChange,
        AnyCall::ReadDataSource(_) => Rpc::ReadDataSource,
    }
}

/// The request as an encoded message, the same in both majors.
pub fn encode_request(call: &AnyCall) -> Bytes {
    match call {
        AnyCall::GetProviderSchema(_) | AnyCall::GetMetadata(_) => Bytes::new(),
        AnyCall::ValidateProviderConfig(Call { request, .. }) => {
            bytes(&v6::validate_provider_config::Request { config: value_out(&request.config) })
        }
        AnyCall::ConfigureProvider(Call { request, .. }) => bytes(&v6::configure_provider::Request {
            terraform_version: request.terraform_version.clone(),
            config: value_out(&request.config),
            client_capabilities: capabilities_out(request.capabilities),
        }),
        AnyCall::ValidateResourceConfig(Call { request, .. }) => {
            bytes(&v6::validate_resource_config::Request {
                type_name: request.type_name.clone(),
                config: value_out(&request.config),
                client_capabilities: capabilities_out(request.capabilities),
            })
        }
        AnyCall::ValidateDataResourceConfig(Call { request, .. }) => {
            bytes(&v6::validate_data_resource_config::Request {
                type_name: request.type_name.clone(),
                config: value_out(&request.config),
            })
        }
        AnyCall::UpgradeResourceState(Call { request, .. }) => bytes(&v6::upgrade_resource_state::Request {
            type_name: request.type_name.clone(),
            version: request.version,
            raw_state: raw_state_out(&request.raw_state),
        }),
        AnyCall::ReadResource(Call { request, .. }) => bytes(&v6::read_resource::Request {
            type_name: request.type_name.clone(),
            current_state: value_out(&request.current_state),
            private: request.private.clone(),
            provider_meta: optional_out(request.provider_meta.as_ref()),
            client_capabilities: capabilities_out(request.capabilities),
            current_identity: identity_out(request.current_identity.as_ref()),
        }),
        AnyCall::PlanResourceChange(Call { request, .. }) => bytes(&v6::plan_resource_change::Request {
            type_name: request.type_name.clone(),
            prior_state: value_out(&request.prior_state),
            proposed_new_state: value_out(&request.proposed_new_state),
            config: value_out(&request.config),
            prior_private: request.prior_private.clone(),
            provider_meta: optional_out(request.provider_meta.as_ref()),
            client_capabilities: capabilities_out(request.capabilities),
            prior_identity: identity_out(request.prior_identity.as_ref()),
            planned_private: request.planned_private.clone(),
        }),
        AnyCall::ApplyResourceChange(Call { request, .. }) => bytes(&v6::apply_resource_change::Request {
            type_name: request.type_name.clone(),
            prior_state: value_out(&request.prior_state),
            planned_state: value_out(&request.planned_state),
            config: value_out(&request.config),
            planned_private: request.planned_private.clone(),
            provider_meta: optional_out(request.provider_meta.as_ref()),
            planned_identity: identity_out(request.planned_identity.as_ref()),
        }),
        AnyCall::ReadDataSource(Call { request, .. }) => bytes(&v6::read_data_source::Request {
            type_name: request.type_name.clone(),
            config: value_out(&request.config),
            provider_meta: optional_out(request.provider_meta.as_ref()),
            client_capabilities: capabilities_out(request.capabilities),
        }),
    }
}

/// Puts an answer into the call it answers. Values are not decoded yet.
pub fn decode_response(call: &mut AnyCall, protocol: Protocol, answer: Bytes) {
    let outcome = try_decode_response(call, protocol, answer);
    if let Err(error) = outcome {
        call.fail(RpcFailure::Garbled { message: error.to_string() });
    }
}

fn try_decode_response(call: &mut AnyCall, protocol: Protocol, answer: Bytes) -> Result<(), DecodeError> {
    match call {
        AnyCall::GetProviderSchema(call) => call.outcome = Ok(schema::decode(protocol, answer)?),
        AnyCall::GetMetadata(call) => call.outcome = Ok(decode_metadata(protocol, answer)?),
        AnyCall::ValidateProviderConfig(call) => {
            // Field 1 exists in protocol 5 only; a v6 provider never sends it.
            let response = v5::prepare_provider_config::Response::decode(answer.clone())?;
            let shared = v6::validate_provider_config::Response::decode(answer)?;
            call.outcome = Ok(ValidateProviderConfigResponse {
                prepared_config: response
                    .prepared_config
                    .map(|wire| value_in(Some(v6::DynamicValue { msgpack: wire.msgpack, json: wire.json }))),
                diagnostics: diagnostics_in(shared.diagnostics),
            });
        }
        AnyCall::ConfigureProvider(call) => {
            let response = v6::configure_provider::Response::decode(answer)?;
            call.outcome = Ok(DiagnosticsResponse { diagnostics: diagnostics_in(response.diagnostics) });
        }
        AnyCall::ValidateResourceConfig(call) => {
            let response = v6::validate_resource_config::Response::decode(answer)?;
            call.outcome = Ok(DiagnosticsResponse { diagnostics: diagnostics_in(response.diagnostics) });
        }
        AnyCall::ValidateDataResourceConfig(call) => {
            let response = v6::validate_data_resource_config::Response::decode(answer)?;
            call.outcome = Ok(DiagnosticsResponse { diagnostics: diagnostics_in(response.diagnostics) });
        }
        AnyCall::UpgradeResourceState(call) => {
            let response = v6::upgrade_resource_state::Response::decode(answer)?;
            call.outcome = Ok(UpgradeResourceStateResponse {
                upgraded_state: value_in(response.upgraded_state),
                diagnostics: diagnostics_in(response.diagnostics),
            });
        }
        AnyCall::ReadResource(call) => {
            let response = v6::read_resource::Response::decode(answer)?;
            call.outcome = Ok(ReadResourceResponse {
                new_state: value_in(response.new_state),
                diagnostics: diagnostics_in(response.diagnostics),
                private: response.private,
                deferred: deferred_in(response.deferred),
                new_identity: identity_in(response.new_identity),
            });
        }
        AnyCall::PlanResourceChange(call) => {
            let response = v6::plan_resource_change::Response::decode(answer)?;
            call.outcome = Ok(PlanResourceChangeResponse {
                planned_state: value_in(response.planned_state),
                requires_replace: response.requires_replace.into_iter().map(path_in).collect(),
                planned_private: response.planned_private,
                diagnostics: diagnostics_in(response.diagnostics),
                legacy_type_system: response.legacy_type_system,
                deferred: deferred_in(response.deferred),
                planned_identity: identity_in(response.planned_identity),
            });
        }
        AnyCall::ApplyResourceChange(call) => {
            let response = v6::apply_resource_change::Response::decode(answer)?;
            call.outcome = Ok(ApplyResourceChangeResponse {
                new_state: value_in(response.new_state),
                private: response.private,
                diagnostics: diagnostics_in(response.diagnostics),
                legacy_type_system: response.legacy_type_system,
                new_identity: identity_in(response.new_identity),
            });
        }
        AnyCall::ReadDataSource(call) => {
            let response = v6::read_data_source::Response::decode(answer)?;
            call.outcome = Ok(ReadDataSourceResponse {
                state: value_in(response.state),
                diagnostics: diagnostics_in(response.diagnostics),
                deferred: deferred_in(response.deferred),
            });
        }
    }
    Ok(())
}

fn decode_metadata(protocol: Protocol, answer: Bytes) -> Result<MetadataResponse, DecodeError> {
    // The majors disagree about fields 8 and 9, which hold nothing we read.
    let response = match protocol {
        Protocol::V6 => v6::get_metadata::Response::decode(answer)?,
        Protocol::V5 => {
            let five = v5::get_metadata::Response::decode(answer)?;
            let shared = v5::get_metadata::Response { actions: Vec::new(), ..five };
            v6::get_metadata::Response::decode(bytes(&shared))?
        }
    };
    Ok(MetadataResponse {
        capabilities: schema::capabilities(response.server_capabilities),
        resources: response.resources.into_iter().map(|resource| resource.type_name).collect(),
        data_sources: response.data_sources.into_iter().map(|data_source| data_source.type_name).collect(),
        functions: response.functions.into_iter().map(|function| function.name).collect(),
        diagnostics: diagnostics_in(response.diagnostics),
    })
}

/// The call an encoded request makes, without an outcome yet; nothing for an RPC that no typed call exists for.
pub fn decode_request(rpc: Rpc, request: Bytes) -> Result<Option<AnyCall>, DecodeError> {
    Ok(Some(match rpc {
        Rpc::GetProviderSchema => AnyCall::GetProviderSchema(Call::unanswered(SchemaRequest {})),
        Rpc::GetMetadata => AnyCall::GetMetadata(Call::unanswered(SchemaRequest {})),
        Rpc::ValidateProviderConfig => {
            let request = v6::validate_provider_config::Request::decode(request)?;
            AnyCall::ValidateProviderConfig(Call::unanswered(ValidateProviderConfigRequest {
                config: value_in(request.config),
            }))
        }
        Rpc::ConfigureProvider => {
            let request = v6::configure_provider::Request::decode(request)?;
            AnyCall::ConfigureProvider(Call::unanswered(ConfigureProviderRequest {
                terraform_version: request.terraform_version,
                config: value_in(request.config),
                capabilities: capabilities_in(request.client_capabilities),
            }))
        }
        Rpc::ValidateResourceConfig => {
            let request = v6::validate_resource_config::Request::decode(request)?;
            AnyCall::ValidateResourceConfig(Call::unanswered(ValidateResourceConfigRequest {
                type_name: request.type_name,
                config: value_in(request.config),
                capabilities: capabilities_in(request.client_capabilities),
            }))
        }
        Rpc::ValidateDataResourceConfig => {
            let request = v6::validate_data_resource_config::Request::decode(request)?;
            AnyCall::ValidateDataResourceConfig(Call::unanswered(ValidateDataResourceConfigRequest {
                type_name: request.type_name,
                config: value_in(request.config),
            }))
        }
        Rpc::UpgradeResourceState => {
            let request = v6::upgrade_resource_state::Request::decode(request)?;
            AnyCall::UpgradeResourceState(Call::unanswered(UpgradeResourceStateRequest {
                type_name: request.type_name,
                version: request.version,
                raw_state: raw_state_in(request.raw_state),
            }))
        }
        Rpc::ReadResource => {
            let request = v6::read_resource::Request::decode(request)?;
            AnyCall::ReadResource(Call::unanswered(ReadResourceRequest {
                type_name: request.type_name,
                current_state: value_in(request.current_state),
                private: request.private,
                provider_meta: optional_in(request.provider_meta),
                capabilities: capabilities_in(request.client_capabilities),
                current_identity: identity_in(request.current_identity),
            }))
        }
        Rpc::PlanResourceChange => {
            let request = v6::plan_resource_change::Request::decode(request)?;
            AnyCall::PlanResourceChange(Call::unanswered(PlanResourceChangeRequest {
                type_name: request.type_name,
                prior_state: value_in(request.prior_state),
                proposed_new_state: value_in(request.proposed_new_state),
                config: value_in(request.config),
                prior_private: request.prior_private,
                provider_meta: optional_in(request.provider_meta),
                capabilities: capabilities_in(request.client_capabilities),
                prior_identity: identity_in(request.prior_identity),
                planned_private: request.planned_private,
            }))
        }
        Rpc::ApplyResourceChange => {
            let request = v6::apply_resource_change::Request::decode(request)?;
            AnyCall::ApplyResourceChange(Call::unanswered(ApplyResourceChangeRequest {
                type_name: request.type_name,
                prior_state: value_in(request.prior_state),
                planned_state: value_in(request.planned_state),
                config: value_in(request.config),
                planned_private: request.planned_private,
                provider_meta: optional_in(request.provider_meta),
                planned_identity: identity_in(request.planned_identity),
            }))
        }
        Rpc::ReadDataSource => {
            let request = v6::read_data_source::Request::decode(request)?;
            AnyCall::ReadDataSource(Call::unanswered(ReadDataSourceRequest {
                type_name: request.type_name,
                config: value_in(request.config),
                provider_meta: optional_in(request.provider_meta),
                capabilities: capabilities_in(request.client_capabilities),
            }))
        }
        _ => return Ok(None),
    }))
}

/// The answer as an encoded message; the failure where there is none.
pub fn encode_response(call: &AnyCall, protocol: Protocol) -> Result<Bytes, RpcFailure> {
    Ok(match call {
        AnyCall::GetProviderSchema(call) => {
            schema::encode(protocol, call.outcome.as_ref().map_err(Clone::clone)?)
        }
        AnyCall::GetMetadata(call) => {
            let response = call.outcome.as_ref().map_err(Clone::clone)?;
            bytes(&v6::get_metadata::Response {
                server_capabilities: Some(schema::capabilities_out(response.capabilities)),
                diagnostics: diagnostics_out(&response.diagnostics),
                data_sources: response
                    .data_sources
                    .iter()
                    .map(|name| v6::get_metadata::DataSourceMetadata { type_name: name.clone() })
                    .collect(),
                resources: response
                    .resources
                    .iter()
                    .map(|name| v6::get_metadata::ResourceMetadata { type_name: name.clone() })
                    .collect(),
                functions: response
                    .functions
                    .iter()
                    .map(|name| v6::get_metadata::FunctionMetadata { name: name.clone() })
                    .collect(),
                ..Default::default()
            })
        }
        AnyCall::ValidateProviderConfig(call) => {
            let response = call.outcome.as_ref().map_err(Clone::clone)?;
            let shared = v6::validate_provider_config::Response {
                diagnostics: diagnostics_out(&response.diagnostics),
            };
            match (protocol, &response.prepared_config) {
                (Protocol::V5, Some(prepared)) => {
                    let mut five = v5::prepare_provider_config::Response::decode(bytes(&shared))
                        .expect("both majors encode diagnostics alike");
                    five.prepared_config = value_out(prepared)
                        .map(|wire| v5::DynamicValue { msgpack: wire.msgpack, json: wire.json });
                    bytes(&five)
                }
                _ => bytes(&shared),
            }
        }
        AnyCall::ConfigureProvider(call) => bytes(&v6::configure_provider::Response {
            diagnostics: diagnostics_out(&call.outcome.as_ref().map_err(Clone::clone)?.diagnostics),
        }),
        AnyCall::ValidateResourceConfig(call) => bytes(&v6::validate_resource_config::Response {
            diagnostics: diagnostics_out(&call.outcome.as_ref().map_err(Clone::clone)?.diagnostics),
        }),
        AnyCall::ValidateDataResourceConfig(call) => bytes(&v6::validate_data_resource_config::Response {
            diagnostics: diagnostics_out(&call.outcome.as_ref().map_err(Clone::clone)?.diagnostics),
        }),
        AnyCall::UpgradeResourceState(call) => {
            let response = call.outcome.as_ref().map_err(Clone::clone)?;
            bytes(&v6::upgrade_resource_state::Response {
                upgraded_state: value_out(&response.upgraded_state),
                diagnostics: diagnostics_out(&response.diagnostics),
            })
        }
        AnyCall::ReadResource(call) => {
            let response = call.outcome.as_ref().map_err(Clone::clone)?;
            bytes(&v6::read_resource::Response {
                new_state: value_out(&response.new_state),
                diagnostics: diagnostics_out(&response.diagnostics),
                private: response.private.clone(),
                deferred: deferred_out(response.deferred),
                new_identity: identity_out(response.new_identity.as_ref()),
            })
        }
        AnyCall::PlanResourceChange(call) => {
            let response = call.outcome.as_ref().map_err(Clone::clone)?;
            bytes(&v6::plan_resource_change::Response {
                planned_state: value_out(&response.planned_state),
                requires_replace: response.requires_replace.iter().map(path_out).collect(),
                planned_private: response.planned_private.clone(),
                diagnostics: diagnostics_out(&response.diagnostics),
                legacy_type_system: response.legacy_type_system,
                deferred: deferred_out(response.deferred),
                planned_identity: identity_out(response.planned_identity.as_ref()),
            })
        }
        AnyCall::ApplyResourceChange(call) => {
            let response = call.outcome.as_ref().map_err(Clone::clone)?;
            bytes(&v6::apply_resource_change::Response {
                new_state: value_out(&response.new_state),
                private: response.private.clone(),
                diagnostics: diagnostics_out(&response.diagnostics),
                legacy_type_system: response.legacy_type_system,
                new_identity: identity_out(response.new_identity.as_ref()),
            })
        }
        AnyCall::ReadDataSource(call) => {
            let response = call.outcome.as_ref().map_err(Clone::clone)?;
            bytes(&v6::read_data_source::Response {
                state: value_out(&response.state),
                diagnostics: diagnostics_out(&response.diagnostics),
                deferred: deferred_out(response.deferred),
            })
        }
    })
}
