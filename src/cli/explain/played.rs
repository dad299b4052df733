//! Under which real engines a rule's fault was seen, as `docs/levels.md` has it.

use crate::rule::Rule;

const TABLE: &str = include_str!("../../../docs/levels.md");

/// The columns before those of engines.
const OWN: usize = 3;

/// Which engines showed the fault and which did not, as one sentence; `None` where none did.
pub(super) fn played(rule: &Rule) -> Option<String> {
    let mut rows = TABLE.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let engines = rows.next()?.split(" | ").skip(OWN);
    let own = format!("`{}` | ", rule.id);
    let cells = rows.find(|row| row.starts_with(&own))?.split(" | ").skip(OWN);
    let (shown, not): (Vec<_>, Vec<_>) = engines.zip(cells).partition(|(_, cell)| is_shown(cell));
    let names =
        |of: Vec<(&str, &str)>| of.into_iter().map(|(engine, _)| engine).collect::<Vec<_>>().join(", ");
    match (shown.is_empty(), not.is_empty()) {
        (true, _) => None,
        (false, true) => Some(format!("shown by {}", names(shown))),
        (false, false) => Some(format!("shown by {}; not by {}", names(shown), names(not))),
    }
}

/// Whether a cell says that users see something.
fn is_shown(cell: &str) -> bool {
    let unseen = ["nothing", "the warning ", "not played", "not tried"];
    !unseen.iter().any(|start| cell.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::find;

    #[test]
    fn a_page_says_which_engines_showed_the_fault() {
        let of = |id: &str| played(find(id).unwrap());
        let all = of("plan/keeps-configured-values").unwrap();
        assert!(all.starts_with("shown by terraform 1.") && !all.contains("not by"), "{all}");
        let some = of("move/is-not-null").unwrap();
        assert!(some.starts_with("shown by terraform ") && some.contains("; not by tofu "), "{some}");
        assert_eq!(of("wire/nothing-follows"), None);
    }
}
