//! Lists of values, in the many ways in which messages write them.

use std::sync::LazyLock;

use regex::Regex;

use super::compiled;
use super::go_text::unquoted;

/// Values in the order in which they are tried.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Members {
    pub texts: Vec<String>,
    /// Whether these are all, and nothing else is among them.
    pub is_sure: bool,
}

/// What stands between two members.
static BETWEEN: LazyLock<Regex> = LazyLock::new(|| compiled(r"^(?:[\s,;|/]|\bor\b|\band\b)+$"));
static SEPARATOR: LazyLock<Regex> =
    LazyLock::new(|| compiled(r",\s*(?:or|and)\s+|\s+(?:or|and)\s+|\s*[,|]\s*"));

/// How many neighbouring words a member has at most, where blanks separate members as well as words.
const WORDS: usize = 5;
/// With more words than this, no runs of them are tried.
const FEW: usize = 40;

/// The members of a list, an empty one last.
pub(super) fn members(list: &str) -> Members {
    let list = list.trim();
    let mut members = read(list);
    let mut seen = Vec::new();
    members.texts.retain(|text| {
        !seen.contains(text) && {
            seen.push(text.clone());
            true
        }
    });
    members.texts.sort_by_key(|text| text.is_empty());
    members
}

fn read(list: &str) -> Members {
    let sure = |texts| Members { texts, is_sure: true };
    // Go's `%#v`.
    if let Some(braced) = list.strip_prefix("[]").and_then(|rest| Some(rest.split_once('{')?.1)) {
        let inside = braced.trim_end_matches('}');
        return sure(quoted(inside, '"').unwrap_or_else(|| separated(inside)));
    }
    if let Some(inside) = list.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return match quoted(inside, '"').or_else(|| quoted(inside, '\'')) {
            Some(texts) => sure(texts),
            None if inside.contains(',') => sure(separated(inside)),
            None => words(inside),
        };
    }
    let inside = list.trim_start_matches(['(', '[', '{']);
    let quote = inside.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
    match quote.and_then(|quote| quoted(inside, quote)) {
        Some(texts) => sure(texts),
        None => sure(separated(inside.split([')', ']', '\n']).next().unwrap_or_default())),
    }
}

/// Quoted members up to the first thing that is neither a member nor between two; `None` if there is none.
fn quoted(list: &str, quote: char) -> Option<Vec<String>> {
    let mut texts = Vec::new();
    let mut rest = list.trim_start();
    while rest.starts_with(quote) {
        let read = if quote == '"' { unquoted(rest) } else { None };
        let (text, end) = read.or_else(|| {
            let end = 1 + rest[1..].find(quote)?;
            Some((rest[1..end].to_owned(), end + 1))
        })?;
        texts.push(text);
        rest = &rest[end..];
        match rest.find(quote) {
            Some(next) if BETWEEN.is_match(&rest[..next]) => rest = &rest[next..],
            _ => break,
        }
    }
    (!texts.is_empty()).then_some(texts)
}

/// Members separated by commas, bars and the last one by a word.
fn separated(list: &str) -> Vec<String> {
    let list = list.trim().trim_end_matches(['.', ';']);
    let texts = SEPARATOR.split(list).map(|text| text.trim_matches([' ', '"', '\'', '`']).to_owned());
    texts.filter(|text| !text.is_empty()).collect()
}

/// Go's `%v`: blanks separate members, and are in them.
fn words(list: &str) -> Members {
    let words: Vec<&str> = list.split_whitespace().collect();
    let mut texts: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let has_no_blanks = words.len() < 2 || words.iter().all(|word| word.parse::<f64>().is_ok());
    if !has_no_blanks && words.len() <= FEW {
        for length in 2..=WORDS {
            texts.extend(words.windows(length).map(|run| run.join(" ")));
        }
    }
    Members { texts, is_sure: has_no_blanks }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lists_are_read_as_they_are_written() {
        for (list, expected) in [
            (r#"["X" "Y"]"#, &["X", "Y"][..]),
            (r#"["X", "Y"]"#, &["X", "Y"]),
            (r#"["a \"b\"" "" "c,d"]"#, &["a \"b\"", "c,d", ""]),
            ("['X', 'Y']", &["X", "Y"]),
            ("[a, b]", &["a", "b"]),
            (r#"[]string{"info", "error"}"#, &["info", "error"]),
            ("[]int{1, 2}", &["1", "2"]),
            ("[1 2 4]", &["1", "2", "4"]),
            ("[X]", &["X"]),
            ("'a', 'b'", &["a", "b"]),
            ("`a`, `b` or `c`.", &["a", "b", "c"]),
            ("'a', 'b' when 'c' is set", &["a", "b"]),
            (r#""a" | "b", got "c""#, &["a", "b"]),
            ("(a, b)", &["a", "b"]),
            ("A, B or C", &["A", "B", "C"]),
            ("a, b, and c-d", &["a", "b", "c-d"]),
            ("a|b", &["a", "b"]),
            ("\"it\u{2019}s\", \"a\", \"a\"", &["it\u{2019}s", "a"]),
            ("", &[]),
        ] {
            let found = members(list);
            assert_eq!(found.texts, expected, "{list}");
            assert!(found.is_sure, "{list}");
        }
    }

    #[test]
    fn blanks_between_members_may_be_in_them() {
        let found = members("[Red Hat Windows]");
        assert!(!found.is_sure);
        assert_eq!(found.texts, ["Red", "Hat", "Windows", "Red Hat", "Hat Windows", "Red Hat Windows"]);
    }

    proptest! {
        #[test]
        fn any_text_is_read(list in "[\\[\\]{}()\"'`,| aé\\\\]{0,16}") {
            members(&list);
        }

        #[test]
        fn what_go_quotes_is_read_back(texts in prop::collection::vec("[a-z\"\\\\ ,]{1,6}", 1..6)) {
            let quoted: Vec<String> = texts.iter().map(|text| format!("{text:?}")).collect();
            let mut expected: Vec<String> = Vec::new();
            for text in texts {
                if !expected.contains(&text) {
                    expected.push(text);
                }
            }
            prop_assert_eq!(&members(&format!("[{}]", quoted.join(" "))).texts, &expected);
            prop_assert_eq!(&members(&format!("[]string{{{}}}", quoted.join(", "))).texts, &expected);
            prop_assert_eq!(&members(&quoted.join(", ")).texts, &expected);
        }
    }
}
