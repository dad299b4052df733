package mistakes

import "tfconform.example/providers/filestore"

// reads do not take over what the remote system has.
func reads() []Mistake {
	return []Mistake{
		{"read_forgets_the_note", "server", filestore.Client{Read: forgetNote}},
	}
}

// forgetNote makes a new state, without the note.
func forgetNote(answer filestore.Object) { answer["note"] = nil }
