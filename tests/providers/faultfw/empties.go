package main

import (
	"encoding/json"

	"tfconform.example/providers/filestore"
	"tfconform.example/providers/filestore/mistakes"
)

// empties make the state of every operation from the remote system's answer,
// which does not tell null from empty.
func empties() []fault {
	none, zero := []any{}, json.Number("0")
	return []fault{
		becomesEmpty("null_members_become_empty", "group", "members", none),
		becomesEmpty("null_tags_become_empty", "group", "tags", none),
		becomesEmpty("null_labels_become_empty", "group", "labels", filestore.Object{}),
		becomesEmpty("null_note_becomes_empty", "server", "note", ""),
		becomesEmpty("null_enabled_becomes_false", "server", "enabled", false),
		becomesEmpty("null_size_becomes_zero", "server", "size", zero),
		becomesEmpty("null_health_check_becomes_an_object", "service", "health_check",
			filestore.Object{"path": nil, "interval": nil}),
		becomesNull("empty_members_become_null", "group", "members"),
		becomesNull("empty_tags_become_null", "group", "tags"),
		becomesNull("empty_labels_become_null", "group", "labels"),
		becomesNull("empty_note_becomes_null", "server", "note"),
		becomesNull("false_becomes_null", "server", "enabled"),
		becomesNull("zero_size_becomes_null", "server", "size"),
		{Mistake: mistakes.Mistake{Name: "empty_health_check_is_lost", On: "service", Client: filestore.Client{
			Sent: loseEmptyCheck, Applied: mistakes.AsAnswered,
		}}},
		readEmpty("null_note_is_read_as_empty", "note", ""),
		readEmpty("null_enabled_is_read_as_false", "enabled", false),
		readEmpty("null_size_is_read_as_zero", "size", zero),
		{Mistake: mistakes.Mistake{Name: "null_aliases_are_read_as_empty", On: "service", Client: filestore.Client{
			Read: emptyAliases,
		}}},
		{Mistake: mistakes.Mistake{Name: "empty_aliases_are_read_as_null", On: "service", Client: filestore.Client{
			Read: nullAliases,
		}}},
	}
}

func becomesEmpty(named, kind, argument string, empty any) fault {
	state := mistakes.EmptyFor(argument, empty)
	return fault{Mistake: mistakes.Mistake{Name: named, On: kind, Client: filestore.Client{Applied: state, Read: state}}}
}

// readEmpty is a fault of a server's read.
func readEmpty(named, argument string, empty any) fault {
	return fault{Mistake: mistakes.Mistake{Name: named, On: "server", Client: filestore.Client{
		Read: mistakes.EmptyFor(argument, empty),
	}}}
}

func becomesNull(named, kind, argument string) fault {
	return fault{Mistake: mistakes.Mistake{Name: named, On: kind, Client: filestore.Client{
		Sent: mistakes.NullFor(argument), Applied: mistakes.AsAnswered,
	}}}
}

func loseEmptyCheck(request, _ filestore.Object) {
	check, _ := request["health_check"].(filestore.Object)
	if mistakes.IsEmpty(check["path"]) && mistakes.IsEmpty(check["interval"]) {
		request["health_check"] = nil
	}
}

func emptyAliases(answer filestore.Object) {
	for _, listener := range mistakes.List(answer["listener"]) {
		if fields, ok := listener.(filestore.Object); ok {
			mistakes.EmptyFor("aliases", []any{})(fields)
		}
	}
}

func nullAliases(answer filestore.Object) {
	for _, listener := range mistakes.List(answer["listener"]) {
		if fields, ok := listener.(filestore.Object); ok && mistakes.IsEmpty(fields["aliases"]) {
			fields["aliases"] = nil
		}
	}
}
