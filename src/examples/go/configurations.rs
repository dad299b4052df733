//! Configurations in the acceptance tests of a provider written in Go.
//!
//! Tests keep them in raw strings, most of them formats of `fmt.Sprintf`. A verb is replaced by its argument if that is a
//! literal or a constant of the same file; by [`MADE_UP`] inside quotes and by a variable without a value elsewhere.
//! Nothing is executed. This is no parser of Go: it knows strings, comments and calls.

use std::collections::BTreeMap;
use std::ops::Range;

use super::calls::{Functions, Known};
use super::tokens::{Lexeme, Token, inside, parts, tokens};
use crate::examples::Source;
use crate::generate::MADE_UP;
use crate::suite::line_of;

/// Stands for it outside of quotes.
const UNKNOWN: &str = "var.tfconform_made_up";

/// The most strings of one file that are read.
const MOST: usize = 1_000;

/// The configurations of a file of tests. They refer to each other's blocks, as the functions that join them do.
pub fn configurations(file: &str, text: &str) -> Vec<Source> {
    if !has_config(text) {
        return Vec::new();
    }
    let tokens = tokens(text);
    let constants = constants(text, &tokens);
    let functions = Functions::of(&tokens);
    let is_config = |idx: &usize| {
        let token = &tokens[*idx];
        token.lexeme == Lexeme::Raw && has_config(token.text) && !token.text.contains("{{")
    };
    let sources = |idx: usize| {
        let line = line_of(text, tokens[idx].start) as u32;
        let mut configs: Vec<String> = Vec::new();
        for known in functions.bindings(text, &tokens, idx, &constants) {
            let config = match arguments(text, &tokens, idx) {
                Some(arguments) => filled(tokens[idx].text, &arguments, &known),
                None => joined(&tokens, idx, &known),
            };
            if !configs.contains(&config) {
                configs.push(config);
            }
        }
        configs.into_iter().map(move |text| Source {
            file: file.to_owned(),
            line,
            text,
            module: file.to_owned(),
        })
    };
    (0..tokens.len()).filter(is_config).take(MOST).flat_map(sources).collect()
}

/// A string with what is added to it. A call is the configuration of another function, unless it is within quotes.
fn joined(tokens: &[Token<'_>], first: usize, known: &Known<'_>) -> String {
    let mut text = tokens[first].text.to_owned();
    let mut at = first + 1;
    while tokens.get(at).is_some_and(|plus| plus.is("+")) && at + 1 < tokens.len() {
        let end = end_of_operand(tokens, at + 1);
        let added = match &tokens[at + 1..end] {
            [only] if only.lexeme == Lexeme::Raw => Some(only.text),
            [only] if only.lexeme == Lexeme::Quoted && !only.text.contains('\\') => Some(only.text),
            [only] => known.get(only.text).copied(),
            _ => None,
        };
        text.push_str(match added {
            Some(added) => added,
            None if is_within_quotes(&text) => MADE_UP,
            None if tokens[end - 1].is(")") => "",
            None => UNKNOWN,
        });
        at = end;
    }
    text
}

/// Where an operand ends: a token, what is selected of it, and its call.
fn end_of_operand(tokens: &[Token<'_>], first: usize) -> usize {
    let is = |at: usize, mark: &str| tokens.get(at).is_some_and(|token| token.is(mark));
    let mut end = first + 1;
    while is(end, ".") && end + 1 < tokens.len() {
        end += 2;
    }
    if is(end, "(") { (inside(tokens, end).end + 1).min(tokens.len()) } else { end }
}

fn is_within_quotes(text: &str) -> bool {
    let line = &text[text.rfind('\n').map_or(0, |at| at + 1)..];
    line.matches('"').count() % 2 == 1
}

fn has_config(text: &str) -> bool {
    ["resource \"", "data \""].iter().any(|block| text.contains(block))
}

/// The values of names that are set to a string once, and plainly.
fn constants<'t>(text: &str, tokens: &[Token<'t>]) -> Known<'t> {
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
fn filled(format: &str, arguments: &[&str], constants: &Known<'_>) -> String {
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
        let is_all =
            line.trim().is_empty() && rest.split('\n').next().is_none_or(|rest| rest.trim().is_empty());
        match (known, verb) {
            (Some(text), 'q') => out.push_str(&format!("{text:?}")),
            (Some(text), _) => out.push_str(&text),
            (None, 'q') => out.push_str(&format!("{MADE_UP:?}")),
            (None, _) if is_within_quotes(&out) => out.push_str(MADE_UP),
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
    fn each_call_of_a_function_with_other_literals_is_a_configuration() {
        let text = r#"
const cert = `
  MII
`
var steps = []string{config("", 80), config("eu", 20), config("", 80), config(random(), -1), joined}

func config(region string, weight int) string {
	return base() + fmt.Sprintf(`
resource "acme_a" "b" {
  region = %q
  weight = %d
}`, region, weight)
}

const joined = `
resource "acme_a" "c" {
  cert = <<-EOF` + cert + `EOF
` + acctest.Other(other("x")) + `  name = "n-` + rName + `-` + acctest.Name() + `"
}
` + base.config
"#;
        let found = configurations("a_test.go", text);
        let texts: Vec<&str> = found.iter().map(|source| source.text.as_str()).collect();
        let of = |region: &str, weight: &str| {
            format!("\nresource \"acme_a\" \"b\" {{\n  region = {region}\n  weight = {weight}\n}}")
        };
        let made_up = format!("{MADE_UP:?}");
        let joined = format!(
            "\nresource \"acme_a\" \"c\" {{\n  cert = <<-EOF\n  MII\nEOF\n  name = \"n-{MADE_UP}-{MADE_UP}\"\n}}\n{UNKNOWN}"
        );
        assert_eq!(texts, [&of("\"\"", "80"), &of("\"eu\"", "20"), &of(&made_up, "-1"), &joined]);
    }

    #[test]
    fn what_a_test_expects_to_be_refused_is_no_configuration() {
        let text = r#"
func TestAcc(t *testing.T) {
	resource.Test(t, resource.TestCase{
		Steps: []resource.TestStep{
			{Config: testConfig("a"), ExpectError: regexp.MustCompile("no")},
			{Config: testConfig("b")},
			{Config: never("a"), ExpectError: regexp.MustCompile("no")},
			{Config: good},
			{
				Config:      testBad,
				ExpectError: regexp.MustCompile(`no`),
			},
		},
	})
}

func testConfig(name string) string {
	return fmt.Sprintf(`resource "acme_a" "b" { name = %q }`, name)
}

func never(name string) string { return fmt.Sprintf(`resource "acme_a" "b" { label = %q }`, name) }

const (
	good = `resource "acme_a" "b" { size = 1 }`
	testBad = `resource "acme_a" "b" { size = -1 }`
)

func (s *suite) other() string { return `resource "acme_a" "c" {}` }
"#;
        let found = configurations("a_test.go", text);
        let texts: Vec<&str> = found.iter().map(|source| source.text.as_str()).collect();
        let named = r#"resource "acme_a" "b" { name = "b" }"#;
        let good = r#"resource "acme_a" "b" { size = 1 }"#;
        assert_eq!(texts, [named, good, r#"resource "acme_a" "c" {}"#]);
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
