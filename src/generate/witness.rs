//! Typical values, most conservative first.
//!
//! All are from documentation ranges or name nothing that exists: they may reach a real remote
//! system.

use super::choices::hash_text;
use crate::scenario::words;

/// The format that a string argument's name suggests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    Account,
    Arn,
    Base64,
    Cidr,
    Country,
    Cron,
    Duration,
    Email,
    FileMode,
    Hostname,
    Ipv4,
    Ipv6,
    Json,
    JsonPolicy,
    Locale,
    Mac,
    Path,
    Phone,
    Port,
    Region,
    Rfc3339,
    TimeZone,
    Timeout,
    Url,
    Uuid,
    Window,
    Zone,
}

/// Which typical value of a place is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nth {
    /// Position in the nearest collection; values of different elements differ if possible.
    pub element: u64,
    /// 0 is the first typical value of the place, 1 another.
    pub variant: u64,
}

/// How many words there are: 26⁶.
pub const WORDS: u64 = 308_915_776;

/// `tfc` and six letters derived from the schema path, so that an echoed value shows where it came from.
pub fn word(path: &str, salt: u64, nth: Nth) -> String {
    // Both steps are coprime to the number of words: small multiples of either never collide.
    let steps = nth.element * 7_654_321 + nth.variant * 98_765_431;
    let mut rest = (hash_text(path) % WORDS + salt % WORDS + steps % WORDS) % WORDS;
    let mut text = String::from(words::START);
    for _ in 0..words::LETTERS {
        text.push(char::from(b'a' + (rest % 26) as u8));
        rest /= 26;
    }
    text
}

/// A small, unremarkable number.
pub fn number(is_port: bool, in_collection: bool, nth: Nth) -> i64 {
    if is_port {
        return [8080, 443, 8443][(nth.variant % 3) as usize] + nth.element as i64 * 7;
    }
    if !in_collection {
        return [7, 1, 10, 2, 60, 30, 100][(nth.variant % 7) as usize];
    }
    // Steps of three leave room for three variants of each element.
    let first = [7, 1, 10, 4].get(nth.element as usize).copied().unwrap_or(1 + 3 * nth.element as i64);
    first + (nth.variant % 3) as i64
}

/// The first string of a format, or another.
///
/// `at_apply` shortens durations: a provider may wait that long.
pub fn formatted(format: Format, at_apply: bool, nth: Nth) -> String {
    // Lists have an odd number of entries, so a step of 16 selects a different one.
    let idx = nth.element + 16 * nth.variant;
    let list = |entries: &[&str]| entries[(idx % entries.len() as u64) as usize].to_owned();
    let small = idx % 200;
    match format {
        Format::Account => format!("{:012}", 123_456_789_012 + idx),
        Format::Arn => format!("arn:aws:iam::123456789012:role/example{}", suffix(idx)),
        Format::Base64 => list(&[
            "dGZjb25mb3JtIGV4YW1wbGUgYWJj",
            "dGZjb25mb3JtIGV4YW1wbGUgZGVm",
            "dGZjb25mb3JtIGV4YW1wbGUgZ2hp",
        ]),
        Format::Cidr => format!("10.{}.0.0/16", idx % 256),
        Format::Country => list(&["US", "DE", "JP"]),
        Format::Cron => list(&["0 12 * * *", "0 6 * * *", "30 4 * * *"]),
        Format::Duration if at_apply => format!("{}s", 1 + idx % 5),
        Format::Duration => list(&["1h30m", "30s", "10m"]),
        Format::Email => format!("user{}@example.com", suffix(idx)),
        Format::FileMode => list(&["0644", "0755", "0600"]),
        Format::Hostname => format!("host{}.example.com", suffix(idx)),
        Format::Ipv4 => format!("192.0.2.{}", 4 + small),
        Format::Ipv6 => format!("2001:db8::{:x}", 1 + small),
        Format::Json if idx == 0 => "{}".to_owned(),
        Format::Json => format!("{{\"a\":{idx}}}"),
        Format::JsonPolicy => {
            let effect = list(&["Allow", "Deny", "Allow"]);
            let sid = if idx == 0 { String::new() } else { format!("\"Sid\":\"s{idx}\",") };
            format!(
                "{{\"Version\":\"2012-10-17\",\"Statement\":\
                 [{{{sid}\"Effect\":\"{effect}\",\"Action\":\"*\",\"Resource\":\"*\"}}]}}"
            )
        }
        Format::Locale => list(&["en-US", "de-DE", "ja-JP"]),
        Format::Mac => format!("02:00:5e:10:00:{:02x}", 1 + small),
        Format::Path => format!("/example/path{}", suffix(idx)),
        Format::Phone => format!("+155555501{:02}", idx % 100),
        Format::Port => (8080 + idx).to_string(),
        Format::Region => list(&["us-east-1", "eu-west-1", "us-west-2"]),
        Format::Rfc3339 => format!("2031-01-{:02}T15:00:00Z", 6 + idx % 23),
        // Whole seconds, and few: a provider that waits for something gives up soon. One second would be too
        // short for a machine that is busy.
        Format::Timeout => format!("{}s", 5 + idx % 5),
        Format::TimeZone => list(&["UTC", "Europe/London", "Asia/Tokyo"]),
        Format::Url => format!("https://example.com/path{}", suffix(idx)),
        Format::Uuid => format!("8f1e6e0a-2f4b-4a7b-9a67-{:012x}", 0x0b9d_4c4f_1a11 + idx),
        Format::Window => list(&["sun:04:00-sun:05:00", "mon:04:00-mon:05:00", "tue:04:00-tue:05:00"]),
        Format::Zone => list(&["us-east-1a", "us-east-1b", "us-east-1c"]),
    }
}

