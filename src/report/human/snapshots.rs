//! What changed in snapshots, as diffs.

use similar::{ChangeTag, TextDiff};

use super::super::Snapshots;
use super::Style;
use super::text::{Tone, count, elide};
use crate::snapshot::{Change, ChangeKind};

/// Lines shown of a long diff.
const MOST: usize = 40;
/// The same if the diff is a whole file.
const MOST_OF_A_FILE: usize = 8;

/// Each change with its diff; accepted ones in one line each.
pub(super) fn write(out: &mut String, snapshots: &Snapshots, style: &Style) {
    for change in &snapshots.changes {
        let heading = style.paint(tone(change.kind), &change.kind.name().to_uppercase());
        let accepted = if snapshots.accepted { ", accepted" } else { "" };
        out.push_str(&format!("{heading}  {}{accepted}\n", change.file.display()));
        if !snapshots.accepted {
            write_diff(out, change, style);
            out.push('\n');
        }
    }
    if snapshots.accepted && !snapshots.changes.is_empty() {
        out.push('\n');
    }
}

fn tone(kind: ChangeKind) -> Tone {
    match kind {
        ChangeKind::New => Tone::Good,
        ChangeKind::Changed => Tone::Warn,
        ChangeKind::Removed => Tone::Bad,
    }
}

/// The unified diff of one change, without a header.
pub(super) fn write_diff(out: &mut String, change: &Change, style: &Style) {
    let [kept, shown] = &change.texts;
    let [before, now] = &change.about;
    if change.kind == ChangeKind::Changed && before != now && !before.is_empty() {
        style.field(out, "kept for", before);
        style.field(out, "shown for", now);
    }
    let diff = TextDiff::from_lines(kept, shown);
    let mut lines = Vec::new();
    for group in diff.grouped_ops(3) {
        if !lines.is_empty() {
            lines.push(style.paint(Tone::Dim, "  ..."));
        }
        lines.extend(group.iter().flat_map(|op| diff.iter_changes(op)).map(|line| {
            let (sign, tone) = match line.tag() {
                ChangeTag::Equal => (' ', Tone::Plain),
                ChangeTag::Delete => ('-', Tone::Bad),
                ChangeTag::Insert => ('+', Tone::Good),
            };
            let text = format!("{sign} {}", line.value().trim_end());
            let text = if style.verbose { text } else { elide(&text, style.width.saturating_sub(2)) };
            format!("  {}", style.paint(tone, text.trim_end()))
        }));
    }
    let shown = match change.kind {
        _ if style.verbose => usize::MAX,
        ChangeKind::Changed => MOST,
        ChangeKind::New | ChangeKind::Removed => MOST_OF_A_FILE,
    };
    for line in lines.iter().take(shown) {
        out.push_str(&format!("{}\n", line.trim_end()));
    }
    if lines.len() > shown {
        let more = count((lines.len() - shown) as u64, "more line");
        out.push_str(&format!("  {}\n", style.paint(Tone::Dim, &format!("... {more} with --verbose"))));
    }
}

/// How many files hold what was shown, and how many did not.
pub(super) fn counts(snapshots: &Snapshots) -> String {
    let mut parts = vec![format!("{} unchanged", snapshots.unchanged.len())];
    for kind in [ChangeKind::Changed, ChangeKind::New, ChangeKind::Removed] {
        let n = snapshots.changes.iter().filter(|change| change.kind == kind).count();
        parts.extend((n > 0).then(|| format!("{n} {}", kind.name())));
    }
    match (snapshots.changes.is_empty(), snapshots.accepted) {
        (true, _) => parts.join(", "),
        (false, true) => format!("{}: accepted", parts.join(", ")),
        (false, false) => {
            format!("{}; the same command with --accept keeps what is shown now", parts.join(", "))
        }
    }
}
