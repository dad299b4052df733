# What a provider is offered as a starting point (contract section 4.3).

group "proposed_new/plain" {
  fn = proposed_new
  schema = {
    name = optional(string), id = computed(string), size = optional(computed(number))
    list = optional(computed(list(string))), secret = optional(write_only(string)), any = optional(computed(any))
  }
  cases {
    a-create-is-the-configuration      = { config = { name = "a", size = 1 }, result = { name = "a", size = 1 } }
    an-update-keeps-what-is-computed   = { prior = { name = "a", id = "i", size = 1 }, config = { name = "b" }, result = { name = "b", id = "i", size = 1 } }
    what-is-configured-wins            = { prior = { id = "i", size = 1 }, config = { size = 2 }, result = { id = "i", size = 2 } }
    what-is-no-longer-configured-is-null = { prior = { name = "a" }, config = {}, result = {} }
    an-unknown-is-kept                 = { prior = { name = "a", size = 1 }, config = { name = unknown, size = unknown(not_null) }, result = { name = unknown, size = unknown(not_null) } }
    lists-are-not-merged               = { prior = { list = ["a", "b"] }, config = { list = [null, "c"] }, result = { list = [null, "c"] } }
    an-empty-list-is-configured        = { prior = { list = ["a"] }, config = { list = [] }, result = { list = [] } }
    a-computed-list-is-kept            = { prior = { list = ["a"] }, config = {}, result = { list = ["a"] } }
    a-write-only-value-appears         = { prior = {}, config = { secret = "s" }, result = { secret = "s" } }
    a-configured-computed-only-value-stays = { prior = { id = "i" }, config = { id = "j" }, result = { id = "j" } }
    nothing-of-nothing                 = { config = null, result = null }
    without-a-configuration-the-prior-state = { prior = { name = "a", id = "i" }, config = null, result = { name = "a", id = "i" } }
    an-unknown-configuration-leaves-the-prior-state = { prior = { name = "a", id = "i" }, config = unknown, result = { name = "a", id = "i" } }
    a-dynamic-value-is-kept-with-its-type = { prior = { any = ["a", 1] }, config = {}, result = { any = ["a", 1] } }
  }
}

