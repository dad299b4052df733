//! Texts as Go quotes them.

/// Reads the quoted text that a text begins with: `"a\tb"`. Also where it ends.
pub(super) fn unquoted(text: &str) -> Option<(String, usize)> {
    let mut letters = text.char_indices();
    if letters.next()?.1 != '"' {
        return None;
    }
    let mut read = String::new();
    loop {
        match letters.next()? {
            (at, '"') => return Some((read, at + 1)),
            (_, '\\') => {
                let escape = letters.next()?.1;
                let digits = match escape {
                    'x' => 2,
                    'u' => 4,
                    'U' => 8,
                    _ => 0,
                };
                read.push(match escape {
                    'a' => '\x07',
                    'b' => '\x08',
                    'f' => '\x0c',
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    'v' => '\x0b',
                    '\\' | '"' | '\'' => escape,
                    'x' | 'u' | 'U' => {
                        let mut code = 0;
                        for _ in 0..digits {
                            code = code * 16 + letters.next()?.1.to_digit(16)?;
                        }
                        char::from_u32(code)?
                    }
                    _ => return None,
                });
            }
            (_, c) => read.push(c),
        }
    }
}

/// What is between double quotes, where nothing tells whether it was escaped: it was if it can have been.
pub(super) fn maybe_escaped(inside: &str) -> String {
    let escaped = inside.contains(r"\\") || inside.contains("\\\"");
    let read = escaped.then(|| unquoted(&format!("\"{inside}\""))).flatten();
    match read {
        Some((read, length)) if length == inside.len() + 2 => read,
        _ => inside.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn escapes_are_those_of_go() {
        for (text, expected) in [
            (r#""a" b"#, Some(("a", 3))),
            (r#""^x\\d+\"$""#, Some((r#"^x\d+"$"#, 11))),
            (r#""\t\x41\u00e9""#, Some(("\tAé", 14))),
            (r#""a"#, None),
            (r#""\q""#, None),
            ("a", None),
        ] {
            assert_eq!(unquoted(text), expected.map(|(read, end)| (read.to_owned(), end)), "{text}");
        }
    }

    #[test]
    fn an_expression_that_was_not_escaped_stays() {
        assert_eq!(maybe_escaped(r"^\d+$"), r"^\d+$");
        assert_eq!(maybe_escaped(r"^\\d+$"), r"^\d+$");
        assert_eq!(maybe_escaped(r"\bx\\q"), "\u{8}x\\q");
        assert_eq!(maybe_escaped(r"\d\\q"), r"\d\\q");
    }

    proptest! {
        #[test]
        fn any_text_is_read_back(text in "[a-zé\"\\\\\n\t ]{0,12}") {
            // For these letters both languages agree.
            let quoted = format!("{text:?}");
            prop_assert_eq!(unquoted(&quoted), Some((text, quoted.len())));
        }
    }
}
