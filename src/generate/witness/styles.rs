//! How each format is written, the most conservative way first: lower case, short, full minutes, networks
//! without host bits, no trailing dot.

use super::Format;
use super::keys;
use crate::scenario::existing_files;

/// Writes the texts of one format in one way. Different small numbers give different texts if possible, and so do
/// different words where a text may hold any: it tells objects apart.
type Style = fn(u64, &str) -> String;

/// The ways to write a format; never empty.
///
/// At apply durations are short, as a provider may wait that long, and all addresses are from documentation
/// ranges.
fn styles(format: Format, at_apply: bool) -> &'static [Style] {
    match format {
        Format::Account => &[|n, _| format!("{:012}", 123_456_789_012 + n)],
        Format::Arn => &[
            |_, word| format!("arn:aws:iam::123456789012:role/{word}"),
            |_, word| format!("arn:aws:s3:::{word}"),
            |_, word| format!("arn:aws:sns:us-east-1:123456789012:{word}"),
        ],
        // 21 bytes, which need no padding, and 32.
        Format::Base64 => &[
            |n, _| {
                one_of(
                    n,
                    &[
                        "dGZjb25mb3JtIGV4YW1wbGUgYWJj",
                        "dGZjb25mb3JtIGV4YW1wbGUgZGVm",
                        "dGZjb25mb3JtIGV4YW1wbGUgZ2hp",
                    ],
                )
            },
            |n, _| {
                one_of(
                    n,
                    &[
                        "dGZjb25mb3JtIGV4YW1wbGUgb2YgMzIgYnl0ZXMgYWI=",
                        "dGZjb25mb3JtIGV4YW1wbGUgb2YgMzIgYnl0ZXMgY2Q=",
                        "dGZjb25mb3JtIGV4YW1wbGUgb2YgMzIgYnl0ZXMgZWY=",
                    ],
                )
            },
        ],
        // Three entries, so that steps of 1 and of 16 both lead to the other value.
        Format::Bool => &[|n, _| one_of(n, &["true", "false", "true"])],
        Format::Cidr => &[cidr16, cidr24, cidr64, cidr28, cidr30],
        Format::Cidr4 => &[cidr16, cidr24, cidr28, cidr30],
        Format::Cidr6 => &[
            cidr64,
            |n, _| format!("fd00:{:x}::/64", 1 + n % 200),
            |n, _| format!("2001:db8:0:{:x}00::/56", 1 + n % 200),
        ],
        Format::Country => &[|n, _| one_of(n, &["US", "DE", "JP"])],
        Format::Cron => &[
            |n, _| one_of(n, &["0 12 * * *", "0 6 * * *", "30 4 * * *"]),
            |n, _| format!("cron(0 {} * * ? *)", 23 - (11 + n) % 24),
            |n, _| format!("rate({} minutes)", 5 + n % 50),
            |n, _| one_of(n, &["*/5 * * * *", "*/10 * * * *", "*/15 * * * *"]),
        ],
        Format::Date => &[|n, _| day(n)],
        Format::Email => &[|_, word| format!("{word}@example.com")],
        Format::File => &[
            |n, _| one_of(n, &existing_files::TEXTS),
            |n, _| one_of(n, &existing_files::DOCUMENTS),
            |n, _| one_of(n, &existing_files::FOLDERS),
        ],
        Format::FileMode => {
            &[|n, _| one_of(n, &["0644", "0755", "0600"]), |n, _| one_of(n, &["644", "755", "600"])]
        }
        Format::Float => &[|n, _| format!("{}.5", 1 + n)],
        // What waits that long must not hold up the run.
        Format::GoDuration if at_apply => &[
            |n, _| format!("{}ms", 1 + n % 5),
            |n, _| format!("{}s", 1 + n % 5),
            |n, _| format!("0h0m{}s", 1 + n % 5),
        ],
        Format::GoDuration => &[
            |n, _| one_of(n, &["1h30m", "30s", "10m"]),
            |n, _| format!("{}s", 30 + n % 200),
            |n, _| format!("{}h0m0s", 24 + n % 200),
            |n, _| format!("{}m", 10 + n % 200),
        ],
        Format::Hex => &[
            |n, _| format!("0123456789abcdef0123456789{:06x}", 0xabcdef - n),
            |n, _| format!("0123456789{:06x}", 0xabcdef - n),
            |n, _| format!("{}{:06x}", &"0123456789abcdef".repeat(4)[..58], 0xabcdef - n),
        ],
        Format::Hostname => &[
            |_, word| format!("{word}.example.com"),
            |_, word| format!("{word}.example"),
            |_, word| format!("{word}.example.com."),
            |_, word| word.to_owned(),
        ],
        Format::Https => &[url, |_, word| format!("https://{word}.example.com")],
        Format::Int => &[|n, _| [7, 1, 10, 100].get(n as usize).copied().unwrap_or(100 + n).to_string()],
        Format::Ip => &[ipv4, ipv6],
        Format::IpRange => &[|n, _| format!("192.0.2.{}-192.0.2.{}", 4 + n % 200, 9 + n % 200)],
        Format::Ipv4 if at_apply => &[ipv4, |n, _| format!("198.51.100.{}", 4 + n % 200)],
        Format::Ipv4 => {
            &[ipv4, |n, _| format!("10.0.0.{}", 4 + n % 200), |n, _| format!("169.254.1.{}", 1 + n % 200)]
        }
        Format::Ipv6 => &[ipv6],
        Format::IsoDuration => &[
            |n, _| format!("PT{}H", 1 + n % 23),
            |n, _| format!("P{}D", 1 + n % 28),
            |n, _| format!("PT{}M", 10 + n % 50),
            |n, _| format!("R/{}T15:00:00+00:00/PT4H", day(n)),
        ],
        Format::Json => &[
            |_, word| format!("{{\"a\":\"{word}\"}}"),
            |n, _| if n == 0 { "{}".to_owned() } else { format!("{{\"a\":{n}}}") },
            |_, word| format!("[\"{word}\"]"),
            |_, word| format!("[{{\"a\":\"{word}\"}}]"),
            |n, _| if n == 0 { "[]".to_owned() } else { format!("[{n}]") },
        ],
        Format::JsonPolicy => &[policy],
        Format::Locale => &[
            |n, _| one_of(n, &["en-US", "de-DE", "ja-JP"]),
            |n, _| one_of(n, &["en_US", "de_DE", "ja_JP"]),
            |n, _| one_of(n, &["en", "de", "ja"]),
        ],
        Format::Mac => &[
            |n, _| format!("02:00:5e:10:00:{:02x}", 1 + n % 200),
            |n, _| format!("02-00-5e-10-00-{:02x}", 1 + n % 200),
        ],
        Format::Multicast => &[|n, _| format!("239.1.1.{}", 1 + n % 200)],
        Format::AbsolutePath | Format::Path => {
            &[|_, word| format!("/example/{word}"), |_, word| format!("/{word}")]
        }
        Format::Pem => &[
            |_, _| pem("CERTIFICATE", keys::CERTIFICATE),
            |_, _| pem("PRIVATE KEY", keys::PRIVATE_KEY),
            |_, _| pem("EC PRIVATE KEY", keys::EC_PRIVATE_KEY),
            |_, _| pem("RSA PRIVATE KEY", keys::RSA_PRIVATE_KEY),
            |_, _| pem("CERTIFICATE REQUEST", keys::CERTIFICATE_REQUEST),
            |_, _| pem("PUBLIC KEY", keys::PUBLIC_KEY),
        ],
        Format::Percent => {
            &[|n, _| format!("{}%", 1 + (49 + n) % 100), |n, _| (1 + (49 + n) % 100).to_string()]
        }
        Format::Phone => &[|n, _| format!("+155555501{:02}", n % 100)],
        Format::Port => &[|n, _| (8080 + n).to_string(), |n, _| (443 + n).to_string()],
        Format::Regex => &[|_, word| format!("^{word}.*$")],
        Format::Region => &[
            |n, _| one_of(n, &["us-east-1", "eu-west-1", "us-west-2"]),
            |n, _| one_of(n, &["eastus", "westeurope", "westus2"]),
            |n, _| one_of(n, &["us-central1", "europe-west1", "us-west1"]),
        ],
        // The second is the first day of a month.
        Format::Rfc3339 => &[
            |n, _| format!("{}T15:00:00Z", day(n)),
            |n, _| format!("2031-{:02}-01T00:00:00Z", 2 + n % 11),
            |n, _| format!("{}T15:00:00+00:00", day(n)),
        ],
        Format::S3Uri => &[|_, word| format!("s3://example-bucket/{word}")],
        Format::Semver => {
            &[|n, _| format!("1.2.{}", 3 + n), |n, _| format!("1.{}", 2 + n), |n, _| (1 + n).to_string()]
        }
        Format::SshKey => &[
            |_, word| format!("ssh-ed25519 {} {word}@example.com", keys::SSH_ED25519),
            |_, word| format!("ssh-rsa {} {word}@example.com", keys::SSH_RSA),
        ],
        Format::TimeZone => &[|n, _| one_of(n, &["UTC", "Europe/London", "Asia/Tokyo"])],
        // Whole seconds, and few: a provider that waits for something gives up soon. One second would be too
        // short for a machine that is busy.
        Format::Timeout => &[|n, _| format!("{}s", 5 + n % 5)],
        Format::Url => &[
            url,
            |_, word| format!("http://example.com/{word}"),
            |_, word| format!("https://{word}.example.com"),
        ],
        Format::Uuid => &[|n, _| format!("8f1e6e0a-2f4b-4a7b-9a67-{:012x}", 0x0b9d_4c4f_1a11 + n)],
        Format::Window => &[
            |n, _| one_of(n, &["sun:04:00-sun:05:00", "mon:04:00-mon:05:00", "tue:04:00-tue:05:00"]),
            |n, _| one_of(n, &["Sun:04:00-Sun:05:00", "Mon:04:00-Mon:05:00", "Tue:04:00-Tue:05:00"]),
            |n, _| one_of(n, &["04:00-05:00", "05:00-06:00", "06:00-07:00"]),
        ],
        Format::Xml => &[|_, word| format!("<a>{word}</a>")],
        Format::Yaml => &[|_, word| format!("a: {word}")],
        Format::Zone => &[|n, _| one_of(n, &["us-east-1a", "us-east-1b", "us-east-1c"])],
    }
}

