//! What a provider's author does about a finding.

/// One short sentence, as one tells a colleague. It may have places for what a finding knows: `{attributes}` for the
/// attributes that broke, `{unknown}` for the arguments that were unknown while planning, `{unknown is}` for the same
/// with its verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fix(pub &'static str);

impl Fix {
    /// Of an update after which an attribute is as it was before.
    pub const NOT_UPDATED: Fix =
        Fix("send {attributes} in Update, or require replacement where it cannot change");
    /// Of a value where nobody set one, and the schema leaves it to the user.
    pub const NOT_COMPUTED: Fix = Fix("declare {attributes} optional and computed, or return null");
}

/// Names in a sentence.
enum Named {
    /// None is known.
    None,
    /// In words; whether it is one.
    These(String, bool),
    /// More than a sentence holds.
    Many,
}

/// Names that a sentence holds.
const NAMES: usize = 3;

impl Named {
    fn of(names: &[&str]) -> Named {
        match names {
            [] => Named::None,
            [one] => Named::These((*one).to_owned(), true),
            [first @ .., last] if names.len() <= NAMES => {
                Named::These(format!("{} and {last}", first.join(", ")), false)
            }
            _ => Named::Many,
        }
    }
}

impl Fix {
    /// The sentence for any finding.
    pub fn in_general(self) -> String {
        filled(self.0, "the attribute", ("the argument", "is"))
    }
}

/// The sentence of a [`Fix`] for a finding at these attributes, with these arguments unknown, all by schema path.
/// Without attributes it is about the object.
pub fn sentence(fix: &str, attributes: &[&str], unknown: &[&str]) -> String {
    let attributes = match Named::of(attributes) {
        Named::None => "the object".to_owned(),
        Named::These(names, _) => names,
        Named::Many => "these".to_owned(),
    };
    let (unknown, is) = match Named::of(unknown) {
        Named::None => ("the argument".to_owned(), "is"),
        Named::These(names, is_one) => (names, if is_one { "is" } else { "are" }),
        Named::Many => ("what they depend on".to_owned(), "is"),
    };
    filled(fix, &attributes, (&unknown, is))
}

fn filled(fix: &str, attributes: &str, (unknown, is): (&str, &str)) -> String {
    let text = fix.replace("{attributes}", attributes);
    text.replace("{unknown is}", &format!("{unknown} {is}")).replace("{unknown}", unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fix_names_what_the_finding_is_about() {
        let fix = Fix("plan {attributes} as unknown while {unknown is} unknown");
        assert_eq!(fix.in_general(), "plan the attribute as unknown while the argument is unknown");
        assert_eq!(sentence(fix.0, &["year"], &["days"]), "plan year as unknown while days is unknown");
        let two = sentence(fix.0, &["year", "month", "day"], &["days", "hours"]);
        assert_eq!(two, "plan year, month and day as unknown while days and hours are unknown");
        let many = sentence(fix.0, &["a", "b", "c", "d"], &["e", "f", "g", "h"]);
        assert_eq!(many, "plan these as unknown while what they depend on is unknown");
        assert_eq!(sentence("return {attributes}", &[], &[]), "return the object");
    }
}
