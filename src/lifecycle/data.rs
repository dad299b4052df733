//! The life of a data source: validated and read, twice.

use std::fmt::Display;

use super::ask::{Outcome, Player};
use crate::core::refused_deferral;
use crate::scenario::{Intent, Node};
use crate::schema::Schema;
use crate::transcript::{
    AnyCall, Call, Encoded, PriorOrigin, Purpose, ReadDataSourceRequest, Step,
    ValidateDataResourceConfigRequest,
};
use crate::value::Value;

impl<E: Display> Player<'_, E> {
    pub(super) async fn data(&mut self, node: &Node) -> Outcome<()> {
        let schema = self.schema(node);
        for intent in &node.steps {
            match intent {
                Intent::Validate { config } => self.validate_data(&node.type_name, &schema, config).await?,
                Intent::ReadData { config } => {
                    self.validate_data(&node.type_name, &schema, config).await?;
                    if self.options.apply {
                        self.read_data(&node.type_name, &schema, config).await?;
                    }
                }
                Intent::Plan { .. } | Intent::Apply { .. } | Intent::Drift { .. } | Intent::Destroy => {}
            }
        }
        Ok(())
    }

    async fn validate_data(&mut self, type_name: &str, schema: &Schema, config: &Value) -> Outcome<()> {
        self.step = Step::Validate;
        let request = ValidateDataResourceConfigRequest {
            type_name: type_name.to_owned(),
            config: Encoded::of(config.clone(), schema.implied_type()),
        };
        let id = self
            .ask(Purpose::Ordinary, PriorOrigin::None, AnyCall::ValidateData(Call::unanswered(request)))
            .await?;
        self.succeeded(id)?;
        self.reached.validated = true;
        Ok(())
    }

    async fn read_data(&mut self, type_name: &str, schema: &Schema, config: &Value) -> Outcome<()> {
        self.step = Step::Data;
        let mut first = None;
        for _ in 0..2 {
            let request = ReadDataSourceRequest {
                type_name: type_name.to_owned(),
                config: Encoded::of(config.clone(), schema.implied_type()),
                provider_meta: self.provider_meta(),
                capabilities: Some(self.subject.client_capabilities()),
            };
            let purpose = first.map_or(Purpose::Ordinary, |of| Purpose::Repeat { of });
            let id =
                self.ask(purpose, PriorOrigin::None, AnyCall::ReadData(Call::unanswered(request))).await?;
            self.succeeded(id)?;
            let AnyCall::ReadData(call) = self.call(id) else { unreachable!("a data source was asked for") };
            let is_deferred = call.outcome.as_ref().is_ok_and(|answer| answer.deferred.is_some());
            if let Some(stop) = refused_deferral(self.subject.engine, is_deferred) {
                return Err(self.stopped(id, stop.to_string()));
            }
            first = Some(id);
            self.next_phase();
        }
        self.reached.read = true;
        Ok(())
    }
}