/// In how many ways a format is written.
pub fn n_styles(format: Format, at_apply: bool) -> usize {
    styles(format, at_apply).len()
}

/// Whether the texts of a style hold the word, so that different words give different texts.
pub fn holds_word(format: Format, style: usize, at_apply: bool) -> bool {
    let style = styles(format, at_apply)[style];
    style(0, "one") != style(0, "other")
}

/// The n-th text of a format, in the way of a style, counted from 0.
pub(super) fn styled(format: Format, style: usize, at_apply: bool, n: u64, word: &str) -> String {
    styles(format, at_apply)[style](n, word)
}

fn one_of(n: u64, texts: &[&str]) -> String {
    texts[(n % texts.len() as u64) as usize].to_owned()
}

/// A day of 2031, never the first ones of a month.
fn day(n: u64) -> String {
    format!("2031-{:02}-{:02}", 1 + n / 23 % 12, 6 + n % 23)
}

fn url(_: u64, word: &str) -> String {
    format!("https://example.com/{word}")
}

fn ipv4(n: u64, _: &str) -> String {
    format!("192.0.2.{}", 4 + n % 200)
}

fn ipv6(n: u64, _: &str) -> String {
    format!("2001:db8::{:x}", 1 + n % 200)
}

fn cidr16(n: u64, _: &str) -> String {
    format!("10.{}.0.0/16", n % 256)
}

