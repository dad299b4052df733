//! `explain` and `list`.

use std::fmt::Write as _;

use super::args::{Explain, List, What};
use super::{Failed, Outcome, print};
use crate::report::Exit;
use crate::rule::{Legacy, Rule};
use crate::rules::{self, CATALOGUE, contract};

pub(super) fn explain(explain: &Explain) -> Outcome {
    let Some(rule) = rules::find(&explain.rule) else {
        let nearest = CATALOGUE
            .iter()
            .map(|rule| (strsim::jaro_winkler(rule.id, &explain.rule), rule.id))
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .filter(|(likeness, _)| *likeness > 0.7);
        let hint = nearest.map_or_else(
            || "\nhint: `tfconform list rules` names them all".to_owned(),
            |(_, id)| format!("\nhint: is it `{id}`?"),
        );
        return Err(Failed::usage(format!("there is no rule `{}`{hint}", explain.rule)));
    };
    print(&text(rule));
    Ok(Exit::Conforms)
}

fn text(rule: &Rule) -> String {
    let mut out = format!("{}  ({})\n\n", rule.id, rule.level);
    for line in rule.text.lines() {
        let _ = writeln!(out, "{}", line.strip_prefix(' ').unwrap_or(line));
    }
    let _ = writeln!(out);
    let _ = writeln!(
        out,
        "says        {}, {}: \"{}\"",
        rule.cites.document, rule.cites.section, rule.cites.words
    );
    match rule.title {
        Some(title) => {
            let _ = writeln!(out, "users see   {title}");
        }
        None => {
            let _ = writeln!(out, "users see   nothing at once: no engine checks it");
        }
    }
    if rule.legacy == Legacy::Excused {
        let _ = writeln!(out, "legacy      with the legacy type system flag engines only write to their log");
    }
    let _ = writeln!(out, "covers      {}", rule.covers.join(", "));
    let _ = writeln!(out, "try it      tfconform check --fault {}", rule.fault.name);
    out
}

pub(super) fn list(list: &List) -> Outcome {
    let mut out = String::new();
    match list.what {
        What::Rules => {
            for rule in CATALOGUE {
                let _ = writeln!(out, "{:<10} {:<44} {}", rule.level.name(), rule.id, rule.headline());
            }
        }
        What::Faults => {
            for rule in CATALOGUE {
                let _ = writeln!(out, "{:<48} {}", rule.fault.name, rule.fault.about);
                let _ = writeln!(out, "{:<48}   breaks {}", "", rule.id);
                let _ = writeln!(out, "{:<48} twin: {}", rule.twin.name, rule.twin.about);
            }
        }
        What::Contract => {
            for (entry, keepers) in contract::entries() {
                for keeper in keepers {
                    let _ = writeln!(out, "{entry:<16} {keeper}");
                }
            }
        }
        What::ExitCodes => {
            for exit in Exit::ALL {
                let _ = writeln!(out, "{:>4}  {}", exit.code(), exit.meaning());
            }
        }
    }
    print(&out);
    Ok(Exit::Conforms)
}
