//! A provider instance before it serves scenarios, and what it is sent first.

use std::time::Duration;

use super::RunOptions;
use super::launch::RunError;
use crate::provider::client::Client;
use crate::provider::pool::InstanceHandle;
use crate::transcript::{
    AnyCall, Call, ConfigureProviderRequest, Diagnostic, Encoded, Subject, ValidateProviderConfigRequest,
};

/// An instance that has been started.
pub(super) struct Instance {
    pub number: u32,
    pub client: Client,
    pub handle: Box<dyn InstanceHandle>,
    pub is_configured: bool,
}

/// The calls of an instance, and how long each took.
pub(super) type Log = Vec<(AnyCall, Duration)>;

/// What instances are sent before they are used.
pub(super) struct Sent<'s> {
    pub config: &'s Encoded,
    pub options: &'s RunOptions,
    pub subject: &'s Subject,
}

impl Sent<'_> {
    /// Validates the provider configuration.
    pub async fn validate(&self, instance: &mut Instance, log: &mut Log) -> Result<(), RunError> {
        let validate = ValidateProviderConfigRequest { config: self.config.clone() };
        self.ask(instance, AnyCall::ValidateProviderConfig(Call::unanswered(validate)), log).await
    }

    /// Validates the provider configuration and configures the instance with it.
    pub async fn configure(&self, instance: &mut Instance, log: &mut Log) -> Result<(), RunError> {
        self.validate(instance, log).await?;
        let engine = self.options.engine;
        let configure = ConfigureProviderRequest {
            terraform_version: engine.terraform_version().to_owned(),
            config: self.config.clone(),
            capabilities: Some(self.subject.client_capabilities()),
        };
        self.ask(instance, AnyCall::ConfigureProvider(Call::unanswered(configure)), log).await?;
        instance.is_configured = true;
        Ok(())
    }

    async fn ask(&self, instance: &Instance, mut call: AnyCall, log: &mut Log) -> Result<(), RunError> {
        let took = instance.client.ask(&mut call, &self.subject.schema).await;
        let answered = good(&call);
        log.push((call, took));
        answered
    }
}

pub(super) fn good(call: &AnyCall) -> Result<(), RunError> {
    if let Some(failure) = call.failure() {
        return Err(RunError::Call { rpc: call.rpc_name(), why: failure.to_string() });
    }
    error_of(call.rpc_name(), call.diagnostics()).map_or(Ok(()), Err)
}

/// The first error in an answer.
pub(super) fn error_of<'d>(
    rpc: &'static str,
    diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
) -> Option<RunError> {
    let error = diagnostics.into_iter().find(|diagnostic| diagnostic.is_error())?;
    let colon = if error.detail.is_empty() { "" } else { ": " };
    Some(RunError::Call { rpc, why: format!("{}{colon}{}", error.summary, error.detail) })
}
