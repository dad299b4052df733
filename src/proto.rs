//! The messages of the provider protocol, generated from `proto/*.proto`.
//!
//! The generated code is kept: to make it in each build takes a compiler of protocol definitions. A test
//! (`cargo test --test repository`) makes it again where the definitions have changed.
//!
//! Bytes fields share the memory of the answer they came in, maps are ordered.
//! The two majors are kept apart here; what they have in common is for
//! [`calls`](crate::calls) to say.

/// Protocol 5, package `tfplugin5`.
pub mod v5 {
    include!(concat!(env!("CARGO_MANIFEST_DIR"), "/proto/generated/tfplugin5.rs"));
}

/// Protocol 6, package `tfplugin6`.
pub mod v6 {
    include!(concat!(env!("CARGO_MANIFEST_DIR"), "/proto/generated/tfplugin6.rs"));
}

/// The definitions of both majors, compiled anew.
#[cfg(test)]
pub(crate) fn definitions() -> Vec<prost_types::FileDescriptorProto> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/proto");
    protox::compile(["tfplugin5.proto", "tfplugin6.proto"], [folder]).unwrap().file
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use prost_types::DescriptorProto;

    use super::definitions;

    /// Protocol 6's name and protocol 5's, where they differ.
    const RENAMED: [(&str, &str); 5] = [
        ("ValidateProviderConfig", "PrepareProviderConfig"),
        ("ValidateResourceConfig", "ValidateResourceTypeConfig"),
        ("ValidateDataResourceConfig", "ValidateDataSourceConfig"),
        ("ConfigureProvider", "Configure"),
        ("StopProvider", "Stop"),
    ];

    /// Number → type, label and presence, of every message by its v6 name.
    type Fields = BTreeMap<String, BTreeMap<i32, String>>;

    fn fields_of(package: &str) -> Fields {
        let files = definitions();
        let file = files.iter().find(|file| file.package() == package).unwrap();
        let mut fields = Fields::new();
        for message in &file.message_type {
            collect(message, "", package, &mut fields);
        }
        fields
    }

    fn collect(message: &DescriptorProto, outer: &str, package: &str, fields: &mut Fields) {
        let name = format!("{outer}{}", message.name());
        for nested in &message.nested_type {
            collect(nested, &format!("{name}."), package, fields);
        }
        let of_message = fields.entry(v6_name(&name)).or_default();
        for field in &message.field {
            let type_name = field.type_name().trim_start_matches('.');
            let type_name = type_name.strip_prefix(&format!("{package}."));
            let described = format!(
                "{:?} {:?} {} {} {}",
                field.r#type(),
                field.label(),
                v6_name(type_name.unwrap_or(field.type_name())),
                field.proto3_optional(),
                field.oneof_index.is_some(),
            );
            of_message.insert(field.number(), described);
        }
    }

    fn v6_name(name: &str) -> String {
        let (first, rest) = name.split_at(name.find('.').unwrap_or(name.len()));
        let renamed = RENAMED.iter().find(|(_, v5)| *v5 == first);
        format!("{}{rest}", renamed.map_or(first, |(v6, _)| v6))
    }

    #[test]
    fn protocol_5_is_protocol_6_but_for_the_known_differences() {
        let v6 = fields_of("tfplugin6");
        let mut differing = BTreeSet::new();
        for (message, v5_fields) in fields_of("tfplugin5") {
            let Some(v6_fields) = v6.get(&message) else {
                differing.insert(message);
                continue;
            };
            for (number, described) in &v5_fields {
                if v6_fields.get(number) != Some(described) {
                    differing.insert(format!("{message} {number}"));
                }
            }
        }
        let expected = [
            "GetMetadata.Response 8",
            "GetProvisionerSchema",
            "GetProvisionerSchema.Request",
            "GetProvisionerSchema.Response",
            "ProvisionResource",
            "ProvisionResource.Request",
            "ProvisionResource.Response",
            "Schema.Attribute 10",
            "Schema.Attribute 11",
            "ValidateProviderConfig.Response 1",
            "ValidateProvisionerConfig",
            "ValidateProvisionerConfig.Request",
            "ValidateProvisionerConfig.Response",
        ];
        assert_eq!(differing, expected.map(str::to_owned).into());
    }

    #[test]
    fn protocol_6_adds_only_what_protocol_5_cannot_say() {
        let v5 = fields_of("tfplugin5");
        let mut added = BTreeSet::new();
        for (message, v6_fields) in fields_of("tfplugin6") {
            match v5.get(&message) {
                None => {
                    added.insert(message.split('.').next().unwrap_or_default().to_owned());
                }
                Some(v5_fields) => added.extend(
                    v6_fields
                        .keys()
                        .filter(|number| !v5_fields.contains_key(number))
                        .map(|number| format!("{message} {number}")),
                ),
            }
        }
        let expected = [
            "ClientCapabilities 3",
            "ClientCapabilities 4",
            "ConfigureStateStore",
            "DeleteState",
            "GetMetadata",
            "GetProviderSchema",
            "GetProviderSchema.Response 10",
            "GetStates",
            "LockState",
            "PlanResourceChange.Request 9",
            "ReadStateBytes",
            "RequestChunkMeta",
            "Schema",
            "Schema.Attribute 12",
            "Schema.Block 8",
            "StateRange",
            "StateStoreClientCapabilities",
            "StateStoreServerCapabilities",
            "UnlockState",
            "ValidateStateStore",
            "WriteStateBytes",
        ];
        assert_eq!(added, expected.map(str::to_owned).into());
    }
}
