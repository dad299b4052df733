//! The messages for programs that cannot be used as a provider; `PROGRAM` is their name.

/// Roles and their messages.
pub const REFUSALS: &[(&str, &str)] = &[
    (
        "help",
        "PROGRAM: the first line on stdout is no handshake: \"usage: frobnicate [OPTION]… FILE\"\n\
         hint: nothing may be printed on stdout before the handshake line",
    ),
    (
        "empty-line",
        "PROGRAM: the first line on stdout is no handshake: \"\"\n\
         hint: nothing may be printed on stdout before the handshake line",
    ),
    ("nothing", "PROGRAM: ended before the handshake (exit code 0)"),
    (
        "exit-3",
        "PROGRAM: ended before the handshake (exit code 3)\n\
         stderr: config.ini: no such file",
    ),
    (
        "other-cookie",
        "PROGRAM: ended before the handshake (exit code 1)\n\
         hint: it is a plugin, but did not accept Terraform's magic cookie\n\
         stderr: This binary is a plugin. These are not meant to be executed directly.",
    ),
    (
        "truncated",
        "PROGRAM: the first line on stdout is no handshake: \"1|6|unix\"\n\
         hint: nothing may be printed on stdout before the handshake line",
    ),
    (
        "flood-stdout",
        "PROGRAM: the first line on stdout is longer than 64 KiB and starts with \
         \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"\n\
         hint: nothing may be printed on stdout before the handshake line",
    ),
    ("no-certificate", "PROGRAM: failed to read the certificate: it is not X.509"),
    (
        "plaintext-behind-certificate",
        "PROGRAM: failed to agree on TLS: received corrupt message of type InvalidContentType",
    ),
    (
        "other-certificate",
        "PROGRAM: the server's certificate is not the one that the handshake announced\n\
         hint: is another program listening at its address?",
    ),
];

/// First lines and their messages.
pub const LINES: &[(&str, &str, &str)] = &[
    (
        "core_version",
        "2|6|unix|/nowhere|grpc|\n",
        "PROGRAM: the handshake's core protocol version is 2, not 1",
    ),
    ("protocol", "1|4|unix|/nowhere|grpc|\n", "PROGRAM: the provider speaks protocol 4, not 5 or 6"),
    (
        "netrpc",
        "1|6|unix|/nowhere|netrpc|\n",
        "PROGRAM: the provider speaks \"netrpc\", not \"grpc\"\n\
         hint: providers from before Terraform 0.12 are not supported",
    ),
    (
        "network",
        "1|6|carrier pigeon|/nowhere|grpc|\n",
        "PROGRAM: the handshake's network is \"carrier pigeon\", not \"unix\" or \"tcp\"",
    ),
    (
        "certificate",
        "1|6|unix|/nowhere|grpc|this-is-not-base64-but-it-is-longer-than-fifty-characters\n",
        "PROGRAM: the handshake's certificate is not base64: \
         \"this-is-not-base64-but-it-is-longer-than-fifty-characters\"",
    ),
    (
        "certificate_bit_rot",
        "1|6|unix|/nowhere|grpc|AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n",
        "PROGRAM: failed to read the certificate: it is not X.509",
    ),
];
