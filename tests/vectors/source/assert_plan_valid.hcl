# What a provider may plan (contract sections 3.9 and 4.4).

group "assert_plan_valid/plain" {
  fn = assert_plan_valid
  schema = {
    name = optional(string), size = optional(computed(number)), id = computed(string), zone = required(string)
    tags = optional(list(string)), labels = optional(set(string)), any = optional(any)
    secret = optional(write_only(string)), token = optional(sensitive(string))
  }
  cases {
    a-configured-value-is-kept          = { config = { zone = "z" }, planned = { zone = "z" } }
    a-configured-value-is-changed       = { config = { zone = "z" }, planned = { zone = "y" }, errors = ["PLAN-014 zone"] }
    a-configured-value-is-dropped       = { config = { zone = "z" }, planned = {}, errors = ["PLAN-014 zone"] }
    a-configured-value-becomes-unknown  = { config = { zone = "z" }, planned = { zone = unknown }, errors = ["PLAN-014 zone"] }
    the-prior-value-may-stand-for-it    = { prior = { zone = "Z" }, config = { zone = "z" }, planned = { zone = "Z" } }
    neither-the-prior-nor-the-config    = { prior = { zone = "Z" }, config = { zone = "z" }, planned = { zone = "y" }, errors = ["PLAN-014 zone"] }
    a-null-is-kept                      = { config = {}, planned = {} }
    a-default-without-computed          = { config = {}, planned = { name = "d" }, errors = ["PLAN-013 name"] }
    a-prior-value-for-a-removed-one     = { prior = { name = "a" }, config = {}, planned = { name = "a" }, errors = ["PLAN-013 name"] }
    an-unknown-for-a-null               = { config = {}, planned = { name = unknown }, errors = ["PLAN-013 name"] }
    a-computed-default                  = { config = {}, planned = { size = 1 } }
    a-computed-unknown                  = { config = {}, planned = { size = unknown, id = unknown } }
    computed-kept-from-the-prior-state  = { prior = { id = "i", size = 2 }, config = {}, planned = { id = "i", size = 2 } }
    computed-but-configured-is-kept     = { config = { size = 1 }, planned = { size = 1 } }
    computed-but-configured-differs     = { config = { size = 1 }, planned = { size = 2 }, errors = ["PLAN-014 size"] }
    computed-but-configured-is-unknown  = { config = { size = 1 }, planned = { size = unknown }, errors = ["PLAN-014 size"] }
    computed-but-configured-is-null     = { config = { size = 1 }, planned = {}, errors = ["PLAN-014 size"] }
    computed-only-may-be-anything       = { config = { id = "x" }, planned = { id = "y" } }
    an-unknown-stays-unknown            = { config = { zone = unknown }, planned = { zone = unknown } }
    an-unknown-is-guessed               = { config = { zone = unknown }, planned = { zone = "z" }, errors = ["PLAN-014 zone"] }
    an-unknown-becomes-null             = { config = { name = unknown }, planned = {}, errors = ["PLAN-014 name"] }
    an-unknown-becomes-the-prior-value  = { prior = { zone = "z" }, config = { zone = unknown }, planned = { zone = "z" } }
    an-unknown-gains-refinements        = { config = { zone = unknown }, planned = { zone = unknown(not_null, prefix("eu")) } }
    an-unknown-loses-refinements        = { config = { zone = unknown(not_null) }, planned = { zone = unknown } }
    an-optional-computed-unknown-is-guessed = { config = { size = unknown }, planned = { size = 1 }, errors = ["PLAN-014 size"] }
    every-wrong-attribute-is-reported   = { config = { zone = "z", name = "a" }, planned = { zone = "y", name = "b", any = 1 }, errors = ["PLAN-014 zone", "PLAN-014 name", "PLAN-013 any"] }
    a-list-is-compared-as-a-whole       = { prior = { tags = ["a", "b"] }, config = { tags = ["c", "d"] }, planned = { tags = ["a", "d"] }, errors = ["PLAN-014 tags"] }
    a-list-in-another-order             = { config = { tags = ["a", "b"] }, planned = { tags = ["b", "a"] }, errors = ["PLAN-014 tags"] }
    an-empty-list-for-a-null            = { config = {}, planned = { tags = [] }, errors = ["PLAN-013 tags"] }
    a-null-for-an-empty-list            = { config = { tags = [] }, planned = {}, errors = ["PLAN-014 tags"] }
    an-unknown-element-is-kept          = { config = { tags = ["a", unknown] }, planned = { tags = ["a", unknown] } }
    an-unknown-element-is-guessed       = { config = { tags = ["a", unknown] }, planned = { tags = ["a", "b"] }, errors = ["PLAN-014 tags"] }
    refinements-inside-a-list-are-free  = { config = { tags = [unknown] }, planned = { tags = [unknown(not_null)] } }
    a-set-in-another-order              = { config = { labels = ["a", "b"] }, planned = { labels = ["b", "a"] } }
    a-set-that-lost-an-element          = { config = { labels = ["a", "b"] }, planned = { labels = ["a"] }, errors = ["PLAN-014 labels"] }
    a-dynamic-value-is-kept             = { config = { any = ["a", 1] }, planned = { any = ["a", 1] } }
    a-dynamic-value-of-another-type     = { config = { any = "1" }, planned = { any = 1 }, errors = ["PLAN-014 any"] }
    a-tuple-is-no-list                  = { config = { any = ["a"] }, planned = { any = typed(list(string), ["a"]) }, errors = ["PLAN-014 any"] }
    a-sensitive-value-is-held-to-the-same-rules = { config = { token = "t" }, planned = { token = "u" }, errors = ["PLAN-014 token"] }
    a-write-only-value-is-nulled        = { config = { secret = "s" }, planned = {} }
    # The first line of the ladder comes before any about write-only attributes; WO-001 catches it elsewhere.
    a-write-only-value-is-kept          = { config = { secret = "s" }, planned = { secret = "s" } }
    a-write-only-value-is-changed-terraform = { core = [terraform], config = { secret = "s" }, planned = { secret = "t" }, errors = ["PLAN-012 secret"] }
    a-write-only-value-is-changed-opentofu  = { core = [opentofu], config = { secret = "s" }, planned = { secret = "t" }, errors = ["PLAN-014 secret"] }
    a-write-only-value-is-invented-terraform = { core = [terraform], config = {}, planned = { secret = "t" }, errors = ["PLAN-012 secret"] }
    a-write-only-value-is-invented-opentofu  = { core = [opentofu], config = {}, planned = { secret = "t" }, errors = ["PLAN-013 secret"] }
    a-write-only-value-is-unknown-terraform = { core = [terraform], config = { secret = "s" }, planned = { secret = unknown }, errors = ["PLAN-012 secret"] }
    a-write-only-value-is-unknown-opentofu  = { core = [opentofu], config = { secret = "s" }, planned = { secret = unknown }, errors = ["PLAN-014 secret"] }
    an-unknown-write-only-value-is-nulled = { config = { secret = unknown }, planned = {} }
    strict-calls-a-write-only-value-by-its-name = { core = [strict], config = { secret = "s" }, planned = { secret = "t" }, errors = ["PLAN-012 secret"] }
    a-null-plan-of-a-configured-object  = { config = { zone = "z" }, planned = null, errors = ["PLAN-004"] }
    a-plan-of-nothing                   = { config = null, planned = null }
    a-plan-without-a-configuration      = { config = null, planned = {}, errors = ["PLAN-005"] }
    an-unknown-object-is-one-of-unknown-members = { config = { zone = "z" }, planned = unknown, errors = ["PLAN-014 zone", "PLAN-013 name", "PLAN-013 tags", "PLAN-013 labels", "PLAN-013 any", "PLAN-013 token", "PLAN-012 secret"], core = [terraform] }
  }
}

