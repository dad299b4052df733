//! Importing: an existing object becomes that of an instance.

use std::fmt::Display;

use super::Outcome;
use super::clean_up::unless_refused;
use super::instance::{Instance, InstancePlan};
use super::visit::Visit;
use crate::core::generated_config;
use crate::scenario::{ImportBy, Object, Status};
use crate::transcript::{
    AnyCall, Call, Encoded, ExchangeId, ImportResourceStateRequest, Phase, PriorOrigin, Purpose,
};
use crate::value::Value;

impl<E: Display> Visit<'_, '_, E> {
    /// Imports an object, reads it and plans with it; `existing` is the object as it was last known.
    ///
    /// Source: contract section 5.5.
    pub(super) async fn plan_import(
        &mut self,
        instance: &mut Instance,
        existing: &Object,
        by: ImportBy,
        config: &Value,
    ) -> Outcome<InstancePlan> {
        let (imported, _) = self.import_and_read(instance, existing, by).await?;
        self.validate(instance, config).await?;
        self.plan_change(instance, Purpose::Imported { by: imported }, config).await
    }

    /// Imports an object, reads it, and plans with the configuration that an engine writes for it. That the
    /// provider refuses this configuration ends nothing: the user would correct it.
    pub(super) async fn plan_generated(
        &mut self,
        instance: &mut Instance,
        existing: &Object,
        by: ImportBy,
    ) -> Outcome<()> {
        let (_, read) = self.import_and_read(instance, existing, by).await?;
        let config = generated_config(&instance.schema.block, &instance.prior());
        let purpose = || Purpose::Generated { from: read };
        let planned = match self.validate_for(purpose(), instance, &config).await {
            Ok(()) => self.plan_change(instance, purpose(), &config).await.map(drop),
            refused => refused,
        };
        planned.or_else(unless_refused)
    }

    /// Returns the import and the read.
    async fn import_and_read(
        &mut self,
        instance: &mut Instance,
        existing: &Object,
        by: ImportBy,
    ) -> Outcome<(ExchangeId, ExchangeId)> {
        self.phase = Phase::Import;
        let imported = self.import(instance, existing, by).await?;
        let read = self.refresh(instance, Purpose::Imported { by: imported }).await?;
        match instance.object {
            Some(_) => Ok((imported, read)),
            None => Err(self.stopped(read, "the imported object does not exist")),
        }
    }

    async fn import(
        &mut self,
        instance: &mut Instance,
        existing: &Object,
        by: ImportBy,
    ) -> Outcome<ExchangeId> {
        let subject = self.player.subject;
        let id = existing.value.attribute("id").and_then(Value::as_str).unwrap_or_default();
        let request = ImportResourceStateRequest {
            type_name: instance.type_name.clone(),
            id: if by == ImportBy::Id { id.to_owned() } else { String::new() },
            capabilities: Some(subject.client_capabilities()),
            identity: existing.identity.clone().filter(|_| by == ImportBy::Identity),
        };
        let id = self
            .ask(
                Purpose::Ordinary,
                PriorOrigin::None,
                AnyCall::ImportResourceState(Call::unanswered(request)),
            )
            .await?;
        self.succeeded(id)?;
        let AnyCall::ImportResourceState(call) = self.call(id) else {
            unreachable!("an import was asked for")
        };
        let response = call.outcome.as_ref().expect("the answer succeeded");
        let [one] = &response.imported_resources[..] else {
            let why =
                format!("the import returned {} objects instead of one", response.imported_resources.len());
            return Err(self.stopped(id, why));
        };
        if one.type_name.is_empty() {
            return Err(self.stopped(id, "the imported object has no type"));
        }
        let (state, private) = (one.state.clone(), one.private.clone());
        let identity = one.identity.clone().filter(|_| subject.engine.imports_identities());
        let is_missing = identity.as_ref().and_then(Encoded::value).is_none_or(Value::is_null);
        if by == ImportBy::Identity && is_missing && subject.engine.demands_imported_identities() {
            return Err(self.stopped(id, "the imported object has no identity"));
        }
        let value = self.decoded(id, &state)?;
        if value.is_null() {
            return Err(self.stopped(id, "the imported state is null"));
        }
        instance.object = Some(Object {
            value,
            private,
            identity,
            status: Status::Ready,
            schema_version: instance.schema.version,
            dependencies: (*instance.dependencies).clone(),
            create_before_destroy: instance.create_before_destroy,
            provider: instance.provider.clone(),
            origin: PriorOrigin::Imported,
        });
        Ok(id)
    }
}
