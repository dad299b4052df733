# What may become of a plan (contract sections 3.10 and 4.5).

group "assert_object_compatible/plain" {
  fn = assert_object_compatible
  schema = {
    s = optional(computed(string)), n = optional(computed(number)), b = optional(bool)
    list = optional(list(string)), set = optional(computed(set(string))), map = optional(map(string))
    obj = optional(computed(object({ a = string, b = number }))), tup = optional(tuple([string, number]))
    any = optional(computed(any)), secret = optional(sensitive(string))
  }
  cases {
    what-was-known-stays            = { planned = { s = "a", n = 1, b = true }, actual = { s = "a", n = 1, b = true } }
    a-text-changes                  = { planned = { s = "a" }, actual = { s = "b" }, errors = ["APPLY-011 s"] }
    a-text-is-normalised-by-the-api = { planned = { s = "A" }, actual = { s = "a" }, errors = ["APPLY-011 s"] }
    a-number-changes                = { planned = { n = 1 }, actual = { n = 2 }, errors = ["APPLY-011 n"] }
    a-number-in-another-form        = { planned = { n = 0.5 }, actual = { n = number("0.50") } }
    a-bool-changes                  = { planned = { b = true }, actual = { b = false }, errors = ["APPLY-011 b"] }
    a-null-is-filled                = { planned = {}, actual = { s = "a" }, errors = ["APPLY-011 s"] }
    a-value-is-dropped              = { planned = { s = "a" }, actual = {}, errors = ["APPLY-011 s"] }
    a-value-becomes-unknown         = { planned = { s = "a" }, actual = { s = unknown }, errors = ["APPLY-011 s"] }
    a-null-becomes-unknown          = { planned = {}, actual = { s = unknown }, errors = ["APPLY-011 s"] }
    an-unknown-is-resolved          = { planned = { s = unknown, n = unknown }, actual = { s = "a", n = 1 } }
    an-unknown-becomes-null         = { planned = { s = unknown }, actual = {} }
    an-unknown-stays-unknown        = { planned = { s = unknown }, actual = { s = unknown } }
    a-promise-of-a-value-is-broken  = { planned = { s = unknown(not_null) }, actual = {}, errors = ["APPLY-012 s"] }
    a-promise-of-a-value-is-kept    = { planned = { s = unknown(not_null) }, actual = { s = "" } }
    a-promised-prefix-is-kept       = { planned = { s = unknown(prefix("i-")) }, actual = { s = "i-1" } }
    a-promised-prefix-is-broken     = { planned = { s = unknown(prefix("i-")) }, actual = { s = "j-1" }, errors = ["APPLY-012 s"] }
    a-promised-prefix-allows-null   = { planned = { s = unknown(prefix("i-")) }, actual = {} }
    a-promised-bound-is-kept        = { planned = { n = unknown(above(1)) }, actual = { n = 2 } }
    a-promised-bound-is-broken      = { planned = { n = unknown(above(1)) }, actual = { n = 1 }, errors = ["APPLY-012 n"] }
    an-inclusive-bound-is-kept      = { planned = { n = unknown(at_least(1)) }, actual = { n = 1 } }
    an-upper-bound-is-broken        = { planned = { n = unknown(below(5)) }, actual = { n = 5 }, errors = ["APPLY-012 n"] }
    a-promised-length-is-kept       = { planned = { list = unknown(length(1, 2)) }, actual = { list = ["a"] } }
    a-promised-length-is-broken     = { planned = { list = unknown(length(1, 2)) }, actual = { list = [] }, errors = ["APPLY-012 list"] }
    a-promise-is-made-stricter      = { planned = { s = unknown(prefix("i-")) }, actual = { s = unknown(prefix("i-1")) } }
    a-promise-is-withdrawn          = { planned = { s = unknown(not_null) }, actual = { s = unknown } }
    a-prefix-is-contradicted        = { planned = { s = unknown(prefix("i-")) }, actual = { s = unknown(prefix("j-")) } }
    an-element-changes              = { planned = { list = ["a", "b"] }, actual = { list = ["a", "c"] }, errors = ["APPLY-011 list[1]"] }
    an-element-vanishes             = { planned = { list = ["a", "b"] }, actual = { list = ["a"] }, errors = ["APPLY-017 list"] }
    an-element-appears              = { planned = { list = ["a"] }, actual = { list = ["a", "b"] }, errors = ["APPLY-017 list"] }
    an-unknown-element-is-resolved  = { planned = { list = ["a", unknown] }, actual = { list = ["a", "b"] } }
    a-list-becomes-null             = { planned = { list = [] }, actual = {}, errors = ["APPLY-011 list"] }
    a-list-becomes-unknown          = { planned = { list = [] }, actual = { list = unknown }, errors = ["APPLY-011 list"] }
    a-key-changes-its-value         = { planned = { map = { k = "a" } }, actual = { map = { k = "b" } }, errors = ["APPLY-011 map[\"k\"]"] }
    a-key-vanishes                  = { planned = { map = { k = "a", l = "b" } }, actual = { map = { k = "a" } }, errors = ["APPLY-017 map"] }
    a-key-appears                   = { planned = { map = {} }, actual = { map = { k = "a" } }, errors = ["APPLY-017 map"] }
    an-attribute-of-an-object       = { planned = { obj = { a = "a", b = 1 } }, actual = { obj = { a = "a", b = 2 } }, errors = ["APPLY-011 obj.b"] }
    an-object-becomes-null          = { planned = { obj = { a = "a" } }, actual = {}, errors = ["APPLY-011 obj"] }
    an-unknown-in-an-object         = { planned = { obj = { a = unknown, b = 1 } }, actual = { obj = { a = "x", b = 1 } } }
    an-element-of-a-tuple           = { planned = { tup = ["a", 1] }, actual = { tup = ["a", 2] }, errors = ["APPLY-011 tup[1]"] }
    a-set-in-another-order          = { planned = { set = ["a", "b"] }, actual = { set = ["b", "a"] } }
    a-set-element-is-replaced       = { planned = { set = ["a", "b"] }, actual = { set = ["a", "c"] }, errors = ["APPLY-020 set"] }
    a-set-element-is-lost           = { planned = { set = ["a", "b"] }, actual = { set = ["a"] }, errors = ["APPLY-020 set"] }
    a-set-element-is-added          = { planned = { set = ["a"] }, actual = { set = ["a", "b"] }, errors = ["APPLY-020 set"] }
    a-set-with-unknowns-shrinks     = { planned = { set = ["a", unknown] }, actual = { set = ["a"] } }
    a-set-with-unknowns-is-resolved = { planned = { set = ["a", unknown] }, actual = { set = ["a", "b"] } }
    a-set-with-unknowns-grows       = { planned = { set = [unknown] }, actual = { set = ["a", "b"] }, errors = ["APPLY-020 set"] }
    a-set-loses-what-was-known      = { planned = { set = ["a", unknown] }, actual = { set = ["b", "c"] }, errors = ["APPLY-020 set"] }
    an-unknown-set-is-resolved      = { planned = { set = unknown }, actual = { set = ["a", "b"] } }
    a-dynamic-unknown-may-be-anything = { planned = { any = unknown }, actual = { any = ["a", 1] } }
    a-dynamic-null-may-be-anything    = { planned = { any = null }, actual = { any = "a" } }
    a-dynamic-value-changes-its-type  = { planned = { any = "1" }, actual = { any = 1 }, errors = ["APPLY-019 any"] }
    a-dynamic-value-becomes-a-list    = { planned = { any = ["a"] }, actual = { any = typed(list(string), ["a"]) }, errors = ["APPLY-019 any"] }
    a-dynamic-value-stays             = { planned = { any = { k = "a" } }, actual = { any = { k = "a" } } }
    an-unknown-of-a-type-of-its-own   = { planned = { any = typed(string, unknown) }, actual = { any = 1 }, errors = ["APPLY-019 any"] }
    a-sensitive-value-changes         = { planned = { secret = "a" }, actual = { secret = "b" }, errors = ["APPLY-011 secret"] }
    a-sensitive-value-changes-vaguely = { planned = { secret = "a" }, actual = { secret = "b" }, errors = ["APPLY-024 secret"] }
    an-object-vanishes                = { planned = {}, actual = null, errors = ["APPLY-010"] }
    an-object-appears                 = { planned = null, actual = {}, errors = ["APPLY-010"] }
    a-deletion                        = { planned = null, actual = null }
    everything-is-reported            = { planned = { s = "a", n = 1, list = ["x"] }, actual = { s = "b", n = 2 }, errors = ["APPLY-011 s", "APPLY-011 n", "APPLY-011 list"] }
  }
}

