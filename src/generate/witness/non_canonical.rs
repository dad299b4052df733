//! Legal texts of formats that are not in the form in which most programs write them back.

use super::{Format, Nth};

/// A legal text of a format that is not in its canonical form; `None` if the format has one form only. Different places, and different words where a text may hold any, have different values, and secret places
/// have those of no other.
///
/// At apply addresses are from documentation ranges, and durations are short.
pub fn non_canonical(format: Format, nth: Nth, word: &str) -> Option<String> {
    let n = (nth.element + 16 * nth.variant) % 200;
    let secret = u64::from(nth.is_secret);
    let capital = || word[..1].to_uppercase() + &word[1..];
    Some(match format {
        // Host bits; capitals, and zeros that could be left out.
        Format::Cidr | Format::Cidr4 => {
            format!("{}.{}/28", ["198.51.100", "203.0.113"][nth.is_secret as usize], 16 * (n % 15) + 5)
        }
        Format::Cidr6 => format!("2001:DB8:{:X}:0:0:0:0:5/48", 0xa00 + 0x100 * secret + n),
        Format::Ip | Format::Ipv6 => format!("2001:0DB8:0:0:0:0:0:{:04X}", 0xa00 + 0x100 * secret + n),
        Format::Mac => format!("02-00-5E-10-A{secret}-{n:02X}"),
        Format::Hostname => format!("{}.Example.com.", capital()),
        // A port that is the usual one, a host in capitals, an empty path.
        Format::Url | Format::Https => format!("https://{}.Example.com:443/", capital()),
        Format::Email => format!("{}@Example.com", capital()),
        Format::Uuid => format!("8A0C5D0E-7C51-4D6C-9A3A-2F4B9C6D{secret}E{n:02X}"),
        Format::Rfc3339 => format!("2031-01-{:02}T{}:00:00.120+02:00", 1 + n % 28, 15 + secret),
        Format::GoDuration if nth.is_secret => format!("{}us", 1_000_000 * (1 + n % 5)),
        Format::GoDuration => format!("{}ms", 1000 * (1 + n % 5)),
        Format::IsoDuration => format!("PT{}M", 60 * (1 + n % 23 + 24 * secret)),
        Format::Json => format!("{{ \"b\": [1.0, 1e2],\n  \"a\": \"{word} <&>\" }}"),
        Format::Yaml => format!("{{b: [1.0],  a: \"{word}\"}}\n"),
        Format::Semver => format!("v{}.{n}.0", 1 + secret),
        Format::Hex => format!("0123456789ABCDEF0123456789{:06X}", 0xabcdef - n - 200 * secret),
        Format::Float => format!("{}.50", 1 + n + 200 * secret),
        Format::Cron => format!("{}  {} * * *", 30 * secret, 1 + n % 23),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::{formatted_as, n_styles};
    use super::*;
    use crate::generate::candidates::may_be;

    #[test]
    fn a_non_canonical_text_is_of_its_format_and_in_no_style() {
        let mut n_formats = 0;
        for format in Format::ALL {
            let written = |variant, is_secret, word: &str| {
                non_canonical(format, Nth { is_secret, ..Nth::new(0, variant) }, word)
            };
            let Some(text) = written(0, false, "tfcabcdef") else { continue };
            n_formats += 1;
            assert!(may_be(format, &text), "{format:?}: {text}");
            assert_ne!(Some(&text), written(1, false, "tfcuvwxyz").as_ref(), "{format:?}");
            assert_ne!(Some(&text), written(0, true, "tfcuvwxyz").as_ref(), "{format:?}");
            for style in 0..n_styles(format, true) {
                for variant in 0..8 {
                    let usual = formatted_as(format, style, true, Nth::new(0, variant), "tfcabcdef");
                    assert_ne!(usual, text, "{format:?}");
                }
            }
        }
        assert_eq!(n_formats, 20);
    }
}
