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
        self.lines_of(out, columns, label, &wrap(text, self.width.saturating_sub(columns + 2)));
    }

    /// Labelled lines as they are.
    pub(super) fn lines(&self, out: &mut String, label: &str, lines: &[String]) {
        self.lines_of(out, FIELD, label, lines);
    }

    fn lines_of(&self, out: &mut String, columns: usize, label: &str, lines: &[String]) {
        for (idx, line) in lines.iter().enumerate() {
            let label = if idx == 0 { label } else { "" };
            out.push_str(&format!("  {}{line}\n", self.paint(Tone::Dim, &format!("{label:columns$}"))));
        }
    }

    /// The columns next to a label.
    pub(super) fn columns(&self) -> usize {
        self.width.saturating_sub(FIELD + 2)
    }
}

/// The deepest indentation that is kept, in columns.
const INDENT: usize = 8;

/// Columns that a label takes, the gap included.
pub(super) const FIELD: usize = 14;

pub(super) fn width(text: &str) -> usize {
    text.chars().count()
}

/// Breaks at spaces, and keeps the indentation of each line. A word that is longer than a line stays whole, so that it can be copied.
pub(super) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        // A block in HCL stays one that can be copied.
        let indent = " ".repeat((width(paragraph) - width(paragraph.trim_start())).min(INDENT));
        let columns = columns.saturating_sub(indent.len());
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && width(&line) + 1 + width(word) > columns {
                lines.push(indent.clone() + &std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        if !line.is_empty() {
            lines.push(indent + &line);
        }
    }
    lines
}

/// The text in at most `columns` columns: without its last words, and with `…` for them, if it is longer.
pub(super) fn elide(text: &str, columns: usize) -> String {
    let columns = columns.max(8);
    if width(text) <= columns {
        return text.to_owned();
    }
    let head: String = text.chars().take(columns - 1).collect();
    // A word that fills the line is cut: there is no other place.
    let words = head.rfind(' ').filter(|end| *end > head.len() / 2).map(|end| head[..end].trim_end());
    match words {
        Some(words) => format!("{words} …"),
        None => format!("{head}…"),
    }
}

/// Items with commas between them, on as many lines as there may be; `… and 3 more` if there are more items.
/// An item stays on one line.
pub(super) fn fill(items: &[String], columns: usize, most_lines: usize) -> Vec<String> {
    const MORE: usize = ", … and 1,000 more".len();
    let mut lines: Vec<String> = Vec::new();
    for (idx, item) in items.iter().enumerate() {
        let is_last = idx + 1 == items.len();
        let item = elide(item, columns.saturating_sub(1));
        let fits = |line: &String, room: usize| width(line) + 2 + width(&item) + room <= columns;
        let room = if is_last { 0 } else { 1 };
        let is_full = lines.len() == most_lines;
        match lines.last_mut() {
            Some(line) if fits(line, if is_full && !is_last { MORE } else { room }) => {
                line.push_str(&format!(", {item}"));
            }
            Some(line) if is_full => {
                line.push_str(&format!(", … and {} more", thousands((items.len() - idx) as u64)));
                break;
            }
            Some(line) => {
                line.push(',');
                lines.push(item);
            }
            None => lines.push(item),
        }
    }
    lines
}

/// As [`fill`], from a later item on if the first ones would fill the lines alone.
pub(super) fn fill_from(items: &[String], from: usize, columns: usize, most_lines: usize) -> Vec<String> {
    let shown = fill(items, columns, most_lines);
    let n_before: usize = items.iter().take(from + 1).map(|item| width(item) + 2).sum();
    match n_before > columns.saturating_mul(most_lines) && from > 0 {
        true => {
            let mut lines = fill(&items[from..], columns.saturating_sub(3), most_lines);
            if let Some(first) = lines.first_mut() {
                first.insert_str(0, "…, ");
            }
            lines
        }
        false => shown,
    }
}

/// The text in at most `columns` columns, with `…` for the middle if it is longer.
fn ends(text: &str, columns: usize) -> String {
    let length = width(text);
    if length <= columns {
        return text.to_owned();
    }
    let tail = (columns - 1) / 3;
    let head = columns - 1 - tail;
    let start: String = text.chars().take(head).collect();
    let end: String = text.chars().skip(length - tail).collect();
    // Between words, if there are any.
    let start =
        start.rfind(' ').filter(|at| *at > start.len() / 2).map_or(start.as_str(), |at| &start[..=at]);
    let end = end.find(' ').filter(|at| *at < end.len() / 2).map_or(end.as_str(), |at| &end[at..]);
    format!("{start}…{end}")
}

/// Elides several texts alike. Texts that differ only in the elided part are
/// shown from a little before their first difference.
pub(super) fn elide_together(texts: &[&str], columns: usize) -> Vec<String> {
    let columns = columns.max(8);
    let short: Vec<String> = texts.iter().map(|text| ends(text, columns)).collect();
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
                return ends(text, columns);
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

/// `1 finding`, `2 findings`.
pub(in crate::report) fn count(n: u64, what: &str) -> String {
    format!("{} {what}{}", thousands(n), if n == 1 { "" } else { "s" })
}

/// `12,345`.
pub(in crate::report) fn thousands(n: u64) -> String {
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
    fn elide_drops_whole_words() {
        assert_eq!(elide("Invalid value: it is not one of these", 24), "Invalid value: it is …");
        assert_eq!(elide("short", 10), "short");
        assert_eq!(elide("abcdefghijklmnop", 10), "abcdefghi…", "one word");
    }

    #[test]
    fn wrapped_lines_keep_their_indentation() {
        let text =
            "keep it:\nprovider \"acme\" {\n  endpoint = \"https://example.invalid\"\n}\n    one two three";
        let lines = wrap(text, 12);
        let expected =
            ["keep it:", "provider", "\"acme\" {", "  endpoint =", "  \"https://example.invalid\"", "}"];
        assert_eq!(lines[..6], expected);
        assert_eq!(lines[6..], ["    one two", "    three"]);
    }

    #[test]
    fn fill_breaks_between_items_and_counts_the_rest() {
        let items: Vec<String> = (1..=6).map(|idx| format!("attribute_{idx} = {idx}")).collect();
        assert_eq!(fill(&items[..2], 40, 1), ["attribute_1 = 1, attribute_2 = 2"]);
        assert_eq!(fill(&items, 54, 1), ["attribute_1 = 1, attribute_2 = 2, … and 4 more"]);
        let two = ["attribute_1 = 1, attribute_2 = 2,", "attribute_3 = 3, … and 3 more"];
        assert_eq!(fill(&items, 36, 2), two);
        assert!(fill(&items, 36, 9).iter().all(|line| width(line) <= 36));
        assert_eq!(fill(&items, 36, 9).join(" "), items.join(", "));
        assert_eq!(fill_from(&items, 4, 36, 1)[0], "…, attribute_5 = 5, attribute_6 = 6");
        assert_eq!(fill(&[], 36, 1), [""; 0]);
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