group "assert_object_compatible/structural" {
  fn = assert_object_compatible
  schema = {
    list = optional(nested(list, { k = optional(string), c = computed(string) }))
    set  = optional(nested(set, { k = optional(string), c = computed(string) }))
  }
  cases {
    compared-as-plain-values       = { planned = { list = [{ k = "a", c = unknown }] }, actual = { list = [{ k = "a", c = "x" }] } }
    a-value-inside                 = { planned = { list = [{ k = "a" }] }, actual = { list = [{ k = "b" }] }, errors = ["APPLY-011 list[0].k"] }
    an-element-appears             = { planned = { list = [] }, actual = { list = [{ k = "b" }] }, errors = ["APPLY-017 list"] }
    set-elements-correlate         = { planned = { set = [{ k = "a", c = unknown }, { k = "b", c = unknown }] }, actual = { set = [{ k = "b", c = "2" }, { k = "a", c = "1" }] } }
    a-set-element-correlates-with-none = { planned = { set = [{ k = "a", c = unknown }] }, actual = { set = [{ k = "b", c = "1" }] }, errors = ["APPLY-020 set"] }
    two-for-one-is-growth          = { planned = { set = [{ k = "a", c = unknown }] }, actual = { set = [{ k = "a", c = "1" }, { k = "a", c = "2" }] }, errors = ["APPLY-020 set"] }
    correlation-is-many-to-many    = { planned = { set = [{ k = unknown, c = "1" }, { k = "a", c = unknown }] }, actual = { set = [{ k = "a", c = "1" }] } }
  }
}

