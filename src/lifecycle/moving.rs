//! Moving: an object of one type becomes one of another type.

use std::fmt::Display;
use std::sync::Arc;

use bytes::Bytes;

use super::calls::stored;
use super::configuration::Configuration;
use super::instance::{Former, Instance, TypeMove};
use super::run::Engine;
use super::visit::Visit;
use super::{End, Outcome};
use crate::calls::Rpc;
use crate::core::MoveStep;
use crate::scenario::{InstanceAddress, Object};
use crate::transcript::{
    AnyCall, Call, Encoded, ExchangeId, MoveResourceStateRequest, Phase, Purpose, RawState,
};
use crate::value::state_json;

impl<'p, E: Display> Engine<'_, 'p, E> {
    /// Moves an object to its new type before anything is planned. It keeps its address if that fails.
    ///
    /// Source: contract, MOVE-001 and MOVE-008.
    pub(super) async fn move_to_type(
        &self,
        visit: &mut Visit<'_, 'p, E>,
        config: &Configuration<'_>,
        address: &InstanceAddress,
    ) -> Outcome<()> {
        let type_move = self.known().type_moves.get(address).cloned();
        let Some(TypeMove::Pending(former)) = type_move else { return Ok(()) };
        if !self.player.subject.schema.capabilities.move_resource_state {
            let why = "Unsupported `moved` across resource types".to_owned();
            return Err(End::Stopped { phase: Phase::Move, rpc: None, why });
        }
        let target = (address.clone(), None);
        let mut instance = self.instance_of(config, &target);
        visit.begin_unconfigured().await?;
        let moved = visit.move_state(&mut instance, &former).await;
        visit.end_unconfigured().await;
        let by = match moved {
            Err(End::Refused { phase, rpc, diagnostics, has_unknowns }) => {
                visit.move_configured(&instance, &former).await?;
                return Err(End::Refused { phase, rpc, diagnostics, has_unknowns });
            }
            moved => moved?,
        };
        self.known().state.set_current(&former.address, None);
        self.put(&target, instance.object);
        self.known().type_moves.insert(address.clone(), TypeMove::Done(by));
        Ok(())
    }
}

impl<E: Display> Visit<'_, '_, E> {
    /// Has the provider move an object to the type of the instance, whose object it becomes.
    pub(super) async fn move_state(
        &mut self,
        instance: &mut Instance,
        former: &Arc<Former>,
    ) -> Outcome<ExchangeId> {
        let phase = std::mem::replace(&mut self.phase, Phase::Move);
        let id = self.ask_to_move(Purpose::Ordinary, instance, former).await?;
        self.succeeded(id)?;
        let AnyCall::MoveResourceState(call) = self.call(id) else { unreachable!("a move was asked for") };
        let response = call.outcome.as_ref().expect("the answer succeeded");
        let engine = self.player.subject.engine;
        let private = response.target_private.clone();
        let identity = match engine.moves_identities() {
            true => stored(engine, &response.target_identity),
            false => former.object.identity.clone(),
        };
        let moved = self.decoded(id, &response.target_state)?;
        if moved.is_null() {
            return Err(self.stopped(id, "the moved state is null"));
        }
        let step = MoveStep { engine, block: &instance.schema.block, moved: &moved };
        if let Some(stop) = step.stop() {
            return Err(self.stopped(id, stop.to_string()));
        }
        instance.object = Some(Object {
            value: moved.unknowns_as_nulls(),
            private,
            identity,
            schema_version: instance.schema.version,
            ..former.object.clone()
        });
        instance.type_move = Some(TypeMove::Done(id));
        self.phase = phase;
        Ok(id)
    }

    /// Asks an instance that is configured for what one that is not has refused: the configuration may be what it
    /// lacked. No engine does that, and nothing is kept of the answer.
    async fn move_configured(&mut self, instance: &Instance, former: &Arc<Former>) -> Outcome<()> {
        let Some(of) = self.last() else { return Ok(()) };
        let id = self.ask_to_move(Purpose::Repeat { of }, instance, former).await?;
        self.survived(id)
    }

    async fn ask_to_move(
        &mut self,
        purpose: Purpose,
        instance: &Instance,
        former: &Arc<Former>,
    ) -> Outcome<ExchangeId> {
        let subject = self.player.subject;
        let type_name = &former.address.resource.type_name;
        let unsent =
            |why: String| End::Stopped { phase: Phase::Move, rpc: Some(Rpc::MoveResourceState), why };
        let schema = subject.resource(type_name).ok_or_else(|| unsent(format!("there is no {type_name}")))?;
        let json = state_json::encode(&former.object.value, schema.implied_type());
        let json = json.map_err(|error| unsent(format!("the state cannot be stored: {error}")))?;
        let identity = former.object.identity.as_ref().and_then(Encoded::value);
        let identified = subject.identity(type_name).filter(|_| subject.engine.moves_identities());
        let (identity_version, identity) = match identified {
            Some(schema) => (
                schema.version,
                identity.and_then(|identity| state_json::encode(identity, &schema.implied_type()).ok()),
            ),
            None => (0, None),
        };
        let raw = |json: String| RawState { json: Bytes::from(json), ..RawState::default() };
        let request = MoveResourceStateRequest {
            // What a configuration means that does not say where a provider comes from.
            source_provider_address: format!("{}/hashicorp/{}", subject.engine.registry(), subject.name),
            source_type_name: type_name.clone(),
            source_schema_version: former.object.schema_version,
            source_state: raw(json),
            target_type_name: instance.type_name.clone(),
            source_private: former.object.private.clone(),
            source_identity: identity.map(raw).unwrap_or_default(),
            source_identity_schema_version: identity_version,
        };
        self.ask(purpose, former.object.origin, AnyCall::MoveResourceState(Call::unanswered(request))).await
    }
}
