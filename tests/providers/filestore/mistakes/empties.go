package mistakes

import (
	"encoding/json"

	"tfconform.example/providers/filestore"
)

// empties do not tell null from empty.
func empties() []Mistake {
	none, zero := []any{}, json.Number("0")
	return []Mistake{
		{"null_members_are_read_as_empty", "group", filestore.Client{Read: EmptyFor("members", none)}},
		{"null_tags_are_read_as_empty", "group", filestore.Client{Read: EmptyFor("tags", none)}},
		{"null_labels_are_read_as_empty", "group", filestore.Client{Read: EmptyFor("labels", filestore.Object{})}},
		{"null_note_is_read_as_empty", "server", filestore.Client{Read: EmptyFor("note", "")}},
		{"null_enabled_is_read_as_false", "server", filestore.Client{Read: EmptyFor("enabled", false)}},
		{"null_size_is_read_as_zero", "server", filestore.Client{Read: EmptyFor("size", zero)}},
		{"null_aliases_are_read_as_empty", "service", filestore.Client{Read: emptyAliases}},
	}
}

func emptyAliases(answer filestore.Object) {
	for _, listener := range List(answer["listener"]) {
		if fields, ok := listener.(filestore.Object); ok {
			EmptyFor("aliases", []any{})(fields)
		}
	}
}
