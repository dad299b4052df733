//! `graph`: what waits for what in the runs of a kept case.

use super::case_args::Graph;
use super::{Outcome, case, print};
use crate::report::Exit;
use crate::report::foreign::shown;
use crate::report::graph::{dot, mermaid, text};
use crate::session::{self, Part, signals};

pub(super) fn graph(graph: &Graph) -> Outcome {
    let case = case::read(&graph.case)?;
    let suite = case::suite(&case, &graph.case)?;
    let part = Part::default();
    signals::watch(&part.interruption);
    let graphs = session::replay(&case, &suite, 1, &part)?.graphs;
    let draw = match (graph.dot, graph.mermaid) {
        (true, _) => dot,
        (false, true) => mermaid,
        (false, false) => text,
    };
    print(&shown(&draw(&graphs)))?;
    Ok(Exit::Conforms)
}
