//! Certificates as go-plugin creates them, and what Core would object to in others.

use std::time::{Duration, SystemTime};

use p521::elliptic_curve::rand_core::{OsRng, RngCore as _};
use x509_cert::certificate::{Certificate, TbsCertificate, Version};
use x509_cert::der::asn1::{BitString, Ia5String, OctetString, UtcTime};
use x509_cert::der::flagset::FlagSet;
use x509_cert::der::oid::AssociatedOid;
use x509_cert::der::oid::db::{rfc5280, rfc5912};
use x509_cert::der::{Decode as _, Encode};
use x509_cert::ext::Extension;
use x509_cert::ext::pkix::name::GeneralName;
use x509_cert::ext::pkix::{BasicConstraints, ExtendedKeyUsage, KeyUsage, KeyUsages, SubjectAltName};
use x509_cert::name::Name;
use x509_cert::serial_number::SerialNumber;
use x509_cert::spki::AlgorithmIdentifierOwned;
use x509_cert::time::{Time, Validity};

use super::ecdsa_p521::Key;
use super::error::TlsError;
use super::weak_rsa;
use crate::process::Note;

/// How long a certificate is valid: 30 years, as in go-plugin.
const LIFETIME: Duration = Duration::from_secs(262_980 * 3600);

/// A self-signed certificate for `localhost` that is its own CA, as go-plugin creates them.
pub fn self_signed(key: &Key) -> Result<Certificate, x509_cert::spki::Error> {
    // Names are written backwards in text.
    let name: Name = "CN=localhost,O=HashiCorp".parse()?;
    let algorithm = AlgorithmIdentifierOwned { oid: rfc5912::ECDSA_WITH_SHA_512, parameters: None };
    let mut serial = [0; 16];
    OsRng.fill_bytes(&mut serial);
    let now = SystemTime::now();
    let usages: FlagSet<KeyUsages> = KeyUsages::DigitalSignature
        | KeyUsages::KeyEncipherment
        | KeyUsages::KeyAgreement
        | KeyUsages::KeyCertSign;
    let purposes = vec![rfc5280::ID_KP_CLIENT_AUTH, rfc5280::ID_KP_SERVER_AUTH];
    let names = vec![GeneralName::DnsName(Ia5String::new("localhost")?)];
    let content = TbsCertificate {
        version: Version::V3,
        serial_number: SerialNumber::new(&serial)?,
        signature: algorithm.clone(),
        issuer: name.clone(),
        validity: Validity {
            not_before: Time::UtcTime(UtcTime::from_system_time(now - Duration::from_secs(30))?),
            not_after: (now + LIFETIME).try_into()?,
        },
        subject: name,
        subject_public_key_info: key.public()?,
        issuer_unique_id: None,
        subject_unique_id: None,
        extensions: Some(vec![
            extension(true, &KeyUsage(usages))?,
            extension(false, &ExtendedKeyUsage(purposes))?,
            extension(true, &BasicConstraints { ca: true, path_len_constraint: None })?,
            extension(false, &SubjectAltName(names))?,
        ]),
    };
    let signature = BitString::from_bytes(&key.sign(&content.to_der()?))?;
    Ok(Certificate { tbs_certificate: content, signature_algorithm: algorithm, signature })
}

fn extension<T: AssociatedOid + Encode>(
    critical: bool,
    value: &T,
) -> Result<Extension, x509_cert::der::Error> {
    Ok(Extension { extn_id: T::OID, critical, extn_value: OctetString::new(value.to_der()?)? })
}

/// What Core would object to in a server's certificate (DER) that pinning does not check: its name,
/// validity, key usages, and the strength of its key.
///
/// Fails if it is not a certificate.
pub fn inspect(der: &[u8]) -> Result<Vec<Note>, TlsError> {
    let unreadable = |_| TlsError::Certificate("it is not X.509".to_owned());
    let certificate = Certificate::from_der(der).map_err(unreadable)?;
    let content = &certificate.tbs_certificate;
    let names = content.get::<SubjectAltName>().map_err(unreadable)?;
    let for_localhost = names.is_some_and(|(_, SubjectAltName(names))| {
        let is_localhost = |name: &GeneralName| match name {
            GeneralName::DnsName(dns) => dns.as_str().eq_ignore_ascii_case("localhost"),
            _ => false,
        };
        names.iter().any(is_localhost)
    });
    let usage = content.get::<ExtendedKeyUsage>().map_err(unreadable)?;
    let for_servers = usage.is_none_or(|(_, ExtendedKeyUsage(purposes))| {
        purposes.contains(&rfc5280::ID_KP_SERVER_AUTH) || purposes.contains(&rfc5280::ANY_EXTENDED_KEY_USAGE)
    });
    let now = SystemTime::now();
    let Validity { not_before, not_after } = content.validity;
    let mut notes = Vec::new();
    if !for_localhost {
        notes.push(Note::CertificateNotForLocalhost);
    }
    if now < not_before.to_system_time() || now > not_after.to_system_time() {
        notes.push(Note::CertificateOutOfDate);
    }
    if !for_servers {
        notes.push(Note::CertificateNotForServers);
    }
    if let Some(bits) = weak_rsa::short_key_bits(&certificate) {
        notes.push(Note::WeakKey { bits });
    }
    Ok(notes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_certificate_is_one_that_core_accepts() {
        let certificate = self_signed(&Key::generate()).unwrap();
        assert_eq!(inspect(&certificate.to_der().unwrap()).unwrap(), []);
        let content = &certificate.tbs_certificate;
        assert_eq!(content.subject.to_string(), "CN=localhost,O=HashiCorp");
        assert_eq!(content.subject, content.issuer);
        assert!(content.get::<BasicConstraints>().unwrap().unwrap().1.ca);
        let (critical, usage) = content.get::<KeyUsage>().unwrap().unwrap();
        assert!(critical && usage.key_cert_sign() && usage.key_agreement());
    }

    #[test]
    fn a_certificate_for_another_name_is_noted() {
        let mut certificate = self_signed(&Key::generate()).unwrap();
        let names = SubjectAltName(vec![GeneralName::DnsName(Ia5String::new("example.com").unwrap())]);
        let extensions = certificate.tbs_certificate.extensions.as_mut().unwrap();
        extensions[3] = extension(false, &names).unwrap();
        assert_eq!(inspect(&certificate.to_der().unwrap()).unwrap(), [Note::CertificateNotForLocalhost]);
        certificate.tbs_certificate.validity.not_after = certificate.tbs_certificate.validity.not_before;
        let notes = inspect(&certificate.to_der().unwrap()).unwrap();
        assert_eq!(notes, [Note::CertificateNotForLocalhost, Note::CertificateOutOfDate]);
        assert!(inspect(b"no certificate").is_err());
    }
}
