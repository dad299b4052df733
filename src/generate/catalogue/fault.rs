//! Errors that are not about the configuration.

use std::sync::LazyLock;

use regex::Regex;

use super::compiled;
use crate::generate::lesson::Edit;

/// What decoders say: the first of SDKv2 (the whole text, so that an author's own words do not count), the others of
/// the Plugin Framework.
///
/// `attribute "x" is required` is one of SDKv2's too, but authors write the same, and a request is encoded by its
/// type, so nothing is ever missing.
static DECODING: LazyLock<Regex> = LazyLock::new(|| {
    compiled(concat!(
        r"\A(?:msgpack: .*|unsupported attribute ",
        r#""[^"]*"|(?:an? )?(?:string|number|bool|list|map|set|object|tuple)(?: value)? (?:is )?required)\z"#,
        r"|when converting the configuration from the protocol type",
    ))
});
/// By these words a provider, its SDK or Go says that the code is wrong; no configuration is.
static AT_FAULT: LazyLock<Regex> = LazyLock::new(|| {
    compiled(concat!(
        r"(?i:always an (?:issue|error|problem) in the provider|report this to the provider developer)",
        r"|Value Conversion Error|Invalid Path Expression for Schema|Invalid Attribute Definition",
        r"|%!(?:\(|[a-zA-Z]\()",
    ))
});

/// Who else is at fault by the words of an error.
pub(super) fn fault(summary: &str, text: &str) -> Option<Edit> {
    if DECODING.is_match(text) {
        return Some(Edit::OurDefect);
    }
    (summary.is_empty() || AT_FAULT.is_match(text)).then_some(Edit::ProviderAtFault)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_told_from_complaints() {
        for text in [
            "msgpack: invalid code=c1 decoding map length",
            "unsupported attribute \"x\"",
            "a number is required",
            "string required",
            "Unable to Convert Configuration\nAn unexpected error was encountered when converting the configuration \
             from the protocol type. This is always an issue in terraform-plugin-framework",
        ] {
            assert_eq!(fault(text, text), Some(Edit::OurDefect), "{text}");
        }
        for text in [
            "Value Conversion Error\nAn unexpected error was encountered",
            "Oops\nThis is always an error in the provider. Please report",
            "port %!s(int=7) is taken",
            "bad %!(EXTRA string=a)",
        ] {
            assert_eq!(fault(text, text), Some(Edit::ProviderAtFault), "{text}");
        }
        assert_eq!(fault("", "\nA detail"), Some(Edit::ProviderAtFault));
        for text in [
            "attribute \"name\" is required",
            "a number is required for port",
            "must be below 80%! Really",
            "unsupported attribute value",
        ] {
            assert_eq!(fault(text, text), None, "{text}");
        }
    }
}
