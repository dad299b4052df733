# The two equalities (contract section 2.3).

group "equals" {
  fn = equals
  cases {
    texts                        = { a = "x", b = "x", result = true }
    other-texts                  = { a = "x", b = "y", result = false }
    texts-in-normal-form         = { a = "\u00e9", b = "e\u0301", result = true }
    numbers                      = { a = 1, b = 1, result = true }
    an-integer-and-a-fraction    = { a = 1, b = 1.5, result = false }
    fractions-by-their-digits    = { a = 0.1, b = number("0.100"), result = true }
    large-integers-exactly       = { a = number("9007199254740993"), b = number("9007199254740992"), result = false }
    bools                        = { a = true, b = false, result = false }
    a-text-and-a-number          = { a = "1", b = 1, result = false }
    nulls-of-any-types           = { a = typed(string, null), b = typed(number, null), result = true }
    null-and-a-value             = { a = typed(string, null), b = "x", result = false }
    null-and-an-unknown          = { a = typed(string, null), b = typed(string, unknown), result = unknown }
    null-and-an-unknown-that-is-not = { a = typed(string, null), b = typed(string, unknown(not_null)), result = false }
    an-unknown-and-a-value       = { a = typed(string, unknown), b = "x", result = unknown }
    two-unknowns                 = { a = typed(string, unknown), b = typed(string, unknown), result = unknown }
    an-unknown-of-another-type   = { a = typed(string, unknown), b = 1, result = false }
    an-unknown-of-any-type       = { a = typed(any, unknown), b = 1, result = unknown }
    a-prefix-that-fits           = { a = typed(string, unknown(prefix("i-"))), b = "i-1", result = unknown }
    a-prefix-that-does-not       = { a = typed(string, unknown(prefix("i-"))), b = "j-1", result = false }
    a-bound-that-excludes        = { a = 0, b = typed(number, unknown(above(0))), result = false }
    lists                        = { a = typed(list(string), ["x", "y"]), b = typed(list(string), ["x", "y"]), result = true }
    lists-of-other-lengths       = { a = typed(list(string), ["x"]), b = typed(list(string), ["x", "y"]), result = false }
    a-list-and-a-tuple           = { a = typed(list(string), ["x"]), b = ["x"], result = false }
    a-list-with-an-unknown       = { a = typed(list(string), ["x", unknown]), b = typed(list(string), ["x", "y"]), result = unknown }
    nulls-inside                 = { a = typed(list(string), [null]), b = typed(list(string), [null]), result = true }
    maps                         = { a = typed(map(string), { k = "x" }), b = typed(map(string), { k = "x" }), result = true }
    maps-of-other-keys           = { a = typed(map(string), { k = "x" }), b = typed(map(string), { l = "x" }), result = false }
    objects                      = { a = { k = "x", n = 1 }, b = { n = 1, k = "x" }, result = true }
    objects-with-an-unknown      = { a = typed(object({ k = string }), { k = unknown }), b = typed(object({ k = string }), { k = "x" }), result = unknown }
    sets-in-another-order        = { a = typed(set(string), ["x", "y"]), b = typed(set(string), ["y", "x"]), result = true }
    sets-with-duplicates         = { a = typed(set(string), ["x", "x"]), b = typed(set(string), ["x"]), result = true }
    other-sets                   = { a = typed(set(string), ["x"]), b = typed(set(string), ["y"]), result = false }
    sets-with-an-unknown-element = { a = typed(set(string), ["x", unknown]), b = typed(set(string), ["x", "y"]), result = unknown }
    sets-with-an-unknown-inside-an-element = { a = typed(set(object({ k = string })), [{ k = unknown }]), b = typed(set(object({ k = string })), [{ k = unknown }]), result = false }
    sets-with-a-null             = { a = typed(set(string), [null]), b = typed(set(string), [null]), result = true }
    empty-lists                  = { a = typed(list(string), []), b = typed(list(string), []), result = true }
    empty-lists-of-other-types   = { a = typed(list(string), []), b = typed(list(number), []), result = false }
    empty-maps-of-other-types    = { a = typed(map(string), {}), b = typed(map(number), {}), result = false }
    nulls-in-lists-of-other-types = { a = typed(list(string), [null]), b = typed(list(number), [null]), result = false }
    objects-of-other-types       = { a = typed(object({ k = string }), { k = null }), b = typed(object({ k = number }), { k = null }), result = false }
    an-unknown-inside-of-any-type = { a = typed(object({ k = any }), { k = unknown }), b = typed(object({ k = string }), { k = "x" }), result = unknown }
  }
}

