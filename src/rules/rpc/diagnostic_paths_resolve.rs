use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, edit};
use crate::schema::Block;
use crate::transcript::{AnyCall, Diagnostic, Exchange, WirePath, WireStep};
use crate::value::{AttributePath, Type};

declare_rule! {
    /// The path of a diagnostic leads to a place in the schema.
    ///
    /// A path is made of attribute names, keys of maps and indices of lists; an engine follows it in
    /// the configuration to show the line at fault. An empty step is dropped, so that the path means
    /// another place; where the path leads nowhere, the whole block is shown. Set elements cannot be
    /// addressed: stop at the set. A list of nested blocks needs an index before the next name.
    "rpc/diagnostic-paths-resolve", Should,
    covers: ["DIAG-003"],
    title: None,
    fix: "build the path from names, keys and indexes of the schema, and stop at a set",
    cites: "plugin protocol", "AttributePath": "looking up an element in an indexable collection type";
    check: Check::Asked(check);
    fault: Fault {
        name: "rpc/points-astray",
        about: "returns a warning from a read that points to an attribute the schema does not have",
        injection: Injection::Answer(astray),
    };
    control: Fault {
        name: "rpc/points-home",
        about: "returns a warning from a read that points to an attribute",
        injection: Injection::Answer(home),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let Some(schema) = context.subject().schema_of(asked.call) else {
        return findings.not_applicable("there is no schema to follow a path in");
    };
    for diagnostic in &asked.diagnostics {
        let Some(path) = &diagnostic.attribute else { continue };
        if let Err(why) = follow(&schema.block, path) {
            let message =
                format!("the path of the diagnostic {:?} does not resolve: {why}", diagnostic.summary);
            findings.add(Finding::new(path.to_path(), message).caused_by(why));
        }
    }
}

/// Follows a path through the declared types; dynamic values may hold anything.
fn follow(block: &Block, path: &WirePath) -> Result<(), &'static str> {
    let mut at = block.implied_type().clone();
    for step in &path.0 {
        let Some(step) = step else { return Err("a step has no selector") };
        at = match (&at, step) {
            (Type::Dynamic, _) => return Ok(()),
            (Type::Object(object), WireStep::Attribute(name) | WireStep::Key(name)) => {
                object.get(name).cloned().ok_or("the schema has no such attribute")?
            }
            (Type::List(element), WireStep::Index(_)) => Type::clone(element),
            (Type::Map(element), WireStep::Key(_)) => Type::clone(element),
            (Type::Tuple(tuple), WireStep::Index(idx)) => {
                let element = usize::try_from(*idx).ok().and_then(|idx| tuple.elements().get(idx));
                element.cloned().ok_or("the tuple is shorter")?
            }
            (Type::Set(_), _) => return Err("elements of sets cannot be addressed"),
            (Type::List(_) | Type::Tuple(_), _) => return Err("a list needs an index"),
            (Type::Map(_), _) => return Err("a map needs a key"),
            (Type::Object(_), _) => return Err("an object needs the name of an attribute"),
            (Type::String | Type::Number | Type::Bool, _) => return Err("there is nothing inside"),
        };
    }
    Ok(())
}

fn astray(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    point(exchange, edit::ARMED)
}

fn home(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let first = context.schema.and_then(|schema| schema.block.attributes.first());
    first.is_some_and(|attribute| point(exchange, &attribute.name))
}

fn point(exchange: &mut Exchange, name: &str) -> bool {
    let diagnostic =
        Diagnostic::error("Armed", "Reported by a fault.").at(&AttributePath::root().attribute(name));
    let diagnostic = Diagnostic { severity: Diagnostic::WARNING, ..diagnostic };
    matches!(exchange.call, AnyCall::ReadResource(_)) && edit::say(exchange, diagnostic)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::example;

    fn followed(steps: &[Option<WireStep>]) -> Result<(), &'static str> {
        follow(&example::schema().resources[example::THING].block, &WirePath(steps.to_vec()))
    }

    fn name(name: &str) -> Option<WireStep> {
        Some(WireStep::Attribute(name.to_owned()))
    }

    #[test]
    fn paths_resolve_through_lists_maps_and_any_type() {
        let (index, key) = (Some(WireStep::Index(0)), Some(WireStep::Key("k".to_owned())));
        assert_eq!(followed(&[]), Ok(()));
        assert_eq!(followed(&[name("disk"), index.clone(), name("tag"), index.clone(), name("key")]), Ok(()));
        assert_eq!(followed(&[name("mapped"), key.clone(), name("mode")]), Ok(()));
        assert_eq!(followed(&[name("any"), index, key]), Ok(()));
    }

    #[test]
    fn paths_resolve_neither_into_sets_nor_without_an_index_or_selector() {
        assert_eq!(followed(&[name("rule")]), Ok(()));
        let inside = Some(WireStep::Index(0));
        assert_eq!(followed(&[name("rule"), inside]), Err("elements of sets cannot be addressed"));
        assert_eq!(followed(&[name("disk"), name("size")]), Err("a list needs an index"));
        assert_eq!(followed(&[name("disk"), None]), Err("a step has no selector"));
    }
}
