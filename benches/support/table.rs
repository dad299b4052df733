//! One table on standard output.

use super::Spread;

/// Rows of a measurement: name, value, spread, target.
pub struct Table {
    title: String,
    rows: Vec<[String; 4]>,
}

/// The target of a measurement.
pub enum Goal {
    AtLeast(f64),
    AtMost(f64),
    /// Shown for information.
    None,
}

impl Table {
    pub fn new(title: impl Into<String>) -> Table {
        Table { title: title.into(), rows: Vec::new() }
    }

    pub fn row(&mut self, what: &str, measured: Spread, unit: &str, goal: Goal) {
        let (wanted, is_met) = match goal {
            Goal::AtLeast(least) => (format!(">= {least}"), measured.middle >= least),
            Goal::AtMost(most) => (format!("<= {most}"), measured.middle <= most),
            Goal::None => (String::new(), true),
        };
        let verdict = match (wanted.is_empty(), is_met) {
            (true, _) => String::new(),
            (false, true) => format!("{wanted} met"),
            (false, false) => format!("{wanted} MISSED"),
        };
        let number = |value: f64| match value.abs() {
            small if small < 10.0 => format!("{value:.2}"),
            middling if middling < 1000.0 => format!("{value:.1}"),
            _ => format!("{value:.0}"),
        };
        self.rows.push([
            what.to_owned(),
            format!("{} {unit}", number(measured.middle)).trim_end().to_owned(),
            format!("{} to {}", number(measured.least), number(measured.most)),
            verdict,
        ]);
    }

    /// A row without a measurement: why there is none.
    pub fn skipped(&mut self, what: &str, why: &str) {
        self.rows.push([what.to_owned(), "skipped".to_owned(), why.to_owned(), String::new()]);
    }

    pub fn print(&self) {
        println!("\n{}", self.title);
        let width =
            |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
        let (what, measured, spread) = (width(0), width(1), width(2));
        for [a, b, c, d] in &self.rows {
            println!("{}", format!("  {a:what$}  {b:>measured$}  {c:spread$}  {d}").trim_end());
        }
    }
}
