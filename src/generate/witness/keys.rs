//! Keys and certificates for documentation: they protect nothing.
//!
//! They belong together: the certificate, the request and the public key are those of the EC key. Only the
//! bodies are stored, so that nobody who searches the code for private keys is alarmed.

/// Of `example.com`, by itself; a certificate authority, valid until the end of 2099.
pub(super) const CERTIFICATE: &str = "\
    MIIBeDCCAR2gAwIBAgIBATAKBggqhkjOPQQDAjAWMRQwEgYDVQQDDAtleGFtcGxlLmNvbTAgFw0yMDAxMDEwMDAwMDBaGA8y\
    MDk5MTIzMTIzNTk1OVowFjEUMBIGA1UEAwwLZXhhbXBsZS5jb20wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAR+BDHM5Krb\
    efPV2D5vREoTIsjdPKH/c6FIaqkhT1cRIaggoM1+9kVSKzGNz7GL+CunPxgyl74Tz9ec2l0VbW4to1owWDAPBgNVHRMBAf8E\
    BTADAQH/MA4GA1UdDwEB/wQEAwIBhjAdBgNVHQ4EFgQUWXK6xTWJrzty336pGk2sXn4ql+MwFgYDVR0RBA8wDYILZXhhbXBs\
    ZS5jb20wCgYIKoZIzj0EAwIDSQAwRgIhAOily/hxQFav82Px2EwbYY+0TKjA4YRl7QzuA970bsz2AiEArePG0WtwLp3i53NN\
    fRUGXYZUGghRrbsgG8So+Gymk5o=";

/// PKCS#8, P-256.
pub(super) const PRIVATE_KEY: &str = "\
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgDbdRqTkvZFyOdgF+RWKh9pQw6uIz0eXEhtXepDq0nyihRANC\
    AAR+BDHM5KrbefPV2D5vREoTIsjdPKH/c6FIaqkhT1cRIaggoM1+9kVSKzGNz7GL+CunPxgyl74Tz9ec2l0VbW4t";

/// The same key as SEC 1.
pub(super) const EC_PRIVATE_KEY: &str = "\
    MHcCAQEEIA23Uak5L2RcjnYBfkViofaUMOriM9HlxIbV3qQ6tJ8ooAoGCCqGSM49AwEHoUQDQgAEfgQxzOSq23nz1dg+b0RK\
    EyLI3Tyh/3OhSGqpIU9XESGoIKDNfvZFUisxjc+xi/grpz8YMpe+E8/XnNpdFW1uLQ==";