group "assert_plan_valid/numbers" {
  fn     = assert_plan_valid
  schema = { n = optional(number), s = optional(string) }
  cases {
    a-decimal-text-of-the-same-number     = { config = { n = 0.1 }, planned = { n = number("0.1") } }
    a-number-off-by-a-little              = { config = { n = number("9007199254740993") }, planned = { n = number("9007199254740992") }, errors = ["PLAN-014 n"] }
    zero-is-not-null                      = { config = {}, planned = { n = 0 }, errors = ["PLAN-013 n"] }
    an-empty-text-is-not-null             = { config = {}, planned = { s = "" }, errors = ["PLAN-013 s"] }
    texts-are-compared-in-normal-form     = { config = { s = "\u00e9" }, planned = { s = "e\u0301" } }
    case-matters                          = { config = { s = "A" }, planned = { s = "a" }, errors = ["PLAN-014 s"] }
    white-space-matters                   = { config = { s = "a" }, planned = { s = "a\n" }, errors = ["PLAN-014 s"] }
  }
}

group "assert_plan_valid/structural" {
  fn = assert_plan_valid
  schema = {
    one  = optional(nested(single, { k = required(string), c = optional(computed(string)), o = optional(string) }))
    list = optional(nested(list, { k = required(string), c = optional(computed(string)) }))
    map  = optional(nested(map, { k = optional(string), c = computed(string) }))
    set  = optional(nested(set, { k = optional(string), c = optional(computed(string)) }))
    auto = optional(computed(nested(list, { k = optional(string) })))
  }
  cases {
    computed-inside-is-filled              = { config = { one = { k = "a" } }, planned = { one = { k = "a", c = "d" } } }
    computed-inside-is-unknown             = { config = { one = { k = "a" } }, planned = { one = { k = "a", c = unknown } } }
    a-configured-value-inside-is-changed   = { config = { one = { k = "a" } }, planned = { one = { k = "b" } }, errors = ["PLAN-014 one.k"] }
    a-value-inside-is-invented             = { config = { one = { k = "a" } }, planned = { one = { k = "a", o = "x" } }, errors = ["PLAN-013 one.o"] }
    a-prior-value-inside                   = { prior = { one = { k = "A" } }, config = { one = { k = "a" } }, planned = { one = { k = "A", c = "d" } } }
    absent-but-configured                  = { config = { one = { k = "a" } }, planned = {}, errors = ["PLAN-015 one"] }
    present-but-not-configured             = { config = {}, planned = { one = { k = "a" } }, errors = ["PLAN-013 one"] }
    unknown-but-configured                 = { config = { one = { k = "a" } }, planned = { one = unknown }, errors = ["PLAN-016 one"] }
    unknown-stays-unknown                  = { config = { one = unknown }, planned = { one = unknown } }
    unknown-is-guessed-object              = { config = { one = unknown }, planned = { one = { k = "a", c = "x" } }, errors = ["PLAN-014 one.k", "PLAN-014 one.c", "PLAN-014 one.o"] }
    the-whole-prior-object                 = { prior = { one = { k = "A", o = "x" } }, config = { one = { k = "a" } }, planned = { one = { k = "A", o = "x" } } }
    a-list-by-index                        = { config = { list = [{ k = "a" }, { k = "b" }] }, planned = { list = [{ k = "a", c = "x" }, { k = "c" }] }, errors = ["PLAN-014 list[1].k"] }
    a-list-with-prior-elements-by-index    = { prior = { list = [{ k = "A" }] }, config = { list = [{ k = "a" }, { k = "b" }] }, planned = { list = [{ k = "A", c = "x" }, { k = "b" }] } }
    a-prior-element-of-another-index       = { prior = { list = [{ k = "A" }] }, config = { list = [{ k = "z" }, { k = "a" }] }, planned = { list = [{ k = "z", c = "x" }, { k = "A" }] }, errors = ["PLAN-014 list[1].k"] }
    a-list-that-grew                       = { config = { list = [{ k = "a" }] }, planned = { list = [{ k = "a" }, { k = "b" }] }, errors = ["PLAN-018 list"] }
    a-list-that-shrank                     = { config = { list = [{ k = "a" }, { k = "b" }] }, planned = { list = [{ k = "a" }] }, errors = ["PLAN-018 list"] }
    an-unknown-list-is-guessed             = { config = { list = unknown }, planned = { list = [{ k = "a" }] }, errors = ["PLAN-018 list"] }
    an-unknown-list-becomes-null           = { config = { list = unknown }, planned = {}, errors = ["PLAN-015 list"] }
    an-unknown-element-of-a-list           = { config = { list = [{ k = "a" }] }, planned = { list = [unknown] }, errors = ["PLAN-014 list[0].k"] }
    a-null-element-of-a-list-terraform     = { core = [terraform], config = { list = [{ k = "a" }] }, planned = { list = [null] }, errors = ["PLAN-014 list[0].k"] }
    a-null-element-of-a-list-opentofu      = { core = [opentofu], config = { list = [{ k = "a" }] }, planned = { list = [null] }, errors = ["PLAN-018 list[0]"] }
    a-configured-null-element-is-kept      = { config = { list = [null, { k = "a" }] }, planned = { list = [null, { k = "a", c = "x" }] } }
    an-empty-list-is-kept                  = { config = { list = [] }, planned = { list = [] } }
    a-map-by-key                           = { config = { map = { x = { k = "a" } } }, planned = { map = { x = { k = "b", c = unknown } } }, errors = ["PLAN-014 map[\"x\"].k"] }
    a-map-filled-in                        = { config = { map = { x = { k = "a" } } }, planned = { map = { x = { k = "a", c = unknown } } } }
    a-map-key-renamed                      = { config = { map = { x = { k = "a" } } }, planned = { map = { y = { k = "a" } } }, errors = ["PLAN-019 map[\"y\"]", "PLAN-019 map"] }
    a-map-that-grew                        = { config = { map = { x = { k = "a" } } }, planned = { map = { x = { k = "a" }, y = {} } }, errors = ["PLAN-019 map"] }
    an-unknown-map-is-guessed              = { config = { map = unknown }, planned = { map = {} }, errors = ["PLAN-019 map"] }
    a-prior-element-by-key                 = { prior = { map = { x = { k = "A" } } }, config = { map = { x = { k = "a" } } }, planned = { map = { x = { k = "A", c = "c" } } } }
    the-contents-of-a-set-are-not-compared = { config = { set = [{ k = "a" }] }, planned = { set = [{ k = "completely", c = "different" }] } }
    a-set-that-grew                        = { config = { set = [{ k = "a" }] }, planned = { set = [{ k = "a" }, { k = "b" }] }, errors = ["PLAN-020 set"] }
    a-set-that-shrank                      = { config = { set = [{ k = "a" }, { k = "b" }] }, planned = { set = [{ k = "a", c = "x" }] }, errors = ["PLAN-020 set"] }
    a-set-with-unknowns-may-shrink         = { config = { set = [{ k = "a" }, { k = unknown }] }, planned = { set = [{ k = "a", c = "x" }] } }
    a-set-with-unknowns-may-not-vanish     = { config = { set = [{ k = "a" }, { k = unknown }] }, planned = { set = [] }, errors = ["PLAN-020 set"] }
    an-unknown-set-may-be-guessed          = { config = { set = unknown }, planned = { set = [{ k = "a" }] } }
    an-unknown-set-with-promises-of-its-length = { config = { set = unknown(length(2, 3)) }, planned = { set = [{ k = "a" }] }, errors = ["PLAN-020 set"] }
    an-unknown-planned-set                 = { config = { set = [{ k = "a" }] }, planned = { set = unknown }, errors = ["PLAN-016 set"] }
    an-unset-computed-list-may-be-anything = { config = {}, planned = { auto = [{ k = "a" }, { k = unknown }] } }
    an-unset-computed-list-may-be-unknown  = { config = {}, planned = { auto = unknown } }
    a-computed-list-is-kept-where-configured = { config = { auto = [{ k = "a" }] }, planned = { auto = [{ k = "b" }] }, errors = ["PLAN-014 auto[0].k"] }
    inside-a-computed-list-nulls-are-nulls = { config = { auto = [{}] }, planned = { auto = [{ k = "b" }] }, errors = ["PLAN-013 auto[0].k"] }
  }
}

