//! Configurations in the acceptance tests of a provider written in Go.
//!
//! Tests keep them in raw strings, most of them formats of `fmt.Sprintf`. A verb is replaced by its argument if that is a
//! literal or a constant of the same file; by [`MADE_UP`] inside quotes and by a variable without a value elsewhere.
//! Nothing is executed. This is no parser of Go: it knows strings, comments and calls.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::tokens::{Lexeme, Token, inside, parts, tokens};
use crate::examples::Source;
use crate::generate::MADE_UP;
use crate::suite::line_of;

/// Stands for it outside of quotes.
const UNKNOWN: &str = "var.tfconform_made_up";

/// The configurations of a file of tests. They refer to each other's blocks, as the functions that join them do.
pub fn configurations(file: &str, text: &str) -> Vec<Source> {
    if !has_config(text) {
        return Vec::new();
    }
    let tokens = tokens(text);
    let constants = constants(text, &tokens);
    let refused = refused(&tokens);
    let is_config = |idx: usize| {
        let token = &tokens[idx];
        let is_text = token.lexeme == Lexeme::Raw && has_config(token.text) && !token.text.contains("{{");
        is_text && !declared_as(&tokens, idx).is_some_and(|name| refused.contains(name))
    };
    let sources = |idx: usize| {
        let line = line_of(text, tokens[idx].start) as u32;
        let mut configs: Vec<String> = Vec::new();
        for bound in bindings(text, &tokens, idx, &constants) {
            let config = match arguments(text, &tokens, idx) {
                Some(arguments) => filled(tokens[idx].text, &arguments, &bound),
                None => joined(&tokens, idx, &bound),
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
    (0..tokens.len()).filter(|idx| is_config(*idx)).flat_map(sources).collect()
}

/// The most calls of one function, each of which makes a configuration.
const CALLS: usize = 4;

/// What is known by name where a string stands: for each call of its function with other literals, those with the
/// constants.
fn bindings<'t>(
    text: &'t str,
    tokens: &[Token<'t>],
    idx: usize,
    constants: &BTreeMap<&'t str, &'t str>,
) -> Vec<BTreeMap<&'t str, &'t str>> {
    let Some(function) = declared_as(tokens, idx) else { return vec![constants.clone()] };
    let opened = |at: usize| {
        let is_named = tokens[at].lexeme == Lexeme::Word && tokens[at].text == function;
        (is_named && tokens.get(at + 1).is_some_and(|next| next.is("(")))
            .then(|| parts(tokens, inside(tokens, at + 1)))
    };
    let (mut names, mut calls): (Vec<&str>, Vec<Vec<Range<usize>>>) = (Vec::new(), Vec::new());
    for at in 0..tokens.len() {
        let Some(found) = opened(at) else { continue };
        // A method has a receiver between the two.
        let is_declaration = at > 0 && (tokens[at - 1].text == "func" || tokens[at - 1].is(")"));
        if is_declaration {
            names = found.iter().map(|part| tokens[part.start].text).collect();
        } else {
            calls.push(found);
        }
    }
    let literal = |part: &Range<usize>| match &tokens[part.clone()] {
        [only] if only.is_string() && !only.text.contains('\\') => Some(only.text),
        [only] if only.text.parse::<f64>().is_ok() || matches!(only.text, "true" | "false") => {
            Some(only.text)
        }
        [only] => constants.get(only.text).copied(),
        [minus, number] if minus.is("-") && number.text.parse::<f64>().is_ok() => {
            text.get(minus.start..number.end)
        }
        _ => None,
    };
    let mut found: Vec<BTreeMap<&str, &str>> = Vec::new();
    for call in calls {
        let mut bound = constants.clone();
        for (name, part) in names.iter().zip(&call) {
            match literal(part) {
                Some(value) => bound.insert(name, value),
                None => bound.remove(name),
            };
        }
        if !found.contains(&bound) && found.len() < CALLS {
            found.push(bound);
        }
    }
    if found.is_empty() { vec![constants.clone()] } else { found }
}

/// A string with the strings that are added to it.
fn joined(tokens: &[Token<'_>], first: usize, known: &BTreeMap<&str, &str>) -> String {
    let mut text = tokens[first].text.to_owned();
    let mut at = first + 1;
    while let [plus, next, ..] = tokens.get(at..).unwrap_or_default()
        && plus.is("+")
    {
        let is_call = tokens.get(at + 2).is_some_and(|open| open.is("("));
        match known.get(next.text).filter(|_| next.lexeme == Lexeme::Word) {
            Some(value) => text.push_str(value),
            None if next.lexeme == Lexeme::Raw => text.push_str(next.text),
            None if next.is_string() && !next.text.contains('\\') => text.push_str(next.text),
            // The configuration of another function, or what nobody knows.
            None if is_call => at = inside(tokens, at + 2).end - 1,
            None => text.push_str(MADE_UP),
        }
        at += 2;
    }
    text
}

/// The functions and constants whose configurations some test expects to be refused: those that stand beside
/// `ExpectError` in one step.
fn refused<'t>(tokens: &[Token<'t>]) -> BTreeSet<&'t str> {
    let steps = (0..tokens.len()).filter(|idx| tokens[*idx].is("{")).map(|open| inside(tokens, open));
    let fields = |step: Range<usize>| parts(tokens, step);
    let has = |part: &Range<usize>, name: &str| {
        let field = tokens.get(part.clone()).unwrap_or_default();
        matches!(field, [key, colon, ..] if key.text == name && colon.is(":"))
    };
    let expecting = steps.map(fields).filter(|step| step.iter().any(|part| has(part, "ExpectError")));
    let configs = expecting.flatten().filter(|part| has(part, "Config"));
    configs.filter_map(|part| tokens.get(part.start + 2)).map(|named| named.text).collect()
}

/// The function that a token is in, or the name that is set to it.
fn declared_as<'t>(tokens: &[Token<'t>], idx: usize) -> Option<&'t str> {
    let before = &tokens[..idx];
    match before {
        [.., name, set] if set.is("=") => Some(name.text),
        _ => {
            // A method has a receiver before its name; a literal function has no name.
            let named = |at: usize| match tokens.get(at + 1)? {
                open if open.is("(") => tokens.get(inside(tokens, at + 1).end + 1),
                name => Some(name),
            };
            let functions = (0..idx).rev().filter(|at| tokens[*at].text == "func");
            functions.filter_map(named).find(|name| name.lexeme == Lexeme::Word).map(|name| name.text)
        }
    }
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
` + other("x") + "}"
"#;
        let found = configurations("a_test.go", text);
        let texts: Vec<&str> = found.iter().map(|source| source.text.as_str()).collect();
        let of = |region: &str, weight: &str| {
            format!("\nresource \"acme_a\" \"b\" {{\n  region = {region}\n  weight = {weight}\n}}")
        };
        let made_up = format!("{MADE_UP:?}");
        let joined = "\nresource \"acme_a\" \"c\" {\n  cert = <<-EOF\n  MII\nEOF\n}";
        assert_eq!(texts, [&of("\"\"", "80"), &of("\"eu\"", "20"), &of(&made_up, "-1"), joined]);
    }

    #[test]
    fn what_a_test_expects_to_be_refused_is_no_configuration() {
        let text = r#"
func TestAcc(t *testing.T) {
	resource.Test(t, resource.TestCase{
		Steps: []resource.TestStep{
			{Config: testConfig("a"), ExpectError: regexp.MustCompile("no")},
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

const (
	good = `resource "acme_a" "b" { size = 1 }`
	testBad = `resource "acme_a" "b" { size = -1 }`
)

func (s *suite) other() string { return `resource "acme_a" "c" {}` }
"#;
        let found = configurations("a_test.go", text);
        let texts: Vec<&str> = found.iter().map(|source| source.text.as_str()).collect();
        assert_eq!(texts, [r#"resource "acme_a" "b" { size = 1 }"#, r#"resource "acme_a" "c" {}"#]);
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
