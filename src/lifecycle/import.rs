//! Importing: an existing object becomes that of an instance.

use std::fmt::Display;

use super::Outcome;
use super::instance::{Instance, InstancePlan};
use super::visit::Visit;
use crate::scenario::{ImportBy, Object, Status};
use crate::transcript::{AnyCall, Call, ExchangeId, ImportResourceStateRequest, Phase, PriorOrigin, Purpose};
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
        self.phase = Phase::Import;
        let imported = self.import(instance, existing, by).await?;
        let purpose = || Purpose::Imported { by: imported };
        let read = self.refresh(instance, purpose()).await?;
        if instance.object.is_none() {
            return Err(self.stopped(read, "the imported object does not exist"));
        }
        self.validate(instance, config).await?;
        self.plan_change(instance, purpose(), config).await
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
        let (state, private, identity) = (one.state.clone(), one.private.clone(), one.identity.clone());
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
