package mistakes

import (
	"cmp"
	"fmt"
	"slices"

	"tfconform.example/providers/filestore"
)

// orders do not keep the order of a list.
func orders() []Mistake {
	return []Mistake{
		{"members_are_read_sorted", "group", filestore.Client{Read: sortMembers}},
		{"members_are_stored_sorted", "group", filestore.Client{
			Sent:    func(request, _ filestore.Object) { sortMembers(request) },
			Applied: AsAnswered,
		}},
		{"members_are_read_from_a_map", "group", filestore.Client{Read: membersFromMap}},
		{"listeners_are_read_by_port", "service", filestore.Client{Read: sortListeners}},
	}
}

func sortMembers(object filestore.Object) {
	slices.SortFunc(List(object["members"]), func(a, b any) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
}

// membersFromMap loses the order, and members that are there twice.
func membersFromMap(answer filestore.Object) {
	if answer["members"] == nil {
		return
	}
	byName := map[any]bool{}
	for _, member := range List(answer["members"]) {
		byName[member] = true
	}
	members := []any{}
	for member := range byName {
		members = append(members, member)
	}
	answer["members"] = members
}

func sortListeners(answer filestore.Object) {
	slices.SortStableFunc(List(answer["listener"]), func(a, b any) int {
		return cmp.Compare(listenerPort(a), listenerPort(b))
	})
}
