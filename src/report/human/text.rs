//! Laying out lines: colours, wrapping, and values that are too long.

use super::Style;

/// What a piece of text is, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    Strong,
    Bad,
    Good,
    Warn,
    Dim,
}

impl Style {
    /// The text in its colour, or as it is.
    pub(super) fn paint(&self, tone: Tone, text: &str) -> String {
        use owo_colors::{OwoColorize, Style as Paint};
        let paint = match tone {
            Tone::Plain => return text.to_owned(),
            Tone::Strong => Paint::new().bold(),
            Tone::Bad => Paint::new().red().bold(),
            Tone::Good => Paint::new().green(),
            Tone::Warn => Paint::new().yellow(),
            Tone::Dim => Paint::new().dimmed(),
        };
        if self.colour && !text.is_empty() { text.style(paint).to_string() } else { text.to_owned() }
    }

    /// A labelled text, wrapped, with the label in a column of its own.
    pub(super) fn field(&self, out: &mut String, label: &str, text: &str) {
        self.field_of(out, FIELD, label, text);
    }

    /// The same with a column of that width for the label.
    pub(super) fn field_of(&self, out: &mut String, columns: usize, label: &str, text: &str) {
        for (idx, line) in wrap(text, self.width.saturating_sub(columns + 2)).iter().enumerate() {
            let label = if idx == 0 { label } else { "" };
            out.push_str(&format!("  {}{line}\n", self.paint(Tone::Dim, &format!("{label:columns$}"))));
        }
    }
}

/// Columns that a label takes, the gap included.
pub(super) const FIELD: usize = 14;

pub(super) fn width(text: &str) -> usize {
    text.chars().count()
}

/// Breaks at spaces. A word that is longer than a line stays whole, so that it can be copied.
pub(super) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && width(&line) + 1 + width(word) > columns {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        if !line.is_empty() {
            lines.push(line);
        }
    }
    lines
}

/// The text in at most `columns` columns, with `…` for the middle if it is longer.
pub(super) fn elide(text: &str, columns: usize) -> String {
    let length = width(text);
    let columns = columns.max(8);
    if length <= columns {
        return text.to_owned();
    }
    let tail = (columns - 1) / 3;
    let head = columns - 1 - tail;
    let start: String = text.chars().take(head).collect();
    let end: String = text.chars().skip(length - tail).collect();
    format!("{start}…{end}")
}

/// Elides several texts alike. Texts that differ only in the elided part are
/// shown from a little before their first difference.
pub(super) fn elide_together(texts: &[&str], columns: usize) -> Vec<String> {
    let columns = columns.max(8);
    let short: Vec<String> = texts.iter().map(|text| elide(text, columns)).collect();
    let hides_a_difference =
        (0..texts.len()).any(|a| (0..a).any(|b| texts[a] != texts[b] && short[a] == short[b]));
    if !hides_a_difference {
        return short;
    }
    let same = common_prefix(texts);
    texts
        .iter()
        .map(|text| {
            let from = same.saturating_sub(columns / 3).min(width(text).saturating_sub(columns));
            if from == 0 {
                return elide(text, columns);
            }
            let rest: String = text.chars().skip(from + 1).collect();
            if width(&rest) < columns {
                format!("…{rest}")
            } else {
                let shown: String = rest.chars().take(columns - 2).collect();
                format!("…{shown}…")
            }
        })
        .collect()
}

/// How many characters all of the texts that differ have in common at their start.
fn common_prefix(texts: &[&str]) -> usize {
    let Some((first, others)) = texts.split_first() else { return 0 };
    let shared = |other: &&str| first.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    others.iter().filter(|other| *other != first).map(shared).min().unwrap_or(0)
}

/// `a, b, c … and 4 more`.
pub(super) fn some_of<'a>(names: impl ExactSizeIterator<Item = &'a String>, shown: usize) -> String {
    let n_names = names.len();
    let mut text = names.take(shown).map(String::as_str).collect::<Vec<_>>().join(", ");
    if n_names > shown {
        text.push_str(&format!(", … and {} more", n_names - shown));
    }
    text
}

/// `1 finding`, `2 findings`.
pub(super) fn count(n: u64, what: &str) -> String {
    format!("{} {what}{}", thousands(n), if n == 1 { "" } else { "s" })
}

/// `12,345`.
pub(super) fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elide_keeps_both_ends() {
        assert_eq!(elide("abcdefghijklmnop", 10), "abcdef…nop");
        assert_eq!(elide("short", 10), "short");
    }

    #[test]
    fn elide_together_shows_a_difference_in_the_middle() {
        let a = format!("\"{}X{}\"", "a".repeat(50), "b".repeat(50));
        let b = format!("\"{}Y{}\"", "a".repeat(50), "b".repeat(50));
        let shown = elide_together(&[&a, &b], 20);
        assert_eq!(shown, ["…aaaaaXbbbbbbbbbbbb…", "…aaaaaYbbbbbbbbbbbb…"]);
        assert!(shown.iter().all(|text| width(text) <= 20));
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(thousands(7), "7");
        assert_eq!(thousands(1234567), "1,234,567");
    }
}
