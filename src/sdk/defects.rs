//! Defects of SDKs: findings that are true and that no provider's author can mend.
//!
//! An entry belongs here if a provider shows it that has nothing of its own at that place, and if its shape is one that
//! a mistake of the author does not have.

use super::{Modules, short};
use crate::rule::{Finding, RuleId};
use crate::schema::TIMEOUTS;
use crate::value::{Number, Type, Value};

/// A defect of an SDK.
pub struct Defect {
    pub id: &'static str,
    /// The Go module that has it. No release is known that does not.
    pub module: &'static str,
    /// A release that shows it.
    pub seen_in: &'static str,
    /// What goes wrong, after the name of the module.
    pub what: &'static str,
    /// What an author can do until it is mended.
    pub meanwhile: &'static str,
    /// The resource type of our own providers that shows it, and does nothing at that place.
    pub shown_by: &'static str,
    /// Whether a finding of a rule is one of it.
    is_it: fn(RuleId, &Finding) -> bool,
}

/// The reviewed list.
pub const DEFECTS: &[Defect] = &[
    Defect {
        id: "plugin-go/large-whole-numbers",
        module: PLUGIN_GO,
        seen_in: "0.31.0",
        what: "writes whole numbers beyond 64 bits with zeros as their last digits: 2^63 ends in 6000, not in 5808",
        meanwhile: "refuse numbers beyond 2^63 in Float64 attributes",
        shown_by: "plain_ratio",
        is_it: |_, finding| is_about_numbers(finding, is_shortened),
    },
    Defect {
        id: "sdkv2/whole-numbers-beyond-2-53",
        module: SDKV2,
        seen_in: "2.40.1",
        what: "reads whole numbers of a stored state as floats, which changes those beyond 2^53",
        meanwhile: "refuse numbers beyond 2^53",
        shown_by: "plainsdk_size",
        is_it: |_, finding| is_about_numbers(finding, are_one_float),
    },
    Defect {
        id: "sdkv2/crash-near-2-63",
        module: SDKV2,
        seen_in: "2.40.1",
        what: "stores a whole number near 2^63 as one that it cannot read again, and panics",
        meanwhile: "refuse numbers beyond 2^53",
        shown_by: "plainsdk_size",
        is_it: |rule, finding| {
            let said = finding.cause.message.as_deref().unwrap_or_default();
            rule == "rpc/survives"
                && finding.cause.place.contains("terraform-plugin-sdk/v2/helper/schema.(*ResourceData).get")
                && said.contains("strconv.ParseInt: parsing")
                && said.contains("value out of range")
        },
    },
    Defect {
        id: "sdkv2/timeouts-in-the-final-plan",
        module: SDKV2,
        seen_in: "2.40.1",
        what: "leaves an update of the timeouts out of the final plan, unless something else is planned as well",
        meanwhile: "nothing: it takes a value that is unknown until the apply",
        shown_by: "plainsdk_timeouts",
        is_it: |rule, finding| {
            // All of them, or one.
            let path = finding.path.schema_path().to_string();
            rule == "plan/final-plan-agrees" && path.split('.').next() == Some(TIMEOUTS)
        },
    },
    Defect {
        id: "sdkv2/required-with-unknown",
        module: SDKV2,
        seen_in: "2.40.1",
        what: "takes an unknown argument for one that is set where `RequiredWith` names it",
        meanwhile: "check the relation in `CustomizeDiff`, where unknown values can be told",
        shown_by: "zoosdk_required_with",
        is_it: |rule, finding| {
            let said = &finding.message;
            rule == "validate/tolerates-unknowns"
                && said.contains("all of `")
                && said.contains("` must be specified")
        },
    },
];

const PLUGIN_GO: &str = "github.com/hashicorp/terraform-plugin-go";
const SDKV2: &str = "github.com/hashicorp/terraform-plugin-sdk/v2";

impl Defect {
    /// The one that explains a finding of a program that was built of these modules.
    pub fn of(rule: RuleId, finding: &Finding, modules: &Modules) -> Option<&'static Defect> {
        DEFECTS.iter().find(|defect| modules.contains(defect.module) && (defect.is_it)(rule, finding))
    }

    /// The one with this ID.
    pub fn find(id: &str) -> Option<&'static Defect> {
        DEFECTS.iter().find(|defect| defect.id == id)
    }

    /// What goes wrong, in one sentence.
    pub fn sentence(&self) -> String {
        format!("{} {}", short(self.module), self.what)
    }
}

/// Whether a finding is about values that differ in whole numbers alone, and in each of them like this.
fn is_about_numbers(finding: &Finding, differ: fn(&Number, &Number) -> bool) -> bool {
    let Some((_, came)) = &finding.actual else { return false };
    finding.allowed.iter().any(|(_, right)| right != came && are_alike(right, came, differ))
}

/// Whether two values are equal but for whole numbers that differ like this.
fn are_alike(right: &Value, came: &Value, differ: fn(&Number, &Number) -> bool) -> bool {
    if right == came {
        return true;
    }
    if let (Some(right), Some(came)) = (right.as_number(), came.as_number()) {
        return right.is_integer() && came.is_integer() && differ(right, came);
    }
    let (inside, others) = (right.children(), came.children());
    if inside.is_empty() || inside.len() != others.len() {
        return false;
    }
    if matches!(right.ty(), Type::Set(_)) {
        return inside.iter().all(|(_, one)| others.iter().any(|(_, other)| are_alike(one, other, differ)));
    }
    inside.iter().zip(&others).all(|((at, one), (to, other))| at == to && are_alike(one, other, differ))
}