group "raw_equals" {
  fn = raw_equals
  cases {
    texts                        = { a = "x", b = "x", result = true }
    nulls-of-one-type            = { a = typed(string, null), b = typed(string, null), result = true }
    nulls-of-other-types         = { a = typed(string, null), b = typed(number, null), result = false }
    unknowns-of-one-type         = { a = typed(string, unknown), b = typed(string, unknown), result = true }
    unknowns-of-other-types      = { a = typed(string, unknown), b = typed(number, unknown), result = false }
    unknowns-with-one-promise    = { a = typed(string, unknown(not_null)), b = typed(string, unknown(not_null)), result = true }
    unknowns-with-other-promises = { a = typed(string, unknown(not_null)), b = typed(string, unknown), result = false }
    an-unknown-and-a-null        = { a = typed(string, unknown), b = typed(string, null), result = false }
    empty-lists-of-other-types   = { a = typed(list(string), []), b = typed(list(number), []), result = false }
    a-list-and-a-tuple           = { a = typed(list(string), ["x"]), b = ["x"], result = false }
    sets-in-another-order        = { a = typed(set(number), [2, 1]), b = typed(set(number), [1, 2]), result = true }
    sets-with-unknowns           = { a = typed(set(string), [unknown, "x"]), b = typed(set(string), ["x", unknown]), result = true }
    unknowns-inside              = { a = { k = typed(string, unknown) }, b = { k = typed(string, unknown) }, result = true }
    fractions-by-their-digits    = { a = 0.1, b = number("0.1"), result = true }
  }
}

group "includes" {
  fn = includes
  cases {
    anything-in-a-plain-unknown     = { unknown = typed(string, unknown), value = "x", result = unknown }
    null-in-a-plain-unknown         = { unknown = typed(string, unknown), value = typed(string, null), result = true }
    null-where-there-is-none        = { unknown = typed(string, unknown(not_null)), value = typed(string, null), result = false }
    a-value-where-there-is-no-null  = { unknown = typed(string, unknown(not_null)), value = "", result = unknown }
    another-type                    = { unknown = typed(string, unknown), value = 1, result = false }
    a-prefix-kept                   = { unknown = typed(string, unknown(prefix("ab"))), value = "abc", result = unknown }
    a-prefix-broken                 = { unknown = typed(string, unknown(prefix("ab"))), value = "acb", result = false }
    a-text-shorter-than-the-prefix  = { unknown = typed(string, unknown(prefix("ab"))), value = "a", result = false }
    a-shorter-prefix-is-undecided   = { unknown = typed(string, unknown(prefix("ab"))), value = typed(string, unknown(prefix("a"))), result = unknown }
    another-prefix-is-undecided-too = { unknown = typed(string, unknown(prefix("ab"))), value = typed(string, unknown(prefix("b"))), result = unknown }
    an-unknown-of-unknown           = { unknown = typed(string, unknown(not_null)), value = typed(string, unknown), result = unknown }
    above-an-exclusive-bound        = { unknown = typed(number, unknown(above(5))), value = 5, result = false }
    on-an-inclusive-bound           = { unknown = typed(number, unknown(at_least(5))), value = 5, result = unknown }
    above-an-upper-bound            = { unknown = typed(number, unknown(at_most(5))), value = 5.5, result = false }
    ranges-that-touch               = { unknown = typed(number, unknown(at_most(5))), value = typed(number, unknown(at_least(5))), result = unknown }
    ranges-that-just-miss           = { unknown = typed(number, unknown(at_most(5))), value = typed(number, unknown(above(5))), result = false }
    a-length-in-bounds              = { unknown = typed(list(string), unknown(length(1, 2))), value = typed(list(string), ["a"]), result = unknown }
    a-length-out-of-bounds          = { unknown = typed(list(string), unknown(length(1, 2))), value = typed(list(string), ["a", "b", "c"]), result = false }
    a-set-that-may-shrink-into-bounds = { unknown = typed(set(string), unknown(length(1, 2))), value = typed(set(string), ["a", unknown, unknown]), result = unknown }
    a-set-that-cannot               = { unknown = typed(set(string), unknown(length(1, 2))), value = typed(set(string), ["a", "b", "c"]), result = false }
  }
}

group "conforms" {
  fn = conforms
  cases {
    the-same-type                 = { value = "x", want = string }
    another-type                  = { value = "x", want = number, errors = ["WIRE-001"] }
    anything-to-any               = { value = ["x", 1], want = any }
    an-unknown-of-any-to-a-type   = { value = typed(any, unknown), want = string, errors = ["WIRE-001"] }
    a-list-is-no-set              = { value = typed(list(string), ["x"]), want = set(string), errors = ["WIRE-001"] }
    a-tuple-is-no-list            = { value = ["x"], want = list(string), errors = ["WIRE-001"] }
    elements-to-any               = { value = typed(list(string), ["x"]), want = list(any) }
    an-object                     = { value = { a = "x", b = 1 }, want = object({ a = string, b = number }) }
    an-object-with-any-inside     = { value = { a = "x", b = 1 }, want = object({ a = string, b = any }) }
    a-missing-attribute           = { value = { a = "x" }, want = object({ a = string, b = number }), errors = ["WIRE-001"] }
    a-surplus-attribute           = { value = { a = "x", b = 1 }, want = object({ a = string }), errors = ["WIRE-001"] }
    an-attribute-of-another-type  = { value = { a = 1 }, want = object({ a = string }), errors = ["WIRE-001"] }
    an-object-is-no-map           = { value = { a = "x" }, want = map(string), errors = ["WIRE-001"] }
    a-tuple-of-another-length     = { value = ["x"], want = tuple([string, string]), errors = ["WIRE-001"] }
    a-null-has-its-type           = { value = typed(number, null), want = string, errors = ["WIRE-001"] }
  }
}
