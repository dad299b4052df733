//! Why TLS could not be set up.

/// Why TLS could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// Our own certificate could not be created.
    #[error("failed to create a certificate: {0}")]
    Generate(#[from] x509_cert::spki::Error),
    /// rustls refuses the configuration.
    #[error("failed to set up TLS: {0}")]
    Config(#[from] rustls::Error),
    /// The other side's certificate cannot be parsed.
    #[error("failed to parse the certificate: {0}")]
    Certificate(String),
}