group "proposed_new/structural" {
  fn = proposed_new
  schema = {
    one  = optional(nested(single, { k = optional(string), c = computed(string), o = optional(computed(string)) }))
    auto = optional(computed(nested(single, { k = optional(string), c = computed(string), o = optional(computed(string)) })))
    list = optional(nested(list, { k = optional(string), c = computed(string) }))
    map  = optional(nested(map, { k = optional(string), c = computed(string) }))
    set  = optional(nested(set, { k = optional(string), c = computed(string), o = optional(computed(string)) }))
    sets = optional(computed(nested(set, { k = optional(string), c = computed(string) })))
  }
  cases {
    attributes-inside-are-merged        = { prior = { one = { k = "a", c = "x", o = "y" } }, config = { one = { k = "b" } }, result = { one = { k = "b", c = "x", o = "y" } } }
    a-new-object-has-no-past            = { prior = {}, config = { one = { k = "b" } }, result = { one = { k = "b" } } }
    an-object-is-removed                = { prior = { one = { k = "a", c = "x" } }, config = {}, result = {} }
    an-unknown-object-stays-unknown     = { prior = { one = { k = "a", c = "x" } }, config = { one = unknown }, result = { one = unknown } }
    a-computed-object-is-kept           = { prior = { auto = { c = "x" } }, config = {}, result = { auto = { c = "x" } } }
    a-computed-object-with-what-only-a-user-sets-is-removed = { prior = { auto = { k = "a", c = "x" } }, config = {}, result = {} }
    what-either-may-set-does-not-remove-it = { prior = { auto = { c = "x", o = "y" } }, config = {}, result = { auto = { c = "x", o = "y" } } }
    a-computed-set-with-what-only-a-user-sets-is-removed = { prior = { sets = [{ c = "x" }, { k = "a" }] }, config = {}, result = {} }
    a-computed-set-is-kept              = { prior = { sets = [{ c = "x" }] }, config = {}, result = { sets = [{ c = "x" }] } }
    lists-are-merged-by-index           = { prior = { list = [{ k = "a", c = "1" }, { k = "b", c = "2" }] }, config = { list = [{ k = "b" }] }, result = { list = [{ k = "b", c = "1" }] } }
    a-list-grows                        = { prior = { list = [{ k = "a", c = "1" }] }, config = { list = [{ k = "a" }, { k = "b" }] }, result = { list = [{ k = "a", c = "1" }, { k = "b" }] } }
    an-empty-list-stays-empty           = { prior = { list = [{ k = "a", c = "1" }] }, config = { list = [] }, result = { list = [] } }
    a-null-element-of-a-list-stays-null = { prior = { list = [{ k = "a", c = "1" }] }, config = { list = [null, { k = "b" }] }, result = { list = [null, { k = "b" }] } }
    a-null-prior-element-is-no-past     = { prior = { list = [null] }, config = { list = [{ k = "b" }] }, result = { list = [{ k = "b" }] } }
    an-unknown-inside-a-list            = { prior = { list = [{ k = "a", c = "1" }] }, config = { list = [{ k = unknown }] }, result = { list = [{ k = unknown, c = "1" }] } }
    maps-are-merged-by-key              = { prior = { map = { x = { k = "a", c = "1" }, y = { k = "b", c = "2" } } }, config = { map = { y = { k = "z" }, z = { k = "b" } } }, result = { map = { y = { k = "z", c = "2" }, z = { k = "b" } } } }
    set-elements-find-their-past        = { prior = { set = [{ k = "a", c = "1" }, { k = "b", c = "2" }] }, config = { set = [{ k = "b" }, { k = "c" }] }, result = { set = [{ k = "b", c = "2" }, { k = "c" }] } }
    a-changed-set-element-has-no-past   = { prior = { set = [{ k = "a", c = "1" }] }, config = { set = [{ k = "z" }] }, result = { set = [{ k = "z" }] } }
    what-either-may-set-may-come-from-nothing = { prior = { set = [{ k = "a", c = "1", o = "p" }] }, config = { set = [{ k = "a" }] }, result = { set = [{ k = "a", c = "1", o = "p" }] } }
    what-either-may-set-must-not-differ = { prior = { set = [{ k = "a", c = "1", o = "p" }] }, config = { set = [{ k = "a", o = "q" }] }, result = { set = [{ k = "a", o = "q" }] } }
    what-a-user-sets-must-be-null-too   = { prior = { set = [{ k = "a", c = "1" }] }, config = { set = [{ o = "q" }] }, result = { set = [{ o = "q" }] } }
    one-past-for-one-element            = { prior = { set = [{ k = "a", c = "1", o = "p" }] }, config = { set = [{ k = "a" }, { k = "a", o = "p" }] }, result = { set = [{ k = "a" }, { k = "a", c = "1", o = "p" }] } }
    an-unknown-in-a-set-has-no-past     = { prior = { set = [{ k = "a", c = "1" }] }, config = { set = [{ k = unknown }] }, result = { set = [{ k = unknown }] } }
    an-unknown-set-stays-unknown        = { prior = { set = [{ k = "a", c = "1" }] }, config = { set = unknown }, result = { set = unknown } }
  }
}

