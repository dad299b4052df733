//! Regular expressions as Go writes and reads them.

use regex::{Regex, RegexBuilder};
use regex_syntax::hir::Hir;

/// Larger expressions are not looked at: one text of a provider must not cost seconds.
const MAX_SIZE: usize = 1 << 20;

/// An expression that both sides understand.
#[derive(Clone, Debug)]
pub(super) struct GoRegex {
    regex: Regex,
    hir: Hir,
}

impl GoRegex {
    /// `None` if it is none, as what prose calls one may be, or has parts that Go does not know, such as
    /// look-around.
    pub(super) fn parse(pattern: &str) -> Option<GoRegex> {
        let ours = rewritten(pattern);
        let regex = RegexBuilder::new(&ours).size_limit(MAX_SIZE).build().ok()?;
        let hir = regex_syntax::parse(&ours).ok()?;
        Some(GoRegex { regex, hir })
    }

    pub(super) fn matches(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    pub(super) fn hir(&self) -> &Hir {
        &self.hir
    }
}

/// The same expression for an engine that knows Unicode: Go's classes are ASCII, and it reads some characters
/// as themselves that have a meaning here.
fn rewritten(pattern: &str) -> String {
    let mut writer = Writer { rest: pattern, text: String::new() };
    while let Some(c) = writer.take() {
        match c {
            '\\' => writer.escape(false),
            '[' => writer.class(),
            '{' => writer.brace(),
            _ => writer.text.push(c),
        }
    }
    writer.text
}

struct Writer<'p> {
    rest: &'p str,
    text: String,
}

impl Writer<'_> {
    fn take(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    /// What follows a backslash.
    fn escape(&mut self, in_class: bool) {
        let Some(c) = self.take() else { return self.text.push('\\') };
        let class = match c.to_ascii_lowercase() {
            'd' => "0-9",
            'w' => "0-9A-Za-z_",
            's' => "\\t\\n\\f\\r ",
            _ => "",
        };
        match c {
            'Q' => {
                let (quoted, rest) = self.rest.split_once("\\E").unwrap_or((self.rest, ""));
                self.text.push_str(&regex_syntax::escape(quoted));
                self.rest = rest;
            }
            'd' | 'w' | 's' if in_class => self.text.push_str(class),
            'd' | 'w' | 's' => self.text.extend(["[", class, "]"]),
            'D' | 'W' | 'S' => self.text.extend(["[^", class, "]"]),
            'b' | 'B' if !in_class => self.text.extend(["(?-u:\\", &c.to_string(), ")"]),
            // Here they are the ends of a word.
            '<' | '>' => self.text.push(c),
            _ => self.text.extend(['\\', c]),
        }
    }

    /// What follows an opening bracket, up to the closing one.
    fn class(&mut self) {
        self.text.push('[');
        if let Some(rest) = self.rest.strip_prefix('^') {
            self.text.push('^');
            self.rest = rest;
        }
        if let Some(rest) = self.rest.strip_prefix(']') {
            self.text.push_str("\\]");
            self.rest = rest;
        }
        while let Some(c) = self.take() {
            match c {
                ']' => return self.text.push(']'),
                '\\' => self.escape(true),
                '[' => match self.rest.strip_prefix(':').and_then(|rest| rest.split_once(":]")) {
                    Some((name, rest)) => {
                        self.text.extend(["[:", name, ":]"]);
                        self.rest = rest;
                    }
                    None => self.text.push_str("\\["),
                },
                // Two of them are set operations here.
                '&' | '~' => self.text.extend(['\\', c]),
                '-' if self.rest.starts_with('-') => {
                    self.take();
                    self.text.push_str("-\\-");
                }
                _ => self.text.push(c),
            }
        }
    }

    /// What follows an opening brace: a repetition, or else the brace is itself.
    fn brace(&mut self) {
        let counts = self.rest.split_once('}').filter(|(counts, _)| {
            let is_count = |count: &str| count.bytes().all(|b| b.is_ascii_digit());
            let (min, max) = counts.split_once(',').unwrap_or((counts, ""));
            !min.is_empty() && is_count(min) && is_count(max)
        });
        match counts {
            Some((counts, rest)) => {
                self.text.extend(["{", counts, "}"]);
                self.rest = rest;
            }
            None => self.text.push_str("\\{"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_ascii() {
        let regex = GoRegex::parse(r"^[\w.]\d\s\D[^\W]$").unwrap();
        assert!(regex.matches("a7 x_"));
        assert!(!regex.matches("\u{e9}7 x_") && !regex.matches("a\u{0667} x_"));
    }

    #[test]
    fn what_go_reads_as_itself_is_itself() {
        for (pattern, text) in [
            (r"^\Qa.b(\E+$", "a.b(("),
            (r"^{a}$", "{a}"),
            (r"^a{2}b{1,}$", "aab"),
            (r"^[[a&&b]+$", "[&"),
            (r"^[]a]+$", "]a"),
            (r"^[[:upper:]\-/]+$", "A-/"),
            (r"^\<\/\_$", "</_"),
            (r"^[+--]+$", "+,-"),
            (r"\bword\b", "a word."),
        ] {
            assert!(GoRegex::parse(pattern).is_some_and(|regex| regex.matches(text)), "{pattern}");
        }
    }

    #[test]
    fn what_go_does_not_know_is_no_expression() {
        for pattern in ["^(?=a)b", "(", "a{1000}{1000}", "[z-a]"] {
            assert!(GoRegex::parse(pattern).is_none(), "{pattern}");
        }
    }
}
