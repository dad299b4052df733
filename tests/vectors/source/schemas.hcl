# What schemas imply (contract section 4.1), and what engines refuse about them (section 3.3).

group "implied_type" {
  fn = implied_type
  cases {
    no-attributes         = { schema = {}, type = object({}) }
    attributes            = { schema = { a = optional(string), l = computed(list(number)) }, type = object({ a = string, l = list(number) }) }
    structural-attributes = { schema = { s = optional(nested(single, { k = optional(string) })), l = optional(nested(list, { k = optional(string) })), e = optional(nested(set, { k = optional(string) })), m = optional(nested(map, { k = optional(string) })) }, type = object({ s = object({ k = string }), l = list(object({ k = string })), e = set(object({ k = string })), m = map(object({ k = string })) }) }
    nested-blocks         = { schema = { s = blocks(single, { k = optional(string) }), g = blocks(group, { k = optional(string) }), l = blocks(list, { k = optional(string) }), e = blocks(set, { k = optional(string) }), m = blocks(map, { k = optional(string) }) }, type = object({ s = object({ k = string }), g = object({ k = string }), l = list(object({ k = string })), e = set(object({ k = string })), m = map(object({ k = string })) }) }
    dynamic-list-blocks   = { schema = { l = blocks(list, { v = optional(any) }) }, type = object({ l = any }) }
    dynamic-map-blocks    = { schema = { m = blocks(map, { v = optional(any) }) }, type = object({ m = any }) }
    dynamic-single-blocks = { schema = { s = blocks(single, { v = optional(any) }) }, type = object({ s = object({ v = any }) }) }
    dynamic-deep-inside   = { schema = { l = blocks(list, { d = blocks(single, { v = optional(list(any)) }) }) }, type = object({ l = any }) }
    dynamic-structural-lists-stay-lists = { schema = { l = optional(nested(list, { v = optional(any) })) }, type = object({ l = list(object({ v = any })) }) }
    structural-in-structural = { schema = { l = optional(nested(list, { m = optional(nested(map, { n = optional(number) })) })) }, type = object({ l = list(object({ m = map(object({ n = number })) })) }) }
  }
}

group "empty_value" {
  fn = empty_value
  cases {
    attributes-are-null    = { schema = { a = optional(string), n = optional(nested(list, { k = optional(string) })) }, result = { a = null, n = null } }
    single-blocks-are-null = { schema = { s = blocks(single, { k = optional(string) }) }, result = { s = null } }
    groups-are-there       = { schema = { g = blocks(group, { k = optional(string) }) }, result = { g = { k = null } } }
    collections-are-empty  = { schema = { l = blocks(list, { k = optional(string) }), e = blocks(set, { k = optional(string) }), m = blocks(map, { k = optional(string) }) }, result = { l = [], e = [], m = {} } }
    dynamic-collections-are-empty = { schema = { l = blocks(list, { v = optional(any) }), m = blocks(map, { v = optional(any) }) }, result = { l = [], m = {} } }
    groups-in-groups       = { schema = { g = blocks(group, { h = blocks(group, { k = optional(string) }), l = blocks(list, {}) }) }, result = { g = { h = { k = null }, l = [] } } }
  }
}

