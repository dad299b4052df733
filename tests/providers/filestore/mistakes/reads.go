package mistakes

import (
	"encoding/json"

	"tfconform.example/providers/filestore"
)

// reads do not take over what the remote system has.
func reads() []Mistake {
	return []Mistake{
		{"read_copies_the_note", "server", filestore.Client{Read: copyNote}},
		{"read_forgets_the_note", "server", filestore.Client{Read: forgetNote}},
		{"import_sets_zero_for_null", "record", filestore.Client{Read: EmptyFor("pages", json.Number("0"))}},
	}
}

// copyNote leaves the state as it is.
func copyNote(answer filestore.Object) { delete(answer, "note") }

// forgetNote makes a new state, without the note.
func forgetNote(answer filestore.Object) { answer["note"] = nil }
