//! Words with which an SDK itself says that the provider is wrong.

use crate::transcript::Diagnostic;

/// The words of a message, each with its alternatives; an empty one may be missing.
type Words = &'static [&'static [&'static str]];

/// How the message of an SDK reads, in lower case and without punctuation.
struct Template {
    /// What it says about the provider, as a finding names it.
    says: &'static str,
    words: Words,
    /// Whether nothing else is in the summary: somebody else may use these words in a sentence.
    alone: bool,
}

const DEFECTS: &[&str] = &["bug", "defect", "error", "issue", "problem"];
const OF_PROVIDER: &[&str] = &["provider", "terraform-plugin-framework", "terraform-plugin-sdk"];
const DEVELOPERS: &[&str] = &["developer", "developers", "maintainer", "maintainers"];

/// The messages of terraform-plugin-framework, SDKv2 and terraform-plugin-go, and of providers that use the same
/// words.
const TEMPLATES: &[Template] = &[
    Template {
        says: "this is an error in the provider",
        words: &[
            &["this"],
            &["is"],
            &["always", ""],
            &["a", "an"],
            DEFECTS,
            &["in", "with"],
            &["the", "this", ""],
            &["terraform", ""],
            OF_PROVIDER,
        ],
        alone: false,
    },
    Template {
        says: "report this to the provider's developers",
        words: &[
            &["please"],
            &["report"],
            &["the", "this"],
            &["following", "bug", "error", "issue", "problem", ""],
            &["to"],
            &["the"],
            &["provider"],
            DEVELOPERS,
        ],
        alone: false,
    },
    Template {
        says: "value conversion error",
        words: &[&["value"], &["conversion"], &["error"]],
        alone: false,
    },
    Template {
        says: "got unconvertible type",
        words: &[&["got"], &["unconvertible"], &["type"]],
        alone: false,
    },
    Template {
        says: "invalid address to set",
        words: &[&["invalid"], &["address"], &["to"], &["set"]],
        alone: false,
    },
    Template {
        says: "doesn't support update",
        words: &[&["doesn't"], &["support"], &["update"]],
        alone: true,
    },
];

/// What Go prints in place of an argument that does not fit its format.
const GO_FORMAT_ERRORS: &[&str] =
    &["(missing)", "(extra ", "(noverb)", "(badindex)", "(badwidth)", "(badprec)", "(panic=", "(<nil>)"];

/// How terraform-plugin-framework goes on where the user's number does not fit its own type: it blames the
/// provider for that too.
const USERS_NUMBERS: &[&str] = &["is not an integer", "cannot be represented as a"];

/// What the words of a diagnostic say about the provider itself; `None` if they say nothing.
///
/// A sentence with a condition (“If this is an error in the provider, …”) says nothing. Neither does a type of Go: a
/// refusal may print the user's value as Go does.
pub fn own_words(said: &Diagnostic) -> Option<&'static str> {
    let texts = [said.summary.to_lowercase(), said.detail.to_lowercase()];
    if USERS_NUMBERS.iter().any(|words| texts[1].contains(words)) {
        return None;
    }
    let summary = words(&texts[0]);
    for template in TEMPLATES {
        let is_said = match template.alone {
            true => matched(template.words, &summary) == Some(summary.len()),
            false => texts.iter().flat_map(|text| sentences(text)).any(|sentence| {
                let words = words(sentence);
                let at = (0..words.len()).find(|at| matched(template.words, &words[*at..]).is_some());
                at.is_some_and(|at| {
                    !words[..at].iter().any(|word| matches!(*word, "if" | "unless" | "whether"))
                })
            }),
        };
        if is_said {
            return Some(template.says);
        }
    }
    if texts.iter().any(|text| has_format_error(text)) {
        return Some("a format that its arguments do not fit (%!)");
    }
    None
}

/// The sentences of a text. Lines count as sentences too.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split("\n\n").flat_map(|paragraph| paragraph.split(". ")).flat_map(|part| part.split(": "))
}

