package mistakes

import "tfconform.example/providers/filestore"

// updates send less than what has changed.
func updates() []Mistake {
	return []Mistake{
		{"update_forgets_note", "server", filestore.Client{Sent: Keep("note")}},
		{"update_forgets_note_and_reads_back", "server", filestore.Client{Sent: Keep("note"), Applied: AsAnswered}},
		{"update_forgets_health_check", "service", filestore.Client{Sent: Keep("health_check")}},
		{"update_forgets_rules", "service", filestore.Client{Sent: Keep("rule")}},
		{"update_forgets_listener_host", "service", filestore.Client{Sent: keepHost}},
		{"unset_note_is_not_sent", "server", filestore.Client{Sent: keepIfEmpty("note")}},
		{"zero_size_is_not_sent", "server", filestore.Client{Sent: keepIfEmpty("size")}},
		{"false_is_not_sent", "server", filestore.Client{Sent: keepIfEmpty("enabled")}},
		{"removed_members_are_not_sent", "group", filestore.Client{Sent: keepIfEmpty("members")}},
		{"labels_are_merged", "group", filestore.Client{Sent: mergeLabels}},
	}
}

// keepIfEmpty is a request whose field has omitempty.
func keepIfEmpty(argument string) func(request, was filestore.Object) {
	return func(request, was filestore.Object) {
		if IsEmpty(request[argument]) {
			request[argument] = was[argument]
		}
	}
}

// keepHost compares the listeners by their ports, to see whether there is
// anything to send.
func keepHost(request, was filestore.Object) {
	now, before := List(request["listener"]), List(was["listener"])
	if len(now) != len(before) {
		return
	}
	for i := range now {
		if listenerPort(now[i]) != listenerPort(before[i]) {
			return
		}
	}
	request["listener"] = before
}

func listenerPort(listener any) int64 {
	fields, _ := listener.(filestore.Object)
	return Whole(fields["port"])
}

// mergeLabels patches the labels, and never deletes one.
func mergeLabels(request, was filestore.Object) {
	labels, _ := request["labels"].(filestore.Object)
	old, _ := was["labels"].(filestore.Object)
	for key, value := range old {
		if _, ok := labels[key]; !ok && labels != nil {
			labels[key] = value
		}
	}
}