group "assert_object_compatible/blocks" {
  fn = assert_object_compatible
  schema = {
    one   = blocks(single, { k = optional(computed(string)) })
    group = blocks(group, { k = optional(computed(string)) })
    list  = blocks(list, { k = optional(computed(string)) })
    set   = blocks(set, { k = optional(string), c = computed(string) })
    map   = blocks(map, { k = optional(computed(string)) })
  }
  cases {
    a-single-block-appears              = { planned = {}, actual = { one = {} }, errors = ["APPLY-010 one"] }
    a-single-block-vanishes             = { planned = { one = {} }, actual = {}, errors = ["APPLY-010 one"] }
    an-unknown-single-block-is-none     = { planned = { one = unknown }, actual = {} }
    an-unknown-single-block-is-one      = { planned = { one = unknown }, actual = { one = { k = "a" } } }
    a-value-in-a-group                  = { planned = { group = { k = "a" } }, actual = { group = { k = "b" } }, errors = ["APPLY-011 group.k"] }
    a-group-becomes-null                = { planned = {}, actual = { group = null }, errors = ["APPLY-010 group"] }
    a-value-in-a-list-block             = { planned = { list = [{ k = "a" }, { k = unknown }] }, actual = { list = [{ k = "b" }, { k = "c" }] }, errors = ["APPLY-011 list[0].k"] }
    list-blocks-grow                    = { planned = { list = [{}] }, actual = { list = [{}, {}] }, errors = ["APPLY-021 list"] }
    list-blocks-shrink                  = { planned = { list = [{}, {}] }, actual = { list = [{}] }, errors = ["APPLY-021 list"] }
    unknown-list-blocks-may-be-any      = { planned = { list = unknown }, actual = { list = [{ k = "a" }, {}] } }
    null-list-blocks-pass-unnoticed     = { planned = { list = [{}] }, actual = { list = null } }
    a-list-block-becomes-null           = { planned = { list = [{ k = "a" }] }, actual = { list = [null] }, errors = ["APPLY-010 list[0]"] }
    set-blocks-correlate                = { planned = { set = [{ k = "a", c = unknown }] }, actual = { set = [{ k = "a", c = "x" }] } }
    a-set-block-correlates-with-none    = { planned = { set = [{ k = "a", c = unknown }] }, actual = { set = [{ k = "b", c = "x" }] }, errors = ["APPLY-020 set"] }
    set-blocks-grow                     = { planned = { set = [{ k = "a", c = unknown }] }, actual = { set = [{ k = "a", c = "x" }, { k = "a", c = "y" }] }, errors = ["APPLY-020 set"] }
    set-blocks-coalesce                 = { planned = { set = [{ k = unknown, c = "x" }, { k = "a", c = unknown }] }, actual = { set = [{ k = "a", c = "x" }] } }
    null-set-blocks-pass-unnoticed      = { planned = { set = [{ k = "a" }] }, actual = { set = null } }
    a-value-in-a-map-block              = { planned = { map = { x = { k = "a" } } }, actual = { map = { x = { k = "b" } } }, errors = ["APPLY-011 map[\"x\"].k"] }
    map-blocks-grow                     = { planned = { map = {} }, actual = { map = { x = {} } }, errors = ["APPLY-021 map"] }
    a-renamed-map-block-passes-unnoticed = { planned = { map = { x = { k = "a" } } }, actual = { map = { y = { k = "b" } } } }
  }
}

