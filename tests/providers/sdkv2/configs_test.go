package main

// minimal is what each type requires.
var minimal = map[string]string{
	"note":     `title = "é"`,
	"document": `name = "x"`,
	"secret":   `name = "s"`,
	"job":      `name = "j"`,
	"shelf":    `name = "s"`,
}

const (
	noteFull  = "title = \"🐢 long\"\nbody = \"\"\ncolor = \" \"\npinned = true\nshared = false"
	noteOther = "title = \" \"\nbody = \"two\\nlines\"\ncolor = \"yellow\""

	numbersFull = `
		amount  = 9007199254740993
		ratio   = 0.1
		factor  = 1e300
		quota   = 9223372036854775807
		percent = 100
		unit    = "kg"
		samples = [0, 9007199254740993]
		weights = { a = 0.1, b = 0, "c d" = 1e21 }`
	numbersOther = `
		amount  = -9223372036854775808
		ratio   = 9007199254740993
		factor  = 1e-7
		samples = []
		weights = {}`

	collectionsFull = `
		name   = "x"
		words  = ["", "a", "a"]
		tags   = ["", "é", "b"]
		labels = { a = "", "é" = "b" }
		flags  = { t = true, f = false }
		matrix = [[], [1, 0]]
		slots  = []
		points = [{ x = 1, label = "p" }, { x = null, label = "" }]`
	collectionsOther = `
		words  = []
		tags   = []
		labels = {}
		flags  = {}
		matrix = []
		points = []`

	serverFull = `
		comment = "c"
		image   = "standard"
		memory  = 10
		network { subnet = "" }
		disk {
		  name = "d"
		  size = 9007199254740993
		  partition {
		    label = "l"
		    bytes = 0
		  }
		  partition { label = "" }
		}
		disk { name = "e" }
		rule { name = "r" }
		rule {
		  name   = "r"
		  note   = "n"
		  handle = "h"
		}`
	serverOther = `
		comment = ""
		memory  = 11
		network {
		  subnet = "s"
		  public = false
		}
		disk {
		  name = "e"
		  partition { label = "m" }
		}
		rule { name = "s" }
		rule { name = "r" }`

	documentFull = `
		name     = "Name"
		language = "EN"
		body     = jsonencode({ b = [1, 0.1], a = "<é>" })
		slug     = "Slug"
		pages    = 12`
	documentOther = `
		name     = "name"
		language = ""
		body     = " { \"a\": \"<é>\", \"b\": [1,0.1]}"
		slug     = "OTHER"
		pages    = 0
		folder   = "f"`

	secretFull = `
		name             = "s"
		token            = "t"
		password         = "p"
		password_version = 1`
	secretOther = `
		name             = "s"
		password         = "q"
		password_version = 2`

	shelfFull = `
		name   = "é"
		zones  = ["", "a", "a"]
		tags   = ["", "b"]
		labels = { a = "", "é" = "b" }
		book {
		  title   = "t"
		  authors = ["x", "y"]
		}
		book { title = "u" }`
	shelfOther = `
		name   = ""
		zones  = []
		tags   = []
		labels = {}
		book { title = "t" }`

	jobFull  = "name = \"j\"\ntimeouts { create = \"5m\" }"
	jobOther = "name = \"\"\ntimeouts { update = \"5m\" }"
)