group "internal_validate" {
  fn = internal_validate
  cases {
    an-empty-schema             = { schema = {} }
    every-usual-attribute       = { schema = { r = required(string), o = optional(string), c = computed(string), b = optional(computed(string)), s = optional(sensitive(string)), w = optional(write_only(string)) } }
    no-flag-at-all              = { schema = { a = string }, errors = ["SCHEMA-010 a"] }
    optional-and-required       = { schema = { a = optional(required(string)) }, errors = ["SCHEMA-011 a"] }
    computed-and-required       = { schema = { a = computed(required(string)) }, errors = ["SCHEMA-012 a"] }
    all-three-flags             = { schema = { a = optional(computed(required(string))) }, errors = ["SCHEMA-011 a", "SCHEMA-012 a"] }
    no-type-at-all              = { schema = json({ attributes = { a = { optional = true } } }), errors = ["SCHEMA-013 a"] }
    two-types                   = { schema = json({ attributes = { a = { optional = true, type = "string", nested_type = { nesting_mode = "single", attributes = {} } } } }), errors = ["SCHEMA-013 a"] }
    structural-attributes       = { schema = { s = optional(nested(single, { k = optional(string) })), m = optional(nested(map, { k = required(string) })) } }
    an-unknown-nesting-of-a-structural-attribute = { schema = { a = optional(nested(heap, { k = optional(string) })) }, errors = ["SCHEMA-014 a"] }
    no-flag-inside-a-structural-attribute = { schema = { a = optional(nested(list, { k = string })) }, errors = ["SCHEMA-010 a.k"] }
    a-name-for-both             = { schema = json({ attributes = { a = { optional = true, type = "string" } }, block_types = { a = { nesting_mode = "list", block = {} } } }), errors = ["SCHEMA-004 a"] }
    a-block-name-in-capitals    = { schema = json({ block_types = { A = { nesting_mode = "list", block = {} } } }), errors = ["SCHEMA-005 A"] }
    a-block-name-with-a-hyphen  = { schema = json({ block_types = { "a-b" = { nesting_mode = "list", block = {} } } }), errors = ["SCHEMA-005 a-b"] }
    attribute-names-are-not-looked-at = { schema = json({ attributes = { "A-b" = { optional = true, type = "string" } } }) }
    a-dynamic-attribute-in-a-set-block = { schema = { s = blocks(set, { v = optional(any) }) }, errors = ["SCHEMA-015 s"] }
    a-dynamic-attribute-deep-in-a-set-block = { schema = { s = blocks(set, { d = blocks(single, { v = optional(any) }) }) }, errors = ["SCHEMA-015 s"] }
    a-dynamic-attribute-in-a-structural-set = { schema = { s = optional(nested(set, { v = optional(any) })) }, errors = ["SCHEMA-015 s"] }
    a-plain-set-of-any          = { schema = { s = optional(set(any)) } }
    write-only-in-a-set-block-terraform = { core = [terraform], schema = { s = blocks(set, { w = optional(write_only(string)) }) }, errors = ["SCHEMA-016 s"] }
    write-only-in-a-set-block-opentofu  = { core = [opentofu], schema = { s = blocks(set, { w = optional(write_only(string)) }) } }
    a-write-only-set            = { schema = { s = optional(write_only(set(string))) } }
    a-negative-count            = { schema = json({ block_types = { a = { nesting_mode = "list", min_items = -1, block = {} } } }), errors = ["SCHEMA-020 a"] }
    a-required-single-block     = { schema = json({ block_types = { a = { nesting_mode = "single", min_items = 1, max_items = 1, block = {} } } }) }
    counts-of-a-single-block    = { schema = json({ block_types = { a = { nesting_mode = "single", min_items = 0, max_items = 1, block = {} } } }), errors = ["SCHEMA-021 a"] }
    two-single-blocks           = { schema = json({ block_types = { a = { nesting_mode = "single", min_items = 2, max_items = 2, block = {} } } }), errors = ["SCHEMA-021 a"] }
    negative-counts-of-a-single-block = { schema = json({ block_types = { a = { nesting_mode = "single", min_items = -1, max_items = -1, block = {} } } }), errors = ["SCHEMA-020 a", "SCHEMA-021 a"] }
    a-block-that-declares-nothing = { schema = json({ block_types = { a = { nesting_mode = "list" } } }), errors = ["SCHEMA-002 a"] }
    counts-of-a-group           = { schema = json({ block_types = { a = { nesting_mode = "group", max_items = 1, block = {} } } }), errors = ["SCHEMA-022 a"] }
    counts-of-a-map             = { schema = json({ block_types = { a = { nesting_mode = "map", min_items = 1, block = {} } } }), errors = ["SCHEMA-022 a"] }
    more-at-least-than-at-most  = { schema = json({ block_types = { a = { nesting_mode = "list", min_items = 3, max_items = 2, block = {} } } }), errors = ["SCHEMA-023 a"] }
    at-least-without-at-most    = { schema = json({ block_types = { a = { nesting_mode = "set", min_items = 3, block = {} } } }) }
    an-unknown-nesting-of-blocks = { schema = { a = blocks(heap, {}) }, errors = ["SCHEMA-024 a"] }
    a-deprecation-message-alone-terraform = { core = [terraform], schema = json({ attributes = { a = { optional = true, type = "string", deprecation_message = "m" } } }), errors = ["SCHEMA-025 a"] }
    a-deprecation-message-alone-opentofu  = { core = [opentofu], schema = json({ attributes = { a = { optional = true, type = "string", deprecation_message = "m" } } }) }
    a-deprecation-message       = { schema = json({ attributes = { a = { optional = true, type = "string", deprecated = true, deprecation_message = "m" } } }) }
    a-computed-block            = { schema = { a = computed_blocks(list, { k = computed(string), o = optional(computed(string)) }) } }
    an-optional-attribute-in-a-computed-block-terraform = { core = [terraform], schema = { a = computed_blocks(list, { k = optional(string) }) }, errors = ["SCHEMA-030 a.k"] }
    an-optional-attribute-in-a-computed-block-opentofu  = { core = [opentofu], schema = { a = computed_blocks(list, { k = optional(string) }) } }
    a-usual-block-in-a-computed-one-terraform = { core = [terraform], schema = { a = computed_blocks(list, { b = blocks(list, { k = computed(string) }) }) }, errors = ["SCHEMA-030 a.b"] }
    a-computed-group-terraform  = { core = [terraform], schema = { a = computed_blocks(group, { k = computed(string) }) }, errors = ["SCHEMA-031 a"] }
    a-computed-block-that-is-demanded-terraform = { core = [terraform], schema = json({ block_types = { a = { nesting_mode = "list", min_items = 1, block = { computed = true } } } }), errors = ["SCHEMA-031 a"] }
    deep-inside-blocks          = { schema = { a = blocks(list, { b = blocks(map, { k = string }) }) }, errors = ["SCHEMA-010 a.b.k"] }
    strict-refuses-what-either-does = { core = [strict], schema = { s = blocks(set, { w = optional(write_only(string)) }) }, errors = ["SCHEMA-016 s"] }
  }
}
