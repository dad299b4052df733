//! Texts of every kind, for places of which nothing is known that helps.

use super::{Candidate, Place};
use crate::generate::witness::Format;

/// One text of each format, those that most providers ask for first, and a few of none.
const FORMATS: [Format; 41] = [
    Format::Int,
    Format::Uuid,
    Format::Hostname,
    Format::Https,
    Format::Arn,
    Format::Ipv4,
    Format::Cidr4,
    Format::Email,
    Format::Json,
    Format::Rfc3339,
    Format::Base64,
    Format::GoDuration,
    Format::IsoDuration,
    Format::Path,
    Format::Bool,
    Format::Semver,
    Format::Region,
    Format::Zone,
    Format::Account,
    Format::Cron,
    Format::Window,
    Format::Date,
    Format::TimeZone,
    Format::Locale,
    Format::Country,
    Format::JsonPolicy,
    Format::Port,
    Format::Percent,
    Format::Float,
    Format::Hex,
    Format::Mac,
    Format::Ipv6,
    Format::Cidr6,
    Format::IpRange,
    Format::Phone,
    Format::S3Uri,
    Format::FileMode,
    Format::Xml,
    Format::Regex,
    Format::Pem,
    Format::SshKey,
];

const OTHERS: [&str; 5] = ["*", "abc:def", "a/b", "00:00", ""];

pub(super) fn battery<'p>(place: &'p Place<'_>) -> impl Iterator<Item = Candidate> + 'p {
    let formats = FORMATS.into_iter().map(|format| Candidate::format(format, 0, place));
    formats.chain(OTHERS.into_iter().map(|text| Candidate::fixed("other", text, place)))
}
