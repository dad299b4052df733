//! Configurations in the acceptance tests of a provider written in Go.
//!
//! Tests keep them in raw strings, most of them formats of `fmt.Sprintf`. A verb is replaced by its argument if that is a
//! literal or a constant of the same file; by [`MADE_UP`] inside quotes and by a variable without a value elsewhere.
//! Nothing is executed. This is no parser of Go: it knows strings, comments and calls.

use std::collections::BTreeMap;
use std::ops::Range;

use super::tokens::{Lexeme, Token, inside, parts, tokens};
use crate::examples::Source;
use crate::suite::line_of;

/// Stands in a text for what a test makes up when it runs. Nobody has it as a value.
pub const MADE_UP: &str = "tfconformMadeUp";

/// Stands for it outside of quotes.
const UNKNOWN: &str = "var.tfconform_made_up";

/// The configurations of a file of tests. They refer to each other's blocks, as the functions that join them do.
pub fn configurations(file: &str, text: &str) -> Vec<Source> {
    if !has_config(text) {
        return Vec::new();
    }
    let tokens = tokens(text);
    let constants = constants(text, &tokens);
    let is_config = |token: &Token<'_>| {
        token.lexeme == Lexeme::Raw && has_config(token.text) && !token.text.contains("{{")
    };
    let source = |idx: usize| {
        let token = &tokens[idx];
        let config = match arguments(text, &tokens, idx) {
            Some(arguments) => filled(token.text, &arguments, &constants),
            None => token.text.to_owned(),
        };
        let line = line_of(text, token.start) as u32;
        Source { file: file.to_owned(), line, text: config, module: file.to_owned() }
    };
    (0..tokens.len()).filter(|idx| is_config(&tokens[*idx])).map(source).collect()
}

fn has_config(text: &str) -> bool {
    ["resource \"", "data \""].iter().any(|block| text.contains(block))
}

/// The values of names that are set to a string once, and plainly.
fn constants<'t>(text: &str, tokens: &[Token<'t>]) -> BTreeMap<&'t str, &'t str> {
    let mut known: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    for (idx, token) in tokens.iter().enumerate() {
        if !token.is_string() || token.text.contains('\\') || idx == 0 || !tokens[idx - 1].is("=") {
            continue;
        }
        let before = &tokens[..idx - 1];
        let before =
            if before.last().is_some_and(|last| last.is(":")) { &before[..before.len() - 1] } else { before };
        let Some(name) = before.last().filter(|name| name.lexeme == Lexeme::Word) else { continue };
        let ends = tokens
            .get(idx + 1)
            .is_none_or(|next| next.is(";") || next.is(")") || text[token.end..next.start].contains('\n'));
        let value = Some(token.text).filter(|_| ends);
        known
            .entry(name.text)
            .and_modify(|known| *known = known.filter(|known| Some(*known) == value))
            .or_insert(value);
    }
    known.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

/// The arguments after a format; `None` if the string is none.
fn arguments<'t>(text: &'t str, tokens: &[Token<'_>], format: usize) -> Option<Vec<&'t str>> {
    let [call, open] = tokens.get(format.checked_sub(2)?..format)? else { return None };
    if call.text != "Sprintf" || !open.is("(") {
        return None;
    }
    let all = parts(tokens, inside(tokens, format - 1));
    let written = |part: &Range<usize>| match &tokens[part.clone()] {
        [] => "",
        [first, .., last] => &text[first.start..last.end],
        [only] => &text[only.start..only.end],
    };
    Some(all.iter().skip(1).map(written).collect())
}

/// A format with its verbs filled in.
fn filled(format: &str, arguments: &[&str], constants: &BTreeMap<&str, &str>) -> String {
    let value = |argument: &str| match argument.as_bytes() {
        [b'"', inner @ .., b'"'] if !inner.iter().any(|byte| matches!(byte, b'"' | b'\\')) => {
            Some(argument[1..argument.len() - 1].to_owned())
        }
        [first, ..] if first.is_ascii_digit() => argument.parse::<f64>().ok().map(|_| argument.to_owned()),
        b"true" | b"false" => Some(argument.to_owned()),
        _ => constants.get(argument).map(|value| (*value).to_owned()),
    };
    let mut out = String::new();
    let (mut rest, mut next) = (format, 0);
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        let flags = after.find(|c: char| !"+-# .0123456789[]".contains(c)).unwrap_or(after.len());
        let Some(verb) = after[flags..].chars().next() else {
            rest = "";
            break;
        };
        rest = &after[flags + verb.len_utf8()..];
        if verb == '%' {
            out.push('%');
            continue;
        }
        let named = after[..flags].split_once('[').and_then(|(_, rest)| rest.split(']').next()?.parse().ok());
        let nth: usize = named.map_or(next, |number: usize| number.saturating_sub(1));
        next = nth + 1;
        let known = arguments.get(nth).and_then(|argument| value(argument));
        let line = &out[out.rfind('\n').map_or(0, |at| at + 1)..];
        let is_quoted = line.matches('"').count() % 2 == 1;
        let is_all =
            line.trim().is_empty() && rest.split('\n').next().is_none_or(|rest| rest.trim().is_empty());
        match (known, verb) {
            (Some(text), 'q') => out.push_str(&format!("{text:?}")),
            (Some(text), _) => out.push_str(&text),
            (None, 'q') => out.push_str(&format!("{MADE_UP:?}")),
            (None, _) if is_quoted => out.push_str(MADE_UP),
            // The configuration of another function.
            (None, _) if is_all => {}
            (None, _) => out.push_str(UNKNOWN),
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strings_of_tests_are_configurations_with_what_is_known_filled_in() {
        let text = r#"
package acme // `no string`

const region = "eu-1"

func config(name string, size int) string {
	return base() + fmt.Sprintf(`
%s
resource "acme_disk" "test" {
  name   = %[2]q
  label  = "x-%[2]s-100%%"
  region = %[3]q
  kind   = "%[4]s"
  size   = %[5]d
  count_ = %[6]d
}
`, other("a, b)"), name, region, "fast", 7, size)
}

var quote = '`'

func base() string { return `resource "acme_network" "test" { name = "n" }` }
"#;
        let found = configurations("disk_test.go", text);
        let expected = "\n\nresource \"acme_disk\" \"test\" {\n  name   = \"tfconformMadeUp\"\n  \
                        label  = \"x-tfconformMadeUp-100%\"\n  region = \"eu-1\"\n  kind   = \"fast\"\n  \
                        size   = 7\n  count_ = var.tfconform_made_up\n}\n";
        let [disk, network] = &found[..] else { panic!("{found:?}") };
        assert_eq!((disk.text.as_str(), disk.line), (expected, 7));
        assert_eq!(
            (network.text.as_str(), network.line),
            ("resource \"acme_network\" \"test\" { name = \"n\" }", 22)
        );
    }

    #[test]
    fn what_is_no_program_ends_nothing() {
        for text in [
            "",
            "`",
            "\"\\",
            "fmt.Sprintf(`resource \"a\" \"b\" {} %",
            "/*",
            "é%'`",
            "fmt.Sprintf(`data \" %s`",
        ] {
            configurations("x_test.go", text);
        }
        assert_eq!(
            configurations("x_test.go", "fmt.Sprintf(`data \" %[9]d %`, )")[0].text,
            "data \" tfconformMadeUp "
        );
    }
}
