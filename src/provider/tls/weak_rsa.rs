//! Signatures by RSA keys that rustls considers too short but Go does not.
//!
//! Verification only: the advisories against the `rsa` crate concern private keys.

use rsa::pkcs8::DecodePublicKey as _;
use rsa::signature::Verifier;
use rsa::traits::PublicKeyParts as _;
use rsa::{RsaPublicKey, pkcs1v15, pss};
use rustls::client::danger::HandshakeSignatureValid;
use rustls::pki_types::CertificateDer;
use rustls::{CertificateError, DigitallySignedStruct, Error, SignatureScheme};
use sha2::{Sha256, Sha384, Sha512};
use x509_cert::Certificate;
use x509_cert::der::{Decode as _, Encode as _};

/// The shortest RSA key that rustls accepts, in bits.
const SHORTEST: usize = 2048;

/// The length of a certificate's RSA key if it is shorter than rustls accepts.
pub fn short_key_bits(certificate: &Certificate) -> Option<usize> {
    short_key(certificate).map(|key| key.n().bits())
}

fn short_key(certificate: &Certificate) -> Option<RsaPublicKey> {
    let info = certificate.tbs_certificate.subject_public_key_info.to_der().ok()?;
    let key = RsaPublicKey::from_public_key_der(&info).ok()?;
    (key.n().bits() < SHORTEST).then_some(key)
}

/// Verifies a handshake's signature if its key is a short RSA key; `None` if rustls can do it.
pub fn verify(
    message: &[u8],
    certificate: &CertificateDer<'_>,
    signed: &DigitallySignedStruct,
) -> Option<Result<HandshakeSignatureValid, Error>> {
    let certificate = Certificate::from_der(certificate).ok()?;
    let key = short_key(&certificate)?;
    let valid = signature_is_valid(key, signed.scheme, message, signed.signature());
    Some(match valid {
        true => Ok(HandshakeSignatureValid::assertion()),
        false => Err(CertificateError::BadSignature.into()),
    })
}

fn signature_is_valid(key: RsaPublicKey, scheme: SignatureScheme, message: &[u8], signature: &[u8]) -> bool {
    match scheme {
        SignatureScheme::RSA_PSS_SHA256 => {
            valid_pss(&pss::VerifyingKey::<Sha256>::new(key), message, signature)
        }
        SignatureScheme::RSA_PSS_SHA384 => {
            valid_pss(&pss::VerifyingKey::<Sha384>::new(key), message, signature)
        }
        SignatureScheme::RSA_PSS_SHA512 => {
            valid_pss(&pss::VerifyingKey::<Sha512>::new(key), message, signature)
        }
        SignatureScheme::RSA_PKCS1_SHA256 => {
            valid_pkcs1(&pkcs1v15::VerifyingKey::<Sha256>::new(key), message, signature)
        }
        SignatureScheme::RSA_PKCS1_SHA384 => {
            valid_pkcs1(&pkcs1v15::VerifyingKey::<Sha384>::new(key), message, signature)
        }
        SignatureScheme::RSA_PKCS1_SHA512 => {
            valid_pkcs1(&pkcs1v15::VerifyingKey::<Sha512>::new(key), message, signature)
        }
        _ => false,
    }
}

fn valid_pss(key: &impl Verifier<pss::Signature>, message: &[u8], signature: &[u8]) -> bool {
    pss::Signature::try_from(signature).is_ok_and(|signature| key.verify(message, &signature).is_ok())
}

fn valid_pkcs1(key: &impl Verifier<pkcs1v15::Signature>, message: &[u8], signature: &[u8]) -> bool {
    pkcs1v15::Signature::try_from(signature).is_ok_and(|signature| key.verify(message, &signature).is_ok())
}

#[cfg(test)]
mod tests {
    use rsa::RsaPrivateKey;
    use rsa::signature::{RandomizedSigner as _, SignatureEncoding as _, Signer as _};

    use super::*;

    #[test]
    fn a_short_keys_signatures_are_judged() {
        let mut rng = rsa::rand_core::OsRng;
        let key = RsaPrivateKey::new(&mut rng, 1024).unwrap();
        let public = key.to_public_key();
        let pss = pss::SigningKey::<Sha256>::new(key.clone());
        let pss = pss.sign_with_rng(&mut rng, b"message").to_vec();
        let pkcs1 = pkcs1v15::SigningKey::<Sha256>::new(key).sign(b"message").to_vec();
        let valid = |scheme, message: &[u8], signature: &[u8]| {
            signature_is_valid(public.clone(), scheme, message, signature)
        };
        assert!(valid(SignatureScheme::RSA_PSS_SHA256, b"message", &pss));
        assert!(valid(SignatureScheme::RSA_PKCS1_SHA256, b"message", &pkcs1));
        assert!(!valid(SignatureScheme::RSA_PSS_SHA256, b"other", &pss));
        assert!(!valid(SignatureScheme::RSA_PSS_SHA512, b"message", &pss));
        assert!(!valid(SignatureScheme::ED25519, b"message", &pss));
    }
}
