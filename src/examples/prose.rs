//! What an argument's description says about its values.

use std::sync::LazyLock;

use regex::Regex;

use crate::generate::facts::{Constraint, Span};
use crate::generate::witness::Format;
use crate::value::Number;

/// What a description says, as constraints that propose values and rule none out: prose is not always true.
///
/// In this order: lists of values, the default, lengths and ranges, examples, formats that are named by
/// their standard.
pub(super) fn from_description(description: &str, is_markdown: bool) -> Vec<Constraint> {
    let text = if is_markdown { plain(description) } else { description.to_owned() };
    let words = &*WORDS;
    let mut found = Vec::new();
    for list in words.list.find_iter(&text) {
        let members = members(&text[list.end()..]);
        found.extend((!members.is_empty()).then_some(Constraint::OneOf(members)));
    }
    if found.is_empty() {
        let lists = words.choice.find_iter(&text).map(|list| members(list.as_str()));
        found.extend(lists.filter(|list| list.len() > 1).map(Constraint::OneOf));
    }
    let literal = |regex: &Regex, found: &mut Vec<Constraint>| {
        for captures in regex.captures_iter(&text) {
            let value = captures[1].trim_matches(QUOTES).trim_end_matches(['.', ',', ';', ')']);
            if !value.is_empty() {
                found.push(Constraint::Literal(value.to_owned()));
            }
        }
    };
    literal(&words.default, &mut found);
    found.extend(words.length.captures_iter(&text).filter_map(|captures| {
        let number = |name| captures.name(name).and_then(|text| text.as_str().parse::<u64>().ok());
        let (min, max) = (number("a"), number("b").or(number("most")));
        let exactly = number("exactly");
        let span = Span::new(min.or(number("least")).or(exactly), max.or(exactly));
        (span != Span::default()).then_some(Constraint::Chars(span))
    }));
    for captures in words.range.captures_iter(&text) {
        let end = captures.get(0).expect("the whole").end();
        if !words.unit.is_match(&text[end..]) {
            let number = |idx| Number::parse(&captures[idx]).ok();
            found.push(Constraint::Range { min: number(1), max: number(2) });
        }
    }
    literal(&words.example, &mut found);
    for (regex, format) in &words.formats {
        if regex.is_match(&text) {
            found.push(Constraint::Format(*format));
            break;
        }
    }
    let mut unique: Vec<Constraint> = Vec::new();
    found.into_iter().for_each(|constraint| {
        if !unique.contains(&constraint) {
            unique.push(constraint);
        }
    });
    unique
}

const QUOTES: [char; 3] = ['`', '"', '\''];

