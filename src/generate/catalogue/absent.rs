//! Errors that say that something which a value names does not exist.

use std::sync::LazyLock;

use regex::Regex;

use super::compiled;

static ABSENT: LazyLock<Regex> = LazyLock::new(|| {
    compiled(concat!(
        r"(?i)\b(?:does|do|did)(?: not|n't) (?:yet )?exist|\bnon-?existent\b",
        r"|\b(?:was|were|is|are|be|been|could)?(?: ?not|n't) (?:be )?found\b|NotFound",
        r"|\bno such\b|\bno [a-z][\w -]{0,40} (?:(?:was|were|is|are) )?(?:found|exists?|matches|matched)\b",
        r"|\b(?:could not|couldn't|cannot|can't|can not|unable to|failed to|did not|didn't) ",
        r"(?:find|locate|resolve|look ?up)\b",
        r"|\b(?:unknown|invalid|bad|malformed) (?:[\w-]+ ){0,3}ids?\b",
        r"|(?-i:Unknown|Invalid|Malformed)(?-i:[A-Z][a-z]+)*(?-i:ID|Id)\b",
    ))
});
/// What is not made by another resource.
static OF_ANOTHER_KIND: LazyLock<Regex> = LazyLock::new(|| {
    compiled(concat!(
        r"(?i)no such (?:file|directory|host|attribute|argument|property|field|method|function)",
        r"|\b(?:file|directory|executable|command|argument|attribute|property|field|method|function)\b",
        r"[^.\n]{0,60}(?:not exist|n't exist|not found|n't found)",
        r"|\b(?:find|locate|resolve|look ?up) (?:the )?(?:file|directory|host|executable|command)\b",
    ))
});

/// Whether an error says that something which another resource could make does not exist.
pub(super) fn names_nothing(text: &str) -> bool {
    ABSENT.is_match(text) && !OF_ANOTHER_KIND.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_exist_is_told_from_what_is_wrong() {
        for text in [
            "InvalidVpcID.NotFound: The vpc ID '…' does not exist",
            "Error creating disk: network … was not found",
            "googleapi: Error 404: The resource 'networks/…' was not found, notFound",
            "ResourceNotFound: …",
            "couldn't find the folder",
            "no such zone: …",
            "no image found with that name",
            "No matching group exists",
            "Invalid subnet ID",
            "InvalidSubnetID.Malformed: …",
            "the key … doesn't exist",
        ] {
            assert!(names_nothing(text), "{text}");
        }
        for text in [
            "open …: no such file or directory",
            "the file … does not exist",
            "An argument named \"x\" was not found",
            "Unsupported attribute: this object does not have such",
            "dial tcp: lookup …: no such host",
            "expected length to be in the range (1 - 3)",
            "invalid value for identity",
            "must not be empty",
            "a valid identifier has lower-case letters",
        ] {
            assert!(!names_nothing(text), "{text}");
        }
    }
}
