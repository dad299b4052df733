//! One finding as a bug report, in Markdown.
//!
//! For somebody who has the provider and Terraform, and has never heard of tfconform. What others wrote is
//! escaped, or in code.

use super::foreign::shown;
use super::human::{self, Style};
use super::markdown::{code, fence, prose, text};
use super::{Family, Group, Report};
use crate::record::KeptFor;
use crate::reproduction::File;
use crate::transcript::Diagnostic;

/// What a bug report says besides the finding. None of it holds a secret.
#[derive(Debug)]
pub struct Circumstances {
    /// The program, the protocol and so on, each with its version where that is known.
    pub versions: Vec<(&'static str, String)>,
    /// The configuration of each run, or why it cannot be written.
    pub configurations: Result<Vec<File>, String>,
    /// The commands of each run, without the engine's name.
    pub steps: Vec<Vec<String>>,
    /// By run, what is done before it to objects without the provider.
    pub changes: Vec<Vec<String>>,
    /// What the provider said in the answer that the finding is about.
    pub said: Vec<Diagnostic>,
    /// What each real engine showed.
    pub verdicts: Vec<String>,
    /// The command that plays the scenarios of the type again.
    pub check: String,
    /// The name of the case's file.
    pub case: String,
}

/// The group of the finding that a case was kept for, in the report of the case.
pub fn of_case(report: &Report, kept_for: &KeptFor) -> Option<usize> {
    report.groups.iter().position(|group| {
        group.rule.id == kept_for.rule
            && group.attributes.contains_key(&kept_for.path)
            && *group.cause == kept_for.cause
    })
}

/// The bug report of one group of a report.
pub fn print(report: &Report, at: usize, around: &Circumstances) -> String {
    let report = report.legible();
    let group = &report.groups[at];
    let key = group.key();
    let follows = |other: &&Group| other.follows.as_ref() == Some(&key);
    let family = Family { groups: vec![group], also: report.groups.iter().filter(follows).collect() };
    let rule = group.rule;
    let who = if group.address().is_empty() { report.run.provider.clone() } else { group.address() };
    let mut out = format!("# {} breaks the provider contract: {}\n\n", code(&who), text(rule.headline()));
    write_versions(&mut out, around);
    write_configurations(&mut out, around);
    write_expected(&mut out, group);
    write_actual(&mut out, &family, around);
    out.push_str("\n## See it again\n\n");
    out.push_str(&block("sh", &format!("{}\ntfconform explain {}", shown(&around.check), rule.id)));
    let replay = format!("tfconform replay {}", around.case);
    out.push_str(&format!("\n{} plays only this, with that file attached.\n", code(&shown(&replay))));
    out
}

fn write_versions(out: &mut String, around: &Circumstances) {
    out.push_str("| | |\n| --- | --- |\n");
    for (name, version) in &around.versions {
        out.push_str(&format!("| {name} | {} |\n", text(&shown(version))));
    }
}

fn write_configurations(out: &mut String, around: &Circumstances) {
    let files = match &around.configurations {
        Ok(files) => files,
        Err(why) => {
            let why = text(&shown(why));
            return out.push_str(&format!("\n## Configuration\n\nTerraform alone cannot show it: {why}.\n"));
        }
    };
    out.push_str("\n## Configuration\n");
    for file in files {
        out.push_str(&format!("\n{}:\n\n{}", code(&file.name), block("hcl", shown(&file.text).trim())));
    }
    out.push_str("\n## Steps\n\n");
    for (idx, commands) in around.steps.iter().enumerate() {
        let commands: Vec<String> =
            commands.iter().map(|command| code(&format!("terraform {}", shown(command)))).collect();
        let before = around.changes.get(idx).into_iter().flatten();
        let before: String = before.map(|change| format!("{}, then ", text(&shown(change)))).collect();
        let with = files.get(idx).map(|file| format!("With {}: ", code(&file.name))).unwrap_or_default();
        out.push_str(&format!("{}. {with}{before}{}\n", idx + 1, commands.join(", then ")));
    }
    if around.changes.iter().any(|changes| !changes.is_empty()) {
        out.push_str(
            "\nWhat is changed outside of Terraform is changed in the remote system itself, by its own interface; \
             tfconform has a mock of it do so (`remote.change` of a suite).\n",
        );
    }
}

/// What must hold, and who says so.
fn write_expected(out: &mut String, group: &Group) {
    out.push_str("\n## Expected\n");
    let rule = group.rule;
    let words = rule.text.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    words.split("\n\n").for_each(|paragraph| out.push_str(&format!("\n{}\n", prose(paragraph))));
    let cites = &rule.cites;
    out.push_str(&format!(
        "\n> {}\n\n({}, {}; rule {}, which covers {})\n\nTo mend it: {}.\n",
        prose(cites.words),
        text(cites.document),
        text(cites.section),
        code(rule.id),
        rule.covers.join(", "),
        text(&group.fix()),
    ));
}

fn write_actual(out: &mut String, family: &Family<'_>, around: &Circumstances) {
    let style = Style { verbose: true, commands: false, ..Style::default() };
    let whole = human::family(family, &style);
    out.push_str(&format!("\n## Actual\n\n{}", block("text", whole.trim_end())));
    if !around.said.is_empty() {
        let said: Vec<String> = around.said.iter().map(spoken).collect();
        out.push_str(&format!("\nThe provider said:\n\n{}", block("text", &said.join("\n\n"))));
    }
    for verdict in &around.verdicts {
        out.push_str(&format!("\nThe same configuration with a real engine: {}.\n", text(&shown(verdict))));
    }
}

fn spoken(said: &Diagnostic) -> String {
    let kind = if said.is_error() { "Error" } else { "Warning" };
    let whole = format!("{kind}: {}\n\n{}", said.summary, said.detail);
    shown(whole.trim_end())
}

/// A fenced block.
fn block(language: &str, inside: &str) -> String {
    let fence = fence(inside);
    format!("{fence}{language}\n{inside}\n{fence}\n")
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    fn around() -> Circumstances {
        let file = |name: &str, text: &str| File {
            name: name.to_owned(),
            text: text.to_owned(),
            is_executable: false,
        };
        Circumstances {
            versions: vec![
                ("Provider", "acme (terraform-provider-acme_v1.2.3)".to_owned()),
                ("Engine", "terraform 1.11.4".to_owned()),
            ],
            configurations: Ok(vec![
                file("main.tf", "resource \"acme_disk\" \"a\" {\n  size = 1\n}\n"),
                file("step2.tf", "resource \"acme_disk\" \"a\" {\n  size = 2 # ```\n}\n"),
            ]),
            changes: Vec::new(),
            steps: vec![
                vec!["apply -auto-approve".to_owned(), "plan -detailed-exitcode".to_owned()],
                vec!["apply -auto-approve".to_owned()],
                vec!["destroy -auto-approve".to_owned()],
            ],
            said: vec![Diagnostic::error("Cannot *resize*", "The disk is in use.\u{1b}[31m")],
            check: "tfconform check ./terraform-provider-acme_v1.2.3 --seed 7 --resource acme_disk"
                .to_owned(),
            case: "plan-preserves-sample-1b717882.jsonl".to_owned(),
            verdicts: vec!["plan/preserves-sample: confirmed: terraform 1.11.4 shows “Nothing”".to_owned()],
        }
    }

    #[test]
    fn a_bug_report_says_what_somebody_else_needs_to_see_it() {
        let finding = samples::plan_finding();
        let kept_for = KeptFor {
            rule: finding.rule.id.to_owned(),
            path: finding.attributes.keys().next().expect("it has one").clone(),
            cause: finding.cause.to_string(),
            answered: String::new(),
            found: None,
        };
        let report = samples::report(vec![samples::long_finding(), finding]);
        let at = of_case(&report, &kept_for).expect("it is there");
        insta::assert_snapshot!(print(&report, at, &around()));
        let other = KeptFor { cause: "another".to_owned(), ..kept_for };
        assert_eq!(of_case(&report, &other), None);
    }

    #[test]
    fn what_no_configuration_shows_is_explained() {
        let report = samples::report(vec![samples::crash_finding()]);
        let around = Circumstances { configurations: Err("something changes it".to_owned()), ..around() };
        let text = print(&report, 0, &around);
        assert!(text.contains("\nTerraform alone cannot show it: something changes it.\n"), "{text}");
        assert!(!text.contains("## Steps"), "{text}");
    }
}
