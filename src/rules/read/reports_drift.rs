use crate::declare_rule;
use crate::rule::{
    Check, Context, Fault, FaultContext, Finding, Findings, Injection, Read, differences, edit,
};
use crate::schema::Member;
use crate::transcript::{DriftKind, Exchange, Purpose};
use crate::value::{AttributePath, PathStep, SchemaPath, Value};

declare_rule! {
    /// A read reports drift.
    ///
    /// Where the remote object has been changed outside Terraform, the read returns the
    /// object as it is now. A read that copies the state hides the change from users, and
    /// the remote object is never corrected. The usual cause is an attribute that Create
    /// writes and Read forgets; only what the remote system does not return may be kept from
    /// the state.
    "read/reports-drift", Must, presumes: Applied,
    covers: ["READ-006"],
    title: None,
    fix: "set {attributes} in Read from what the remote system returns",
    framework: "in Read, set every attribute that the remote system returns",
    sdkv2: "in Read, call `d.Set` for every attribute that the remote system returns, and check its error",
    cites: "resource instance change lifecycle", "ReadResource":
        "should return the value from the remote system";
    check: Check::Read(check);
    fault: Fault {
        name: "read/copies-the-state",
        about: "reads an existing object as it is in the state",
        injection: Injection::Answer(copy),
    };
    control: Fault {
        name: "read/keeps-the-case",
        about: "reads strings as they are in the state where only the case of letters differs",
        injection: Injection::Answer(keep_case),
    };
}

fn check(context: &Context<'_>, read: &Read<'_>, findings: &mut Findings) {
    let place = match context.purpose() {
        Purpose::AfterDrift(drift) if matches!(drift.kind, DriftKind::Change | DriftKind::AddElement) => {
            SchemaPath::named_by(&drift.path)
        }
        _ => return findings.not_applicable("the remote object was not changed"),
    };
    if read.response.deferred.is_some() {
        return findings.not_applicable("the read was deferred");
    }
    let block = &read.schema.block;
    // A drift hook may name what it changed differently from the schema: then any difference counts.
    let place = match block.find_at(&place) {
        Some(Member::Attribute(attribute)) if attribute.write_only => {
            return findings.not_applicable("a write-only attribute was changed");
        }
        Some(_) => place,
        None => SchemaPath::root(),
    };
    // The change may have been to a volatile attribute.
    if !differences(read.current, read.new).iter().any(|(path, ..)| path.schema_path().touches(&place)) {
        let path = AttributePath::from(place);
        let message = "the remote object was changed, but the read does not show it";
        let current = read.current.at(&path).filter(|_| !path.is_root());
        let finding = Finding::new(path, message).guarded(block);
        findings.add(match current {
            Some(current) => finding.actual("new state", &current),
            None => finding,
        });
    }
}

fn copy(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::read_state(exchange, context, |_, current, new| new.is_set().then(|| current.clone()))
}

fn keep_case(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::read_state(exchange, context, |_, current, new| {
        Some(new.transform(&mut |path, value| {
            let is_member = matches!(path.steps().last(), Some(PathStep::Attribute(_)));
            match current.at(path).filter(|_| is_member) {
                Some(current) if same_but_for_case(&current, &value) => current,
                _ => value,
            }
        }))
    })
}

fn same_but_for_case(a: &Value, b: &Value) -> bool {
    a.as_str().zip(b.as_str()).is_some_and(|(a, b)| a.eq_ignore_ascii_case(b))
}
