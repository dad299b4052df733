//! The digit by which texts without words are told apart: addresses, networks, IDs, times.

use core::net::{IpAddr, Ipv4Addr};

/// The place of a digit that may be any other without the text losing its format; `None` if no such digit is known.
///
/// Texts that stand for everything, such as `0.0.0.0`, have none.
pub(super) fn place(text: &str) -> Option<usize> {
    let last = || text.len().checked_sub(1).filter(|last| text.as_bytes()[*last].is_ascii_digit());
    if is_hex_in(text, &[8, 4, 4, 4, 12], '-')
        || is_hex_in(text, &[2; 6], ':')
        || is_hex_in(text, &[2; 6], '-')
    {
        // Any hexadecimal digit may become any other.
        return text.len().checked_sub(1);
    }
    if let Some((address, bits)) = text.split_once('/') {
        return in_network(address.parse().ok()?, bits.parse().ok()?);
    }
    match text.parse::<IpAddr>() {
        Ok(IpAddr::V4(address)) => in_octet(address, 3),
        Ok(IpAddr::V6(address)) if address.is_unspecified() || address.is_loopback() => None,
        Ok(IpAddr::V6(_)) => last(),
        Err(_) if is_time(text) => Some("2031-01-06T15:00:0".len()),
        Err(_)
            if text.starts_with('+') && text.len() > 8 && text[1..].bytes().all(|b| b.is_ascii_digit()) =>
        {
            last()
        }
        Err(_) => None,
    }
}

/// The text with another digit at that place.
pub(super) fn with_another(text: &str, place: usize) -> String {
    let digit = char::from(text.as_bytes()[place]).to_digit(10).unwrap_or(0);
    format!("{}{}{}", &text[..place], (digit + 5) % 10, &text[place + 1..])
}

/// Whether a text consists of groups of so many hexadecimal digits.
fn is_hex_in(text: &str, lengths: &[usize], separator: char) -> bool {
    let is_group = |(group, length): (&str, &usize)| {
        group.len() == *length && group.bytes().all(|b| b.is_ascii_hexdigit())
    };
    text.split(separator).count() == lengths.len() && text.split(separator).zip(lengths).all(is_group)
}

/// The last digit of an octet, if it stays within a byte whatever the digit is.
fn in_octet(address: Ipv4Addr, nth: usize) -> Option<usize> {
    let octets = address.octets();
    if address.is_unspecified() || address.is_loopback() || address.is_broadcast() || octets[nth] >= 250 {
        return None;
    }
    let written: usize = octets[..=nth].iter().map(|octet| octet.to_string().len()).sum();
    Some(written + nth - 1)
}

/// The last digit of the last part that the prefix holds as a whole.
fn in_network(address: IpAddr, bits: usize) -> Option<usize> {
    match address {
        IpAddr::V4(address) => in_octet(address, (bits / 8).min(4).checked_sub(1)?),
        // The groups before `::`; the first two are those of the documentation.
        IpAddr::V6(address) => {
            let text = address.to_string();
            let written = text.split("::").next()?;
            let n_groups = written.split(':').count();
            (n_groups > 2 && 16 * n_groups <= bits).then(|| written.len() - 1)
        }
    }
}

/// Whether a text is a time of RFC 3339, with seconds.
fn is_time(text: &str) -> bool {
    let shape = "0000-00-00T00:00:00";
    let fits = |(byte, shape): (u8, u8)| if shape == b'0' { byte.is_ascii_digit() } else { byte == shape };
    text.len() > shape.len() && text.bytes().zip(shape.bytes()).all(fits)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::generate::candidates::may_be;
    use crate::generate::witness::{Format, Nth, formatted_as, holds_word, n_styles};

    /// Formats of which a text is told apart neither by a word nor by a digit: few values, or keys.
    const ALIKE: [Format; 24] = [
        Format::Account,
        Format::Base64,
        Format::Bool,
        Format::Country,
        Format::Cron,
        Format::Date,
        Format::File,
        Format::FileMode,
        Format::Float,
        Format::GoDuration,
        Format::Hex,
        Format::Int,
        Format::IpRange,
        Format::IsoDuration,
        Format::Locale,
        Format::Pem,
        Format::Percent,
        Format::Port,
        Format::Region,
        Format::Semver,
        Format::TimeZone,
        Format::Timeout,
        Format::Window,
        Format::Zone,
    ];

    #[test]
    fn the_usual_text_of_each_format_is_told_apart_unless_few_are_valid() {
        for format in Format::ALL {
            let text = formatted_as(format, 0, true, Nth::new(0, 0), "tfcabcdef");
            // The first network of documentation ends where the prefix does.
            let is_told = holds_word(format, 0, true) || place(&text).is_some() || format == Format::Cidr6;
            let is_file = matches!(format, Format::Path | Format::AbsolutePath);
            assert_eq!(is_told || is_file, !ALIKE.contains(&format), "{format:?} {text}");
        }
    }

    #[test]
    fn any_digit_at_the_place_gives_another_text_of_the_format() {
        for format in Format::ALL {
            for style in 0..n_styles(format, false) {
                for variant in 0..40 {
                    let text = formatted_as(format, style, false, Nth::new(0, variant), "tfcabcdef");
                    let Some(place) = place(&text) else { continue };
                    let with = |digit: u32| format!("{}{digit}{}", &text[..place], &text[place + 1..]);
                    let texts: BTreeSet<String> = (0..10).map(with).collect();
                    assert!(texts.len() == 10 && texts.iter().all(|text| may_be(format, text)), "{texts:?}");
                    assert_ne!(with_another(&text, place), text);
                }
            }
        }
    }

    #[test]
    fn what_stands_for_everything_or_is_no_such_text_has_no_place() {
        for text in
            ["0.0.0.0/0", "0.0.0.0", "::/0", "::", "127.0.0.1", "1.29", "8080", "2031-01-06", "word", ""]
        {
            assert_eq!(place(text), None, "{text}");
        }
        assert_eq!(place("10.7.0.0/16"), Some(3));
        assert_eq!(place("2031-01-06T15:00:00Z"), Some(18));
    }
}
