//! Trust in exactly one certificate.
//!
//! webpki cannot do this: it refuses a certificate that is its own CA (`CaUsedAsEndEntity`), which
//! is what every go-plugin peer presents.

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{
    CryptoProvider, WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature,
};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{CertificateError, DigitallySignedStruct, DistinguishedName, Error, SignatureScheme};

use super::{ecdsa_p521, weak_rsa};

/// Accepts the peer that presents this certificate and holds its key.
#[derive(Debug)]
pub struct Pin {
    certificate: CertificateDer<'static>,
    algorithms: WebPkiSupportedAlgorithms,
}

impl Pin {
    pub fn new(certificate: CertificateDer<'static>, provider: &CryptoProvider) -> Self {
        Self { certificate, algorithms: provider.signature_verification_algorithms }
    }

    fn schemes(&self) -> Vec<SignatureScheme> {
        let mut schemes = self.algorithms.supported_schemes();
        schemes.insert(0, ecdsa_p521::SCHEME);
        schemes
    }

    fn check(&self, presented: &CertificateDer<'_>) -> Result<(), Error> {
        if presented == &self.certificate {
            Ok(())
        } else {
            Err(CertificateError::ApplicationVerificationFailure.into())
        }
    }
}

impl ServerCertVerifier for Pin {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.check(end_entity)?;
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        // rustls refuses short RSA keys, Core does not, and a framework in use has one.
        ecdsa_p521::verify(message, cert, signed)
            .or_else(|| weak_rsa::verify(message, cert, signed))
            .unwrap_or_else(|| verify_tls12_signature(message, cert, signed, &self.algorithms))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        ecdsa_p521::verify(message, cert, signed)
            .or_else(|| weak_rsa::verify(message, cert, signed))
            .unwrap_or_else(|| verify_tls13_signature(message, cert, signed, &self.algorithms))
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.schemes()
    }
}

impl ClientCertVerifier for Pin {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        // A hint would make Core's client look for a different certificate.
        &[]
    }

    fn verify_client_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        self.check(end_entity)?;
        Ok(ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        ecdsa_p521::verify(message, cert, signed)
            .unwrap_or_else(|| verify_tls12_signature(message, cert, signed, &self.algorithms))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        ecdsa_p521::verify(message, cert, signed)
            .unwrap_or_else(|| verify_tls13_signature(message, cert, signed, &self.algorithms))
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.schemes()
    }
}
