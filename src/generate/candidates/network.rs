//! Networks with a prefix of a given length.

use core::net::{Ipv4Addr, Ipv6Addr};

use crate::generate::facts::Span;
use crate::generate::witness::Nth;

/// The lengths to try for a range of them, as family (whether it is version 6) and bits: common ones first,
/// then the ends of the range.
pub(super) fn lengths(span: Span) -> Vec<(bool, u64)> {
    let fits = |bits: &u64| span.holds(*bits);
    // Shorter prefixes would be more than the private ranges have.
    let mut v4: Vec<u64> = [16, 24, 28, 30].into_iter().chain(8..=32).filter(fits).collect();
    let mut v6: Vec<u64> = [64, 56, 48].into_iter().chain([32, 96, 128]).filter(fits).collect();
    let ends = [span.min, span.max].into_iter().flatten();
    v6.extend(ends.filter(|bits| (32..=128).contains(bits)));
    for lengths in [&mut v4, &mut v6] {
        let mut known = Vec::new();
        lengths.retain(|bits| {
            !known.contains(bits) && {
                known.push(*bits);
                true
            }
        });
    }
    v4.into_iter().map(|bits| (false, bits)).chain(v6.into_iter().map(|bits| (true, bits))).collect()
}

/// A network without host bits: of a private range or, in version 6, of the one for documentation.
///
/// Of longer prefixes than 8, or 32 in version 6, other elements get other networks if there are.
pub(super) fn written(is_v6: bool, bits: u64, nth: Nth) -> String {
    let idx = nth.element + 16 * nth.variant;
    if is_v6 {
        let free = bits.clamp(32, 128) - 32;
        let rest = u128::from(idx) % (1u128 << free.min(64));
        let address = (0x2001_0db8_u128 << 96) | (rest << (128 - bits.clamp(32, 128)) as u32);
        return format!("{}/{bits}", Ipv6Addr::from(address));
    }
    let free = bits.clamp(8, 32) - 8;
    let rest = idx % (1 << free);
    let address = (10 << 24) | ((rest << (32 - bits.clamp(8, 32))) as u32);
    format!("{}/{bits}", Ipv4Addr::from(address))
}

#[cfg(test)]
mod tests {
    use core::net::IpAddr;

    use super::super::formats::network;
    use super::*;

    #[test]
    fn a_network_has_no_host_bits() {
        for (is_v6, lengths) in [(false, 8..=32), (true, 32..=128)] {
            for bits in lengths {
                for element in 0..3 {
                    let text = written(is_v6, bits, Nth::new(element, 1));
                    let (address, known) = network(&text).unwrap();
                    assert_eq!((address.is_ipv6(), known), (is_v6, bits));
                    let bytes = match address {
                        IpAddr::V4(address) => u128::from(address.to_bits()) << 96,
                        IpAddr::V6(address) => address.to_bits(),
                    };
                    assert_eq!(bytes.checked_shl(bits as u32).unwrap_or(0), 0, "{text}");
                }
            }
        }
        assert_eq!(written(false, 16, Nth::new(1, 0)), "10.1.0.0/16");
        assert_eq!(written(true, 64, Nth::new(0, 0)), "2001:db8::/64");
    }

    #[test]
    fn common_lengths_come_first() {
        assert_eq!(lengths(Span::new(Some(20), Some(28)))[..3], [(false, 24), (false, 28), (false, 20)]);
        assert_eq!(lengths(Span::new(Some(40), None))[..2], [(true, 64), (true, 56)]);
    }
}
