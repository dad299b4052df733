//! Mutual TLS as go-plugin does it: one self-signed certificate per side and
//! process, handed over through the environment and the handshake, and pinned.
//!
//! The crypto is always aws-lc-rs, given explicitly: it alone has P-521, which
//! is what every go-plugin peer presents.

mod pin;
mod weak_rsa;

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose, PKCS_ECDSA_P521_SHA512,
};
use rustls::crypto::{CryptoProvider, aws_lc_rs};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName};
use rustls::{CertificateError, ClientConfig, ServerConfig};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use x509_parser::prelude::{FromDer as _, GeneralName, X509Certificate};

use crate::process::Note;

/// What both sides must agree on; enforced by grpc-go since 1.67.
const ALPN: &[u8] = b"h2";

/// A key pair and its self-signed certificate, of the profile that go-plugin uses.
#[derive(Debug)]
pub struct Identity {
    certificate: CertificateDer<'static>,
    pem: String,
    key: Vec<u8>,
}

/// Why TLS could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// Our own certificate could not be made.
    #[error("failed to make a certificate: {0}")]
    Generate(#[from] rcgen::Error),
    /// rustls refuses the configuration.
    #[error("failed to set up TLS: {0}")]
    Config(#[from] rustls::Error),
    /// The other side's certificate cannot be read.
    #[error("failed to read the certificate: {0}")]
    Certificate(String),
}

impl Identity {
    /// A new P-521 key and a certificate for `localhost`, valid for 30 years.
    ///
    /// Core presents exactly this profile; an easier curve would hide that a
    /// server cannot cope with Core's.
    pub fn generate() -> Result<Self, TlsError> {
        let mut params = CertificateParams::new(vec!["localhost".to_owned()])?;
        let mut name = DistinguishedName::new();
        name.push(DnType::OrganizationName, "HashiCorp");
        name.push(DnType::CommonName, "localhost");
        params.distinguished_name = name;
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![
            KeyUsagePurpose::DigitalSignature,
            KeyUsagePurpose::KeyEncipherment,
            KeyUsagePurpose::KeyAgreement,
            KeyUsagePurpose::KeyCertSign,
        ];
        params.extended_key_usages =
            vec![ExtendedKeyUsagePurpose::ClientAuth, ExtendedKeyUsagePurpose::ServerAuth];
        let now = SystemTime::now();
        params.not_before = (now - Duration::from_secs(30)).into();
        params.not_after = (now + Duration::from_secs(262_980 * 3600)).into();
        let key = KeyPair::generate_for(&PKCS_ECDSA_P521_SHA512)?;
        let certificate = params.self_signed(&key)?;
        Ok(Self { certificate: certificate.der().clone(), pem: certificate.pem(), key: key.serialize_der() })
    }

    /// The certificate in PEM, as `PLUGIN_CLIENT_CERT` holds it.
    pub fn pem(&self) -> &str {
        &self.pem
    }

    /// The certificate in DER, as a handshake announces it.
    pub fn der(&self) -> &[u8] {
        &self.certificate
    }

    /// TLS for a client that trusts exactly the server with this certificate (DER).
    pub fn client_config(&self, server: Vec<u8>) -> Result<ClientConfig, TlsError> {
        let provider = provider();
        let verifier = pin::Pin::new(CertificateDer::from(server), &provider);
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_client_auth_cert(vec![self.certificate.clone()], self.key())?;
        config.alpn_protocols = vec![ALPN.to_vec()];
        Ok(config)
    }

    /// TLS for a server that trusts exactly the client with this certificate (PEM).
    pub fn server_config(&self, client_pem: &str) -> Result<ServerConfig, TlsError> {
        let client = CertificateDer::from_pem_slice(client_pem.as_bytes())
            .map_err(|error| TlsError::Certificate(error.to_string()))?;
        let provider = provider();
        let verifier = pin::Pin::new(client, &provider);
        let mut config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_client_cert_verifier(Arc::new(verifier))
            .with_single_cert(vec![self.certificate.clone()], self.key())?;
        config.alpn_protocols = vec![ALPN.to_vec()];
        Ok(config)
    }

    fn key(&self) -> PrivateKeyDer<'static> {
        PrivatePkcs8KeyDer::from(self.key.clone()).into()
    }
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(aws_lc_rs::default_provider())
}

