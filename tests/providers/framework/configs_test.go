package main

// minimal is what each type requires.
var minimal = map[string]string{
	"note":     `title = "é"`,
	"policy":   `owner = {}`,
	"document": `name = "x"`,
	"secret":   `name = ""`,
}

const (
	noteFull  = "title = \"🐢 long\"\nbody = \"\"\ncolor = \" \"\npinned = true"
	noteOther = "title = \"\"\nbody = \"two\\nlines\"\ncolor = \"yellow\""

	numbersFull = `
		amount  = 9007199254740993
		small   = -2147483648
		ratio   = 0.1
		single  = 0.5
		big     = 123456789012345678901234567890.000000000000000000001
		factor  = 9223372036854775808
		quota   = 9223372036854775807
		percent = 100
		unit    = "kg"
		samples = [0.1, 9007199254740993, 1e100, null]
		weights = { a = 0.1, b = -0.0, "c d" = 1e300 }`
	numbersOther = `
		amount  = -9223372036854775808
		small   = 0
		ratio   = 1e-7
		single  = 16777216
		big     = 0.1
		factor  = 1e-300
		samples = []
		weights = {}`

	collectionsFull = `
		name    = "x"
		words   = ["", "a", "a", null]
		tags    = ["", "é", "b"]
		flags   = { t = true, f = false, n = null }
		matrix  = [[], [1, 0.1], null]
		corner  = { x = 0.1, y = null, label = "" }
		points  = [{ x = 1, y = 2, label = "p" }, { x = null, y = null, label = null }]
		members = [{ x = 1, y = 0.1, label = "m" }, { x = 1, y = 0.1, label = null }]
		places  = { here = { x = 1, y = 2, label = "h" } }
		labels  = { a = "", "é" = "b" }
		slots   = []`
	collectionsOther = `
		words   = []
		tags    = []
		flags   = {}
		matrix  = []
		points  = []
		members = []
		places  = {}
		labels  = {}`

	policyFull = `
		owner = { name = "o", contact = { email = "e" } }
		statements = [
		  { effect = "deny", actions = ["b", "a"], conditions = { c = { operator = "=", values = ["v"] } } },
		  { conditions = {} },
		  {},
		]
		grants   = [{ who = "a" }, { who = "b", note = "n" }, { who = "a", note = "n" }, { who = "c", handle = "h" }]
		limits   = { l = { most = 1 }, m = { most = 2, burst = 3 } }
		settings = { depth = 9 }`
	policyOther = `
		owner = { name = "p", contact = {} }
		statements = [{ actions = [] }, { effect = "deny" }]
		grants   = [{ who = "a" }, { who = "b", note = "n2" }, { who = "d" }, { who = "c", handle = "h2" }]
		limits   = {}
		settings = {}`

	serverFull = `
		comment = "c"
		image   = "standard"
		memory  = 10
		network {}
		disk {
		  name = "d"
		  size = 9007199254740993
		  partition {
		    label = "l"
		    bytes = 0.1
		  }
		  partition {}
		}
		disk { name = "e" }
		rule { name = "r" }
		rule {
		  name   = "r"
		  note   = "n"
		  handle = "h"
		}
		timeouts = { create = "5m" }`
	serverOther = `
		comment = ""
		memory  = 11
		network {
		  subnet = "s"
		  public = false
		}
		disk {
		  name = "e"
		  partition { bytes = 1 }
		}
		rule { name = "s" }
		rule { name = "r" }
		timeouts = { update = "5m" }`

	documentFull = `
		name     = "Name"
		language = "EN"
		body     = jsonencode({ b = [1, 0.1], a = "<é>" })
		pages    = 12`
	documentOther = `
		name     = "name"
		language = ""
		body     = " { \"a\": \"<é>\", \"b\": [1,0.1]}"
		pages    = 0
		folder   = "f"`

	secretFull = `
		name             = "s"
		token            = "t"
		password         = "p"
		password_version = 1
		login            = { user = "u", pin = "1234" }`
	secretOther = `
		name             = "s"
		password         = "q"
		password_version = 2
		login            = {}`

	anythingFull = `
		name     = "n"
		value    = { a = [1, "x", null], b = 0.1, c = true, d = { e = "f" } }
		fallback = 9007199254740993
		wrapped  = { inner = ["s"], number = 1 }`
	anythingOther = `
		value    = "text"
		fallback = tolist(["a"])
		wrapped  = {}`
)