/// Whether two whole numbers are the same 64-bit float.
fn are_one_float(one: &Number, other: &Number) -> bool {
    one.to_f64_lossy() == other.to_f64_lossy()
}

/// Whether one is a float beyond 64 bits, and the other what its shortest digits say.
fn is_shortened(right: &Number, came: &Number) -> bool {
    let is_beyond = right.to_i64().is_none();
    right
        .to_f64_exact()
        .is_some_and(|float| is_beyond && Number::parse(&format!("{float}")).as_ref() == Ok(came))
}

#[cfg(test)]
mod tests {
    use super::super::modules;
    use super::*;
    use crate::value::AttributePath;

    fn differing(right: &str, came: &str) -> Finding {
        let value = |digits: &str| Value::number(Number::parse(digits).unwrap());
        Finding::new(AttributePath::root().attribute("size"), "differs")
            .allow("planned", &value(right))
            .actual("new", &value(came))
    }

    fn id(finding: &Finding, rule: RuleId, module: &str) -> Option<&'static str> {
        Defect::of(rule, finding, &modules([(module, "v1.0.0")])).map(|defect| defect.id)
    }

    #[test]
    fn numbers_that_an_sdk_changes_are_its_own() {
        let plan = |finding: &Finding, module: &str| id(finding, "apply/keeps-planned-values", module);
        let shortened = differing("9223372036854775808", "9223372036854776000");
        assert_eq!(plan(&shortened, PLUGIN_GO), Some("plugin-go/large-whole-numbers"));
        assert_eq!(plan(&shortened, "github.com/acme/sdk"), None);
        let rounded = differing("9007199254740993", "9007199254740992");
        assert_eq!(plan(&rounded, SDKV2), Some("sdkv2/whole-numbers-beyond-2-53"));
        // There an author rounded it.
        assert_eq!(plan(&rounded, PLUGIN_GO), None);
        for (right, came) in
            [("7", "8"), ("9007199254740993", "9007199254740990"), ("0.5", "0.25"), ("1e30", "0")]
        {
            assert_eq!(plan(&differing(right, came), SDKV2), None, "{right} {came}");
            assert_eq!(plan(&differing(right, came), PLUGIN_GO), None, "{right} {came}");
        }
    }

    /// The list as authors read it.
    #[test]
    fn the_document_of_the_defects_is_current() {
        let mut text = "# Defects of SDKs\n\nSome findings are true, and no author can mend them: they come from the SDK. A program \
            built by Go carries the versions of its modules; where one of them has a defect of this list, what it shows \
            is listed apart, in one line each, and fails no run unless `--deny` names the rule. The JSON report has the \
            ID as `sdk_defect`. No release is known that mends one of them. The list is \
            `src/sdk/defects.rs`; `UPDATE_GENERATED=1 cargo test --lib sdk` writes this document.\n\n\
            | ID | SDK | What goes wrong | Until it is mended | Shown by |\n| --- | --- | --- | --- | --- |\n"
            .to_owned();
        for Defect { id, module, seen_in, what, meanwhile, shown_by, .. } in DEFECTS {
            let module = short(module);
            text += &format!("| `{id}` | {module} {seen_in} | It {what}. | {meanwhile} | `{shown_by}` |\n");
        }
        crate::files::assert_current("docs/sdk-defects.md", &text);
    }

    #[test]
    fn numbers_are_found_inside_of_objects_and_sets() {
        let block = |size: &str, name: &str| {
            let size = Value::number(Number::parse(size).unwrap());
            Value::object([("name", Value::string(name)), ("size", size)])
        };
        let set = |blocks: Vec<Value>| Value::set(blocks[0].ty().clone(), blocks.clone());
        let differing = |right: Value, came: Value| {
            Finding::new(AttributePath::root().attribute("disk"), "differs")
                .allow("a", &right)
                .actual("b", &came)
        };
        let (right, came) = ("9007199254740993", "9007199254740992");
        let is_it = |finding: &Finding| id(finding, "plan/conforms", SDKV2).is_some();
        assert!(is_it(&differing(block(right, "a"), block(came, "a"))));
        assert!(!is_it(&differing(block(right, "a"), block(came, "b"))));
        let two = |size: &str, name: &str| set(vec![block("7", "x"), block(size, name)]);
        assert!(is_it(&differing(two(right, "a"), two(came, "a"))));
        assert!(!is_it(&differing(two(right, "a"), two(came, "b"))));
        assert!(!is_it(&differing(two(right, "a"), set(vec![block(came, "a")]))));
    }

    #[test]
    fn refusals_and_plans_are_told_by_their_shape() {
        let refused = |said: &str| {
            Finding::new(AttributePath::root(), format!("refused because a value is unknown: {said}"))
        };
        let rule = "validate/tolerates-unknowns";
        let said = "\"realm\": all of `password,realm,username` must be specified";
        assert_eq!(id(&refused(said), rule, SDKV2), Some("sdkv2/required-with-unknown"));
        assert_eq!(id(&refused("realm must be specified"), rule, SDKV2), None);
        let at = |name: &str| Finding::new(AttributePath::root().attribute(name), "differs");
        let rule = "plan/final-plan-agrees";
        assert_eq!(id(&at("timeouts"), rule, SDKV2), Some("sdkv2/timeouts-in-the-final-plan"));
        let one = AttributePath::root().attribute("timeouts").attribute("update");
        let one = Finding::new(one, "differs");
        assert_eq!(id(&one, rule, SDKV2), Some("sdkv2/timeouts-in-the-final-plan"));
        assert_eq!(id(&at("timeout"), rule, SDKV2), None);
        assert_eq!(id(&at("timeouts"), "plan/repeats-itself", SDKV2), None);
    }
}
