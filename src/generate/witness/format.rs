//! The formats that a text may have.

use serde::{Deserialize, Serialize};

/// The format of a text, as told by an argument's name, its description or a provider's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// The name of a file or folder, from the root.
    AbsolutePath,
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
    /// The name of a file or folder that exists; see [`existing_files`](crate::scenario::existing_files).
    File,
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
    pub const ALL: [Format; 49] = [
        Format::AbsolutePath,
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
        Format::File,
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

    /// As users and files write it.
    pub fn name(self) -> &'static str {
        match self {
            Format::Account => "account",
            Format::Arn => "arn",
            Format::Base64 => "base64",
            Format::Bool => "bool",
            Format::Cidr => "cidr",
            Format::Cidr4 => "cidr4",
            Format::Cidr6 => "cidr6",
            Format::Country => "country",
            Format::Cron => "cron",
            Format::Date => "date",
            Format::Email => "email",
            Format::File => "file",
            Format::FileMode => "file_mode",
            Format::Float => "float",
            Format::GoDuration => "go_duration",
            Format::Hex => "hex",
            Format::Hostname => "hostname",
            Format::Https => "https",
            Format::Int => "int",
            Format::Ip => "ip",
            Format::IpRange => "ip_range",
            Format::Ipv4 => "ipv4",
            Format::Ipv6 => "ipv6",
            Format::IsoDuration => "iso_duration",
            Format::Json => "json",
            Format::JsonPolicy => "json_policy",
            Format::Locale => "locale",
            Format::Mac => "mac",
            Format::Multicast => "multicast",
            Format::AbsolutePath => "absolute_path",
            Format::Path => "path",
            Format::Pem => "pem",
            Format::Percent => "percent",
            Format::Phone => "phone",
            Format::Port => "port",
            Format::Regex => "regex",
            Format::Region => "region",
            Format::Rfc3339 => "rfc3339",
            Format::S3Uri => "s3_uri",
            Format::Semver => "semver",
            Format::SshKey => "ssh_key",
            Format::TimeZone => "time_zone",
            Format::Timeout => "timeout",
            Format::Url => "url",
            Format::Uuid => "uuid",
            Format::Window => "window",
            Format::Xml => "xml",
            Format::Yaml => "yaml",
            Format::Zone => "zone",
        }
    }

    /// The format of a name, as [`Format::name`] writes it.
    pub fn named(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_a_name_of_its_own() {
        assert!(Format::ALL.is_sorted());
        for format in Format::ALL {
            assert_eq!(Format::named(format.name()), Some(format));
        }
        assert_eq!(Format::JsonPolicy.name(), "json_policy");
    }
}