fn words(text: &str) -> Vec<&str> {
    let bare = text.split_whitespace().map(|word| word.trim_matches(|c: char| c.is_ascii_punctuation()));
    bare.filter(|word| !word.is_empty()).collect()
}

/// How many words at the start of `text` match the template; `None` if it does not.
fn matched(template: Words, text: &[&str]) -> Option<usize> {
    let mut at = 0;
    for alternatives in template {
        match text.get(at) {
            Some(word) if alternatives.contains(word) => at += 1,
            _ if alternatives.contains(&"") => {}
            _ => return None,
        }
    }
    Some(at)
}

/// Whether a lower-case text has something like `%!s(MISSING)` or `%!d(string=x)`.
fn has_format_error(text: &str) -> bool {
    text.match_indices("%!").any(|(at, _)| {
        let rest = &text[at + 2..];
        let rest = rest.strip_prefix(|c: char| c.is_ascii_alphabetic()).unwrap_or(rest);
        let is_value = || {
            let ty: &str = rest.split('=').next().unwrap_or_default();
            rest.starts_with('(')
                && rest.contains('=')
                && ty[1..].chars().all(|c| c.is_ascii_alphanumeric() || "*[].{} _/".contains(c))
        };
        GO_FORMAT_ERRORS.iter().any(|error| rest.starts_with(error)) || is_value()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_sdks_say_about_a_provider_is_recognized() {
        for (summary, detail) in [
            (
                "Value Conversion Error",
                "An unexpected error was encountered trying to build a value. This is always an error in the \
                 provider. Please report the following to the provider developer:\n\nReceived unknown value",
            ),
            (
                "Provider returned invalid result object after apply",
                "After the apply operation, the provider still indicated an unknown value for thing.id. All \
                 values must be known after apply, so this is always a bug in the provider and should be \
                 reported in the provider's own repository.",
            ),
            (
                "Missing Resource State",
                "This is always an issue in the Terraform Provider and should be reported.",
            ),
            (
                "Unexpected Resource Configure Type",
                "Expected *http.Client, got: string. Please report this issue to the provider developers.",
            ),
            ("doesn't support update", ""),
            ("zones: '' expected type 'string', got unconvertible type 'float64'", ""),
            ("Cannot create", "no server %!s(MISSING)"),
            ("Cannot create", "status %!d(string=late)"),
            ("Cannot create", "server is %!s(<nil>)"),
            ("Cannot create", "%!(EXTRA string=web)"),
        ] {
            assert!(own_words(&Diagnostic::error(summary, detail)).is_some(), "{summary}: {detail}");
        }
    }

    #[test]
    fn what_may_be_the_user_or_the_remote_system_says_nothing_about_the_provider() {
        for (summary, detail) in [
            (
                "Configuration Read Error",
                "An unexpected error was encountered trying to convert an attribute value from the \
                 configuration. This is always an error in the provider. Please report the following to the \
                 provider developer:\n\nError: Value 0.5 is not an integer.",
            ),
            ("Cannot create", "If this is an error in the provider, please report it."),
            (
                "Cannot create",
                "If the error is not clear, please report this issue to the provider developers.",
            ),
            ("Cannot update", "The service doesn't support update of a running server."),
            ("Invalid policy", "json: cannot unmarshal array into Go value of type map[string]interface {}"),
            ("Invalid values", "yaml: line 1: cannot unmarshal !!seq into map[string]interface {}"),
            ("Invalid ports", "expected a list of ports, got map[string]interface {}{\"a\":1}"),
            ("Bad URL", "parse \"http://a%!b\": invalid URL escape \"%!b\""),
            (
                "Refer to the provider documentation",
                "or contact the provider developers for more information",
            ),
            ("50%! Off", "call (now)"),
            ("", ""),
        ] {
            assert_eq!(own_words(&Diagnostic::error(summary, detail)), None, "{summary}: {detail}");
        }
    }
}
