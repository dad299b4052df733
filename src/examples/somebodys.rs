//! What in tests and sources belongs to somebody.

/// The digits of an account number of a large cloud.
const ACCOUNT: usize = 12;

/// Whether a text may be a key, the number of an account or the address of a person.
pub(super) fn is_somebodys(text: &str) -> bool {
    let has_account = text.split(|c: char| !c.is_ascii_digit()).any(|digits| digits.len() >= ACCOUNT);
    text.contains("-----BEGIN") || text.contains('@') || has_account
}
