//! Mutual TLS as go-plugin does it: one self-signed certificate per side and
//! process, exchanged through the environment and the handshake, and pinned.
//!
//! The crypto provider is always ring, given explicitly, because it compiles in seconds; P-521,
//! which every go-plugin peer presents and ring lacks, comes from another crate.

mod certificate;
mod ecdsa_p521;
mod error;
mod pin;
mod weak_rsa;

use std::sync::Arc;

use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{CertificateError, ClientConfig, ServerConfig};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use x509_cert::der::pem::LineEnding;
use x509_cert::der::{Encode as _, EncodePem as _};

pub use certificate::inspect;
pub use error::TlsError;

/// What both sides must agree on; enforced by grpc-go since 1.67.
const ALPN: &[u8] = b"h2";

/// A key pair and its self-signed certificate, of the profile that go-plugin uses.
#[derive(Debug)]
pub struct Identity {
    certificate: CertificateDer<'static>,
    pem: String,
    key: ecdsa_p521::Key,
}

impl Identity {
    /// A new P-521 key and a certificate for `localhost`, valid for 30 years.
    ///
    /// Core presents exactly this profile; a more common curve would hide that a server cannot
    /// handle Core's.
    pub fn generate() -> Result<Self, TlsError> {
        let key = ecdsa_p521::Key::generate();
        let certificate = certificate::self_signed(&key)?;
        let pem = certificate.to_pem(LineEnding::LF).map_err(x509_cert::spki::Error::from)?;
        Ok(Self { certificate: certificate.to_der().map_err(x509_cert::spki::Error::from)?.into(), pem, key })
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
            .with_client_cert_resolver(self.resolver());
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
            .with_cert_resolver(self.resolver());
        config.alpn_protocols = vec![ALPN.to_vec()];
        Ok(config)
    }

    fn resolver(&self) -> Arc<SingleCertAndKey> {
        let certified = CertifiedKey::new(vec![self.certificate.clone()], Arc::new(self.key.clone()));
        Arc::new(certified.into())
    }
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

/// Connects to a plugin over TLS as Core does, under the name `localhost`.
pub async fn connect<T>(config: ClientConfig, io: T) -> std::io::Result<TlsStream<T>>
where
    T: AsyncRead + AsyncWrite + Unpin,
{
    let name = ServerName::try_from("localhost").expect("localhost is a valid name");
    TlsConnector::from(Arc::new(config)).connect(name, io).await
}

/// Whether TLS failed because the server presented a different certificate than it announced.
pub fn is_mismatch(error: &std::io::Error) -> bool {
    let cause = error.get_ref().and_then(|cause| cause.downcast_ref());
    matches!(cause, Some(rustls::Error::InvalidCertificate(CertificateError::ApplicationVerificationFailure)))
}

/// Whether the two sides negotiated HTTP/2 by ALPN.
pub fn agreed_on_h2<T>(stream: &TlsStream<T>) -> bool {
    stream.get_ref().1.alpn_protocol() == Some(ALPN)
}

#[cfg(test)]
mod tests {
    use super::*;

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
