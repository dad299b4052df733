//! For browsers: one HTML file that loads nothing.
//!
//! Without scripts everything is there and opens; the script filters. Markup is checked when this is compiled,
//! and text is escaped unless it says otherwise, which is why there is a templating crate.

mod finding;
mod objects;
mod run;

use std::time::SystemTime;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use x509_cert::der::DateTime;

use super::human::{self, Style};
use super::{Exit, Family, Report, Sections};
use crate::rule::Level;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// Nothing is loaded, whatever stands in the report.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// The whole report as one document, which is written at a time.
pub fn print(report: &Report, exit: Exit, at: SystemTime) -> String {
    let report = &report.legible();
    let title = format!("tfconform: {}", report.run.provider);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content={ "tfconform " (env!("CARGO_PKG_VERSION")) };
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (heading(report, exit, at))
                main {
                    (findings(report))
                    (run::sections(report))
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

/// What the report is, for a reader who did not ask for it.
const ABOUT: &str = "tfconform played this provider as Terraform and OpenTofu do, and compared every answer with the \
                     documented provider contract. What it found at “must” is what users of the provider run into.";

fn heading(report: &Report, exit: Exit, at: SystemTime) -> Markup {
    let run = &report.run;
    let provider = if run.provider.is_empty() { &run.program } else { &run.provider };
    let state = if exit == Exit::Conforms { "good" } else { "bad" };
    html! {
        header {
            h1 { (provider) }
            p.verdict.(state) { (human::conclusion(report, exit, &Style::default())) }
            // Whoever was sent the file may never have heard of the program.
            p { (ABOUT) }
            dl.facts {
                div { dt { "written" } dd { (minute(at)) } }
                @if !run.program.is_empty() { div { dt { "program" } dd { (run.program) } } }
                div { dt { "engine" } dd { (run.engine) } }
                div { dt { "protocol" } dd { (run.protocol) } }
                div { dt { "seed" } dd { (run.seed) } }
                div { dt { "tfconform" } dd { (env!("CARGO_PKG_VERSION")) } }
                div { dt { "types" } dd { (human::thousands(report.totals.types.total)) } }
                div { dt { "scenarios" } dd { (human::thousands(report.totals.scenarios)) } }
                div { dt { "calls" } dd { (human::thousands(report.totals.exchanges)) } }
                div { dt { "objects" } dd { @if run.applied { "created" } @else { "not created" } } }
            }
        }
    }
}

/// A time as a reader anywhere understands it: `2026-11-26 01:40 UTC`.
fn minute(at: SystemTime) -> String {
    let Ok(at) = DateTime::try_from(at) else { return String::new() };
    format!("{}-{:02}-{:02} {:02}:{:02} UTC", at.year(), at.month(), at.day(), at.hour(), at.minutes())
}

/// Every finding, those that fail the run first, below what selects some of them.
fn findings(report: &Report) -> Markup {
    let Sections { failing, warned, passing, known, of_sdk, allowed } = report.sections();
    let n_allowed = Family::all(&allowed).len() as u64;
    let sections = [
        ("fails", "Fails the run", Family::all(&failing)),
        ("warned", "Warned of", Family::all(&warned)),
        ("passes", "Does not fail the run", Family::all(&passing)),
        ("known", "Known, excused by the suite", Family::all(&known)),
        ("sdk", "Defects of the SDK", Family::all(&of_sdk)),
    ];
    let all = || sections.iter().flat_map(|(_, _, families)| families);
    html! {
        @if all().next().is_none() {
            section { h2 { "Findings" } p { @if n_allowed == 0 { "None." } @else { "None to show." } } }
        } @else {
            (filters(all().map(|family| family.first().level)))
            @for (id, title, families) in &sections {
                @if !families.is_empty() {
                    section.findings id=(id) {
                        h2 { (title) " " span.count { (families.len()) } }
                        @for (idx, family) in families.iter().enumerate() {
                            (finding::card(family, *id == "fails" && idx == 0))
                        }
                        p.none hidden { "None of these match." }
                    }
                }
            }
        }
        @if n_allowed > 0 {
            p.allowed { (human::count(n_allowed, "finding")) " allowed, and not shown." }
        }
    }
}

/// What selects findings: words, and levels. Hidden without scripts.
fn filters(levels: impl Iterator<Item = Level>) -> Markup {
    let levels: Vec<Level> = levels.collect();
    html! {
        form.filters id="filters" role="search" hidden {
            input type="search" id="words" name="words" placeholder="Filter by rule, type, attribute, text"
                aria-label="Filter findings";
            @for level in Level::ALL {
                @let count = levels.iter().filter(|own| **own == level).count();
                @if count > 0 {
                    label.(level.name()) {
                        input type="checkbox" name="level" value=(level.name()) checked;
                        " " (level.name()) " " span.count { (count) }
                    }
                }
            }
            button type="button" id="open" { "Open all" }
            output id="shown" aria-live="polite" {}
        }
    }
}

#[cfg(test)]
mod tests;
