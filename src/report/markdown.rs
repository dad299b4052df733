//! For pull requests and job summaries: GitHub-flavoured Markdown, in short.
//!
//! A table of what fails the run, each finding folded as people see it on a terminal, and one line for the rest.
//! What others wrote is escaped, or in code.

use super::human::{self, Style, thousands};
use super::{Exit, Family, Report, Sections};
use crate::rule::Level;

/// Findings that are listed; a page has little room, and a job summary at most 1 MiB.
const MOST: usize = 25;
/// Characters of a finding, folded.
const LONGEST: usize = 20_000;

/// The whole report as Markdown.
pub fn print(report: &Report, exit: Exit) -> String {
    let report = &report.legible();
    let sections = report.sections();
    let families = Family::all(&sections.failing);
    let mut out = format!(
        "## tfconform: {} {}\n\n{}\n\n",
        if exit == Exit::Conforms { "✅" } else { "❌" },
        text(&report.run.provider),
        text(&human::conclusion(report, exit, &Style::default())),
    );
    if !families.is_empty() {
        out.push_str("| Level | Rule | Where | Found |\n| --- | --- | --- | --- |\n");
        families.iter().take(MOST).for_each(|family| out.push_str(&row(family)));
        out.push('\n');
        families.iter().take(MOST).for_each(|family| out.push_str(&folded(family)));
    }
    if families.len() > MOST {
        out.push_str(&format!("And {}.\n\n", human::count((families.len() - MOST) as u64, "more finding")));
    }
    let others = by_level(&sections);
    if !others.is_empty() {
        out.push_str(&format!("Not failing the run: {others}.\n\n"));
    }
    for note in report.notes.lines() {
        out.push_str(&format!("- {}\n", text(&note)));
    }
    if !report.notes.lines().is_empty() {
        out.push('\n');
    }
    out.push_str(&played(report));
    out
}

fn row(family: &Family<'_>) -> String {
    let first = family.first();
    let places = [first.address(), family.attributes()];
    let places: Vec<String> =
        places.iter().filter(|place| !place.is_empty()).map(|place| code(place)).collect();
    let mut place = places.join(" ");
    if !family.others().is_empty() {
        place.push_str(&format!(" {}", family.others()));
    }
    let found = human::messages(first).join("; ");
    let short: String = found.chars().take(200).collect();
    let short = if short.len() < found.len() { format!("{short}…") } else { short };
    format!("| {} | {} | {place} | {} |\n", first.level, code(first.rule.id), text(&short))
}

/// A finding as people see it, behind a line that opens it.
fn folded(family: &Family<'_>) -> String {
    let first = family.first();
    let whole = human::family(family, &Style::default());
    let shown: String = whole.chars().take(LONGEST).collect();
    let fence = fence(&shown);
    format!(
        "<details><summary><code>{}</code> {}</summary>\n\n{fence}text\n{}\n{fence}\n\n</details>\n\n",
        first.rule.id,
        markup(&first.address()),
        shown.trim_end()
    )
}

/// `2 tolerated, 1 known, 3 allowed`; empty if everything fails the run.
fn by_level(sections: &Sections<'_>) -> String {
    let level = |level: Level| -> (usize, &str) {
        let groups = sections.passing.iter().copied().filter(|group| group.level == level);
        (Family::all(&groups.collect::<Vec<_>>()).len(), level.name())
    };
    let apart = [
        (&sections.warned, "warned of"),
        (&sections.known, "known"),
        (&sections.of_sdk, "of the SDK"),
        (&sections.allowed, "allowed"),
    ];
    let apart = apart.map(|(groups, name)| (Family::all(groups).len(), name));
    let counts = Level::ALL.map(level).into_iter().chain(apart);
    let counts = counts.filter(|(n, _)| *n > 0).map(|(n, name)| format!("{n} {name}"));
    counts.collect::<Vec<_>>().join(", ")
}

