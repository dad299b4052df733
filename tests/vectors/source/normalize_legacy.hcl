# What an engine makes of state from the legacy SDK (contract section 4.9).

group "normalize_legacy" {
  fn = normalize_legacy
  schema = {
    a = optional(string), l = optional(list(string))
    one = blocks(single, { k = optional(string) }), group = blocks(group, { k = optional(string) })
    list = blocks(list, { k = optional(string), deep = blocks(set, { n = optional(number) }) })
    set = blocks(set, { k = optional(string) }), map = blocks(map, { k = optional(string) })
  }
  cases {
    null-stays-null             = { input = null, result = null }
    attributes-stay             = { input = { a = "x" }, result = { a = "x" } }
    null-attributes-stay        = { input = { l = null }, result = { l = null } }
    unknown-attributes-stay     = { input = { a = unknown, l = unknown }, result = { a = unknown, l = unknown } }
    a-null-list-becomes-empty   = { input = { list = null }, result = { list = [] } }
    a-null-set-becomes-empty    = { input = { set = null }, result = { set = [] } }
    a-null-map-stays            = { input = { map = null }, result = { map = null } }
    a-null-single-block-stays   = { input = { one = null }, result = { one = null } }
    a-null-group-becomes-empty  = { input = { group = null }, result = { group = {} } }
    an-unknown-list-becomes-one-stub = { input = { list = unknown }, result = { list = [{ k = unknown, deep = [{ n = unknown }] }] } }
    an-unknown-set-becomes-one-stub  = { input = { set = unknown }, result = { set = [{ k = unknown }] } }
    an-unknown-single-block-becomes-a-stub = { input = { one = unknown }, result = { one = { k = unknown } } }
    an-unknown-group-becomes-a-stub  = { input = { group = unknown }, result = { group = { k = unknown } } }
    an-unknown-map-stays        = { input = { map = unknown }, result = { map = unknown } }
    null-blocks-in-blocks       = { input = { list = [{ k = "a", deep = null }] }, result = { list = [{ k = "a", deep = [] }] } }
    unknown-blocks-in-blocks    = { input = { list = [{ k = "a", deep = unknown }] }, result = { list = [{ k = "a", deep = [{ n = unknown }] }] } }
    what-is-in-order-stays      = { input = { a = "x", one = { k = "a" }, list = [{ k = "b" }], set = [{ k = "c" }], map = { x = { k = "d" } } }, result = { a = "x", one = { k = "a" }, list = [{ k = "b" }], set = [{ k = "c" }], map = { x = { k = "d" } } } }
  }
}

group "normalize_legacy/dynamic" {
  fn     = normalize_legacy
  schema = { list = blocks(list, { v = optional(any) }), one = blocks(single, { v = optional(any) }) }
  cases {
    null-dynamic-blocks-stay    = { input = { list = null }, result = { list = null } }
    unknown-dynamic-blocks-stay = { input = { list = unknown, one = unknown }, result = { list = unknown, one = unknown } }
  }
}