/// How descriptions say things.
struct Words {
    /// What stands before a list of values.
    list: Regex,
    /// Values in quotes between which one chooses.
    choice: Regex,
    default: Regex,
    length: Regex,
    range: Regex,
    /// What makes a range one of lengths.
    unit: Regex,
    example: Regex,
    /// The first that is named wins.
    formats: Vec<(Regex, Format)>,
    /// A value in quotes, and what may stand between two of them.
    quoted: Regex,
    /// Words with commas between them.
    bare: Regex,
    link: Regex,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let regex = |pattern: &str| Regex::new(pattern).expect("the expressions are tested");
    let formats = [
        (r"RFC[ -]?3339|(?i)ISO[ -]?8601 (?:date|time|timestamp|format)", Format::Rfc3339),
        (r"(?i)ISO[ -]?8601 duration", Format::IsoDuration),
        (r"ISO[ -]?8601", Format::Rfc3339),
        (r"RFC[ -]?(?:4122|9562)|\b(?:UUID|GUID)\b", Format::Uuid),
        (r"RFC[ -]?4632|\bCIDR\b", Format::Cidr),
        (r"RFC[ -]?(?:952|1035|1123)\b", Format::Hostname),
        (r"RFC[ -]?5322", Format::Email),
        (r"RFC[ -]?3986", Format::Url),
        (r"RFC[ -]?(?:4627|7159|8259)|\bJSON\b", Format::Json),
        (r"RFC[ -]?4648|(?i)\bbase-?64\b", Format::Base64),
        (r"RFC[ -]?7468|\bPEM\b", Format::Pem),
        (r"ISO[ -]?3166", Format::Country),
        (r"ISO[ -]?639|BCP[ -]?47|RFC[ -]?5646", Format::Locale),
        (r"\bE\.164\b", Format::Phone),
        (r"\bARN\b|Amazon Resource Name", Format::Arn),
        (r"\bIANA time ?zone", Format::TimeZone),
    ];
    Words {
        list: regex(
            r"(?ix) (?:valid|allowed|possible|supported|accepted|acceptable|permitted|available)
              (?:\ \w+)? \ (?:values?|options|types|inputs|choices) (?:\ for\ [\w`]+)?
              (?:\ are|\ is|\ include|\ can\ be|\ must\ be)* (?:\ (?:one\ of|either))? (?:\ the\ following)? :?\s*
            | \b(?:one|any|either)\ of (?:\ the\ following)? (?:\ values)? :?\s*
            | \b(?:enum|values|options|choices) \ ?:\s*",
        ),
        choice: regex(
            r#"(?:(?:`[^`\n]{1,60}`|"[^"\n]{1,60}")(?:, ?|,? or | ?\| ?| ?/ ?))+(?:`[^`\n]{1,60}`|"[^"\n]{1,60}")"#,
        ),
        default: regex(
            r#"(?i)\b(?:defaults? (?:value )?(?:to|is|of)|default(?: value)?:|default =)\s*(`[^`\n]+`|"[^"\n]+"|'[^'\n]+'|[\w./:+-]+)"#,
        ),
        length: regex(
            r"(?ix) (?:between\ )? (?P<a>\d+) (?:\ ?-\ ?|\ to\ |\ and\ ) (?P<b>\d+) (?:[\ -]\w+){0,2} \ (?:characters|letters|chars)
            | (?:at\ most|up\ to|no\ more\ than|maximum(?:\ length)?(?:\ of|\ is|:)?|not\ exceed) \ (?P<most>\d+) (?:[\ -]\w+){0,2} \ (?:characters|letters|chars)
            | (?:at\ least|minimum(?:\ length)?(?:\ of|\ is|:)?) \ (?P<least>\d+) (?:[\ -]\w+){0,2} \ (?:characters|letters|chars)
            | exactly\ (?P<exactly>\d+) (?:[\ -]\w+){0,2} \ (?:characters|letters|chars)",
        ),
        range: regex(r"(?i)\bbetween (-?\d+(?:\.\d+)?) and (-?\d+(?:\.\d+)?)\b"),
        unit: regex(r"(?i)^(?:[ -]\w+){0,2} (?:characters|letters|chars|bytes)"),
        example: regex(
            r#"(?i)(?:\be\.g\.?|\bfor example|\bsuch as|\bexample:)[:,]?\s*\(?(`[^`\n]+`|"[^"\n]+"|'[^'\n]+'|[\w./:+-]*[\d/:_][\w./:+-]*)"#,
        ),
        formats: formats.map(|(pattern, format)| (regex(pattern), format)).into(),
        quoted: regex(
            r#"^(?:[^\n`"']*\n\s*[*-]\s+)?(?:[\s,;|/*:-]|and\b|or\b|\([^)\n]*\))*(?:`"?([^`"\n]{1,100})"?`|"([^"\n]{1,100})"|'([^'\n]{1,100})')"#,
        ),
        bare: regex(r"^\w[\w-]*(?:(?:, ?|,? (?:or|and) )[\w-]+)+"),
        link: regex(r"\[([^\]\n]+)\]\([^)\n]*\)"),
    }
});

/// Markdown without links and emphasis; what is code stays in back-ticks.
fn plain(markdown: &str) -> String {
    WORDS.link.replace_all(markdown, "$1").replace("**", "").replace("\\_", "_")
}

/// The values at the start of a text: in brackets, in quotes, or words with commas between them.
fn members(text: &str) -> Vec<String> {
    let mut members: Vec<String> = Vec::new();
    if let Some((list, _)) = text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        let separator = if list.contains(',') { ',' } else { ' ' };
        members.extend(list.split(separator).map(|member| member.trim().trim_matches(QUOTES).to_owned()));
    } else {
        let mut rest = text;
        while let Some(captures) = WORDS.quoted.captures(rest) {
            let member = captures.iter().skip(1).flatten().next().expect("one of the quotes");
            members.push(member.as_str().to_owned());
            rest = &rest[captures.get(0).expect("the whole").end()..];
        }
        if members.is_empty() {
            let list = WORDS.bare.find(text).map_or("", |list| list.as_str());
            let words = list.split([',', ' ']).filter(|word| !matches!(*word, "" | "or" | "and"));
            members.extend(words.map(str::to_owned));
        }
    }
    members.retain(|member| !member.is_empty());
    members.dedup();
    members
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_of(texts: &[&str]) -> Constraint {
        Constraint::OneOf(texts.iter().map(|text| (*text).to_owned()).collect())
    }

    fn literal(text: &str) -> Constraint {
        Constraint::Literal(text.to_owned())
    }

    fn chars(min: Option<u64>, max: Option<u64>) -> Constraint {
        Constraint::Chars(Span::new(min, max))
    }

    #[test]
    fn lists_are_read_in_every_notation() {
        for (text, members) in [
            ("The tier. Possible values: [\"BASIC\", \"STANDARD_HA\"]", &["BASIC", "STANDARD_HA"][..]),
            ("Valid values are `a`, `b`, and `c`. More `text`.", &["a", "b", "c"]),
            ("Must be one of: 'on', 'off'", &["on", "off"]),
            ("Allowed values are Basic, Standard or Premium.", &["Basic", "Standard", "Premium"]),
            ("Valid options:\n  * `x` - the first.\n  * `y` - the second.\n", &["x", "y"]),
            ("The mode: `fast`, `slow` or `none`.", &["fast", "slow", "none"]),
            ("Either \"a\" | \"b\"", &["a", "b"]),
            ("Enum: `a`, `b`", &["a", "b"]),
            ("Supported values include \"tcp\" (usual) and \"udp\"", &["tcp", "udp"]),
        ] {
            assert_eq!(from_description(text, true)[0], one_of(members), "{text}");
        }
        assert_eq!(from_description("The valid values are listed elsewhere.", false), []);
    }

    #[test]
    fn defaults_lengths_ranges_and_examples_are_read() {
        for (text, constraint) in [
            ("The size. Defaults to `10`.", literal("10")),
            ("Default is \"a b\"", literal("a b")),
            ("The name, between 3 and 63 characters.", chars(Some(3), Some(63))),
            ("A name of up to 64 characters", chars(None, Some(64))),
            ("must be exactly 8 characters", chars(Some(8), Some(8))),
            ("A number between 1 and 100.", Constraint::Range { min: Some(1.into()), max: Some(100.into()) }),
            ("An ID, e.g. fs-12345678.", literal("fs-12345678")),
            ("for example `eu west`", literal("eu west")),
            (
                "When it starts, in [RFC 3339](https://example.com/rfc) format",
                Constraint::Format(Format::Rfc3339),
            ),
            ("an ISO 8601 duration", Constraint::Format(Format::IsoDuration)),
            ("the ISO 3166 code", Constraint::Format(Format::Country)),
        ] {
            assert_eq!(from_description(text, true), [constraint], "{text}");
        }
    }
}
