use crate::core::CheckKind;
use crate::core::{self, Problem};
use crate::declare_rule;
use crate::engine::Engine;
use crate::rule::{Check, Context, DataRead, Fault, FaultContext, Finding, Findings, Injection, edit};
use crate::schema::{Attribute, Block, Member};
use crate::transcript::Exchange;
use crate::value::{Type, Value};

declare_rule! {
    /// A data source returns configured values as they were configured.
    ///
    /// When the read is deferred until apply, the engine plans other resources with the
    /// configured values, and with unknowns only for what is computed and unset. A data
    /// source that rewrites or drops an argument, fills one that is not computed, or returns
    /// more nested blocks than are configured makes other resources' plans inconsistent.
    /// Return results in computed attributes.
    "data/preserves-configuration", Should,
    covers: ["DATA-004"],
    title: None,
    fix: "return {attributes} as configured, and results in computed attributes",
    cites: "resource instance change lifecycle", "PlanResourceChange":
        "must either preserve the exact configuration value";
    check: Check::DataRead(check);
    fault: Fault {
        name: "data/capitalises",
        about: "returns a configured string in upper case from a data source",
        injection: Injection::Answer(capitalise),
    };
    control: Fault {
        name: "data/rewrites-computed-values",
        about: "returns another string for a computed attribute of a data source",
        injection: Injection::Answer(rewrite_computed),
    };
}

fn check(context: &Context<'_>, read: &DataRead<'_>, findings: &mut Findings) {
    let is_fit = read.state.is_set() && read.response.deferred.is_none();
    let block = &read.schema.block;
    if !is_fit || !context.data_read_check(read, CheckKind::Conforms).is_empty() {
        return findings.not_applicable("there is no object to look at");
    }
    // OpenTofu's placeholder has nulls in maps where computed values will be; Terraform's does not.
    let placeholder = core::placeholder_object(block, read.config, Engine::Terraform);
    for problem in core::assert_object_compatible(block, &placeholder, read.state, context.engine) {
        let returns_unknown = problem.values.last().is_some_and(|(_, returned)| !returned.is_wholly_known());
        if !returns_unknown && !is_artefact(block, &problem) {
            let mut finding = Finding::from(&problem).guarded(block);
            for (role, _) in &mut finding.allowed {
                *role = "configuration";
            }
            findings.add(finding);
        }
    }
}

/// The placeholder has null for what is computed inside sets, where a result may have anything.
fn is_artefact(block: &Block, problem: &Problem) -> bool {
    let is_computed = |attribute: &Attribute| attribute.computed;
    problem.covers == "APPLY-020"
        && match block.find(&problem.path) {
            Some(Member::Attribute(attribute)) => attribute.any(&is_computed),
            Some(Member::Block(nested)) => nested.block.any_attribute(&is_computed),
            None => false,
        }
}

fn capitalise(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::data_state(exchange, context, |schema, _, state| edit::capitalise(&schema.block, state))
}

fn rewrite_computed(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::data_state(exchange, context, |schema, config, state| {
        let attribute = edit::first_attribute(schema, config, |attribute, config| {
            attribute.computed && attribute.ty() == Type::String && config.is_null()
        })?;
        Some(state.with_attribute(&attribute.name, Value::string("rewritten")))
    })
}
