//! What was learned, as a text that people review and keep: one fact in a line, in order.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::generate::Facts;
use crate::generate::facts::{Evidence, Fact, Strength, ValueFacts};
use crate::schema::Kind;

/// The first lines of a file.
const HEAD: &str = "\
# What tfconform has learned about this provider, one fact in a line. Keep it next to the provider and
# review its changes. The next run begins with it, and learns anew what no longer holds.
";

/// The most characters of a provider's words that are kept.
const LONGEST: usize = 120;

/// Facts by kind and type.
pub type Learned = BTreeMap<(Kind, String), Facts>;

/// The text; `may_keep` says of a line whether it may be kept.
pub fn write(learned: &Learned, may_keep: &dyn Fn(&str) -> bool) -> String {
    let mut lines = BTreeSet::new();
    for ((kind, name), facts) in learned {
        lines.extend(lines_of(&kind.qualified(name), facts));
    }
    let lines: Vec<String> = lines.into_iter().filter(|line| may_keep(line)).collect();
    lines.iter().fold(HEAD.to_owned(), |text, line| text + line + "\n")
}

fn lines_of(name: &str, facts: &Facts) -> Vec<String> {
    let mut lines = Vec::new();
    let shapes = [("everything", &facts.everything), ("minimal", &facts.minimal)];
    for (word, set) in shapes.into_iter().filter_map(|(word, set)| Some((word, set.as_ref()?))) {
        lines.push(format!("{name} {word} {}", json(set)));
    }
    lines.extend(facts.grown_for.map(|scenarios| format!("{name} scenarios {scenarios}")));
    lines.extend(facts.rules.iter().map(|rule| format!("{name} rule {}", json(rule))));
    for (path, known) in &facts.values {
        for fact in known.facts.iter().filter(|fact| !fact.is_written()) {
            let word = if fact.strength == Strength::Hard { "must" } else { "may" };
            let constraint = json(&fact.constraint);
            lines.push(format!("{name} {word} {path} {constraint} # {}", evidence(&fact.evidence)));
        }
        if !known.good.is_empty() {
            lines.push(format!("{name} accepted {path} {}", json(&known.good)));
        }
        for (word, texts) in [("refused", &known.bad), ("texts", &known.texts)] {
            lines.extend((!texts.is_empty()).then(|| format!("{name} {word} {path} {}", json(texts))));
        }
    }
    lines
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("texts and numbers can be written")
}

/// How a fact became known: the answer, the entry of the catalogue, and the provider's words.
fn evidence(evidence: &Evidence) -> String {
    let words = evidence.seen.split_whitespace().collect::<Vec<_>>().join(" ");
    let words: String = words.chars().take(LONGEST).collect();
    format!("answer {}, {}: {words}", evidence.answer, evidence.via)
}

/// Reads such a text. Fails with the line, counted from 1, and what is wrong with it.
pub fn read(text: &str) -> Result<Learned, (usize, String)> {
    let mut learned = Learned::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            take(line, number, &mut learned).map_err(|problem| (number, problem))?;
        }
    }
    for known in learned.values_mut().flat_map(|facts| facts.values.values_mut()) {
        known.facts.sort_by_key(|fact| fact.evidence.answer);
    }
    Ok(learned)
}

fn take(line: &str, number: usize, learned: &mut Learned) -> Result<(), String> {
    let (name, rest) = word(line)?;
    let (what, rest) = word(rest)?;
    let key = match name.strip_prefix(Kind::DataSource.address_prefix()) {
        Some(name) => (Kind::DataSource, name.to_owned()),
        None => (Kind::Resource, name.to_owned()),
    };
    let facts = learned.entry(key).or_default();
    facts.is_remembered = true;
    match what {
        "everything" => facts.everything = Some(value(rest)?.0),
        "minimal" => facts.minimal = Some(value(rest)?.0),
        "scenarios" => facts.grown_for = Some(value(rest)?.0),
        "rule" => {
            facts.rules.insert(value(rest)?.0);
        }
        _ => {
            let (path, rest) = word(rest)?;
            take_value(what, rest, number, facts.values.entry(path.to_owned()).or_default())?;
        }
    }
    Ok(())
}

fn take_value(what: &str, text: &str, number: usize, known: &mut ValueFacts) -> Result<(), String> {
    let strength = match what {
        "accepted" => {
            known.good = value(text)?.0;
            return Ok(());
        }
        "refused" => {
            known.bad = value(text)?.0;
            return Ok(());
        }
        "texts" => {
            known.texts = value(text)?.0;
            return Ok(());
        }
        "must" => Strength::Hard,
        "may" => Strength::Soft,
        other => {
            let words = "accepted, everything, may, minimal, must, refused, rule, scenarios and texts";
            return Err(format!("`{other}` is none of {words}"));
        }
    };
    let (constraint, comment) = value(text)?;
    known.add(Fact { constraint, strength, evidence: read_evidence(comment, number) });
    Ok(())
}