/// Speaks TLS to a plugin as Core does, under the name `localhost`.
pub async fn connect<T>(config: ClientConfig, io: T) -> std::io::Result<TlsStream<T>>
where
    T: AsyncRead + AsyncWrite + Unpin,
{
    let name = ServerName::try_from("localhost").expect("localhost is a valid name");
    TlsConnector::from(Arc::new(config)).connect(name, io).await
}

/// Whether TLS failed because the server presented another certificate than it
/// announced.
pub fn is_mismatch(error: &std::io::Error) -> bool {
    let cause = error.get_ref().and_then(|cause| cause.downcast_ref());
    matches!(cause, Some(rustls::Error::InvalidCertificate(CertificateError::ApplicationVerificationFailure)))
}

/// Whether the two sides agreed on HTTP/2 by name.
pub fn agreed_on_h2<T>(stream: &TlsStream<T>) -> bool {
    stream.get_ref().1.alpn_protocol() == Some(ALPN)
}

/// What Core would hold against a server's certificate (DER), which the pin
/// does not need: its name, its dates, its uses, the strength of its key.
///
/// Errs where it is no certificate at all.
pub fn inspect(der: &[u8]) -> Result<Vec<Note>, TlsError> {
    let unreadable = || TlsError::Certificate("it is not X.509".to_owned());
    let (_, certificate) = X509Certificate::from_der(der).map_err(|_| unreadable())?;
    let names = certificate.subject_alternative_name().map_err(|_| unreadable())?;
    let for_localhost = names.is_some_and(|names| {
        let names = &names.value.general_names;
        names
            .iter()
            .any(|name| matches!(name, GeneralName::DNSName(dns) if dns.eq_ignore_ascii_case("localhost")))
    });
    let usage = certificate.extended_key_usage().map_err(|_| unreadable())?;
    let for_servers = usage.is_none_or(|usage| usage.value.server_auth || usage.value.any);
    let mut notes = Vec::new();
    if !for_localhost {
        notes.push(Note::CertificateNotForLocalhost);
    }
    if !certificate.validity().is_valid() {
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
        let identity = Identity::generate().unwrap();
        assert_eq!(inspect(identity.der()).unwrap(), []);
        let (_, certificate) = X509Certificate::from_der(identity.der()).unwrap();
        assert_eq!(certificate.subject().to_string(), "O=HashiCorp, CN=localhost");
        assert!(certificate.is_ca());
        let usage = certificate.key_usage().unwrap().unwrap();
        assert!(usage.critical && usage.value.key_cert_sign() && usage.value.key_agreement());
    }

    #[test]
    fn a_certificate_for_another_name_is_noted() {
        let key = KeyPair::generate().unwrap();
        let certificate =
            CertificateParams::new(vec!["example.com".to_owned()]).unwrap().self_signed(&key).unwrap();
        assert_eq!(inspect(certificate.der()).unwrap(), [Note::CertificateNotForLocalhost]);
        assert!(inspect(b"no certificate").is_err());
    }

    #[tokio::test]
    async fn only_the_announced_peers_are_accepted() {
        let [server, client, stranger] = std::array::from_fn(|_| Identity::generate().unwrap());
        let accepted = |who: &Identity, announced: &Identity| {
            let config = who.client_config(announced.der().to_vec()).unwrap();
            let acceptor =
                tokio_rustls::TlsAcceptor::from(Arc::new(server.server_config(client.pem()).unwrap()));
            async move {
                let (near, far) = tokio::io::duplex(64 << 10);
                let (near, far) = tokio::join!(connect(config, near), acceptor.accept(far));
                near.is_ok() && far.is_ok()
            }
        };
        assert!(accepted(&client, &server).await);
        assert!(!accepted(&stranger, &server).await);
        assert!(!accepted(&client, &stranger).await);
    }
}
