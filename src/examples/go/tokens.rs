//! The tokens of a Go file: as much of the language as is needed to find literals.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lexeme {
    /// A name, a keyword or a number.
    Word,
    /// A string in double quotes; escapes stay as they are.
    Quoted,
    /// A string in back-ticks.
    Raw,
    /// One character of punctuation, or a character in quotes.
    Mark,
}

/// A token of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    /// Where it begins, with its quote.
    pub start: usize,
    /// Where it ends, with its quote.
    pub end: usize,
    pub lexeme: Lexeme,
    /// Without quotes.
    pub text: &'t str,
}

impl Token<'_> {
    /// Whether it is a certain character of punctuation.
    pub fn is(&self, mark: &str) -> bool {
        self.lexeme == Lexeme::Mark && self.text == mark
    }

    pub fn is_string(&self) -> bool {
        matches!(self.lexeme, Lexeme::Quoted | Lexeme::Raw)
    }

    pub fn opens(&self) -> bool {
        self.is("(") || self.is("[") || self.is("{")
    }

    pub fn closes(&self) -> bool {
        self.is(")") || self.is("]") || self.is("}")
    }
}

/// The tokens of a text, without comments. It ends where a string does not end.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
        let (lexeme, length) = match first {
            '`' => (Some(Lexeme::Raw), rest[1..].find('`').map(|end| end + 2)),
            '"' => (Some(Lexeme::Quoted), quoted(rest, b'"')),
            '\'' => (Some(Lexeme::Mark), quoted(rest, b'\'')),
            '/' if rest.starts_with("//") => (None, Some(rest.find('\n').unwrap_or(rest.len()))),
            '/' if rest.starts_with("/*") => (None, rest.find("*/").map(|end| end + 2)),
            c if c.is_whitespace() => (None, Some(c.len_utf8())),
            c if is_of_word(c) => {
                (Some(Lexeme::Word), Some(rest.find(|c| !is_of_word(c)).unwrap_or(rest.len())))
            }
            c => (Some(Lexeme::Mark), Some(c.len_utf8())),
        };
        let Some(length) = length else { break };
        let end = at + length;
        let bare = if matches!(first, '`' | '"') { at + 1..end - 1 } else { at..end };
        found.extend(lexeme.map(|lexeme| Token { start: at, end, lexeme, text: &text[bare] }));
        at = end;
    }
    found
}

/// The length of what is quoted at the start of a text, with its quotes.
fn quoted(text: &str, quote: u8) -> Option<usize> {
    let mut is_escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let ends = byte == quote && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    });
    end.map(|end| end + 2)
}

/// The tokens between a bracket and the one that closes it.
pub(super) fn inside(tokens: &[Token<'_>], open: usize) -> Range<usize> {
    let mut depth = 0_usize;
    for (idx, token) in tokens.iter().enumerate().skip(open) {
        depth += usize::from(token.opens());
        depth -= usize::from(token.closes() && depth > 0);
        if depth == 0 {
            return open + 1..idx.max(open + 1);
        }
    }
    open + 1..tokens.len().max(open + 1)
}

/// The parts of some tokens between commas that are in no bracket; an empty one after the last comma is none.
pub(super) fn parts(tokens: &[Token<'_>], range: Range<usize>) -> Vec<Range<usize>> {
    let (mut found, mut start, mut at) = (Vec::new(), range.start, range.start);
    while at < range.end {
        if tokens[at].is(",") {
            found.push(start..at);
            start = at + 1;
        }
        at = if tokens[at].opens() { inside(tokens, at).end + 1 } else { at + 1 };
    }
    found.extend((start < range.end).then_some(start..range.end));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        tokens(text).iter().map(|token| token.text).collect()
    }

    #[test]
    fn comments_and_quotes_are_known() {
        let text = "a := \"b\\\"//\" // \"c\"\n/* ` */ x.Y('\"', `d\n\"`)";
        assert_eq!(texts(text), ["a", ":", "=", "b\\\"//", "x", ".", "Y", "(", "'\"'", ",", "d\n\"", ")"]);
        for text in ["", "`", "\"\\", "/*", "é%'`", "a \"", "/"] {
            tokens(text);
        }
    }

    #[test]
    fn brackets_are_matched_and_parts_are_split() {
        let text = "f(a, g(b, c), [2]int{1, 2},)";
        let tokens = tokens(text);
        let inner = inside(&tokens, 1);
        let written = |range: &Range<usize>| &text[tokens[range.start].start..tokens[range.end - 1].end];
        assert_eq!(
            parts(&tokens, inner).iter().map(written).collect::<Vec<_>>(),
            ["a", "g(b, c)", "[2]int{1, 2}"]
        );
        let open = super::tokens("f(a, [");
        assert_eq!(inside(&open, 1), 2..5);
        assert_eq!(parts(&open, 2..5).len(), 2);
    }
}
