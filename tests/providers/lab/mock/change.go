package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// change reads {"type": …, "kind": …, "state": {…}, "path": …, "value": …} and writes what it did.
func change(input io.Reader, output io.Writer) error {
	var request struct {
		Kind  string
		State struct{ ID string }
		Path  string
		Value json.RawMessage
	}
	if err := json.NewDecoder(input).Decode(&request); err != nil {
		return err
	}
	path := "/machines/" + request.State.ID
	var m machine
	edit := func(edit func()) error {
		body, err := call(http.MethodGet, path, nil)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(body, &m); err != nil {
			return err
		}
		edit()
		_, err = call(http.MethodPut, path, m)
		return err
	}
	done := map[string]string{"result": "done"}
	var err error
	switch {
	case request.Kind == "change" && request.Path != "":
		// The API has the names of the provider's attributes.
		done["path"] = request.Path
		object, failed := json.Marshal(map[string]json.RawMessage{request.Path: request.Value})
		if failed != nil {
			return failed
		}
		var unknown error
		err = edit(func() {
			decoder := json.NewDecoder(bytes.NewReader(object))
			decoder.DisallowUnknownFields()
			unknown = decoder.Decode(&m)
		})
		if unknown != nil {
			done = map[string]string{"result": "impossible", "reason": "a machine has no " + request.Path}
		}
	case request.Kind == "change":
		done["path"] = "size"
		err = edit(func() {
			if m.Size == "large" {
				m.Size = "medium"
			} else {
				m.Size = "large"
			}
		})
	case request.Kind == "add-element":
		done["path"] = "tags"
		err = edit(func() { m.Tags = append(m.Tags, "added") })
	case request.Kind == "vanish":
		_, err = call(http.MethodDelete, path, nil)
	default:
		done = map[string]string{"result": "impossible", "reason": "every value has one spelling"}
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(output).Encode(done)
}

// call sends a request to the API that is already running.
func call(method, path string, body any) ([]byte, error) {
	encoded, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequest(method, "http://"+address+path, bytes.NewReader(encoded))
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= 300 {
		err = fmt.Errorf("%s: %s", response.Status, answer)
	}
	return answer, err
}
