//! Whether what an engine showed is what reports say that it shows.

use tfconform::rule::{Rule, Says, fits, is_titled};

/// Rules whose fault shows something else, with the reason.
const EXCEPTIONS: [(&str, &str); 4] = [
    (
        "upgrade/conforms",
        "`-refresh=false` makes the engine crash; a refresh replaces the state before anyone looks",
    ),
    (
        "apply/claims-only-what-it-changed",
        "the fault is in the state beside an error, and the error is shown",
    ),
    ("rpc/answers-in-time", "an engine waits for ever"),
    (
        "schema/list-resources-have-an-identity",
        "only `terraform query` asks for a list, and the script plans",
    ),
];

/// The same for one engine, named before its version.
const EXCEPTIONS_IN: [(&str, &str, &str); 3] = [
    ("tofu", "read/is-wholly-known", "it does not look, and plans a change"),
    ("tofu", "plan/conforms", "it makes blocks of another shape empty"),
    ("tofu", "apply/conforms", "it makes blocks of another shape empty"),
];

/// What is wrong with a cell; `None` if it agrees with the rule.
pub fn broken(rule: &Rule, engine: &str, cell: &str) -> Option<String> {
    let seen = cell.split("; control:").next().unwrap_or(cell);
    let name = engine.split(' ').next().unwrap_or_default();
    let is_excepted = EXCEPTIONS.iter().any(|(id, _)| *id == rule.id)
        || EXCEPTIONS_IN.iter().any(|(only, id, _)| *only == name && *id == rule.id);
    if is_excepted || seen.starts_with("not played") || seen == "not tried" {
        return None;
    }
    let is_quiet = seen == "nothing" || seen.starts_with("the warning ");
    let title = seen.strip_prefix('“').and_then(|rest| rest.strip_suffix('”'));
    let crash = seen.strip_prefix("it crashes: ");
    let agrees = match (rule.shows.says, crash) {
        _ if !rule.enforced.is_in(engine) => is_quiet,
        (Says::TitleIn { engine: only, .. }, None) if only.is_opentofu() != engine.starts_with("tofu ") => {
            is_quiet
        }
        (_, Some(words)) => rule.shows.crashes.iter().any(|crash| fits(words, crash.words)),
        (Says::Title(says) | Says::TitleIn { title: says, .. }, None) => {
            let own = rule.shows.opentofu.filter(|_| engine.starts_with("tofu "));
            title.is_some_and(|title| is_titled(title, own.unwrap_or(says)))
        }
        (Says::OwnWords(_), None) => title.is_some(),
        (Says::Change, None) => seen == "a plan right after apply has changes",
        (Says::ImportChange, None) => seen == "changes in the plan of an import",
        (Says::Nothing, None) => is_quiet,
    };
    (!agrees).then(|| format!("{}: a report says {}, and {engine} showed {seen}", rule.id, rule.shows))
}