/// What was run, in one line.
fn played(report: &Report) -> String {
    let (run, totals) = (&report.run, &report.totals);
    format!(
        "<sub>{} in {}, {}; protocol {}, {}, seed {}{}</sub>\n",
        human::count(totals.scenarios, "scenario"),
        human::count(totals.types.total, "type"),
        human::count(totals.exchanges, "call"),
        run.protocol,
        text(&run.played_as()),
        run.seed,
        match run.applied {
            true => format!("; {} applied", thousands(totals.types.applied)),
            false => ", nothing applied".to_owned(),
        }
    )
}

/// Text in one line, in which no character means anything to Markdown, HTML or GitHub.
pub(super) fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // Neither a mention nor a link to an issue.
            '@' | '#' => out.push_str(&format!("{c}<!-- -->")),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '!' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out.replace("://", ":<!-- -->//").replace("www.", "www<!-- -->.")
}

/// Sentences of our own, in which backticks enclose code.
pub(super) fn prose(words: &str) -> String {
    let parts: Vec<&str> = words.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return text(words);
    }
    let mut out = String::new();
    for (idx, part) in parts.into_iter().enumerate() {
        if idx % 2 == 1 {
            out.push_str(&code(part));
            continue;
        }
        // A blank next to code is not at the end of a line.
        let blank = |is_there: bool| if is_there { " " } else { "" };
        let is_blank = part.trim().is_empty();
        out.push_str(blank(part.starts_with(char::is_whitespace) && !is_blank));
        out.push_str(&text(part));
        out.push_str(blank(part.ends_with(char::is_whitespace)));
    }
    out.trim().to_owned()
}

/// Text inside markup, which is not read as Markdown.
fn markup(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Code in one line of a table.
pub(super) fn code(code: &str) -> String {
    let code = code.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
    let fence = "`".repeat(longest_run(&code) + 1);
    // A backtick at an end would belong to the fence.
    let blank = if code.contains('`') { " " } else { "" };
    format!("{fence}{blank}{code}{blank}{fence}")
}

/// Longer than any fence in the text.
pub(super) fn fence(text: &str) -> String {
    "`".repeat(longest_run(text).max(2) + 1)
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    #[test]
    fn backticks_of_our_own_sentences_enclose_code() {
        assert_eq!(super::prose("a `b_c` and `d`, e_f"), "a `b_c` and `d`, e\\_f");
        assert_eq!(super::prose("`b`\n`c` d"), "`b` `c` d");
        assert_eq!(super::prose("it's ` alone"), "it's \\` alone");
    }

    use super::super::{Group, samples};
    use super::*;

    #[test]
    fn nothing_that_others_wrote_means_anything_to_markdown() {
        assert_eq!(
            text("a|b <script> *x* _y_\n# [l](u)"),
            r"a\|b &lt;script&gt; \*x\* \_y\_ #<!-- --> \[l\](u)"
        );
        assert_eq!(text("@user https://x #1"), "@<!-- -->user https:<!-- -->//x #<!-- -->1");
        assert_eq!(code("a|b`c"), "`` a\\|b`c ``");
        assert_eq!(fence("x\n````\ny"), "`````");
        assert_eq!(fence("x"), "```");
    }

    #[test]
    fn what_fails_is_listed_and_the_rest_is_counted() {
        insta::assert_snapshot!(print(&samples::everything(), Exit::Violates));
    }

    #[test]
    fn a_clean_run_is_a_few_lines() {
        let text = print(&samples::report(vec![samples::known_finding()]), Exit::Conforms);
        assert!(
            text.starts_with(
                "## tfconform: ✅ acme\n\nconforms, except for 1 finding that is known or allowed (exit 0)\n\n\
                 Not failing the run: 1 known.\n"
            ),
            "{text}"
        );
        assert!(text.lines().count() < 8, "{text}");
    }

    #[test]
    fn a_great_many_findings_stay_short() {
        let many = (0..400).map(|idx| {
            let cause = crate::record::Masked::sample(format!("cause {idx}"));
            Group { cause, ..samples::long_finding() }
        });
        let text = print(&samples::report(many.collect()), Exit::Violates);
        assert!(text.contains("\nAnd 375 more findings.\n") && text.len() < 1 << 20, "{}", text.len());
    }
}
