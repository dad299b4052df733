//! What an argument's name says about its value.
//!
//! The expressions and their order come from counting what validators accept;
//! the first that matches wins. A name is only a hint: it decides what is tried first and rules
//! nothing out.

use super::witness::Format;

/// How a name is matched. Words are separated by underscores.
enum Pattern {
    /// The last word is one of these, or all words together are.
    Last(&'static [&'static str]),
    /// The name ends in one of these.
    Ends(&'static [&'static str]),
    /// The name contains one of these.
    Has(&'static [&'static str]),
    /// The whole name is one of these.
    Is(&'static [&'static str]),
}

use Pattern::{Ends, Has, Is, Last};

/// First match wins.
const STRINGS: &[(Pattern, Format)] = &[
    (Last(&["arn", "arns"]), Format::Arn),
    (
        Is(&["policy", "policy_document", "policy_json", "assume_role_policy", "policy_body"]),
        Format::JsonPolicy,
    ),
    (Last(&["uuid", "uuids", "guid", "guids"]), Format::Uuid),
    (
        Ends(&["tenant_id", "client_id", "object_id", "subscription_id", "principal_id", "application_id"]),
        Format::Uuid,
    ),
    (Last(&["url", "urls", "uri", "uris", "webhook", "issuer", "callback", "endpoint"]), Format::Url),
    (Has(&["rfc3339"]), Format::Rfc3339),
    (
        Ends(&["_at", "_date", "_time", "timestamp", "expiration", "expires", "not_before", "not_after"]),
        Format::Rfc3339,
    ),
    (Ends(&["email", "emails", "mail", "email_address", "email_addresses"]), Format::Email),
    (Has(&["country"]), Format::Country),
    (Last(&["port", "ports"]), Format::Port),
    (Has(&["phone"]), Format::Phone),
    (Last(&["mac"]), Format::Mac),
    (Ends(&["mac_address"]), Format::Mac),
    (Has(&["base64", "b64"]), Format::Base64),
    (Last(&["json", "schema", "manifest", "body", "definition"]), Format::Json),
    (Ends(&["maintenance_window", "backup_window", "snapshot_window"]), Format::Window),
    (Last(&["locale", "language", "language_code"]), Format::Locale),
    (Ends(&["ipv6", "ipv6_address", "ipv6_addresses"]), Format::Ipv6),
    (Has(&["ipv6_cidr", "cidr_ipv6"]), Format::Cidr6),
    (Has(&["cidr", "address_space", "subnet_range"]), Format::Cidr),
    (Ends(&["address_prefix", "address_prefixes"]), Format::Cidr),
    (Last(&["ip", "ips", "nameservers"]), Format::Ipv4),
    (Ends(&["ip_address", "ip_addresses", "dns_servers"]), Format::Ipv4),
    (Is(&["account_id", "aws_account_id", "account_ids"]), Format::Account),
    (Ends(&["owner_id"]), Format::Account),
    (Last(&["timeout", "duration", "interval", "period", "ttl", "delay"]), Format::GoDuration),
    (Last(&["region", "regions", "location"]), Format::Region),
    (Ends(&["availability_zone", "availability_zones"]), Format::Zone),
    (Last(&["timezone"]), Format::TimeZone),
    (Ends(&["time_zone"]), Format::TimeZone),
    (Last(&["cron", "schedule_expression"]), Format::Cron),
    (Last(&["fqdn", "hostname", "domain"]), Format::Hostname),
    (Ends(&["domain_name", "host_name"]), Format::Hostname),
    (
        Ends(&["file_permission", "file_permissions", "directory_permission", "file_mode", "dir_mode"]),
        Format::FileMode,
    ),
    (Last(&["path", "paths", "file", "filename", "dir", "directory", "folder"]), Format::Path),
];

/// The format that a string argument's name suggests, or its schema path.
pub(super) fn format_of(name: &str, path: &str) -> Option<Format> {
    // What is in it limits how long the provider waits, whatever it is called.
    if path.starts_with("timeouts.") {
        return Some(Format::Timeout);
    }
    STRINGS.iter().find(|(pattern, _)| pattern.matches(name)).map(|(_, format)| *format)
}

/// Whether a number argument's name says that it is a port.
pub(super) fn is_port(name: &str) -> bool {
    Last(&["port", "ports"]).matches(name)
}

/// Whether a text's name says that it is one of a few words that the provider knows.
pub(super) fn expects_enum(name: &str) -> bool {
    Last(&[
        "type",
        "kind",
        "mode",
        "status",
        "state",
        "action",
        "protocol",
        "operator",
        "comparison",
        "format",
        "encoding",
        "tier",
        "sku",
        "size",
        "family",
        "engine",
        "unit",
        "scope",
        "class",
        "level",
        "effect",
        "strategy",
        "frequency",
    ])
    .matches(name)
}

