//! The page, without a browser: that it is well-formed, safe and whole.

use std::time::Duration;

use super::*;
use crate::record::{Masked, Reason};
use crate::report::samples;

/// Reads markup, and fails if an element is not closed, or closed by another.
fn assert_well_formed(page: &str) {
    const VOID: [&str; 2] = ["meta", "input"];
    // What a browser does not read as markup.
    let page = page.replace(STYLE, "").replace(SCRIPT, "");
    let mut open: Vec<&str> = Vec::new();
    for piece in page.split('<').skip(1) {
        let (tag, _) = piece.split_once('>').expect("a tag ends");
        let name = tag.split_whitespace().next().expect("a tag has a name");
        match name.strip_prefix('/') {
            Some(closed) => assert_eq!(open.pop(), Some(closed)),
            None if VOID.contains(&name) || name.starts_with('!') => {}
            None => open.push(name),
        }
    }
    assert_eq!(open, Vec::<&str>::new());
}

fn printed(report: &Report, exit: Exit) -> String {
    print(report, exit, SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_657_205))
}

#[test]
fn every_kind_of_report_is_one_whole_page() {
    for (report, exit) in [
        (samples::everything(), Exit::Violates),
        (samples::report(vec![]), Exit::Conforms),
        (samples::report(vec![samples::known_finding()]), Exit::Conforms),
        (samples::refused(), Exit::TooLittle),
        (samples::snapshots(), Exit::SnapshotChanged),
        (Report::default(), Exit::Unusable),
    ] {
        let page = printed(&report, exit);
        assert!(page.starts_with("<!DOCTYPE html><html"), "{page}");
        assert_well_formed(&page);
        assert!(page.contains(&format!("(exit {})", exit.code())), "{page}");
    }
}

#[test]
fn every_finding_shows_what_it_is_and_what_to_do() {
    let report = samples::everything();
    let page = printed(&report, Exit::Violates);
    assert!(page.contains("2026-11-26 01:40 UTC"));
    for group in &report.groups {
        let fix = group.fix();
        for text in [group.rule.id, group.rule.cites.section, group.level.name(), &fix] {
            assert!(page.contains(text), "{text} is missing");
        }
    }
    for text in [
        "lifecycle[0].name: &quot;web-old&quot; → &quot;web&quot;",
        "tfconform reproduce cases/acme_bucket-7.json\ntfconform replay cases/acme_bucket-7.json\ntfconform explain",
        "main.(*disk).ModifyPlan",
        "<th>planned state</th>",
        "and 1 other type",
        "Provider produced invalid plan",
        "<h3>fix</h3>",
        "compared every answer with the documented provider contract",
    ] {
        assert!(page.contains(text), "{text} is missing:\n{page}");
    }
}

#[test]
fn foreign_text_is_no_markup() {
    const EVIL: &str = "</pre></script><script>alert(1)</script><img src=x onerror=alert(1)>\" onload=\"x";
    let mut finding = samples::crash_finding();
    let mut evidence = (*finding.first.evidence).clone();
    evidence.message = EVIL.to_owned();
    evidence.stderr =
        format!("panic: {EVIL}\n\ngoroutine 1 [running]:\nmain.{EVIL}()\n\t/src/{EVIL}.go:1 +0x1\n");
    let said = (EVIL.to_owned(), crate::value::tree::Tree::leaf(EVIL));
    evidence.objects = vec![said.clone(), said.clone()].into();
    evidence.allowed = vec![said.clone()];
    evidence.actual = Some(said);
    finding.first.evidence = Masked::sample(evidence.clone());
    let mut broken = finding.attributes.pop_first().expect("it has one").1;
    broken.evidence = Masked::sample(evidence);
    finding.attributes = [(EVIL.to_owned(), broken)].into();
    finding.type_name = EVIL.to_owned();
    finding.reason = Some(Reason::Known(EVIL.to_owned()));
    finding.first.rerun = format!("tfconform replay {EVIL}");
    let mut report = samples::report(vec![finding]);
    report.run.provider = EVIL.to_owned();
    report.notes.push(EVIL.to_owned());
    report.per_type[0].type_name = EVIL.to_owned();
    let page = printed(&report, Exit::Violates);
    assert_well_formed(&page);
    assert_eq!(page.matches("<script>").count(), 1, "{page}");
    assert!(!page.contains("<img") && !page.contains("\" onload"), "{page}");
    assert!(page.contains("&lt;script&gt;alert(1)"), "{page}");
}

#[test]
fn nothing_is_loaded() {
    let page = printed(&samples::everything(), Exit::Violates);
    let own = format!("{STYLE}{SCRIPT}");
    for word in ["src=", "href=", "url(", "@import", "fetch(", "http://", "https://"] {
        assert!(!own.contains(word) && !page.contains(word), "{word}");
    }
    assert!(page.contains("default-src 'none'") || page.contains("default-src &#39;none&#39;"), "{page}");
}

#[test]
fn masked_values_stay_masked() {
    let page = printed(&samples::report(vec![samples::sensitive_finding()]), Exit::Violates);
    assert!(page.contains("(sensitive value)"), "{page}");
}
