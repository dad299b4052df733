//! What was asked and answered, call by call.

use super::Style;
use super::text::{Tone, count, elide};
use crate::record::ShownCall;
use crate::value::tree::Tree;

/// Lines of one value that are shown.
const MOST: usize = 40;

/// Writes calls, those of each step below its name.
pub(super) fn write(out: &mut String, calls: &[ShownCall], style: &Style) {
    for step in calls.chunk_by(|one, other| one.phase == other.phase) {
        let heading = format!("step {}: {}", step[0].phase, count(step.len() as u64, "call"));
        out.push_str(&format!("  {}\n", style.paint(Tone::Strong, &heading)));
        step.iter().for_each(|call| write_call(out, call, style));
    }
}

fn write_call(out: &mut String, call: &ShownCall, style: &Style) {
    let ShownCall { number, rpc, instance, asked, answered, said, .. } = call;
    let heading = format!("    {number}. {} {instance}", style.paint(Tone::Strong, rpc));
    out.push_str(&format!("{}\n", heading.trim_end()));
    let asked = asked.iter().map(|(name, tree)| ("asked", name.as_str(), tree));
    let answered = answered.iter().map(|(name, tree)| ("answered", name.as_str(), tree));
    for (side, name, tree) in asked.chain(answered) {
        write_value(out, (side, name), tree, style);
    }
    for said in said {
        line(out, "answered", said, style);
    }
}

/// A value in the notation of the configuration language; of a long one, the beginning.
fn write_value(out: &mut String, (side, name): (&str, &str), tree: &Tree, style: &Style) {
    let text = tree.lines();
    let lines: Vec<&str> = text.lines().collect();
    for (idx, text) in lines.iter().take(MOST).enumerate() {
        match idx {
            0 => line(out, side, &format!("{name} = {text}"), style),
            _ => line(out, "", text, style),
        }
    }
    if lines.len() > MOST {
        line(out, "", &format!("… and {}", count((lines.len() - MOST) as u64, "more line")), style);
    }
}

fn line(out: &mut String, side: &str, text: &str, style: &Style) {
    const COLUMNS: usize = 10;
    let text = text.replace('\n', " ");
    let text = elide(&text, style.width.saturating_sub(7 + COLUMNS));
    let line = format!("       {}{text}", style.paint(Tone::Dim, &format!("{side:COLUMNS$}")));
    out.push_str(&format!("{}\n", line.trim_end()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples;
    use crate::transcript::Phase;
    use crate::value;

    #[test]
    fn each_call_shows_what_was_asked_and_answered_and_long_values_are_cut() {
        let mut out = String::new();
        write(&mut out, &samples::calls(), &Style { width: 60, ..Style::default() });
        insta::assert_snapshot!(out);
    }

    #[test]
    fn a_long_value_is_cut() {
        let long: Vec<Tree> = (0..100).map(|_| samples::tree(value!({ "size": 1 }))).collect();
        let call = ShownCall {
            asked: vec![("configuration".to_owned(), Tree::List(long))],
            phase: Phase::Create,
            ..samples::calls().remove(0)
        };
        let mut out = String::new();
        write(&mut out, &[call], &Style::default());
        assert!(out.contains("… and 262 more lines\n"), "{out}");
    }
}
