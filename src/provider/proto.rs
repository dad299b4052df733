//! The messages of the provider protocol, generated from `proto/*.proto`.
//!
//! Bytes fields share the memory of the answer they came in, maps are ordered.
//! The two majors are kept apart here; what they have in common is for the
//! typed client to say.

/// Protocol 5, package `tfplugin5`.
pub mod v5 {
    include!(concat!(env!("OUT_DIR"), "/tfplugin5.rs"));
}

/// Protocol 6, package `tfplugin6`.
pub mod v6 {
    include!(concat!(env!("OUT_DIR"), "/tfplugin6.rs"));
}

/// What go-plugin puts beside a provider service, package `plugin`.
pub mod go_plugin {
    include!(concat!(env!("OUT_DIR"), "/plugin.rs"));
}

/// The compiled definitions: an encoded `google.protobuf.FileDescriptorSet`.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));
