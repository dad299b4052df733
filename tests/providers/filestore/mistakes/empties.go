package mistakes

import "tfconform.example/providers/filestore"

// empties do not tell null from empty.
func empties() []Mistake {
	none := []any{}
	return []Mistake{
		{"null_members_are_read_as_empty", "group", filestore.Client{Read: EmptyFor("members", none)}},
		{"null_tags_are_read_as_empty", "group", filestore.Client{Read: EmptyFor("tags", none)}},
		{"null_labels_are_read_as_empty", "group", filestore.Client{Read: EmptyFor("labels", filestore.Object{})}},
	}
}