group "assert_plan_valid/structural-null-map-element" {
  fn     = assert_plan_valid
  schema = { map = optional(nested(map, { k = optional(computed(string)) })) }
  cases {
    of-nothing-configured-terraform = { core = [terraform], config = { map = { x = {} } }, planned = { map = { x = null } } }
    of-nothing-configured-opentofu  = { core = [opentofu], config = { map = { x = {} } }, planned = { map = { x = null } }, errors = ["PLAN-019 map[\"x\"]"] }
    of-nothing-configured-strict    = { core = [strict], config = { map = { x = {} } }, planned = { map = { x = null } }, errors = ["PLAN-019 map[\"x\"]"] }
  }
}

group "assert_plan_valid/blocks" {
  fn = assert_plan_valid
  schema = {
    one   = blocks(single, { k = required(string), c = computed(string) })
    group = blocks(group, { k = optional(string), c = computed(string) })
    list  = blocks(list, { k = required(string), c = optional(computed(string)), deep = blocks(list, { n = optional(number) }) })
    set   = blocks(set, { k = required(string), c = optional(computed(string)) })
    map   = blocks(map, { k = required(string), c = computed(string) })
  }
  cases {
    none-at-all                          = { config = {}, planned = {} }
    a-single-block-is-filled-in          = { config = { one = { k = "a" } }, planned = { one = { k = "a", c = unknown } } }
    a-single-block-is-dropped            = { config = { one = { k = "a" } }, planned = { one = null }, errors = ["PLAN-004 one"] }
    a-single-block-is-invented           = { config = {}, planned = { one = { k = "a" } }, errors = ["PLAN-005 one"] }
    a-single-block-is-unknown            = { config = { one = { k = "a" } }, planned = { one = unknown }, errors = ["PLAN-028 one"] }
    an-absent-single-block-is-unknown    = { config = {}, planned = { one = unknown }, errors = ["PLAN-028 one"] }
    a-value-in-a-single-block            = { config = { one = { k = "a" } }, planned = { one = { k = "b" } }, errors = ["PLAN-014 one.k"] }
    a-prior-value-in-a-single-block      = { prior = { one = { k = "A" } }, config = { one = { k = "a" } }, planned = { one = { k = "A", c = "c" } } }
    a-group-is-filled-in                 = { config = {}, planned = { group = { c = "x" } } }
    a-value-in-a-group                   = { config = { group = { k = "a" } }, planned = { group = {} }, errors = ["PLAN-014 group.k"] }
    a-null-group-terraform               = { core = [terraform], config = {}, planned = { group = null }, errors = ["PLAN-025 group"] }
    a-null-group-opentofu                = { core = [opentofu], config = {}, planned = { group = null }, errors = ["PLAN-004 group"] }
    list-blocks-are-filled-in            = { config = { list = [{ k = "a" }, { k = "b" }] }, planned = { list = [{ k = "a", c = unknown }, { k = "b", c = "x" }] } }
    a-value-in-a-list-block              = { config = { list = [{ k = "a" }, { k = "b" }] }, planned = { list = [{ k = "a" }, { k = "c" }] }, errors = ["PLAN-014 list[1].k"] }
    list-blocks-in-another-order         = { config = { list = [{ k = "a" }, { k = "b" }] }, planned = { list = [{ k = "b" }, { k = "a" }] }, errors = ["PLAN-014 list[0].k", "PLAN-014 list[1].k"] }
    one-list-block-too-many              = { config = { list = [{ k = "a" }] }, planned = { list = [{ k = "a" }, { k = "b" }] }, errors = ["PLAN-030 list"] }
    one-list-block-too-few               = { config = { list = [{ k = "a" }] }, planned = {}, errors = ["PLAN-030 list"] }
    a-list-of-blocks-is-null             = { config = { list = [{ k = "a" }] }, planned = { list = null }, errors = ["PLAN-025 list"] }
    a-list-of-blocks-is-null-where-none-is-configured = { config = {}, planned = { list = null }, errors = ["PLAN-025 list"] }
    a-null-list-of-blocks-in-both-terraform = { core = [terraform], config = { list = null }, planned = { list = null }, errors = ["PLAN-025 list"] }
    a-null-list-of-blocks-in-both-opentofu  = { core = [opentofu], config = { list = null }, planned = { list = null } }
    a-null-list-in-both-is-refused-strictly = { core = [strict], config = { list = null }, planned = { list = null }, errors = ["PLAN-025 list"] }
    a-null-configuration-counts-as-no-blocks = { config = { list = null }, planned = { list = [{ k = "a" }] }, errors = ["PLAN-030 list"] }
    an-empty-list-for-a-null-configuration = { config = { list = null }, planned = { list = [] } }
    a-list-of-blocks-is-unknown          = { config = { list = [{ k = "a" }] }, planned = { list = unknown }, errors = ["PLAN-028 list"] }
    a-list-block-is-unknown              = { config = { list = [{ k = "a" }] }, planned = { list = [unknown] }, errors = ["PLAN-030 list[0]"] }
    unknown-blocks-stay-unknown          = { config = { list = unknown }, planned = { list = unknown } }
    unknown-blocks-are-guessed           = { config = { list = unknown }, planned = { list = [{ k = "a" }] }, errors = ["PLAN-026 list"] }
    unknown-blocks-are-dropped           = { config = { list = unknown }, planned = { list = [] }, errors = ["PLAN-026 list"] }
    unknown-blocks-become-the-prior-ones = { prior = { list = [{ k = "a" }] }, config = { list = unknown }, planned = { list = [{ k = "a" }] }, errors = ["PLAN-026 list"] }
    unknown-blocks-gain-refinements      = { config = { list = unknown }, planned = { list = unknown(not_null) }, errors = ["PLAN-026 list"] }
    blocks-in-blocks                     = { config = { list = [{ k = "a", deep = [{ n = 1 }] }] }, planned = { list = [{ k = "a", deep = [{ n = 2 }] }] }, errors = ["PLAN-014 list[0].deep[0].n"] }
    blocks-in-blocks-are-counted         = { config = { list = [{ k = "a", deep = [{ n = 1 }] }] }, planned = { list = [{ k = "a", deep = [] }] }, errors = ["PLAN-030 list[0].deep"] }
    the-contents-of-set-blocks-are-not-compared = { config = { set = [{ k = "a" }] }, planned = { set = [{ k = "z" }] } }
    the-number-of-set-blocks-is-not-compared    = { config = { set = [{ k = "a" }] }, planned = { set = [{ k = "a" }, { k = "b" }] } }
    a-set-block-is-unknown               = { config = { set = [{ k = "a" }] }, planned = { set = [unknown] }, errors = ["PLAN-031 set"] }
    a-set-of-blocks-is-null              = { config = { set = [{ k = "a" }] }, planned = { set = null }, errors = ["PLAN-025 set"] }
    a-set-of-blocks-is-unknown           = { config = { set = [{ k = "a" }] }, planned = { set = unknown }, errors = ["PLAN-028 set"] }
    map-blocks-are-filled-in             = { config = { map = { x = { k = "a" } } }, planned = { map = { x = { k = "a", c = unknown } } } }
    a-value-in-a-map-block               = { config = { map = { x = { k = "a" } } }, planned = { map = { x = { k = "b" } } }, errors = ["PLAN-014 map[\"x\"].k"] }
    one-map-block-too-many               = { config = { map = { x = { k = "a" } } }, planned = { map = { x = { k = "a" }, y = { k = "b" } } }, errors = ["PLAN-032 map"] }
    a-map-block-is-renamed               = { config = { map = { x = { k = "a" } } }, planned = { map = { y = { k = "a" } } }, errors = ["PLAN-032 map[\"y\"]", "PLAN-032 map"] }
    a-map-block-is-unknown               = { config = { map = { x = { k = "a" } } }, planned = { map = { x = unknown } }, errors = ["PLAN-032 map[\"x\"]"] }
    a-map-of-blocks-is-null              = { config = { map = { x = { k = "a" } } }, planned = { map = null }, errors = ["PLAN-025 map"] }
    a-null-configuration-of-map-blocks-counts-as-none = { config = { map = null }, planned = { map = { x = { k = "a" } } }, errors = ["PLAN-032 map"] }
  }
}