/// By the last word of an argument's name: words that providers often accept there. They are tried where a refusal does
/// not list what is accepted.
const USUAL_WORDS: &[(&[&str], &[&str])] = &[
    (&["direction"], &["ingress", "egress", "inbound", "outbound", "in", "out"]),
    (&["protocol", "protocols"], &["tcp", "TCP", "http", "HTTP", "HTTPS"]),
    (&["ethertype", "version", "family"], &["IPv4", "IPv6", "ipv4"]),
    (&["action", "effect", "policy"], &["allow", "Allow", "ALLOW", "deny", "accept"]),
    (&["method", "methods"], &["GET", "POST"]),
    (&["visibility", "access", "acl"], &["private", "public"]),
    (&["level", "severity"], &["info", "INFO", "warning", "error", "high"]),
    (&["format", "encoding"], &["json", "JSON", "text", "utf-8", "base64"]),
    (&["algorithm"], &["RSA", "SHA256", "ROUND_ROBIN", "AES256"]),
    (&["unit", "frequency", "period", "interval"], &["hours", "days", "daily", "DAILY", "weekly"]),
    (&["state", "status", "mode"], &["enabled", "ENABLED", "active", "disabled"]),
];

/// Words that are often accepted for an argument of this name.
pub(super) fn usual_words(name: &str) -> impl Iterator<Item = &'static str> {
    let of_name = USUAL_WORDS.iter().filter(move |(names, _)| Last(names).matches(name));
    of_name.flat_map(|(_, words)| words.iter().copied())
}

/// Whether a text's name says that it names or describes something, in words of the user's choice.
pub(super) fn is_label(name: &str) -> bool {
    Last(&["name", "title", "description", "comment"]).matches(name)
}

/// Whether a map's name says that it holds tags, which come in pairs.
pub(super) fn is_tags(name: &str) -> bool {
    Last(&["tags", "labels", "annotations", "metadata"]).matches(name)
}

/// Whether an argument may run a program on the machine that the provider runs on.
///
/// Judged by whole words, so `description` and `subscription` do not count.
pub(super) fn runs_programs(name: &str) -> bool {
    const WORDS: &[&str] = &["command", "program", "interpreter", "script", "exec", "execute", "executable"];
    let is_one =
        |word: &str| WORDS.contains(&word) || word.strip_suffix('s').is_some_and(|w| WORDS.contains(&w));
    name.contains("local_path") || name.to_ascii_lowercase().split(['_', '-']).any(is_one)
}

impl Pattern {
    fn matches(&self, name: &str) -> bool {
        match self {
            Last(words) => words.iter().any(|word| {
                name.strip_suffix(word).is_some_and(|rest| rest.is_empty() || rest.ends_with('_'))
            }),
            Ends(ends) => ends.iter().any(|end| name.ends_with(end)),
            Has(parts) => parts.iter().any(|part| name.contains(part)),
            Is(names) => names.contains(&name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_suggest_what_their_last_words_say() {
        for (name, format) in [
            ("role_arn", Some(Format::Arn)),
            ("policy", Some(Format::JsonPolicy)),
            ("eviction_policy", None),
            ("tenant_id", Some(Format::Uuid)),
            ("endpoint_url", Some(Format::Url)),
            ("base_rfc3339", Some(Format::Rfc3339)),
            ("created_at", Some(Format::Rfc3339)),
            ("cidr_block", Some(Format::Cidr)),
            ("ipv6_cidr_blocks", Some(Format::Cidr6)),
            ("name_prefix", None),
            ("ip", Some(Format::Ipv4)),
            ("zip", None),
            ("ipv6_address", Some(Format::Ipv6)),
            ("create_duration", Some(Format::GoDuration)),
            ("export", None),
            ("name", None),
            ("description", None),
        ] {
            assert_eq!(format_of(name, name), format, "{name}");
        }
    }

    #[test]
    fn a_kind_of_something_is_one_of_a_few_words() {
        for (name, expected) in [("type", true), ("engine_mode", true), ("subtype", false), ("name", false)] {
            assert_eq!(expects_enum(name), expected, "{name}");
        }
    }

    #[test]
    fn a_direction_is_usually_one_of_a_few_words() {
        assert_eq!(usual_words("rule_direction").next(), Some("ingress"));
        assert_eq!(usual_words("directions_of_use").next(), None);
    }

    #[test]
    fn what_is_in_timeouts_is_one() {
        assert_eq!(format_of("create", "timeouts.create"), Some(Format::Timeout));
        assert_eq!(format_of("create", "rule.timeouts.create"), None);
    }

    #[test]
    fn what_runs_programs_is_told_by_whole_words() {
        for name in ["command", "program", "pre_script", "interpreters", "exec", "local_path", "run_commands"]
        {
            assert!(runs_programs(name), "{name}");
        }
        for name in ["description", "subscription_id", "transcript", "programmer", "name", "executor_size"] {
            assert!(!runs_programs(name), "{name}");
        }
    }
}