/// The evidence in a comment; of a line that a person wrote, that it is a line of its own.
fn read_evidence(comment: &str, number: usize) -> Evidence {
    let read = || {
        let (answer, rest) = comment.strip_prefix("# answer ")?.split_once(", ")?;
        let (via, seen) = rest.split_once(": ").or_else(|| rest.strip_suffix(':').map(|via| (via, "")))?;
        Some(Evidence { via: via.to_owned(), seen: seen.to_owned(), answer: answer.parse().ok()? })
    };
    let by_hand = || Evidence { via: "file".to_owned(), seen: String::new(), answer: number as u32 };
    read().unwrap_or_else(by_hand)
}

fn word(text: &str) -> Result<(&str, &str), String> {
    let (word, rest) = text.trim_start().split_once(' ').ok_or("the line ends too early")?;
    Ok((word, rest.trim_start()))
}

/// The JSON at the start of a text, and what follows.
fn value<T: DeserializeOwned>(text: &str) -> Result<(T, &str), String> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter();
    let value = values.next().ok_or("a value is missing")?.map_err(|error| error.to_string())?;
    let rest = text[values.byte_offset()..].trim();
    match rest.is_empty() || rest.starts_with('#') {
        true => Ok((value, rest)),
        false => Err(format!("`{rest}` follows the value")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::facts::{Constraint, PresenceRule, Span};
    use crate::generate::witness::Format;
    use crate::value::Number;

    fn known() -> Learned {
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<String>>();
        let mut values = ValueFacts { good: vec!["enum b".to_owned()], ..ValueFacts::default() };
        let half = Number::parse("0.5").unwrap();
        let constraints = [
            Constraint::OneOf(vec!["b".to_owned(), "a # b".to_owned()]),
            Constraint::Range { min: Some(half), max: None },
            Constraint::Bytes(Span::new(Some(1), Some(9))),
            Constraint::Unique,
            Constraint::Key(Box::new(Constraint::Format(Format::GoDuration))),
        ];
        for (idx, constraint) in (1..).zip(constraints) {
            let evidence = Evidence { via: "V04".to_owned(), seen: "must be: x".to_owned(), answer: idx };
            let strength = if idx == 2 { Strength::Soft } else { Strength::Hard };
            values.add(Fact { constraint, strength, evidence });
        }
        values.bad.insert("word".to_owned());
        let when = PresenceRule::When {
            path: "mode".to_owned(),
            is: "a".to_owned(),
            then: Box::new(PresenceRule::Required("size".to_owned())),
        };
        let facts = Facts {
            values: [("disk.mode".to_owned(), values)].into(),
            rules: [PresenceRule::AtMostOne(set(&["a", "b"])), when].into(),
            minimal: Some(set(&["mode"])),
            is_remembered: true,
            ..Facts::default()
        };
        let data =
            Facts { everything: Some(set(&[])), grown_for: Some(4), is_remembered: true, ..Facts::default() };
        [
            ((Kind::Resource, "acme_thing".to_owned()), facts),
            ((Kind::DataSource, "acme_thing".to_owned()), data),
        ]
        .into()
    }

    #[test]
    fn what_is_written_is_read_back() {
        let text = write(&known(), &|_| true);
        assert_eq!(read(&text), Ok(known()), "{text}");
        assert_eq!(
            text.strip_prefix(HEAD).unwrap(),
            "acme_thing accepted disk.mode [\"enum b\"]\n\
             acme_thing may disk.mode {\"range\":{\"min\":\"0.5\",\"max\":null}} # answer 2, V04: must be: x\n\
             acme_thing minimal [\"mode\"]\n\
             acme_thing must disk.mode \"unique\" # answer 4, V04: must be: x\n\
             acme_thing must disk.mode {\"bytes\":{\"min\":1,\"max\":9}} # answer 3, V04: must be: x\n\
             acme_thing must disk.mode {\"key\":{\"format\":\"go-duration\"}} # answer 5, V04: must be: x\n\
             acme_thing must disk.mode {\"one-of\":[\"b\",\"a # b\"]} # answer 1, V04: must be: x\n\
             acme_thing refused disk.mode [\"word\"]\n\
             acme_thing rule {\"at-most-one\":[\"a\",\"b\"]}\n\
             acme_thing rule {\"when\":{\"path\":\"mode\",\"is\":\"a\",\"then\":{\"required\":\"size\"}}}\n\
             data.acme_thing everything []\n\
             data.acme_thing scenarios 4\n"
        );
        let without = write(&known(), &|line| !line.contains("enum b"));
        assert!(!without.contains("accepted") && without.contains("refused"));
    }

    #[test]
    fn a_line_that_cannot_be_read_is_named() {
        for (line, problem) in [
            ("acme_thing", "the line ends too early"),
            ("acme_thing minimal {}", "invalid type"),
            ("acme_thing minimal [] x", "`x` follows the value"),
            ("acme_thing knows a []", "`knows` is none of accepted"),
            ("acme_thing must a {\"one_of\":[]}", "unknown variant `one_of`"),
        ] {
            let (number, said) = read(&format!("# head\n\n{line}\n")).unwrap_err();
            assert!(number == 3 && said.contains(problem), "{line}: {said}");
        }
        assert!(read("acme_thing must a {\"prefix\":\"x\"}\n").is_ok());
    }
}