group "assert_plan_valid/dynamic-blocks" {
  fn = assert_plan_valid
  schema = {
    list = blocks(list, { v = optional(any), c = computed(string) })
    map  = blocks(map, { v = optional(any), c = computed(string) })
  }
  cases {
    a-list-becomes-a-tuple          = { config = { list = [{ v = "a" }, { v = 1 }] }, planned = { list = [{ v = "a", c = unknown }, { v = 1, c = "x" }] } }
    a-value-in-a-tuple              = { config = { list = [{ v = "a" }, { v = 1 }] }, planned = { list = [{ v = "a" }, { v = "1" }] }, errors = ["PLAN-014 list[1].v"] }
    a-tuple-is-counted              = { config = { list = [{ v = "a" }] }, planned = { list = [] }, errors = ["PLAN-030 list"] }
    what-is-no-list-of-blocks       = { config = { list = [{ v = "a" }] }, planned = { list = "a" }, errors = ["PLAN-002 list"] }
    a-map-becomes-an-object         = { config = { map = { x = { v = "a" }, y = { v = true } } }, planned = { map = { x = { v = "a", c = "x" }, y = { v = true } } } }
    a-key-of-an-object-is-missing   = { config = { map = { x = { v = "a" }, y = { v = true } } }, planned = { map = { x = { v = "a" } } }, errors = ["PLAN-032 map"] }
    a-block-in-an-object-is-unknown = { config = { map = { x = { v = "a" } } }, planned = { map = { x = typed(object({ v = string, c = string }), unknown) } }, errors = ["PLAN-032 map[\"x\"]"] }
  }
}

