//! Arguments as texts name them: `a.0.b`, `a[0].b`, `a[Value("x")].b`, `a.<.b`.

/// A step of such a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Name(String),
    Key(String),
    /// Some element, or how many there are.
    Element,
    /// Back by one step.
    Up,
}

/// The steps of a name; `None` if it is none.
pub(super) fn steps(text: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        if rest.starts_with('[') {
            let (inside, length) = bracketed(rest)?;
            let unquoted = inside.strip_prefix('"').and_then(|inside| inside.strip_suffix('"'));
            steps.push(unquoted.map_or(Step::Element, |key| Step::Key(key.to_owned())));
            rest = &rest[length..];
            continue;
        }
        let name = match (steps.is_empty(), rest.strip_prefix('.')) {
            (true, None) => rest,
            (false, Some(name)) => name,
            _ => return None,
        };
        let length = name.find(['.', '[']).unwrap_or(name.len());
        steps.push(match &name[..length] {
            "" => return None,
            "<" => Step::Up,
            "#" | "%" => Step::Element,
            digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => Step::Element,
            word if word.contains(|c: char| c.is_whitespace() || c == '"') => return None,
            word => Step::Name(word.to_owned()),
        });
        rest = &name[length..];
    }
    (!steps.is_empty()).then_some(steps)
}

/// The name at the start of a text: up to a blank or a quote that is not in brackets.
pub(super) fn leading(text: &str) -> &str {
    let mut end = 0;
    while let Some(next) = text[end..].chars().next() {
        end += match next {
            '[' => match bracketed(&text[end..]) {
                Some((_, length)) => length,
                None => break,
            },
            c if c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | ')' | ']') => break,
            c => c.len_utf8(),
        };
    }
    text[..end].trim_end_matches(['.', ':', ';'])
}

/// Splits a list of names at its commas, with or without brackets around it.
pub(super) fn split(list: &str) -> Vec<&str> {
    let list = list.trim();
    let whole = bracketed(list).filter(|(_, length)| *length == list.len());
    let list = whole.map_or(list, |(inside, _)| inside);
    let mut parts = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while let Some(next) = list[at..].chars().next() {
        match next {
            '[' => at += bracketed(&list[at..]).map_or(1, |(_, length)| length),
            ',' => {
                parts.push(&list[start..at]);
                at += 1;
                start = at;
            }
            c => at += c.len_utf8(),
        }
    }
    parts.push(&list[start..]);
    let unquoted = parts.into_iter().map(|part| part.trim_matches([' ', '"', '\'', '`']));
    unquoted.filter(|part| !part.is_empty()).collect()
}

/// What is inside the brackets that a text begins with, and where they end.
fn bracketed(text: &str) -> Option<(&str, usize)> {
    if !text.starts_with('[') {
        return None;
    }
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '[' if !quoted => depth += 1,
            ']' if !quoted => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&text[1..at], at + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn name(text: &str) -> Step {
        Step::Name(text.to_owned())
    }

    #[test]
    fn names_have_many_spellings() {
        let (a, b) = (name("a"), name("b"));
        for (text, expected) in [
            ("a", vec![a.clone()]),
            ("a.0.b", vec![a.clone(), Step::Element, b.clone()]),
            ("a.#", vec![a.clone(), Step::Element]),
            ("a[0].b", vec![a.clone(), Step::Element, b.clone()]),
            ("a[\"k.[x\"].b", vec![a.clone(), Step::Key("k.[x".to_owned()), b.clone()]),
            ("a[Value({\"x\":\"] y\",\"z\":[1]})].b", vec![a.clone(), Step::Element, b.clone()]),
            ("a.<.b", vec![a.clone(), Step::Up, b.clone()]),
            ("a[0].<.<.b", vec![a.clone(), Step::Element, Step::Up, Step::Up, b.clone()]),
            ("<.b", vec![Step::Up, b.clone()]),
        ] {
            assert_eq!(steps(text), Some(expected), "{text}");
        }
        for text in ["", ".a", "a.", "a..b", "a[0", "a b", "a[0]b"] {
            assert_eq!(steps(text), None, "{text}");
        }
    }

    #[test]
    fn a_name_ends_at_a_blank_outside_of_brackets() {
        for (text, expected) in [
            ("a[Value({\"x\":\"y z\"})].b value must be", "a[Value({\"x\":\"y z\"})].b"),
            ("a.0.b: too long", "a.0.b"),
            ("a\" must", "a"),
            ("a[0 b", "a"),
            ("", ""),
        ] {
            assert_eq!(leading(text), expected);
        }
    }

    #[test]
    fn a_list_of_names_is_split_outside_of_brackets() {
        assert_eq!(split("a,b.0.c"), ["a", "b.0.c"]);
        assert_eq!(split("[a.<.b, a.<.a]"), ["a.<.b", "a.<.a"]);
        assert_eq!(
            split("[a[Value({\"x\":1,\"y\":2})].b,c[0].d]"),
            ["a[Value({\"x\":1,\"y\":2})].b", "c[0].d"]
        );
        assert_eq!(split("[\"a\", \"b\"]"), ["a", "b"]);
        assert_eq!(split(""), [""; 0]);
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "[a\\[\\]\".,<\\\\ é0]{0,12}") {
            steps(&text);
            leading(&text);
            split(&text);
        }
    }
}
