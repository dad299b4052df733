//! For GitHub Actions: annotations, as workflow commands on standard output.
//!
//! Source: GitHub's documentation, "Workflow commands for GitHub Actions".

use super::{Exit, Family, Group, Report, human};

/// Annotations of a step; GitHub shows no more errors of one.
const MOST: usize = 10;

/// An error for each finding that fails the run, and one for a run that ends in another way.
pub fn print(report: &Report, exit: Exit) -> String {
    let report = &report.legible();
    let failing: Vec<&Group> = report.groups.iter().filter(|group| group.fails(report.run.fail_on)).collect();
    let families = Family::all(&failing);
    let mut errors: Vec<(String, String)> = families.iter().map(error).collect();
    if !matches!(exit, Exit::Conforms | Exit::Violates) {
        let notes = report.notes.lines_but_drift();
        let about = std::iter::once(exit.meaning().to_owned()).chain(notes);
        errors.insert(0, (format!("tfconform: exit {}", exit.code()), about.collect::<Vec<_>>().join("\n")));
    }
    if errors.len() > MOST {
        let n_hidden = errors.len() - (MOST - 1);
        errors.truncate(MOST - 1);
        let more = human::count(n_hidden as u64, "more finding");
        errors.push(("tfconform".to_owned(), format!("{more}: see the log or the job summary")));
    }
    let line = |(title, message): &(String, String)| {
        format!("::error title={}::{}\n", property(title), data(message))
    };
    errors.iter().map(line).collect()
}

/// The title and the message of a finding.
fn error(family: &Family<'_>) -> (String, String) {
    let first = family.first();
    let place = [first.address(), family.others()].join(" ");
    let title = format!("{} {} {}", first.level.name().to_uppercase(), first.rule.id, place.trim());
    let attributes = Some(family.attributes()).filter(|attributes| !attributes.is_empty());
    let found = human::messages(first).join("; ");
    let message = attributes.map_or_else(|| found.clone(), |attributes| format!("{attributes}: {found}"));
    let must_hold = format!("must hold: {}", first.rule.headline());
    let more = [must_hold, first.first.rerun.clone(), format!("tfconform explain {}", first.rule.id)];
    let lines = std::iter::once(message).chain(more.into_iter().filter(|line| !line.is_empty()));
    (title.trim().to_owned(), lines.collect::<Vec<_>>().join("\n"))
}

/// A message, in which a line end would end the command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property, in which a comma or a colon would end it, too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;
    use crate::record::Masked;

    #[test]
    fn each_failing_finding_is_an_error_and_nothing_else() {
        let report = samples::everything();
        let text = print(&report, Exit::Violates);
        assert!(text.lines().all(|line| line.starts_with("::error title=")), "{text}");
        let failing: Vec<&Group> =
            report.groups.iter().filter(|group| group.fails(report.run.fail_on)).collect();
        assert_eq!(text.lines().count(), Family::all(&failing).len(), "{text}");
        assert!(text.contains(
            "::error title=MUST plan/preserves-sample acme_bucket and 1 other type::lifecycle.name: "
        ));
        assert_eq!(print(&samples::report(vec![samples::known_finding()]), Exit::Conforms), "");
    }

    #[test]
    fn no_text_of_a_provider_ends_a_command_or_begins_another() {
        let mut finding = samples::plan_finding();
        let broken = finding.attributes.values_mut().next().expect("it has one");
        let mut evidence = (*broken.evidence).clone();
        evidence.message = "100%\r\n::set-output name=a::b".to_owned();
        broken.evidence = Masked::sample(evidence);
        finding.type_name = "acme,x:y".to_owned();
        let text = print(&samples::report(vec![finding]), Exit::Violates);
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(text.contains(" acme%2Cx%3Ay::") && text.contains("100%25%0A: :set-output"), "{text}");
    }

    #[test]
    fn more_errors_than_github_shows_are_counted() {
        let many = (0..30).map(|idx| {
            let cause = Masked::sample(format!("cause {idx}"));
            Group { cause, ..samples::plan_finding() }
        });
        let text = print(&samples::report(many.collect()), Exit::Violates);
        assert_eq!(text.lines().count(), MOST);
        assert!(
            text.ends_with("::error title=tfconform::21 more findings: see the log or the job summary\n"),
            "{text}"
        );
    }

    #[test]
    fn a_run_that_judged_too_little_is_an_error() {
        let text = print(&samples::refused(), Exit::TooLittle);
        assert!(text.starts_with("::error title=tfconform%3A exit 4::too little was judged: "), "{text}");
    }
}
