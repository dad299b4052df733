//! Dates and times in a layout.

/// What the parts of a layout become: half past four in the morning of Sunday, 5 January 2031. Longer parts
/// stand before those that begin like them.
///
/// The first group is how Go writes layouts; what its library prints for the reference time means that part.
const GO: &[(&str, &str)] = &[
    ("January", "January"),
    ("Monday", "Sunday"),
    ("2006", "2031"),
    ("Z07:00", "Z"),
    ("-07:00", "+00:00"),
    ("-0700", "+0000"),
    ("Jan", "Jan"),
    ("Mon", "Sun"),
    ("MST", "UTC"),
    ("000", "000"),
    ("01", "01"),
    ("02", "05"),
    ("03", "04"),
    ("04", "30"),
    ("05", "00"),
    ("06", "31"),
    ("15", "04"),
    ("PM", "AM"),
    ("pm", "am"),
    ("_2", " 5"),
    ("1", "1"),
    ("2", "5"),
    ("3", "4"),
    ("4", "30"),
    ("5", "0"),
];

/// How people write them; a part in capitals may be in lower case.
const LETTERS: &[(&str, &str)] = &[
    ("YYYY", "2031"),
    ("HH24", "04"),
    ("DDDD", "sunday"),
    ("DDD", "sun"),
    ("YY", "31"),
    ("HH", "04"),
    ("DD", "05"),
    ("SS", "00"),
    ("MI", "30"),
    // Minutes where hours stand before them, see below.
    ("MM", "01"),
    ("H", "4"),
    ("M", "1"),
    ("D", "5"),
    ("S", "0"),
];

/// A time in a layout, which is one of Go (`2006-01-02`) or one in letters (`yyyy-mm-dd`, `hh:mm`,
/// `ddd:hh24:mi-ddd:hh24:mi`). The second time of a span is an hour later.
pub(super) fn rendered(layout: &str) -> String {
    let is_letters = !layout.contains("2006") && !layout.contains("15") && !layout.contains("04");
    let (mut text, mut rest) = (String::new(), layout);
    let (mut n_hours, mut after_hours) = (0, false);
    while let Some(c) = rest.chars().next() {
        let table = if is_letters { LETTERS } else { GO };
        let begins = |part: &str| {
            rest.get(..part.len()).is_some_and(|start| match is_letters {
                true => start.eq_ignore_ascii_case(part),
                false => start == part,
            })
        };
        let Some((part, value)) = table.iter().find(|(part, _)| begins(part)) else {
            text.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        };
        let is_hours = matches!(*part, "15" | "03" | "3" | "HH24" | "HH" | "H");
        n_hours += usize::from(is_hours);
        match *part {
            "MM" | "M" if after_hours => text.push_str("30"),
            _ if is_hours && n_hours == 2 => text.push_str(&value.replace('4', "5")),
            "DDD" | "DDDD" => text.push_str(&as_written(value, rest)),
            _ => text.push_str(value),
        }
        after_hours = is_hours;
        rest = &rest[part.len()..];
    }
    text
}

/// The name of a day in the case in which the layout writes its first letters.
fn as_written(day: &str, layout: &str) -> String {
    let mut letters = layout.chars();
    match (letters.next().map(char::is_uppercase), letters.next().map(char::is_uppercase)) {
        (Some(true), Some(true)) => day.to_uppercase(),
        (Some(true), _) => day[..1].to_uppercase() + &day[1..],
        _ => day.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_of_both_kinds_become_times() {
        for (layout, text) in [
            ("2006-01-02T15:04:05Z07:00", "2031-01-05T04:30:00Z"),
            ("15:04", "04:30"),
            ("Mon Jan _2 3:04PM", "Sun Jan  5 4:30AM"),
            ("hh:mm", "04:30"),
            ("HH:MM:SS", "04:30:00"),
            ("hh24:mi-hh24:mi", "04:30-05:30"),
            ("ddd:hh24:mi-ddd:hh24:mi", "sun:04:30-sun:05:30"),
            ("Ddd:hh24:mi", "Sun:04:30"),
            ("yyyy-mm-dd", "2031-01-05"),
            ("MM/DD/YYYY", "01/05/2031"),
            ("YYYY-MM-DDTHH:mm:ssZ", "2031-01-05T04:30:00Z"),
        ] {
            assert_eq!(rendered(layout), text, "{layout}");
        }
    }
}
