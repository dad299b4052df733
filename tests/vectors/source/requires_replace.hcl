# Which paths require replacement (contract section 4.7).

group "requires_replace" {
  fn = requires_replace
  schema = {
    a = optional(string), l = optional(list(string)), m = optional(map(string)), s = optional(set(string))
    w = optional(write_only(string)), id = computed(string), b = blocks(list, { k = optional(string) })
  }
  cases {
    none                          = { prior = { a = "x" }, planned = { a = "y" }, paths = [], kept = [] }
    a-change                      = { prior = { a = "x" }, planned = { a = "y" }, paths = ["a"], kept = ["a"] }
    no-change                     = { prior = { a = "x" }, planned = { a = "x" }, paths = ["a"], kept = [] }
    what-becomes-unknown          = { prior = { id = "x" }, planned = { id = unknown }, paths = ["id"], kept = ["id"] }
    what-becomes-null             = { prior = { a = "x" }, planned = {}, paths = ["a"], kept = ["a"] }
    what-was-null-and-is-unknown-but-not-null = { prior = {}, planned = { a = unknown(not_null) }, paths = ["a"], kept = ["a"] }
    two-of-three                  = { prior = { a = "x", l = ["1"], id = "i" }, planned = { a = "y", l = ["1"], id = unknown }, paths = ["a", "l", "id"], kept = ["a", "id"] }
    the-whole-object              = { prior = { a = "x" }, planned = { a = "y" }, paths = [""], kept = [""] }
    the-whole-object-unchanged    = { prior = { a = "x" }, planned = { a = "x" }, paths = [""], kept = [] }
    an-element                    = { prior = { l = ["1", "2"] }, planned = { l = ["1", "3"] }, paths = ["l[0]", "l[1]"], kept = ["l[1]"] }
    an-element-on-one-side-only   = { prior = { l = ["1"] }, planned = { l = ["1", "2"] }, paths = ["l[1]"], kept = ["l[1]"] }
    an-element-on-neither-side    = { prior = { l = ["1"] }, planned = { l = ["1"] }, paths = ["l[1]"], errors = ["PLAN-040 l[1]"] }
    a-key-that-spells-an-index    = { prior = { l = ["1", "2"] }, planned = { l = ["1", "3"] }, paths = ["l[\"0\"]", "l[\"1\"]"], kept = ["l[\"1\"]"] }
    a-key-that-spells-no-index    = { prior = { l = ["1", "2"] }, planned = { l = ["1", "3"] }, paths = ["l[\"1.5\"]"], errors = ["PLAN-040 l[\"1.5\"]"] }
    an-element-of-null            = { prior = {}, planned = {}, paths = ["l[0]"], errors = ["PLAN-040 l[0]"] }
    an-element-of-an-unknown      = { prior = {}, planned = { l = unknown }, paths = ["l[7]"], kept = ["l[7]"] }
    a-key                         = { prior = { m = { x = "1" } }, planned = { m = { x = "2" } }, paths = ["m[\"x\"]"], kept = ["m[\"x\"]"] }
    a-key-as-an-attribute         = { prior = { m = { x = "1" } }, planned = { m = { x = "2" } }, paths = ["m.x"], kept = ["m.x"] }
    a-key-on-neither-side         = { prior = { m = { x = "1" } }, planned = { m = { x = "2" } }, paths = ["m[\"y\"]"], errors = ["PLAN-040 m[\"y\"]"] }
    an-index-that-spells-a-key    = { prior = { m = { "0" = "1" } }, planned = { m = { "0" = "2" } }, paths = ["m[0]"], kept = ["m[0]"] }
    an-index-into-a-map           = { prior = { m = { x = "1" } }, planned = { m = { x = "2" } }, paths = ["m[0]"], errors = ["PLAN-040 m[0]"] }
    an-element-of-a-set           = { prior = { s = ["1"] }, planned = { s = ["2"] }, paths = ["s[0]"], errors = ["PLAN-040 s[0]"] }
    a-whole-set                   = { prior = { s = ["1"] }, planned = { s = ["2"] }, paths = ["s"], kept = ["s"] }
    a-set-in-another-order        = { prior = { s = ["1", "2"] }, planned = { s = ["2", "1"] }, paths = ["s"], kept = [] }
    an-attribute-that-does-not-exist = { prior = { a = "x" }, planned = { a = "y" }, paths = ["zzz"], errors = ["PLAN-040 zzz"] }
    an-attribute-of-a-text        = { prior = { a = "x" }, planned = { a = "y" }, paths = ["a.b"], errors = ["PLAN-040 a.b"] }
    a-write-only-attribute        = { prior = {}, planned = {}, paths = ["w"], kept = ["w"] }
    an-attribute-of-a-block       = { prior = { b = [{ k = "1" }] }, planned = { b = [{ k = "2" }] }, paths = ["b[0].k"], kept = ["b[0].k"] }
    a-block-that-is-new           = { prior = {}, planned = { b = [{ k = "2" }] }, paths = ["b[0].k"], kept = ["b[0].k"] }
    nothing-on-create             = { planned = { a = "y" }, paths = ["a", "zzz"], kept = [] }
  }
}

group "requires_replace/write-only-inside" {
  fn     = requires_replace
  schema = { b = blocks(list, { w = optional(write_only(string)) }) }
  cases {
    in-a-planned-block           = { prior = { b = [{}] }, planned = { b = [{}] }, paths = ["b[0].w"], kept = ["b[0].w"] }
    in-a-block-that-is-gone      = { prior = { b = [{}] }, planned = {}, paths = ["b[0].w"], kept = ["b[0].w"] }
    in-a-block-that-never-was    = { prior = {}, planned = {}, paths = ["b[0].w"], errors = ["PLAN-040 b[0].w"] }
  }
}
