//! The graphs of a scenario's runs: as text, for Graphviz, and for Mermaid.

use std::fmt::Write as _;

use crate::lifecycle::Drawing;

/// One node in a line, with what it waits for.
pub fn text(graphs: &[Drawing]) -> String {
    let mut out = String::new();
    for (idx, graph) in graphs.iter().enumerate() {
        let _ = writeln!(out, "{}{}", if idx == 0 { "" } else { "\n" }, graph.title);
        let width = graph.nodes.iter().map(|name| name.chars().count()).max().unwrap_or_default();
        for (name, before) in graph.nodes.iter().zip(&graph.waits_for) {
            let before: Vec<&str> = before.iter().map(|idx| graph.nodes[*idx].as_str()).collect();
            let _ = match before.is_empty() {
                true => writeln!(out, "  {name}"),
                false => writeln!(out, "  {name:width$}  waits for {}", before.join(", ")),
            };
        }
    }
    out
}

/// One graph in the language of Graphviz, with a cluster for each of these. As in `terraform graph`, an arrow
/// leads to what is waited for.
pub fn dot(graphs: &[Drawing]) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut out =
        "digraph {\n  rankdir = \"RL\";\n  node [shape = rect, fontname = \"sans-serif\"];\n".to_owned();
    for (nth, graph) in graphs.iter().enumerate() {
        let _ = writeln!(out, "  subgraph \"cluster_{nth}\" {{\n    label = {};", quoted(&graph.title));
        for (idx, name) in graph.nodes.iter().enumerate() {
            let _ = writeln!(out, "    n{nth}_{idx} [label = {}];", quoted(name));
        }
        for (from, to) in edges(graph) {
            let _ = writeln!(out, "    n{nth}_{from} -> n{nth}_{to};");
        }
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    out
}

/// One flowchart in the language of Mermaid, with a subgraph for each of these. An arrow leads to what is waited
/// for.
pub fn mermaid(graphs: &[Drawing]) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('#', "#35;").replace('"', "#quot;"));
    let mut out = "flowchart RL\n".to_owned();
    for (nth, graph) in graphs.iter().enumerate() {
        let _ = writeln!(out, "  subgraph g{nth}[{}]", quoted(&graph.title));
        for (idx, name) in graph.nodes.iter().enumerate() {
            let _ = writeln!(out, "    n{nth}_{idx}[{}]", quoted(name));
        }
        for (from, to) in edges(graph) {
            let _ = writeln!(out, "    n{nth}_{from} --> n{nth}_{to}");
        }
        out.push_str("  end\n");
    }
    out
}

/// Which node waits for which.
fn edges(graph: &Drawing) -> impl Iterator<Item = (usize, usize)> {
    let of =
        |(from, before): (usize, &Vec<usize>)| before.iter().map(move |to| (from, *to)).collect::<Vec<_>>();
    graph.waits_for.iter().enumerate().flat_map(of)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graphs() -> [Drawing; 1] {
        let nodes = ["provider", "acme_disk.a[\"x#1\"]", "provider (close)"].map(str::to_owned).to_vec();
        [Drawing { title: "run 1: plan".to_owned(), nodes, waits_for: vec![vec![], vec![0], vec![1]] }]
    }

    #[test]
    fn a_line_says_what_a_node_waits_for() {
        let expected = "run 1: plan\n  provider\n  acme_disk.a[\"x#1\"]  waits for provider\n  \
                        provider (close)    waits for acme_disk.a[\"x#1\"]\n";
        assert_eq!(text(&graphs()), expected);
    }

    #[test]
    fn names_are_quoted_for_graphviz() {
        let expected = "digraph {\n  rankdir = \"RL\";\n  node [shape = rect, fontname = \"sans-serif\"];\n  \
                        subgraph \"cluster_0\" {\n    label = \"run 1: plan\";\n    n0_0 [label = \"provider\"];\n    \
                        n0_1 [label = \"acme_disk.a[\\\"x#1\\\"]\"];\n    n0_2 [label = \"provider (close)\"];\n    \
                        n0_1 -> n0_0;\n    n0_2 -> n0_1;\n  }\n}\n";
        assert_eq!(dot(&graphs()), expected);
    }

    #[test]
    fn names_are_quoted_for_mermaid() {
        let expected = "flowchart RL\n  subgraph g0[\"run 1: plan\"]\n    n0_0[\"provider\"]\n    \
                        n0_1[\"acme_disk.a[#quot;x#35;1#quot;]\"]\n    n0_2[\"provider (close)\"]\n    \
                        n0_1 --> n0_0\n    n0_2 --> n0_1\n  end\n";
        assert_eq!(mermaid(&graphs()), expected);
    }
}
