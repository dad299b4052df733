//! Keys and signatures on the curve P-521, which every go-plugin peer uses and ring does not have.

use std::fmt;
use std::sync::Arc;

use p521::FieldBytes;
use p521::ecdsa::signature::Signer as _;
use p521::ecdsa::signature::hazmat::PrehashVerifier as _;
use p521::ecdsa::{Signature, SigningKey, VerifyingKey};
use p521::elliptic_curve::rand_core::OsRng;
use rustls::client::danger::HandshakeSignatureValid;
use rustls::pki_types::CertificateDer;
use rustls::sign::Signer;
use rustls::{CertificateError, DigitallySignedStruct, Error, SignatureAlgorithm, SignatureScheme};
use sha2::{Digest as _, Sha256, Sha384, Sha512};
use x509_cert::Certificate;
use x509_cert::der::Decode as _;
use x509_cert::der::referenced::OwnedToRef as _;
use x509_cert::spki::SubjectPublicKeyInfoOwned;

/// The TLS signature scheme of the curve.
pub const SCHEME: SignatureScheme = SignatureScheme::ECDSA_NISTP521_SHA512;

/// A private key.
#[derive(Clone)]
pub struct Key(Arc<SigningKey>);

impl Key {
    pub fn generate() -> Key {
        Key(Arc::new(SigningKey::random(&mut OsRng)))
    }

    pub fn public(&self) -> Result<SubjectPublicKeyInfoOwned, x509_cert::spki::Error> {
        let point = *VerifyingKey::from(&*self.0).as_affine();
        let public = p521::PublicKey::from_affine(point).map_err(|_| x509_cert::spki::Error::KeyMalformed)?;
        SubjectPublicKeyInfoOwned::from_key(public)
    }

    /// An ECDSA signature of the message's SHA-512, in DER.
    pub fn sign(&self, message: &[u8]) -> Vec<u8> {
        let signature: Signature = self.0.sign(message);
        signature.to_der().as_bytes().to_vec()
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(P-521)")
    }
}

impl rustls::sign::SigningKey for Key {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        offered.contains(&SCHEME).then(|| Box::new(self.clone()) as Box<dyn Signer>)
    }

    fn algorithm(&self) -> SignatureAlgorithm {
        SignatureAlgorithm::ECDSA
    }
}

impl Signer for Key {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        Ok(Key::sign(self, message))
    }

    fn scheme(&self) -> SignatureScheme {
        SCHEME
    }
}

/// Verifies a handshake's signature if its key is on the curve; `None` if it is not.
pub fn verify(
    message: &[u8],
    certificate: &CertificateDer<'_>,
    signed: &DigitallySignedStruct,
) -> Option<Result<HandshakeSignatureValid, Error>> {
    let certificate = Certificate::from_der(certificate).ok()?;
    let info = &certificate.tbs_certificate.subject_public_key_info;
    let key = p521::PublicKey::try_from(info.owned_to_ref()).ok()?;
    Some(match is_valid(key, signed.scheme, message, signed.signature()) {
        true => Ok(HandshakeSignatureValid::assertion()),
        false => Err(CertificateError::BadSignature.into()),
    })
}

/// TLS 1.2 leaves the hash to the signer.
fn is_valid(key: p521::PublicKey, scheme: SignatureScheme, message: &[u8], signature: &[u8]) -> bool {
    let hash = match scheme {
        SCHEME => Sha512::digest(message).to_vec(),
        SignatureScheme::ECDSA_NISTP384_SHA384 => Sha384::digest(message).to_vec(),
        SignatureScheme::ECDSA_NISTP256_SHA256 => Sha256::digest(message).to_vec(),
        _ => return false,
    };
    // Must be as long as a field element: shorter ones are refused.
    let mut number = FieldBytes::default();
    let start = number.len() - hash.len();
    number[start..].copy_from_slice(&hash);
    let valid = |signature| VerifyingKey::from_affine(*key.as_affine())?.verify_prehash(&number, &signature);
    Signature::from_der(signature).and_then(valid).is_ok()
}

#[cfg(test)]
mod tests {
    use p521::ecdsa::signature::hazmat::PrehashSigner as _;

    use super::*;

    #[test]
    fn signatures_are_judged_by_their_hash() {
        let key = Key::generate();
        let info = key.public().unwrap();
        let valid = |scheme, message: &[u8], signature: &[u8]| {
            let key = p521::PublicKey::try_from(info.owned_to_ref()).unwrap();
            is_valid(key, scheme, message, signature)
        };
        let signature = key.sign(b"message");
        assert!(valid(SCHEME, b"message", &signature));
        assert!(!valid(SCHEME, b"other", &signature));
        assert!(!valid(SignatureScheme::ECDSA_NISTP384_SHA384, b"message", &signature));
        assert!(!valid(SignatureScheme::ED25519, b"message", &signature));
        assert!(!valid(SCHEME, b"message", b"no signature"));
        let mut padded = FieldBytes::default();
        padded[34..].copy_from_slice(&Sha256::digest(b"message"));
        let short: Signature = key.0.sign_prehash(&padded).unwrap();
        let short = short.to_der();
        assert!(valid(SignatureScheme::ECDSA_NISTP256_SHA256, b"message", short.as_bytes()));
    }
}