/// Keys of typical map entries.
pub fn key(idx: u64) -> String {
    match idx {
        0 => "one".to_owned(),
        1 => "two".to_owned(),
        2 => "three".to_owned(),
        _ => format!("key{idx}"),
    }
}

fn suffix(idx: u64) -> String {
    if idx == 0 { String::new() } else { idx.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMATS: [Format; 27] = [
        Format::Account,
        Format::Arn,
        Format::Base64,
        Format::Cidr,
        Format::Country,
        Format::Cron,
        Format::Duration,
        Format::Email,
        Format::FileMode,
        Format::Hostname,
        Format::Ipv4,
        Format::Ipv6,
        Format::Json,
        Format::JsonPolicy,
        Format::Locale,
        Format::Mac,
        Format::Path,
        Format::Phone,
        Format::Port,
        Format::Region,
        Format::Rfc3339,
        Format::TimeZone,
        Format::Timeout,
        Format::Url,
        Format::Uuid,
        Format::Window,
        Format::Zone,
    ];

    #[test]
    fn another_variant_or_element_is_another_value() {
        for format in FORMATS {
            for at_apply in [false, true] {
                let value = |element, variant| formatted(format, at_apply, Nth { element, variant });
                assert_ne!(value(0, 0), value(0, 1), "{format:?}");
                assert_ne!(value(0, 0), value(1, 0), "{format:?}");
            }
        }
        for element in 0..8 {
            for variant in 0..3 {
                for (other, is_port) in [(element + 1, false), (element + 2, true)] {
                    let number = |element| number(is_port, true, Nth { element, variant });
                    assert_ne!(number(element), number(other));
                }
            }
        }
        assert_ne!(
            word("a", 0, Nth { element: 0, variant: 0 }),
            word("a", 0, Nth { element: 0, variant: 1 })
        );
    }

    #[test]
    fn default_words_are_nine_lower_case_letters() {
        for path in ["name", "disk.size", ""] {
            let word = word(path, 3, Nth { element: 2, variant: 1 });
            assert!(word.len() == 9 && word.starts_with("tfc"), "{word}");
            assert!(word.bytes().all(|b| b.is_ascii_lowercase()), "{word}");
        }
    }
}
