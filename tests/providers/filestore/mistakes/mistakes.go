// Package mistakes is what authors get wrong between the SDK and the remote
// system, whatever the SDK: requests that lack something, and answers that are
// taken as they come. The resource types are those of faultsdk and faultfw.
package mistakes

import (
	"encoding/json"
	"slices"
	"strconv"

	"tfconform.example/providers/filestore"
)

// Mistake is one of them. What it is about is in faults.toml.
type Mistake struct {
	Name string
	// On is the resource type, without the provider's name.
	On     string
	Client filestore.Client
}

// All are the mistakes that can be made with every SDK.
func All() []Mistake {
	return slices.Concat(updates(), empties(), orders(), numbers(), spellings(), reads())
}

// Keep leaves an argument out of the request of an update.
func Keep(argument string) func(request, was filestore.Object) {
	return func(request, was filestore.Object) {
		if was != nil {
			request[argument] = was[argument]
		}
	}
}

// AsAnswered is for creates and updates that make the state from the remote
// system's answer.
func AsAnswered(filestore.Object) {}

// EmptyFor reads an argument that is not set as an empty one.
func EmptyFor(argument string, empty any) func(filestore.Object) {
	return func(answer filestore.Object) {
		if answer[argument] == nil {
			answer[argument] = empty
		}
	}
}

// NullFor does not send an empty argument.
func NullFor(argument string) func(request, was filestore.Object) {
	return func(request, _ filestore.Object) {
		if IsEmpty(request[argument]) {
			request[argument] = nil
		}
	}
}

// Count makes the remote system count every write, whatever was planned.
func Count(argument string) func(request, was filestore.Object) {
	return func(request, was filestore.Object) {
		request[argument] = json.Number(strconv.FormatInt(Whole(was[argument])+1, 10))
	}
}

// IsEmpty is whether encoding/json leaves the value out with omitempty.
func IsEmpty(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case []any:
		return len(value) == 0
	case filestore.Object:
		return len(value) == 0
	default:
		return value == "" || value == false || value == json.Number("0")
	}
}

// Whole is an integer of an object, 0 if it is something else.
func Whole(value any) int64 {
	number, _ := value.(json.Number)
	integer, _ := number.Int64()
	return integer
}

// List is a list of an object, nil if it is something else.
func List(value any) []any {
	list, _ := value.([]any)
	return list
}
