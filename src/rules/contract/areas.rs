//! What the contract requires, entry by entry, in one sentence each.

use super::{Area, Entry};

/// The areas that runs exercise: values, calls, processes, schemas, validation, configuration, upgrade,
/// read, plan, apply, identities, write-only attributes, private data, imports, moves and data sources.
pub(super) const AREAS: &[Area] = &[
    Area {
        name: "WIRE",
        entries: &[
            Entry::enforced(
                1,
                "every returned value must decode by the type that its schema declares; nothing is converted",
            ),
            Entry::implied(
                2,
                "a value that a response leaves out is read as null, so null should be encoded explicitly",
            ),
            Entry::implied(
                3,
                "values should be sent as MessagePack; JSON alone is accepted but cannot express unknowns",
            ),
            Entry::enforced(
                4,
                "an object must have every attribute and nested block type of its schema exactly once",
            ),
            Entry::enforced(
                5,
                "lists and maps of nested blocks with a dynamic attribute must be sent as dynamic values",
            ),
            Entry::enforced(
                6,
                "a known dynamic value must be an array of two elements: its type as JSON, then the value",
            ),
            Entry::enforced(
                7,
                "a list, set or map must not mix elements of different types, even if any type is allowed",
            ),
            Entry::enforced(8, "a number must be an integer, a finite float or a decimal string"),
            Entry::implied(
                9,
                "strings must be UTF-8 and should be in NFC, the form that engines convert them to",
            ),
            Entry::implied(10, "map keys must be strings, and no key may appear twice"),
            Entry::implied(
                11,
                "a set must have no duplicate elements, and the order of its elements must not matter",
            ),
            Entry::enforced(
                12,
                "an unknown without refinements must have extension code 0 and at most one byte of payload",
            ),
            Entry::enforced(
                13,
                "refinements of an unknown must fit its type, and be sent with code 12 in at most 1024 bytes",
            ),
            Entry::implied(
                14,
                "a provider must read any extension code as unknown, and ignore refinements it does not know",
            ),
            Entry::implied(
                15,
                "a provider must accept every valid MessagePack form of a value, such as any integer width",
            ),
            Entry::implied(16, "a provider must decode the JSON form of a value if MessagePack is absent"),
            Entry::implied(17, "nothing may follow an encoded value; engines ignore any bytes after it"),
            Entry::enforced(18, "the response to GetProviderSchema must not exceed 64 MiB"),
        ],
    },
    Area {
        name: "RPC",
        entries: &[
            Entry::enforced(
                1,
                "a failure must be reported in diagnostics, because a gRPC error loses the whole response",
            ),
            Entry::enforced(
                2,
                "a provider must not crash or exit during a call, since every call in flight then fails",
            ),
            Entry::implied(
                3,
                "a request for a type that the provider does not have must get an error diagnostic",
            ),
            Entry::enforced(
                4,
                "a provider must implement every call that its schema and capabilities lead to",
            ),
            Entry::implied(
                5,
                "equal schema, validate, upgrade, move, plan and function calls must get equal responses",
            ),
        ],
    },
    Area {
        name: "DIAG",
        entries: &[
            Entry::implied(
                1,
                "the severity of a diagnostic must be ERROR or WARNING; any other stops nothing",
            ),
            Entry::enforced(
                2,
                "a failed call must return an error diagnostic; except in an apply, the rest is discarded",
            ),
            Entry::implied(
                3,
                "the path of a diagnostic must resolve in the configuration, and must not lead into a set",
            ),
            Entry::implied(
                4,
                "a diagnostic must have a summary and enough detail to act on, and must not reveal secrets",
            ),
        ],
    },
    Area {
        name: "PROC",
        entries: &[
            Entry::enforced(
                1,
                "a provider must complete the go-plugin handshake and serve protocol 5 or 6 over gRPC",
            ),
            Entry::implied(
                2,
                "nothing may be kept in memory from plan to apply, which run in separate processes",
            ),
            Entry::implied(3, "a process must handle concurrent calls for different resource instances"),
            Entry::implied(
                4,
                "StopProvider must return quickly, and running calls must still return their normal response",
            ),
            Entry::implied(
                5,
                "engines kill the process when they are done, so nothing may depend on a clean shutdown",
            ),
            Entry::enforced(
                6,
                "with get_provider_schema_optional, calls must work without GetProviderSchema before them",
            ),
        ],
    },
    Area {
        name: "SCHEMA",
        entries: &[
            Entry::enforced(
                1,
                "a provider must have a schema for its own configuration, even if it takes no arguments",
            ),
            Entry::enforced(
                2,
                "every schema and nested block must have a block, and every type in them must be valid",
            ),
            Entry::enforced(3, "the version of a schema must not be negative"),
            Entry::enforced(
                4,
                "attributes and nested block types of one block must all have different names",
            ),
            Entry::enforced(
                5,
                "names of nested block types must consist of lower-case letters, digits and underscores",
            ),
            Entry::implied(
                6,
                "attribute names should be identifiers of lower-case letters, digits and underscores",
            ),
            Entry::implied(
                7,
                "arguments at the root of a schema must not have reserved names, such as count or lifecycle",
            ),
            Entry::enforced(
                10,
                "an attribute must have at least one of the flags optional, required and computed",
            ),
            Entry::enforced(11, "no attribute may be both optional and required"),
            Entry::enforced(12, "no attribute may be both computed and required"),
            Entry::enforced(13, "every attribute must have either a type or a nested_type, and not both"),
            Entry::enforced(14, "the nesting mode of a nested attribute must be SINGLE, LIST, SET or MAP"),
            Entry::enforced(
                15,
                "sets of nested blocks or nested attributes must not contain dynamic attributes",
            ),
            Entry::enforced(
                16,
                "sets of nested blocks or nested attributes must not contain write-only attributes",
            ),
            Entry::implied(
                17,
                "a write-only attribute must not be computed, and must belong to a managed resource",
            ),
            Entry::enforced(20, "min_items and max_items of a nested block must not be negative"),
            Entry::enforced(21, "min_items and max_items of a SINGLE block must both be 0 or both be 1"),
            Entry::enforced(22, "min_items and max_items of GROUP and MAP blocks must be 0"),
            Entry::enforced(
                23,
                "min_items of a LIST or SET block must not exceed max_items, unless max_items is 0",
            ),
            Entry::enforced(24, "the nesting mode of a nested block must be one that the protocol defines"),
            Entry::enforced(25, "only what is marked as deprecated may have a deprecation message"),
            Entry::enforced(30, "everything inside a computed nested block must be computed"),
            Entry::enforced(
                31,
                "a computed nested block must not be in GROUP mode, and its min_items must be 0",
            ),
            Entry::implied(
                32,
                "resources with computed blocks should return an error if computed_blocks_allowed is false",
            ),
            Entry::enforced(
                40,
                "an identity attribute must be required_for_import or optional_for_import, and not both",
            ),
            Entry::enforced(41, "identity attributes must be strings, numbers, bools, or lists of these"),
            Entry::enforced(42, "GetResourceIdentitySchemas must not fail except by being unimplemented"),
            Entry::implied(
                43,
                "an identity schema must belong to a managed resource type; engines ignore any other",
            ),
            Entry::implied(
                44,
                "an identity must distinguish its object from all others, and never change during its life",
            ),
            Entry::enforced(
                50,
                "names of functions and parameters must be identifiers, and parameter names must be unique",
            ),
            Entry::implied(51, "the name of a function should not begin with the name of the provider"),
            Entry::enforced(
                52,
                "every parameter of a function must have a valid type, and every function a return type",
            ),
            Entry::implied(
                60,
                "the name of a type should begin with the short name of the provider and an underscore",
            ),
            Entry::enforced(
                61,
                "a list resource must have the name of a managed resource type with an identity schema",
            ),
            Entry::implied(
                62,
                "every call to GetProviderSchema must return the same schema, whatever the process",
            ),
            Entry::implied(
                63,
                "GetMetadata must agree with GetProviderSchema on types, functions and capabilities",
            ),
            Entry::implied(
                64,
                "the schema version must be raised when state stored under the old one no longer decodes",
            ),
            Entry::implied(
                65,
                "min_items and max_items of nested attributes have no effect and must not be relied on",
            ),
            Entry::implied(
                66,
                "sensitive only affects what is displayed, so a provider must behave the same without it",
            ),
            Entry::implied(
                67,
                "the schema of the provider itself should have no computed or write-only attributes",
            ),
        ],
    },
    Area {
        name: "VALIDATE",
        entries: &[
            Entry::implied(
                1,
                "validation must accept unknown values and skip the checks that depend on them",
            ),
            Entry::implied(
                2,
                "validation must accept null and unknown for attributes whose default the provider chooses",
            ),
            Entry::implied(3, "validation must work without a configured provider, a network or credentials"),
            Entry::implied(
                4,
                "a wholly known configuration that was accepted must be accepted again during plan and apply",
            ),
            Entry::implied(5, "validation must be deterministic and must have no side effects"),
            Entry::implied(
                6,
                "validation must not change the configuration; prepared_config of protocol 5 is ignored",
            ),
            Entry::implied(
                7,
                "a non-null write-only value must be an error if write_only_attributes_allowed is false",
            ),
            Entry::implied(
                8,
                "validation must accept a configuration that fits the schema, or say in an error why not",
            ),
            Entry::implied(
                9,
                "ValidateProviderConfig must handle an empty configuration, in which every attribute is null",
            ),
            Entry::implied(
                10,
                "validation must handle a wholly unknown object, which can arrive when deferral is enabled",
            ),
            Entry::implied(
                11,
                "validation must refuse a configured value for an attribute that only the provider can set",
            ),
        ],
    },
    Area {
        name: "CONFIGURE",
        entries: &[
            Entry::implied(
                1,
                "ConfigureProvider must handle unknown values during a plan, and not treat them as null",
            ),
            Entry::enforced(
                2,
                "engines refuse to import if the configuration of the provider has unknown values",
            ),
            Entry::implied(
                3,
                "ConfigureProvider is called once per process, after ValidateProviderConfig has succeeded",
            ),
            Entry::enforced(
                4,
                "after an error in ConfigureProvider, engines make no calls that need a configured provider",
            ),
            Entry::implied(
                5,
                "terraform_version is for information only, so any version must be accepted, even none",
            ),
            Entry::implied(
                6,
                "ConfigureProvider must accept any client capabilities; those that are absent are false",
            ),
            Entry::implied(
                7,
                "several processes with different configurations must be able to run at the same time",
            ),
            Entry::implied(
                8,
                "schema, validate, upgrade, move and function calls must work on an unconfigured provider",
            ),
        ],
    },
    Area {
        name: "UPGRADE",
        entries: &[
            Entry::enforced(
                1,
                "engines refuse state of a newer schema version before they call UpgradeResourceState",
            ),
            Entry::enforced(2, "an upgraded state must conform to the schema that the provider has now"),
            Entry::enforced(3, "an upgraded state must be wholly known, at every depth"),
            Entry::enforced(
                4,
                "write-only attributes must be null in an upgraded state, even if the stored one has values",
            ),
            Entry::implied(
                5,
                "an upgraded state must not be null: only a read can find that the object is gone",
            ),
            Entry::implied(6, "upgrading a state that already has the current version must not change it"),
            Entry::implied(
                7,
                "engines drop removed attributes if the versions are equal; otherwise the upgrade must",
            ),
            Entry::implied(
                8,
                "a state of any older schema version must be upgradable to the current one in one call",
            ),
            Entry::implied(9, "an upgrade may change the shape of a state, but not its meaning"),
            Entry::implied(
                10,
                "an upgrade must be idempotent: upgrading its result again must change nothing",
            ),
            Entry::implied(11, "an upgrade must be deterministic and must not need a network"),
            Entry::implied(
                12,
                "an upgrade must accept null anywhere in JSON state, and may refuse flatmap state",
            ),
            Entry::implied(
                13,
                "private is not upgraded, so a provider must understand what its older versions stored in it",
            ),
        ],
    },
    Area {
        name: "READ",
        entries: &[
            Entry::enforced(1, "the new state of a read must conform to the schema"),
            Entry::enforced(2, "the new state of a read must be wholly known"),
            Entry::enforced(3, "write-only attributes must be null in the new state of a read"),
            Entry::implied(
                4,
                "a read must return null, without an error, if the object is gone, and only then",
            ),
            Entry::implied(5, "a read must keep the value in the state where the remote one means the same"),
            Entry::implied(
                6,
                "a read must report what changed outside Terraform, and keep what it cannot read",
            ),
            Entry::implied(7, "a read must not return null for nested blocks, except in SINGLE mode"),
            Entry::implied(
                8,
                "a new state that differs from the prior one is no error; OpenTofu only logs the difference",
            ),
            Entry::implied(
                9,
                "a read must return private, because what it returns replaces the stored bytes",
            ),
            Entry::implied(
                10,
                "a read must return the identity, because leaving it out erases the stored one",
            ),
            Entry::implied(
                11,
                "a read must have no side effects, and reading twice must give the same result",
            ),
            Entry::implied(
                12,
                "a read must work from an imported state, with private empty and most attributes null",
            ),
            Entry::implied(13, "a read must not depend on the configuration, which is not in the request"),
            Entry::implied(
                14,
                "a read must work in the same way for current, tainted, deposed and orphaned objects",
            ),
            Entry::implied(
                15,
                "a read must not turn a value that an apply returned into null while the object is unchanged",
            ),
        ],
    },
    Area {
        name: "PLAN",
        entries: &[
            Entry::enforced(
                1,
                "an error diagnostic ends the planning of an object, and its planned state is ignored",
            ),
            Entry::enforced(
                2,
                "the planned state must conform to the schema, including in the second plan of a replacement",
            ),
            Entry::enforced(
                3,
                "write-only attributes must be null in the planned state; unknown is not null",
            ),
            Entry::enforced(4, "an object or nested block that is configured must not be planned as null"),
            Entry::enforced(5, "a SINGLE nested block that is not configured must be planned as null"),
            Entry::implied(6, "the planned state must not be unknown as a whole"),
            Entry::enforced(
                10,
                "a configured value must be planned exactly as configured, or exactly as in the prior state",
            ),
            Entry::enforced(
                11,
                "a computed attribute may be planned as any value, unless it is optional and configured",
            ),
            Entry::enforced(
                12,
                "a write-only attribute must be planned as null, whatever the configuration has",
            ),
            Entry::enforced(
                13,
                "an attribute that is not computed must be planned as null where the configuration has null",
            ),
            Entry::enforced(
                14,
                "a planned value that differs from the configured one in any other way is invalid",
            ),
            Entry::enforced(15, "a configured nested attribute must not be planned as null"),
            Entry::enforced(16, "a configured nested attribute must not be planned as unknown as a whole"),
            Entry::enforced(
                17,
                "each attribute inside a SINGLE nested attribute must follow the rules for attributes",
            ),
            Entry::enforced(
                18,
                "a LIST nested attribute must be planned with as many elements as are configured",
            ),
            Entry::enforced(
                19,
                "a MAP nested attribute must be planned with exactly the keys that are configured",
            ),
            Entry::enforced(
                20,
                "a SET nested attribute must be planned with a size that the configured set can have",
            ),
            Entry::implied(
                21,
                "a nested attribute must have one element for each configured one, as nested blocks do",
            ),
            Entry::enforced(25, "nested blocks must not be planned as null, except in SINGLE mode"),
            Entry::enforced(
                26,
                "nested blocks that are unknown in the configuration must be planned as the same unknown",
            ),
            Entry::enforced(
                27,
                "a computed nested block that is not configured may be planned as anything but null",
            ),
            Entry::enforced(
                28,
                "nested blocks that are known in the configuration must not be planned as unknown",
            ),
            Entry::enforced(
                29,
                "the contents of SINGLE and GROUP blocks must follow the same rules as the root object",
            ),
            Entry::enforced(
                30,
                "a plan must have as many LIST blocks as are configured, none unknown as a whole",
            ),
            Entry::enforced(31, "no SET block may be planned as unknown as a whole"),
            Entry::enforced(
                32,
                "a plan must have MAP blocks under exactly the configured keys, none unknown as a whole",
            ),
            Entry::implied(
                33,
                "the plan and the new state must have one nested block for each configured one",
            ),
            Entry::implied(
                34,
                "each planned element of a set must correspond to one configured element, and vice versa",
            ),
            Entry::enforced(
                40,
                "every path in requires_replace must exist in the prior state or in the planned state",
            ),
            Entry::implied(
                41,
                "requires_replace should list what changed; engines drop paths at which nothing changes",
            ),
            Entry::implied(
                42,
                "requires_replace is ignored for a create, a destroy and the second plan of a replacement",
            ),
            Entry::implied(
                45,
                "equal plan requests must get equal plans, and planning must have no side effects",
            ),
            Entry::implied(
                46,
                "where neither the configuration nor the object has changed, a plan must change nothing",
            ),
            Entry::implied(
                47,
                "known parts of a plan must hold for all values that unknown configuration may later take",
            ),
            Entry::implied(48, "planning must accept unknown and null wherever the schema allows them"),
            Entry::implied(
                49,
                "proposed_new_state is only a hint, and write-only values in it must be planned as null",
            ),
            Entry::enforced(
                50,
                "the create half of a replacement is planned in a second call, with a null prior state",
            ),
            Entry::implied(
                51,
                "private and identity from the second plan of a replacement replace those from the first",
            ),
            Entry::implied(
                52,
                "a plan with a null prior state must not contain computed values of an old object",
            ),
            Entry::implied(
                53,
                "a change that cannot be made in place must be in requires_replace, and no other should be",
            ),
            Entry::enforced(55, "a provider that declares plan_destroy must plan a destroy as null"),
            Entry::implied(
                56,
                "a destroy must be planned from the state alone, since the configuration may be gone",
            ),
            Entry::implied(
                57,
                "without plan_destroy, a delete must work with the stored private as its planned_private",
            ),
            Entry::enforced(
                60,
                "the final plan must keep the initial action, except that an update may become a no-op",
            ),
            Entry::enforced(
                61,
                "the final plan must keep what was known; unknowns may become any value they allow",
            ),
            Entry::implied(
                62,
                "if the final plan changes nothing, engines skip the apply and discard planned_private",
            ),
            Entry::enforced(
                63,
                "a replacement's create half is planned again during apply, and must pass all plan checks",
            ),
            Entry::implied(
                64,
                "the final plan must not need the initial planned_private, which not every engine sends",
            ),
            Entry::implied(70, "only the legacy SDK may set the legacy_type_system flag"),
            Entry::enforced(
                71,
                "refinements of planned unknowns are promises, and the final value must keep them",
            ),
            Entry::implied(
                72,
                "if only the sensitivity of a value changes, engines update the state without an apply",
            ),
            Entry::implied(73, "a provider with a provider_meta schema must accept a null provider_meta"),
            Entry::enforced(
                74,
                "with unknown count or for_each, Terraform plans one placeholder, which must pass the checks",
            ),
        ],
    },
    Area {
        name: "APPLY",
        entries: &[
            Entry::implied(1, "an apply must make the remote object match the planned state"),
            Entry::enforced(2, "a delete that succeeds must return null as the new state"),
            Entry::enforced(3, "a create or update that succeeds must not return null as the new state"),
            Entry::enforced(4, "an apply must return a new state that decodes, or an error diagnostic"),
            Entry::enforced(5, "the new state of an apply must conform to the schema"),
            Entry::enforced(6, "write-only attributes must be null in the new state of an apply"),
            Entry::enforced(7, "the new state of an apply must be wholly known, even if the apply fails"),
            Entry::enforced(
                10,
                "an object or nested block must be null in the new state if and only if it was planned as null",
            ),
            Entry::enforced(11, "a known planned value must come back from an apply exactly as planned"),
            Entry::enforced(
                12,
                "an unknown planned value may become any value that its type and refinements allow",
            ),
            Entry::enforced(13, "after a failed apply that returns null, engines keep the object as it was"),
            Entry::implied(
                14,
                "a failed apply must return the object as it really is, because that state is stored",
            ),
            Entry::enforced(15, "an object whose create failed, but returned a state, is marked as tainted"),
            Entry::implied(
                16,
                "private and identity from an apply replace the stored ones; leaving them out erases them",
            ),
            Entry::enforced(
                17,
                "lists, tuples and maps must come back from an apply with exactly the planned elements",
            ),
            Entry::enforced(
                18,
                "objects inside attributes must come back from an apply as planned, attribute by attribute",
            ),
            Entry::enforced(
                19,
                "a dynamic value must come back from an apply with the type that was planned, if any",
            ),
            Entry::enforced(
                20,
                "set elements must match the planned ones in both directions, and a set must not grow",
            ),
            Entry::enforced(21, "an apply must return as many LIST and MAP blocks as were planned"),
            Entry::implied(22, "an apply must not return null for LIST, SET or MAP blocks"),
            Entry::enforced(
                23,
                "a computed nested block that was planned as unknown may become anything that conforms",
            ),
            Entry::enforced(
                24,
                "sensitive attributes must match the plan too; engines report them without their values",
            ),
            Entry::implied(
                30,
                "a read directly after an apply must return the state that the apply returned",
            ),
            Entry::implied(
                31,
                "a plan directly after an apply, with the same configuration, must change nothing",
            ),
            Entry::implied(
                32,
                "a read after a delete must return null, and deleting what is already gone should succeed",
            ),
            Entry::implied(
                33,
                "a delete must work with a null configuration and planned state, and without an identity",
            ),
            Entry::implied(
                34,
                "write-only values are only in the configuration, and may differ between plan and apply",
            ),
            Entry::implied(
                35,
                "an apply must not depend on anything from planning that is not in the request",
            ),
            Entry::implied(
                36,
                "an update in place must keep the attributes that were planned as known, such as an id",
            ),
            Entry::implied(37, "a new state must survive being stored as JSON and read back"),
            Entry::implied(
                38,
                "an apply must follow the planned state, and use config only for write-only values",
            ),
        ],
    },
    Area {
        name: "IDENTITY",
        entries: &[Entry::enforced(
            10,
            "the planned identity of an update must be wholly known; OpenTofu demands it of a create too",
        )],
    },
    Area {
        name: "WO",
        entries: &[
            Entry::enforced(1, "write-only attributes must be null in every state that a provider returns"),
            Entry::enforced(
                2,
                "collections of nested attributes with write-only attributes must not have null elements",
            ),
            Entry::implied(
                3,
                "a change of a write-only value must be detected by other means, since it is not stored",
            ),
            Entry::enforced(
                4,
                "a write-only path in requires_replace always forces a replacement, even without a change",
            ),
            Entry::implied(
                5,
                "write-only values must not appear in other attributes, private, identity, messages or logs",
            ),
        ],
    },
    Area {
        name: "PRIVATE",
        entries: &[
            Entry::enforced(1, "private is opaque to engines, which store it and send it back unchanged"),
            Entry::implied(
                2,
                "every response must return the private bytes to keep, because an empty field erases them",
            ),
            Entry::implied(
                3,
                "a provider must accept empty private, such as on a first create or after an import",
            ),
            Entry::implied(4, "a plan that changes only private is a no-op, and its private is discarded"),
            Entry::implied(5, "private is ignored when states are compared, and users never see it"),
        ],
    },
    Area {
        name: "IMPORT",
        entries: &[
            Entry::enforced(1, "an import by an import block must return exactly one object"),
            Entry::enforced(2, "every imported object must have its type_name set"),
            Entry::implied(3, "the type_name of an imported object should be the type that was requested"),
            Entry::enforced(4, "an imported state must decode against the schema of the requested type"),
            Entry::enforced(
                5,
                "an imported state must not be null; Terraform allows it in an import by identity",
            ),
            Entry::enforced(6, "write-only attributes must be null in an imported state"),
            Entry::enforced(7, "the response to an import by identity must include an identity"),
            Entry::implied(8, "an imported state must not contain unknown values"),
            Entry::enforced(10, "an import is always followed by a read, which must find the object"),
            Entry::implied(11, "an import must set at least what the read after it needs to find the object"),
            Entry::implied(
                12,
                "a plan after an import, with a matching configuration, should change nothing",
            ),
            Entry::implied(
                13,
                "a malformed import ID must be an error, and an empty one must not crash the provider",
            ),
            Entry::implied(
                14,
                "importing a resource that does not support import must fail with a clear error",
            ),
            Entry::implied(
                15,
                "an import request has either an ID or an identity, whose optional attributes may be null",
            ),
            Entry::enforced(
                16,
                "GenerateResourceConfig must return a valid configuration that plans as no change",
            ),
            Entry::implied(
                17,
                "the configuration that an engine writes for an imported object should be accepted",
            ),
        ],
    },
    Area {
        name: "MOVE",
        entries: &[
            Entry::enforced(
                1,
                "Terraform moves an object to another type only if move_resource_state is declared",
            ),
            Entry::enforced(
                2,
                "a moved state must conform to its new schema, be wholly known and not be null",
            ),
            Entry::enforced(3, "write-only attributes must be null in a moved state"),
            Entry::enforced(4, "the identity of a moved object, if one is returned, must be known"),
            Entry::implied(5, "private from a move replaces that of the source, even if it is empty"),
            Entry::implied(
                6,
                "a source that the provider does not know how to move must be refused with an error",
            ),
            Entry::implied(
                7,
                "a move must have no side effects, and its result must survive an upgrade, read and plan",
            ),
            Entry::implied(8, "a move must work in a process that has not been configured"),
        ],
    },
    Area {
        name: "DATA",
        entries: &[
            Entry::enforced(1, "the result of a data source must conform to the schema"),
            Entry::enforced(2, "a data source must return an object or an error, never null"),
            Entry::enforced(3, "the result of a data source must be wholly known"),
            Entry::implied(
                4,
                "a data source must return configured values and nested blocks as they were configured",
            ),
            Entry::implied(
                5,
                "a data source must have no side effects, and reading it twice must give the same result",
            ),
            Entry::implied(
                6,
                "a data source is read only once its configuration is wholly known, if need be during apply",
            ),
            Entry::enforced(7, "inside a check block, an error of a data source becomes a warning"),
            Entry::implied(
                8,
                "stored results of data sources are never upgraded, nor sent back to the provider",
            ),
            Entry::implied(9, "engines do not check the result of a data source for write-only values"),
        ],
    },
];
