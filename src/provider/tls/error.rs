//! Why TLS could not be set up.

/// Why TLS could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// Our own certificate could not be made.
    #[error("failed to make a certificate: {0}")]
    Generate(#[from] x509_cert::spki::Error),
    /// rustls refuses the configuration.
    #[error("failed to set up TLS: {0}")]
    Config(#[from] rustls::Error),
    /// The other side's certificate cannot be read.
    #[error("failed to read the certificate: {0}")]
    Certificate(String),
}
