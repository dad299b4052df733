use crate::declare_rule;
use crate::rule::{Applied, Check, Context, Fault, FaultContext, Finding, Findings, Injection, Shows, edit};
use crate::schema::{Member, Nesting, align};
use crate::transcript::Exchange;
use crate::value::{AttributePath, Value};

declare_rule! {
    /// An apply returns one object for each configured nested block, under its key.
    ///
    /// Engines do not notice when the keys of a map of blocks are changed, nor when blocks of a
    /// set become one. The state then differs from the configuration, and every later plan
    /// shows a change. Take the keys and the number of blocks from the plan, whatever the
    /// remote system calls its objects.
    "apply/has-every-configured-block", Must, legacy: Excused, presumes: Applied,
    covers: ["PLAN-033"],
    shows: Shows::CHANGE,
    fix: "take the keys and the number of blocks of {attributes} from the plan",
    framework: "begin with `req.Plan.Get`, and keep its blocks",
    cites: "resource instance change lifecycle", "Handling of Nested Blocks in Configuration":
        "must have a corresponding nested object in the planned new state and new state";
    check: Check::Apply(check);
    fault: Fault {
        name: "apply/renames-a-block",
        about: "stores and returns a nested block of a map under another key",
        injection: Injection::Call(before, after),
    };
    control: Fault {
        name: "apply/renames-no-block",
        about: "stores and returns each nested block under its key",
        injection: Injection::Nothing("the keys of nested blocks are the configuration's to choose"),
    };
}

fn check(context: &Context<'_>, applied: &Applied<'_>, findings: &mut Findings) {
    if applied.failed || !applied.planned.is_set() || !applied.new.is_set() {
        return findings.not_applicable("there is no object to look at");
    }
    let block = &applied.schema.block;
    let problems = context.result_problems(applied);
    let is_reported =
        |path: &AttributePath| problems.iter().any(|problem| problem.path.steps().starts_with(path.steps()));
    align(block, [applied.config, applied.planned, applied.new], &mut |aligned| {
        let Member::Block(nested) = aligned.member else { return };
        let [config, planned, new] = &aligned.values;
        // A plan that departs from the configuration is reported by the rules about plans.
        let follows = match nested.nesting {
            Nesting::Map => keys(config) == keys(planned) && keys(planned) != keys(new),
            Nesting::Set => {
                count(config) == count(planned) && count(planned) != count(new) && config.is_wholly_known()
            }
            Nesting::Single | Nesting::Group | Nesting::List | Nesting::Invalid(_) => false,
        };
        let all_set = config.is_set() && planned.is_set() && new.is_set();
        if all_set && follows && !is_reported(&aligned.path) {
            findings.add(
                Finding::new(aligned.path, "the nested blocks are not those of the configuration")
                    .allow("configuration", config)
                    .actual("new state", new)
                    .guarded(block),
            );
        }
    });
}

fn count(blocks: &Value) -> usize {
    blocks.elements().map_or(0, <[Value]>::len)
}

fn keys(blocks: &Value) -> Vec<&str> {
    blocks.keyed().into_iter().map(|(key, _)| key).collect()
}

fn renamed(apply: &edit::ApplyScene<'_>, object: &Value) -> Option<Value> {
    apply.schema.block.block_types.iter().filter(|nested| nested.nesting == Nesting::Map).find_map(|nested| {
        let first = apply.planned.attribute(&nested.name)?.entries()?.keys().next()?;
        let blocks = object.attribute(&nested.name)?;
        let ty = blocks.ty().element()?.clone();
        let blocks = blocks.entries()?.iter().map(|(key, block)| match key == first {
            true => (format!("{key}-applied"), block.clone()),
            false => (key.to_string(), block.clone()),
        });
        Some(object.with_attribute(&nested.name, Value::map(ty, blocks)))
    })
}

fn before(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::requested_plan(exchange, context, renamed)
}

fn after(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::applied_state(exchange, context, renamed)
}