/// PKCS#1, 2,048 bits.
pub(super) const RSA_PRIVATE_KEY: &str = "\
    MIIEpAIBAAKCAQEAp2xocSMEyCUjVn8fdlmKHHdIzDaiFyIe0xHJlshjUknsKdtPWdROrDo5cCrp5PDcmfXJDTbtW+LaKYy2\
    enOSbT/eED/TtsffEVgL7xqMGRVjxypb6QgVEdVZTXoKEMdG67EsCZqEkzwd6Hrm0M9IjF05XsMPoGd/z1MBGduPTwkjlUWS\
    yPWnFyQTnmrP8qMH8V8M7y4yahxEVqfjO1+FWL9NxuTwLlAEgu3ya2Z/hYMtalWk+QKhr4I+38tPvCJmXFwuJ8oG78jGKAN4\
    u6/3MrjWphy2pXkXQFzynRRGCXLB9XNKR9cYvivUTmaoQjCJ3++rMAXL/GxkJdgzMZT2RwIDAQABAoIBAB7iD233MLWerCMT\
    dgFFyQUxN7t7xHCR+a+jk1T+B9wxCKA79Soz0INShi/bqqNxjq/Tt895N1WAxg9uBmcWFIeUhWjn7SzFN6+iVyk282rZGDuv\
    455bwE821K9G+L5ZlAp79wyadSQXrcipixQveEl0FNYXEzXagagDvqs/ZfMFBuefkE3ZFwgQ67spEqBiKoKhZ4nChQ0F16TF\
    zaPHcCbZ3OP6so3VYD+OKUaAMHZgXZ+V2zGZLmrHSnAptp+tosBSyftrszvJyvkNfL+tSsQ54m0lRz6tWMvtPS4iIshjJsuo\
    eeTdug3XstJuLcqUWzpEgU4JBLZJvWgjB3nZqDkCgYEA4QOmUwIdCcqdOCtASVqrpRErGLjOlsorbyqp+xFh1PIngMIu62DZ\
    U9rjQZ0X1r28LZqUsQUCBh4dhZ+WpF7xaMZI6Ps2zrr3gyjRkmf6XyOtxm4OLn9najbRo0wularAjMJncO21NjUVMQC98a8h\
    AdHTIwTkEawwcv7bqo6JqXMCgYEAvnqHrnTX4DZw4Wt7uFkkBy/T2jnCrK5tdk9uczdfa0Z331xDMJANzV92RQwGuWm3SVYr\
    qjUszWAZ7Kg9195GxZjWgk47HMXPkpoMGrFD6QwLJ8mbiVB4/CVj5gUJf/MqFTTBfMiIRh2Pf33VxYevlfnUiqflQPIYlYZw\
    m+5YGt0CgYEAnh/5dyXqECJxn7JNR/9O1f4dog7lJvRF16ZMs6IAdSwC9KoBXOm/b/1HbKmfwgmtvwJ9cXTKelAZgPioXTRX\
    Q8DsJcW8O0UKgQJjXBZzzP3+tY5LqwNfQjXp1m7H4eePzpsjJCn4CXL+RGR4FupyMJwqWtaqC31MwtM0vUPTm98CgYEAtH96\
    CXhRhPcx2nq234chG+pXj+jCME6ODdnRaT7kncxGFZPhW6h2W9IFSgLOcG7cL5OHhyAil29kwZzgFapdWCuvwgUOAQL14w81\
    PyoRl0pBW++xAtsN+qoX00WcrfGoRDYcz/lbIU4rx/1fUHJ2keEPZmEZXoTLhQ3Dsg+Wz8UCgYBRGd4USwxtJccB/C6gCsnm\
    CJuX56GuYp2/aYeeQfEJ3JW//Pti/riWdOpHIZxdBlO2bJOVo/lExVWGbVYfq4VnO3u5IPDpdt7Cs9y/AuLny5PzUVfTnaRm\
    PfSOTQ0qrCBDdPQiAFoD93fUmpxzaS629k9tL9w5HniEAIrbS1470Q==";

/// PKCS#10, for `example.com`.
pub(super) const CERTIFICATE_REQUEST: &str = "\
    MIHQMHgCAQAwFjEUMBIGA1UEAwwLZXhhbXBsZS5jb20wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAR+BDHM5KrbefPV2D5v\
    REoTIsjdPKH/c6FIaqkhT1cRIaggoM1+9kVSKzGNz7GL+CunPxgyl74Tz9ec2l0VbW4toAAwCgYIKoZIzj0EAwIDSAAwRQIh\
    AOPKt5mBRvr0d2eDgvhvbVJ5S70ccJwbqHeaDiKk5Jg8AiAXBslKhmJ4LZbt4OY4IX9cyEi+rWdSRLeeBIotU0c5fw==";

/// Of the EC key.
pub(super) const PUBLIC_KEY: &str = "\
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEfgQxzOSq23nz1dg+b0RKEyLI3Tyh/3OhSGqpIU9XESGoIKDNfvZFUisxjc+x\
    i/grpz8YMpe+E8/XnNpdFW1uLQ==";

/// The body of an OpenSSH public key, Ed25519.
pub(super) const SSH_ED25519: &str = "\
    AAAAC3NzaC1lZDI1NTE5AAAAIJr/9kDXQ8Q+EPiJvxLdxe1crUl4am4vm663drFIM+Vn";

/// The body of an OpenSSH public key, RSA with 2,048 bits.
pub(super) const SSH_RSA: &str = "\
    AAAAB3NzaC1yc2EAAAADAQABAAABAQDAPaaC7rtiptJcrBlR7atUEfnavNia4bx61/zF+czg0HCvMdtJktWeqO2PifHB+cfa\
    2tF1GWhTNDNrvlcYEZGiCYyRdgcZcpxSkSs4OEntN7/f7JmuTmwIk6rUt9XKJD5mStdhUl2Epn5xVr00XYAE6cLT/Rs3WXl1\
    /pgexUco47weAcy0tGOIkj+1ZUufLqVMd8M0kTpM2jQbxnsJabWn4sy2V8+ecQXndkg5OoosAvZGx+Zi5h+mJCmt740d3nV2\
    8c2wyLrmlNx2ZD/uq82H2NU703qSxGFHHbkffyOHR1O9Bo3nawCKqKf/dMqJ4HC5v4nptttFqLHQ+aBjg+6J";