group "proposed_new/blocks" {
  fn = proposed_new
  schema = {
    one   = blocks(single, { k = optional(string), c = computed(string) })
    group = blocks(group, { k = optional(string), c = computed(string) })
    list  = blocks(list, { k = optional(string), c = computed(string), deep = blocks(list, { n = optional(number), d = computed(string) }) })
    set   = blocks(set, { k = optional(string), c = computed(string), tags = optional(set(string)) })
    map   = blocks(map, { k = optional(string), c = computed(string) })
  }
  cases {
    none-is-none                     = { config = {}, result = {} }
    a-single-block-is-merged         = { prior = { one = { k = "a", c = "x" } }, config = { one = { k = "b" } }, result = { one = { k = "b", c = "x" } } }
    a-single-block-is-new            = { prior = {}, config = { one = { k = "b" } }, result = { one = { k = "b" } } }
    a-single-block-is-removed        = { prior = { one = { k = "a", c = "x" } }, config = {}, result = {} }
    an-unknown-single-block          = { prior = { one = { k = "a", c = "x" } }, config = { one = unknown }, result = { one = unknown } }
    a-group-is-merged                = { prior = { group = { c = "x" } }, config = {}, result = { group = { c = "x" } } }
    list-blocks-are-merged-by-index  = { prior = { list = [{ k = "a", c = "1" }, { k = "b", c = "2" }] }, config = { list = [{ k = "c" }] }, result = { list = [{ k = "c", c = "1" }] } }
    a-new-list-block                 = { prior = { list = [{ k = "a", c = "1" }] }, config = { list = [{ k = "a" }, { k = "b" }] }, result = { list = [{ k = "a", c = "1" }, { k = "b" }] } }
    all-list-blocks-are-removed      = { prior = { list = [{ k = "a", c = "1" }] }, config = {}, result = {} }
    blocks-in-blocks-are-merged      = { prior = { list = [{ k = "a", c = "1", deep = [{ n = 1, d = "x" }] }] }, config = { list = [{ k = "a", deep = [{ n = 2 }, { n = 3 }] }] }, result = { list = [{ k = "a", c = "1", deep = [{ n = 2, d = "x" }, { n = 3 }] }] } }
    unknown-blocks-stay-unknown      = { prior = { list = [{ k = "a", c = "1" }] }, config = { list = unknown }, result = { list = unknown } }
    set-blocks-find-their-past       = { prior = { set = [{ k = "a", c = "1" }, { k = "b", c = "2" }] }, config = { set = [{ k = "b" }] }, result = { set = [{ k = "b", c = "2" }] } }
    a-set-in-a-set-block-must-be-equal = { prior = { set = [{ k = "a", c = "1", tags = ["x"] }] }, config = { set = [{ k = "a", tags = ["x", "y"] }] }, result = { set = [{ k = "a", tags = ["x", "y"] }] } }
    an-equal-set-in-a-set-block      = { prior = { set = [{ k = "a", c = "1", tags = ["x"] }] }, config = { set = [{ k = "a", tags = ["x"] }] }, result = { set = [{ k = "a", c = "1", tags = ["x"] }] } }
    map-blocks-are-merged-by-key     = { prior = { map = { x = { k = "a", c = "1" } } }, config = { map = { x = { k = "b" }, y = { k = "a" } } }, result = { map = { x = { k = "b", c = "1" }, y = { k = "a" } } } }
  }
}

group "proposed_new/dynamic-blocks" {
  fn     = proposed_new
  schema = { list = blocks(list, { v = optional(any), c = computed(string) }), map = blocks(map, { v = optional(any), c = computed(string) }) }
  cases {
    tuples-are-merged-by-index = { prior = { list = [{ v = "a", c = "1" }] }, config = { list = [{ v = 1 }, { v = "b" }] }, result = { list = [{ v = 1, c = "1" }, { v = "b" }] } }
    objects-are-merged-by-key  = { prior = { map = { x = { v = "a", c = "1" } } }, config = { map = { x = { v = 1 }, y = { v = true } } }, result = { map = { x = { v = 1, c = "1" }, y = { v = true } } } }
  }
}

group "proposed_new/computed-blocks" {
  fn     = proposed_new
  schema = { list = computed_blocks(list, { k = computed(string) }) }
  cases {
    what-was-there-is-not-carried-over-terraform = { core = [terraform], prior = { list = [{ k = "a" }] }, config = { list = null }, result = { list = null } }
    what-was-there-is-not-carried-over-opentofu  = { core = [opentofu], prior = { list = [{ k = "a" }] }, config = {}, result = {} }
  }
}
