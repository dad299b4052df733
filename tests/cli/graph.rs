//! The graphs of a case.

use libtest_mimic::Trial;

use super::{Folder, trial};

pub fn trials() -> Vec<Trial> {
    vec![trial("graph/each_run_of_a_case_is_shown_in_every_language", languages)]
}

fn languages() {
    let folder = Folder::new();
    let check = "check --fault plan/rewrites-configured-values --resource reference_plain --cases 2";
    folder.tfconform(check).says(1, &["tfconform replay"]);
    let case = folder.files(".tfconform/cases", ".jsonl").swap_remove(0).display().to_string();
    let text = folder.tfconform(&format!("graph {case}")).says(0, &["run 1: plan"]).out.clone();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[1], "  provider");
    let object = lines[2].trim().strip_suffix("waits for provider").expect("the object waits").trim();
    assert!(object.starts_with("reference_plain."), "{text}");
    let close = format!("  provider (close)  waits for {object}");
    assert!(lines.iter().any(|line| line.split_whitespace().eq(close.split_whitespace())), "{text}");
    let arrow = |language: &str, expected: &[&str]| {
        folder.tfconform(&format!("graph {case} --{language}")).says(0, expected);
    };
    let label = format!("n0_1 [label = \"{object}\"];");
    arrow("dot", &["digraph {", "label = \"run 1: plan\";", &label, "n0_1 -> n0_0;"]);
    let label = format!("n0_1[\"{object}\"]");
    arrow("mermaid", &["flowchart RL", "subgraph g0[\"run 1: plan\"]", &label, "n0_1 --> n0_0"]);
    folder.tfconform(&format!("graph {case} --dot --mermaid")).fails(2, &["cannot be used with"]);
    folder.tfconform("graph none").fails(2, &["none"]);
}
