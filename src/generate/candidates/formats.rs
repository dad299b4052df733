//! Whether a text has a format, as far as that is sure.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use crate::generate::witness::Format;
use crate::value::Number;

/// Whether a text may have a format. Only what no provider accepts is refused: of some formats little is
/// sure.
pub(in crate::generate) fn may_be(format: Format, text: &str) -> bool {
    let has_only = |fits: fn(char) -> bool| !text.is_empty() && text.chars().all(fits);
    match format {
        Format::Account => has_only(|c| c.is_ascii_digit()),
        Format::Arn => text.starts_with("arn:"),
        // With or without padding, and in either alphabet.
        Format::Base64 => text.chars().all(|c| c.is_ascii_alphanumeric() || "+/-_=\r\n".contains(c)),
        Format::Bool => ["1", "t", "true", "0", "f", "false"].contains(&text.to_ascii_lowercase().as_str()),
        Format::Cidr => network(text).is_some(),
        Format::Cidr4 => network(text).is_some_and(|(address, _)| address.is_ipv4()),
        Format::Cidr6 => network(text).is_some_and(|(address, _)| address.is_ipv6()),
        Format::Country | Format::Locale => has_only(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')),
        Format::Cron => text.contains(' '),
        Format::Date | Format::Rfc3339 => has_only(|c| c.is_ascii_graphic()) && text.contains('-'),
        Format::Email => text.contains('@'),
        Format::FileMode => has_only(|c| ('0'..='7').contains(&c)),
        Format::Float => Number::parse(text).is_ok(),
        Format::GoDuration | Format::Timeout => {
            text == "0" || (text.ends_with(['s', 'm', 'h']) && text.contains(|c: char| c.is_ascii_digit()))
        }
        Format::Hex => text.strip_prefix("0x").unwrap_or(text).bytes().all(|b| b.is_ascii_hexdigit()),
        Format::Hostname => has_only(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '*')),
        Format::Https => text.starts_with("https://"),
        Format::Int => Number::parse(text).is_ok_and(|number| number.is_integer()),
        Format::Ip => text.parse::<IpAddr>().is_ok(),
        Format::IpRange => text.contains('-'),
        Format::Ipv4 => text.parse::<Ipv4Addr>().is_ok(),
        Format::Ipv6 => text.parse::<Ipv6Addr>().is_ok(),
        Format::IsoDuration => text.starts_with(['P', 'R', '-', '+']),
        Format::Json => serde_json::from_str::<serde_json::Value>(text).is_ok(),
        Format::JsonPolicy => serde_json::from_str::<serde_json::Map<_, _>>(text).is_ok(),
        Format::AbsolutePath => text.starts_with(['/', '~']),
        Format::Mac => {
            let digits = text.chars().filter(|c| c.is_ascii_hexdigit()).count();
            digits >= 12 && text.chars().all(|c| c.is_ascii_hexdigit() || matches!(c, ':' | '-' | '.'))
        }
        Format::Multicast => text.parse::<IpAddr>().is_ok_and(|address| address.is_multicast()),
        Format::File | Format::Path | Format::Regex | Format::Yaml | Format::TimeZone | Format::Window => {
            true
        }
        Format::Pem => text.contains("-----BEGIN "),
        Format::Percent => text.contains(|c: char| c.is_ascii_digit()),
        Format::Phone => text.contains(|c: char| c.is_ascii_digit()),
        Format::Port => text.parse::<u16>().is_ok(),
        Format::Region | Format::Zone => has_only(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ')),
        Format::S3Uri => text.starts_with("s3://"),
        Format::Semver => text.starts_with(|c: char| c.is_ascii_digit() || c == 'v'),
        Format::SshKey => text.contains("ssh-") || text.contains("ecdsa-"),
        Format::Url => text.contains(':') || text.starts_with('/'),
        Format::Uuid => uuid(text),
        Format::Xml => text.trim_start().starts_with('<'),
    }
}

/// The address and the length of the prefix of a network as `address/bits`.
pub(super) fn network(text: &str) -> Option<(IpAddr, u64)> {
    let (address, bits) = text.split_once('/')?;
    let address: IpAddr = address.parse().ok()?;
    let bits = bits.parse().ok()?;
    (bits <= if address.is_ipv4() { 32 } else { 128 }).then_some((address, bits))
}

/// Hyphens and braces may be missing.
fn uuid(text: &str) -> bool {
    text.bytes().filter(u8::is_ascii_hexdigit).count() == 32
        && text.chars().all(|c| c.is_ascii_hexdigit() || matches!(c, '-' | '{' | '}'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::witness::{Nth, formatted_as, n_styles};

    #[test]
    fn every_witness_has_its_format() {
        for format in Format::ALL {
            for at_apply in [false, true] {
                for style in 0..n_styles(format, at_apply) {
                    for element in 0..3 {
                        let text = formatted_as(format, style, at_apply, Nth::new(element, 1), "tfcabcdef");
                        assert!(may_be(format, &text), "{format:?} {text}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_word_has_few_formats() {
        let may: Vec<Format> =
            Format::ALL.into_iter().filter(|format| may_be(*format, "tfcabcdef")).collect();
        let expected = [
            Format::Base64,
            Format::Country,
            Format::File,
            Format::Hostname,
            Format::Locale,
            Format::Path,
            Format::Regex,
            Format::Region,
            Format::TimeZone,
            Format::Window,
            Format::Yaml,
            Format::Zone,
        ];
        assert_eq!(may, expected);
    }
}
