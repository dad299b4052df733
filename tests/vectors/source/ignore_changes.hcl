# What ignore_changes makes of a configuration (contract section 4.6).

group "ignore_changes" {
  fn = ignore_changes
  schema = {
    a = optional(string), n = optional(computed(number)), id = computed(string)
    m = optional(map(string)), l = optional(list(string)), any = optional(any)
    one = optional(nested(single, { k = optional(string), c = computed(string) }))
    b = blocks(list, { k = optional(string), c = computed(string) })
  }
  cases {
    nothing                          = { prior = { a = "p" }, config = { a = "c" }, ignore = [], result = { a = "c" } }
    nothing-on-create                = { config = { a = "c" }, ignore = ["a"], result = { a = "c" } }
    everything-on-create             = { config = { a = "c" }, ignore = all, result = { a = "c" } }
    an-attribute                     = { prior = { a = "p", n = 1 }, config = { a = "c", n = 2 }, ignore = ["a"], result = { a = "p", n = 2 } }
    an-attribute-that-is-not-configured = { prior = { n = 1 }, config = {}, ignore = ["n"], result = { n = 1 } }
    an-attribute-that-was-not-set    = { prior = {}, config = { a = "c" }, ignore = ["a"], result = {} }
    an-unknown-attribute             = { prior = { a = "p" }, config = { a = unknown }, ignore = ["a"], result = { a = "p" } }
    several-attributes               = { prior = { a = "p", n = 1, id = "i" }, config = { a = "c", n = 2 }, ignore = ["a", "n"], result = { a = "p", n = 1 } }
    a-computed-only-attribute        = { prior = { id = "i" }, config = {}, ignore = ["id"], result = { id = "i" } }
    a-path-that-leads-nowhere        = { prior = { a = "p" }, config = { a = "c" }, ignore = ["zzz", "a.b"], result = { a = "c" } }
    a-key-of-a-map                   = { prior = { m = { x = "1", y = "2" } }, config = { m = { x = "9", y = "8" } }, ignore = ["m[\"x\"]"], result = { m = { x = "1", y = "8" } } }
    a-key-only-in-the-prior-state    = { prior = { m = { x = "1" } }, config = { m = { y = "8" } }, ignore = ["m[\"x\"]"], result = { m = { x = "1", y = "8" } } }
    a-key-only-in-the-configuration  = { prior = { m = { y = "2" } }, config = { m = { x = "9", y = "8" } }, ignore = ["m[\"x\"]"], result = { m = { y = "8" } } }
    the-last-key-leaves-an-empty-map = { prior = { m = {} }, config = { m = { x = "9" } }, ignore = ["m[\"x\"]"], result = { m = {} } }
    a-key-of-a-map-that-is-not-configured = { prior = { m = { x = "1", y = "2" } }, config = {}, ignore = ["m[\"x\"]"], result = { m = { x = "1" } } }
    a-key-of-neither-leaves-null     = { prior = { m = { y = "2" } }, config = {}, ignore = ["m[\"x\"]"], result = {} }
    a-key-of-a-map-that-was-null     = { prior = {}, config = { m = { x = "9", y = "8" } }, ignore = ["m[\"x\"]"], result = { m = { y = "8" } } }
    two-keys                         = { prior = { m = { x = "1", y = "2" } }, config = { m = { x = "9", z = "7" } }, ignore = ["m[\"x\"]", "m[\"y\"]"], result = { m = { x = "1", y = "2", z = "7" } } }
    a-whole-map                      = { prior = { m = { x = "1" } }, config = { m = { y = "8" } }, ignore = ["m"], result = { m = { x = "1" } } }
    a-key-of-an-unknown-map          = { prior = { m = { x = "1" } }, config = { m = unknown }, ignore = ["m[\"x\"]"], result = { m = unknown } }
    a-whole-unknown-map              = { prior = { m = { x = "1" } }, config = { m = unknown }, ignore = ["m"], result = { m = unknown } }
    an-element-of-a-list             = { prior = { l = ["p", "q"] }, config = { l = ["c", "d", "e"] }, ignore = ["l[0]"], result = { l = ["p", "d", "e"] } }
    an-element-beyond-the-end        = { prior = { l = ["p", "q"] }, config = { l = ["c"] }, ignore = ["l[1]"], result = { l = ["c"] } }
    an-attribute-of-an-object        = { prior = { one = { k = "p", c = "x" } }, config = { one = { k = "c" } }, ignore = ["one.k"], result = { one = { k = "p" } } }
    an-attribute-of-a-block          = { prior = { b = [{ k = "p" }, { k = "q" }] }, config = { b = [{ k = "c" }, { k = "d" }] }, ignore = ["b[1].k"], result = { b = [{ k = "c" }, { k = "q" }] } }
    a-block-in-the-older-spelling    = { prior = { b = [{ k = "p" }] }, config = { b = [{ k = "c" }] }, ignore = ["b.0.k"], result = { b = [{ k = "p" }] } }
    a-whole-block-type               = { prior = { b = [{ k = "p", c = "x" }] }, config = { b = [] }, ignore = ["b"], result = { b = [{ k = "p", c = "x" }] } }
    a-dynamic-attribute              = { prior = { any = ["p"] }, config = { any = 1 }, ignore = ["any"], result = { any = ["p"] } }
    everything                       = { prior = { a = "p", n = 1, id = "i", one = { k = "k", c = "c" } }, config = { a = "c", m = { x = "9" } }, ignore = all, result = { a = "p", n = 1, one = { k = "k" } } }
    everything-in-blocks             = { prior = { b = [{ k = "p", c = "x" }] }, config = {}, ignore = all, result = { b = [{ k = "p" }] } }
  }
}
