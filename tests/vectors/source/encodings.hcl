# The two encodings of a value (wire document), and stored state without what a schema no longer has.

group "msgpack" {
  fn = msgpack
  cases {
    null                     = { value = typed(string, null), bytes = "c0" }
    a-text                   = { value = "hello", bytes = "a568656c6c6f" }
    an-empty-text            = { value = "", bytes = "a0" }
    true                     = { value = true, bytes = "c3" }
    a-small-integer          = { value = 127, bytes = "7f" }
    the-first-two-byte-integer = { value = 128, bytes = "cc80" }
    a-negative-integer       = { value = number("-1"), bytes = "ff" }
    a-fraction-that-is-a-double = { value = 0.5, bytes = "cb3fe0000000000000" }
    a-fraction-that-is-none  = { value = number("0.1"), bytes = "a3302e31" }
    beyond-64-bits           = { value = number("18446744073709551616"), bytes = "b43138343436373434303733373039353531363136" }
    an-unknown               = { value = typed(string, unknown), bytes = "d40000" }
    an-unknown-that-is-not-null = { value = typed(string, unknown(not_null)), bytes = "c7030c8101c2" }
    a-list                   = { value = typed(list(string), ["a", "b"]), bytes = "92a161a162" }
    a-set-in-canonical-order = { value = typed(set(string), ["b", "a", "b"]), bytes = "92a161a162" }
    a-map                    = { value = typed(map(bool), { b = true, a = false }), bytes = "82a161c2a162c3" }
    an-object                = { value = { b = 1, a = "x" }, bytes = "82a161a178a16201" }
    a-tuple                  = { value = ["a", 1], bytes = "92a16101" }
    a-dynamic-text           = { value = typed(any, "a"), bytes = "92c40822737472696e6722a161" }
    a-dynamic-null           = { value = typed(any, null), bytes = "c0" }
    a-dynamic-unknown        = { value = typed(any, unknown), bytes = "d40000" }
  }
}

group "state_json" {
  fn = state_json
  cases {
    null                     = { value = typed(string, null), json = "null" }
    a-text-with-escapes      = { value = "a<b>&\"\n", json = "\"a\\u003cb\\u003e\\u0026\\\"\\n\"" }
    a-number                 = { value = number("12345678901234567890.5"), json = "12345678901234567890.5" }
    a-bool                   = { value = false, json = "false" }
    a-list-with-a-null       = { value = typed(list(string), ["a", null]), json = "[\"a\",null]" }
    a-set                    = { value = typed(set(number), [3, 1, 2]), json = "[1,2,3]" }
    a-map                    = { value = typed(map(string), { b = "2", a = "1" }), json = "{\"a\":\"1\",\"b\":\"2\"}" }
    an-object                = { value = { b = 1, a = "x" }, json = "{\"a\":\"x\",\"b\":1}" }
    a-dynamic-value          = { value = typed(any, "x"), json = "{\"value\":\"x\",\"type\":\"string\"}" }
    a-dynamic-null           = { value = typed(any, null), json = "null" }
    a-dynamic-value-in-an-object = { value = typed(object({ v = any }), { v = ["a", 1] }), json = "{\"v\":{\"value\":[\"a\",1],\"type\":[\"tuple\",[\"string\",\"number\"]]}}" }
  }
}

group "strip_removed" {
  fn   = strip_removed
  type = object({ a = string, n = number, list = list(object({ k = string })), map = map(object({ k = string })), any = any, tup = tuple([object({ k = string })]) })
  cases {
    nothing                      = { json = "{\"a\":\"x\",\"n\":1.50}", result = "{\"a\":\"x\",\"n\":1.50}" }
    an-attribute                 = { json = "{\"a\":\"x\",\"old\":[1,{}]}", result = "{\"a\":\"x\"}" }
    in-elements-of-lists         = { json = "{\"list\":[{\"k\":\"x\",\"old\":1},{\"k\":\"y\"}]}", result = "{\"list\":[{\"k\":\"x\"},{\"k\":\"y\"}]}" }
    in-elements-of-maps          = { json = "{\"map\":{\"old\":{\"k\":\"x\",\"old\":1}}}", result = "{\"map\":{\"old\":{\"k\":\"x\"}}}" }
    not-in-dynamic-values        = { json = "{\"any\":{\"value\":{\"old\":1},\"type\":[\"object\",{\"old\":\"number\"}]}}", result = "{\"any\":{\"value\":{\"old\":1},\"type\":[\"object\",{\"old\":\"number\"}]}}" }
    not-in-tuples                = { json = "{\"tup\":[{\"k\":\"x\",\"old\":1}]}", result = "{\"tup\":[{\"k\":\"x\",\"old\":1}]}" }
    not-where-the-shape-differs  = { json = "{\"list\":{\"old\":1},\"a\":{\"old\":1}}", result = "{\"list\":{\"old\":1},\"a\":{\"old\":1}}" }
    large-numbers-stay-where-nothing-is-stripped = { json = "{\"n\":9007199254740993}", result = "{\"n\":9007199254740993}" }
    large-numbers-stay-terraform = { core = [terraform], json = "{\"n\":9007199254740993,\"old\":1}", result = "{\"n\":9007199254740993}" }
    large-numbers-are-rounded-opentofu = { core = [opentofu], json = "{\"n\":9007199254740993,\"old\":1}", result = "{\"n\":9007199254740992}" }
    a-spelling-stays-terraform   = { core = [terraform], json = "{\"n\":1.50,\"old\":1}", result = "{\"n\":1.50}" }
    a-spelling-is-lost-opentofu  = { core = [opentofu], json = "{\"n\":1.50,\"old\":1}", result = "{\"n\":1.5}" }
  }
}