fn cidr24(n: u64, _: &str) -> String {
    format!("10.0.{}.0/24", 1 + n % 255)
}

fn cidr28(n: u64, _: &str) -> String {
    format!("192.168.{}.0/28", n % 256)
}

fn cidr30(n: u64, _: &str) -> String {
    format!("169.254.{}.{}/30", 10 + n / 64 % 200, n % 64 * 4)
}

fn cidr64(n: u64, _: &str) -> String {
    let group = if n == 0 { String::new() } else { format!(":{:x}", n % 0xffff) };
    format!("2001:db8{group}::/64")
}

fn policy(n: u64, word: &str) -> String {
    let effect = one_of(n, &["Allow", "Deny", "Allow"]);
    format!(
        "{{\"Version\":\"2012-10-17\",\"Statement\":\
         [{{\"Sid\":\"{word}\",\"Effect\":\"{effect}\",\"Action\":\"*\",\"Resource\":\"*\"}}]}}"
    )
}

/// A text of RFC 7468.
fn pem(label: &str, body: &str) -> String {
    let mut text = format!("-----BEGIN {label}-----\n");
    for line in body.as_bytes().chunks(64) {
        text.push_str(std::str::from_utf8(line).expect("Base64 is ASCII"));
        text.push('\n');
    }
    text + &format!("-----END {label}-----\n")
}
