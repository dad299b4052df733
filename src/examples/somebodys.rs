//! What in tests and sources belongs to somebody.

/// The digits of an account number of a large cloud.
const ACCOUNT: usize = 12;

/// What is no secret in a PEM block.
const PUBLIC: [&str; 2] = [" CERTIFICATE-----", " PUBLIC KEY-----"];

/// Whether a text may be a key, the number of an account or the address of a person.
pub(super) fn is_somebodys(text: &str) -> bool {
    let has_account = text.split(|c: char| !c.is_ascii_digit()).any(|digits| digits.len() >= ACCOUNT);
    let mut blocks = text.split("-----BEGIN").skip(1);
    let has_key = blocks.any(|block| !PUBLIC.iter().any(|public| block.starts_with(public)));
    has_key || text.contains('@') || has_account
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_is_public_and_a_key_is_not() {
        let block = |what: &str| format!("-----BEGIN {what}-----\nMIIBsTCC\n-----END {what}-----\n");
        assert!(!is_somebodys(&block("CERTIFICATE")) && !is_somebodys(&block("PUBLIC KEY")));
        for secret in ["PRIVATE KEY", "RSA PRIVATE KEY", "OPENSSH PRIVATE KEY"] {
            assert!(is_somebodys(&block(secret)) && is_somebodys(&(block("CERTIFICATE") + &block(secret))));
        }
    }
}
