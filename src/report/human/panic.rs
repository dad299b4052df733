//! What a process wrote before it ended.

use super::Style;
use super::text::{Tone, count, elide};
use crate::process::parse_panic;
use crate::record::Evidence;

/// Lines of standard error that are shown where there is no panic.
const LINES: usize = 4;
/// Frames of the provider that are shown.
const FRAMES: usize = 3;

/// The panic and where the provider was; without a panic the end of standard error, and all of it if the style
/// says so.
pub(super) fn write(out: &mut String, evidence: &Evidence, style: &Style) {
    let stderr = evidence.stderr.as_str();
    let lines: Vec<&str> = stderr.lines().filter(|line| !line.trim().is_empty()).collect();
    if lines.is_empty() {
        return;
    }
    let panic = parse_panic(stderr).filter(|_| !style.verbose);
    if let Some(panic) = panic {
        if !evidence.message.contains(&panic.message) {
            style.field(out, "panic", &panic.message);
        }
        // The message usually names the first one.
        let is_new = |location: &str| !evidence.message.contains(location);
        let frames = panic.own.iter().take(FRAMES).enumerate();
        for (idx, frame) in frames.filter(|(_, frame)| is_new(&frame.location)) {
            let at = format!("{} {}", frame.function, frame.location);
            style.field(out, if idx == 0 { "panic in" } else { "called by" }, &at);
        }
        return;
    }
    let skipped = if style.verbose { 0 } else { lines.len().saturating_sub(LINES) };
    let heading = match skipped {
        0 => "standard error".to_owned(),
        n => format!("standard error ({} before)", count(n as u64, "line")),
    };
    out.push_str(&format!("  {}\n", style.paint(Tone::Dim, &heading)));
    for line in &lines[skipped..] {
        out.push_str(&format!("    {}\n", elide(line.trim_end(), style.width.saturating_sub(4))));
    }
}
