//! Several errors that came as one.

use std::sync::LazyLock;

use regex::Regex;

use super::compiled;

/// How Go's usual package for several errors begins its text; a list follows, an entry on each line.
static HEAD: LazyLock<Regex> = LazyLock::new(|| compiled(r"\d+ errors? occurred:\s*\*\s"));
/// Only at the start of a line: a cron expression has such stars too.
static NEXT: LazyLock<Regex> = LazyLock::new(|| compiled(r"\n\s*\*\s"));

/// The summaries and details of the errors in one; itself if it is no list.
pub(super) fn unwrapped(summary: &str, detail: &str) -> Vec<(String, String)> {
    let details = entries(detail);
    let pair = |summary: &String| -> Vec<(String, String)> {
        details.iter().map(|detail| (summary.clone(), detail.clone())).collect()
    };
    entries(summary).iter().flat_map(pair).collect()
}

fn entries(text: &str) -> Vec<String> {
    let Some(head) = HEAD.find(text) else { return vec![text.trim().to_owned()] };
    let parts = NEXT.split(&text[head.end()..]).flat_map(entries);
    // What remains of a list in the list once its entries are split off.
    parts.filter(|part| !part.is_empty() && !part.ends_with(" occurred:")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_errors_is_split() {
        for (text, expected) in [
            ("one", vec!["one"]),
            ("1 error occurred:\n\t* a is bad\n\n", vec!["a is bad"]),
            ("1 error occurred: \t* a is bad", vec!["a is bad"]),
            ("2 errors occurred:\n\t* a: is\n  bad\n\t* b\n\n", vec!["a: is\n  bad", "b"]),
            (
                "checking: 2 errors occurred:\n\t* 2 errors occurred:\n\t\t* a\n\t\t* b\n\n\t* c",
                vec!["a", "b", "c"],
            ),
            (
                "1 error occurred:\n\t* not a cron, such as 0 12 * * ? *",
                vec!["not a cron, such as 0 12 * * ? *"],
            ),
            ("no errors occurred: fine", vec!["no errors occurred: fine"]),
        ] {
            assert_eq!(entries(text), expected);
        }
    }

    #[test]
    fn entries_of_a_detail_keep_the_summary() {
        let errors = unwrapped("Invalid value", "2 errors occurred:\n\t* a\n\t* b");
        assert_eq!(
            errors.iter().map(|(s, d)| (s.as_str(), d.as_str())).collect::<Vec<_>>(),
            [("Invalid value", "a"), ("Invalid value", "b")]
        );
    }
}