group "assert_plan_valid/computed-blocks" {
  fn = assert_plan_valid
  schema = {
    list = computed_blocks(list, { k = optional(computed(string)) })
    one  = computed_blocks(single, { k = optional(computed(string)) })
  }
  cases {
    unset-may-be-anything-terraform   = { core = [terraform], config = { list = null }, planned = { list = [{ k = "a" }] } }
    unset-may-be-unknown-terraform    = { core = [terraform], config = { list = null }, planned = { list = unknown } }
    unset-may-not-be-null-terraform   = { core = [terraform], config = { list = null }, planned = { list = null }, errors = ["PLAN-025 list"] }
    set-may-not-be-unknown            = { config = { list = [{ k = "a" }] }, planned = { list = unknown }, errors = ["PLAN-028 list"] }
    set-is-counted                    = { config = { list = [{ k = "a" }] }, planned = { list = [] }, errors = ["PLAN-030 list"] }
    empty-must-stay-empty-opentofu    = { core = [opentofu], config = {}, planned = { list = [{ k = "a" }] }, errors = ["PLAN-030 list"] }
    unknown-for-empty-opentofu        = { core = [opentofu], config = {}, planned = { list = unknown }, errors = ["PLAN-028 list"] }
    a-single-block-appears-terraform  = { core = [terraform], config = { list = null }, planned = { one = { k = "a" } } }
    a-single-block-appears-opentofu   = { core = [opentofu], config = {}, planned = { one = { k = "a" } }, errors = ["PLAN-005 one"] }
    strict-forgives-what-terraform-knows = { core = [strict], config = { list = null }, planned = { list = [{ k = "a" }], one = { k = "b" } } }
  }
}
