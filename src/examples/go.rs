//! Configurations in the acceptance tests of a provider written in Go.
//!
//! Tests keep them in raw strings, most of them formats of `fmt.Sprintf`. A verb is replaced by its argument if that is a
//! literal or a constant of the same file; by [`MADE_UP`] inside quotes and by a variable without a value elsewhere.
//! Nothing is executed. This is no parser of Go: it knows strings, comments and calls.

use std::collections::BTreeMap;

use super::Source;

/// Stands in a text for what a test makes up when it runs. Nobody has it as a value.
pub const MADE_UP: &str = "tfconformMadeUp";

/// Stands for it outside of quotes.
const UNKNOWN: &str = "var.tfconform_made_up";

/// The configurations of a file of tests. They refer to each other's blocks, as the functions that join them do.
pub fn configurations(file: &str, text: &str) -> Vec<Source> {
    let literals = literals(text);
    let constants = constants(text, &literals);
    let is_config = |literal: &&Literal<'_>| {
        literal.is_raw && ["resource \"", "data \""].iter().any(|block| literal.content.contains(block))
    };
    let configs = literals.iter().filter(is_config).filter(|literal| !literal.content.contains("{{"));
    let source = |literal: &Literal<'_>| {
        let config = match arguments(text, literal) {
            Some(arguments) => filled(literal.content, &arguments, &constants),
            None => literal.content.to_owned(),
        };
        let line = text[..literal.start].matches('\n').count() as u32 + 1;
        Source { file: file.to_owned(), line, text: config, module: file.to_owned() }
    };
    configs.map(source).collect()
}

/// A string of the program.
struct Literal<'t> {
    /// Where it begins, with its quote.
    start: usize,
    end: usize,
    /// Without quotes; escapes stay as they are.
    content: &'t str,
    is_raw: bool,
}

fn literals(text: &str) -> Vec<Literal<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].find(['"', '`', '\'', '/']) {
        let start = at + next;
        let rest = &text[start..];
        let length = match rest.as_bytes()[0] {
            b'`' => rest[1..].find('`').map(|end| end + 2),
            b'/' if rest.starts_with("//") => rest.find('\n'),
            b'/' if rest.starts_with("/*") => rest.find("*/").map(|end| end + 2),
            b'/' => Some(1),
            quote => quoted(rest, quote),
        };
        let Some(length) = length else { break };
        let end = start + length;
        if matches!(rest.as_bytes()[0], b'"' | b'`') {
            let is_raw = rest.starts_with('`');
            found.push(Literal { start, end, content: &text[start + 1..end - 1], is_raw });
        }
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

/// The values of names that are set to a string once, and plainly.
fn constants<'t>(text: &'t str, literals: &[Literal<'t>]) -> BTreeMap<&'t str, &'t str> {
    let mut known: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    for literal in literals.iter().filter(|literal| !literal.content.contains('\\')) {
        let before = text[..literal.start].trim_end();
        let Some(before) = before.strip_suffix(":=").or_else(|| before.strip_suffix('=')) else { continue };
        let before = before.trim_end();
        let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
        let name = &before[before.trim_end_matches(is_of_name).len()..];
        let ends = text[literal.end..].trim_start_matches([' ', '\t']).starts_with(['\n', '\r', ';', ')']);
        let value = Some(literal.content).filter(|_| ends);
        known
            .entry(name)
            .and_modify(|known| *known = known.filter(|known| Some(*known) == value))
            .or_insert(value);
    }
    known.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

/// The arguments after a format; `None` if the string is none.
fn arguments<'t>(text: &'t str, format: &Literal<'_>) -> Option<Vec<&'t str>> {
    if !text[..format.start].trim_end().ends_with("Sprintf(") {
        return None;
    }
    let (rest, mut depth, mut start) = (&text[format.end..], 0_u32, 0);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = rest[at..].chars().next() {
        let length = match c {
            '"' | '\'' => quoted(&rest[at..], c as u8)?,
            '`' => rest[at + 1..].find('`')? + 2,
            _ => c.len_utf8(),
        };
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' if depth == 0 => {
                found.push(rest[start..at].trim());
                break;
            }
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => {
                found.push(rest[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        at += length;
    }
    // Before the first comma there is nothing.
    Some(found.into_iter().skip(1).collect())
}

/// A format with its verbs filled in.
fn filled(format: &str, arguments: &[&str], constants: &BTreeMap<&str, &str>) -> String {
    let value = |argument: &str| match argument.as_bytes() {
        [b'"', .., b'"'] if quoted(argument, b'"') == Some(argument.len()) && !argument.contains('\\') => {
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
