//! The formats that a text may have.

use serde::Deserialize;

/// The format of a text, as told by an argument's name, its description or a provider's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// The number of an AWS account: 12 digits.
    Account,
    Arn,
    Base64,
    Bool,
    /// A network of either family.
    Cidr,
    Cidr4,
    Cidr6,
    /// Two letters of ISO 3166-1.
    Country,
    Cron,
    /// A day, without a time.
    Date,
    Email,
    FileMode,
    Float,
    /// A duration as Go writes it: `1h30m`.
    GoDuration,
    Hex,
    /// Fully qualified or not.
    Hostname,
    /// A URL with this scheme.
    Https,
    Int,
    /// An address of either family.
    Ip,
    IpRange,
    Ipv4,
    Ipv6,
    /// A duration of ISO 8601: `PT1H`.
    IsoDuration,
    Json,
    /// A policy document of AWS.
    JsonPolicy,
    Locale,
    Mac,
    Multicast,
    Path,
    Pem,
    Percent,
    Phone,
    Port,
    /// A regular expression.
    Regex,
    Region,
    Rfc3339,
    S3Uri,
    Semver,
    /// A public key as OpenSSH writes it.
    SshKey,
    TimeZone,
    /// How long the provider waits for something.
    Timeout,
    Url,
    Uuid,
    /// A span of time that comes again every week or day.
    Window,
    Xml,
    Yaml,
    /// An availability zone.
    Zone,
}

impl Format {
    /// All, in the order of their names.
    pub const ALL: [Format; 47] = [
        Format::Account,
        Format::Arn,
        Format::Base64,
        Format::Bool,
        Format::Cidr,
        Format::Cidr4,
        Format::Cidr6,
        Format::Country,
        Format::Cron,
        Format::Date,
        Format::Email,
        Format::FileMode,
        Format::Float,
        Format::GoDuration,
        Format::Hex,
        Format::Hostname,
        Format::Https,
        Format::Int,
        Format::Ip,
        Format::IpRange,
        Format::Ipv4,
        Format::Ipv6,
        Format::IsoDuration,
        Format::Json,
        Format::JsonPolicy,
        Format::Locale,
        Format::Mac,
        Format::Multicast,
        Format::Path,
        Format::Pem,
        Format::Percent,
        Format::Phone,
        Format::Port,
        Format::Regex,
        Format::Region,
        Format::Rfc3339,
        Format::S3Uri,
        Format::Semver,
        Format::SshKey,
        Format::TimeZone,
        Format::Timeout,
        Format::Url,
        Format::Uuid,
        Format::Window,
        Format::Xml,
        Format::Yaml,
        Format::Zone,
    ];
}