group "assert_object_compatible/dynamic-blocks" {
  fn     = assert_object_compatible
  schema = { list = blocks(list, { v = optional(any) }), map = blocks(map, { v = optional(any) }) }
  cases {
    a-tuple-is-compared-by-index = { planned = { list = [{ v = "a" }, { v = 1 }] }, actual = { list = [{ v = "a" }, { v = 2 }] }, errors = ["APPLY-011 list[1].v"] }
    a-type-inside-a-tuple        = { planned = { list = [{ v = "a" }] }, actual = { list = [{ v = 1 }] }, errors = ["APPLY-019 list[0].v"] }
    a-tuple-is-counted           = { planned = { list = [{ v = "a" }] }, actual = { list = [] }, errors = ["APPLY-021 list"] }
    a-key-of-an-object-vanishes  = { planned = { map = { x = { v = "a" } } }, actual = { map = {} }, errors = ["APPLY-021 map"] }
    a-key-of-an-object-appears   = { planned = { map = {} }, actual = { map = { x = { v = "a" } } }, errors = ["APPLY-021 map"] }
    a-key-of-an-object-is-renamed = { planned = { map = { x = { v = "a" } } }, actual = { map = { y = { v = "a" } } }, errors = ["APPLY-021 map"] }
  }
}

group "assert_object_compatible/computed-blocks" {
  fn     = assert_object_compatible
  schema = { list = computed_blocks(list, { k = computed(string) }), one = computed_blocks(single, { k = computed(string) }), s = optional(string) }
  cases {
    unknown-becomes-anything            = { planned = { list = unknown, one = unknown }, actual = { list = [{ k = "a" }], one = { k = "b" } } }
    a-promised-length-is-broken-terraform = { core = [terraform], planned = { list = unknown(length(2, 3)) }, actual = { list = [{ k = "a" }] }, errors = ["APPLY-023 list"] }
    a-promised-length-is-broken-opentofu  = { core = [opentofu], planned = { list = unknown(length(2, 3)) }, actual = { list = [{ k = "a" }] } }
    null-terraform                      = { core = [terraform], planned = { list = unknown }, actual = { list = null }, errors = ["APPLY-022 list"] }
    null-opentofu                       = { core = [opentofu], planned = { list = unknown }, actual = { list = null } }
    other-problems-are-not-forgotten    = { core = [terraform, opentofu, strict], planned = { list = unknown, s = "a" }, actual = { list = [], s = "b" }, errors = ["APPLY-011 s"] }
    known-blocks-are-compared           = { planned = { list = [{ k = "a" }] }, actual = { list = [{ k = "b" }] }, errors = ["APPLY-011 list[0].k"] }
  }
}
