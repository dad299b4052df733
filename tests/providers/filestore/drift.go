package filestore

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Drift says how an object of one type may change behind the provider's back.
// The first entry that fits the object is used. A path is dotted, with indices
// for list elements, as in "disk.0.size".
type Drift struct {
	Change  []Change
	Grow    []Grow
	Respell []Respell
}

// Change gives an attribute another value. A string becomes longer, a boolean
// is negated, a number becomes 7 or 8.
type Change struct {
	Path string
	// WhenNull is the JSON value that replaces null; without it, an entry does
	// not fit if the attribute is null.
	WhenNull string
}

// Grow adds an element to a collection.
type Grow struct {
	Path string
	// Element is the element's JSON text, in which "%d" is a count that makes
	// it different from its neighbours. For a map it is `"key": value`.
	Element string
}

// Respell writes an attribute differently without changing what it means.
type Respell struct {
	Path string
	As   Spelling
}

// Spelling is how a string may vary without changing its meaning.
type Spelling int

const (
	JSON Spelling = iota
	Caseless
	Number
)

// RemoteChange is the sub-command `remote-change`: it reads a request, edits
// the object's file as another client would, and reports what it did. An error
// means that the request made no sense.
func RemoteChange(name string, types map[string]Drift, stdin io.Reader, stdout io.Writer) error {
	var request struct {
		Type  string  `json:"type"`
		Kind  string  `json:"kind"`
		State Object  `json:"state"`
		Path  string  `json:"path"`
		Value any     `json:"value"`
		Root  *string `json:"root"`
	}
	if err := Decode(stdin, &request); err != nil {
		return fmt.Errorf("failed to read the request: %w", err)
	}
	drift, ok := types[request.Type]
	if !ok {
		return fmt.Errorf("there is no type %q", request.Type)
	}
	id, ok := request.State["id"].(string)
	if !ok {
		return errors.New("the state has no id")
	}
	root := ""
	if request.Root != nil {
		root = *request.Root
	}
	store, err := Locate(name, root)
	if err != nil {
		return err
	}
	object, err := store.Load(request.Type, id)
	if errors.Is(err, ErrGone) {
		return answer(stdout, "", "the object does not exist")
	}
	if err != nil {
		return err
	}
	var path, reason string
	switch {
	case request.Kind == "change" && request.Path != "":
		path, reason = assign(object, request.Path, request.Value), "the object has no "+request.Path
	case request.Kind == "vanish":
		if err := store.Delete(request.Type, id); err != nil {
			return err
		}
		return answer(stdout, "id", "")
	case request.Kind == "change":
		path, reason = drift.change(object), "no attribute of this object can change"
	case request.Kind == "add-element":
		path, reason = drift.grow(object), "no collection of this object can grow"
	case request.Kind == "respell":
		path, reason = drift.respell(object), "no attribute of this object has another spelling"
	default:
		return fmt.Errorf("there is no kind of change %q", request.Kind)
	}
	if path != "" {
		if err := store.Save(request.Type, id, object); err != nil {
			return err
		}
	}
	return answer(stdout, path, reason)
}

func answer(stdout io.Writer, path, reason string) error {
	reply := map[string]string{"result": "impossible", "reason": reason}
	if path != "" {
		reply = map[string]string{"result": "done", "path": path}
	}
	return json.NewEncoder(stdout).Encode(reply)
}

// assign gives the attribute at a path such as "disk[0].size" a value, if the object has one there.
func assign(object Object, path string, value any) string {
	place, ok := find(object, strings.NewReplacer("[", ".", "]", "").Replace(path))
	if !ok || place.get() == nil {
		return ""
	}
	place.set(value)
	return path
}

func (d Drift) change(object Object) string {
	for _, change := range d.Change {
		place, ok := find(object, change.Path)
		if !ok {
			continue
		}
		switch old := place.get().(type) {
		case string:
			place.set(old + "-changed")
		case bool:
			place.set(!old)
		case json.Number:
			place.set(different(old))
		case nil:
			if change.WhenNull == "" {
				continue
			}
			place.set(parse(change.WhenNull))
		default:
			continue
		}
		return change.Path
	}
	return ""
}

func different(old json.Number) json.Number {
	if number, err := old.Float64(); err == nil && number == 7 {
		return "8"
	}
	return "7"
}

func (d Drift) grow(object Object) string {
	for _, grow := range d.Grow {
		place, ok := find(object, grow.Path)
		if !ok {
			continue
		}
		asMap := strings.HasPrefix(grow.Element, `"`) && strings.Contains(grow.Element, `":`)
		switch old := place.get().(type) {
		case []any:
			place.set(append(slices.Clone(old), numbered(grow.Element, old)))
		case map[string]any:
			for key, value := range numbered("{"+grow.Element+"}", old).(map[string]any) {
				old[key] = value
			}
		case nil:
			if asMap {
				place.set(numbered("{"+grow.Element+"}", nil))
			} else {
				place.set([]any{numbered(grow.Element, nil)})
			}
		default:
			continue
		}
		return grow.Path
	}
	return ""
}

// numbered fills in the first count whose text does not occur in neighbours.
func numbered(element string, neighbours any) any {
	text, _ := Encode(neighbours)
	for count := 1; ; count++ {
		candidate := strings.ReplaceAll(element, "%d", strconv.Itoa(count))
		mark := fmt.Sprintf("added-%d\"", count)
		if !strings.Contains(string(text), mark) || candidate == element {
			return parse(candidate)
		}
	}
}

func (d Drift) respell(object Object) string {
	for _, respell := range d.Respell {
		place, ok := find(object, respell.Path)
		if !ok {
			continue
		}
		var other any
		switch old := place.get().(type) {
		case string:
			if respell.As == JSON {
				other, ok = respellJSON(old)
			} else {
				other, ok = respellCase(old)
			}
		case json.Number:
			other, ok = respellNumber(old)
		default:
			ok = false
		}
		if ok {
			place.set(other)
			return respell.Path
		}
	}
	return ""
}

// place is a place in an object that can be read and written.
type place struct {
	get func() any
	set func(any)
}

func find(object Object, path string) (place, bool) {
	first, rest, nested := strings.Cut(path, ".")
	if _, ok := object[first]; !ok {
		return place{}, false
	}
	if !nested {
		return place{
			func() any { return object[first] },
			func(value any) { object[first] = value },
		}, true
	}
	next := object[first]
	if list, ok := next.([]any); ok {
		index, deeper, _ := strings.Cut(rest, ".")
		position, err := strconv.Atoi(index)
		if err != nil || position >= len(list) {
			return place{}, false
		}
		next, rest = list[position], deeper
	}
	inner, ok := next.(map[string]any)
	if !ok {
		return place{}, false
	}
	return find(inner, rest)
}

// parse reads the JSON texts of a Drift, which are part of this program.
func parse(text string) any {
	var value any
	if err := Decode(strings.NewReader(text), &value); err != nil {
		panic(fmt.Sprintf("the drift table holds %q, which is not JSON: %v", text, err))
	}
	return value
}
