// Package filestore is the remote system of the test providers: one
// pretty-printed JSON file per object, in <root>/<type>/<id>.json.
//
// Any number of processes may use one root at once: writes are atomic, and
// identifiers are random.
package filestore

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// ErrGone says that the object does not exist. Any other error leaves that
// open.
var ErrGone = errors.New("object does not exist")

// Object is the content of a file. Numbers are json.Number, so that no digit
// is lost between the file and the state.
type Object = map[string]any

// Client is the provider's own code between its SDK and the remote system, for
// providers that get it wrong. Without it, everything is handed on as it is.
type Client struct {
	// Sent edits what a create or an update writes. The object as it was is nil
	// on create.
	Sent func(request, was Object)
	// Applied edits the answer to a create or an update, from which the state is
	// then made. Without it, the state is what was planned.
	Applied func(answer Object)
	// Read edits what a read makes the state from.
	Read func(answer Object)
}

// Copy shares nothing with the object.
func Copy(object Object) (Object, error) {
	text, err := Encode(object)
	if err != nil {
		return nil, err
	}
	copied := Object{}
	return copied, Decode(bytes.NewReader(text), &copied)
}

// Store is one root folder.
type Store struct{ Root string }

// Locate finds the root of a provider: the configured folder, else the one in
// <NAME>_ROOT, else ~/.<name>.
func Locate(name, configured string) (Store, error) {
	if configured != "" {
		return Store{configured}, nil
	}
	if root := os.Getenv(strings.ToUpper(name) + "_ROOT"); root != "" {
		return Store{root}, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return Store{}, fmt.Errorf("failed to find a folder for the objects: %w", err)
	}
	return Store{filepath.Join(home, "."+name)}, nil
}

// reach takes as long as a request to a remote system does: REMOTE_LATENCY, such as 100ms, or no time.
func reach() {
	if latency, err := time.ParseDuration(os.Getenv("REMOTE_LATENCY")); err == nil {
		time.Sleep(latency)
	}
}

// NewID generates an identifier that no other process generates.
func NewID() string { return strings.ToLower(rand.Text()) }

// file refuses names that would leave the root: no object can have them.
func (s Store) file(kind, id string) (string, error) {
	for _, part := range []string{kind, id} {
		clean := func(r rune) bool {
			return r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z'
		}
		if part == "" || len(part) > 100 || strings.TrimFunc(part, clean) != "" {
			return "", fmt.Errorf("%s %q: %w", kind, id, ErrGone)
		}
	}
	return filepath.Join(s.Root, kind, id+".json"), nil
}

// Load reads an object.
func (s Store) Load(kind, id string) (Object, error) {
	reach()
	file, err := s.file(kind, id)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s %q: %w", kind, id, ErrGone)
	}
	if err != nil {
		return nil, err
	}
	object := Object{}
	if err := Decode(bytes.NewReader(text), &object); err != nil {
		return nil, fmt.Errorf("failed to read %s: %w", file, err)
	}
	return object, nil
}

// Require refuses an ID that no object has, if there is one; the message may have a place for it.
func (s Store) Require(kind string, id any, message string) error {
	if id == nil {
		return nil
	}
	if _, err := s.Load(kind, id.(string)); err == nil {
		return nil
	}
	return errors.New(strings.ReplaceAll(message, "%s", id.(string)))
}

// RequireUnused refuses the deletion of an object whose ID an attribute of another kind has; the message may have
// a place for the ID.
func (s Store) RequireUnused(id, kind, attribute, message string) error {
	files, err := filepath.Glob(filepath.Join(s.Root, kind, "*.json"))
	if err != nil {
		return err
	}
	for _, file := range files {
		other, err := s.Load(kind, strings.TrimSuffix(filepath.Base(file), ".json"))
		// It may be deleted meanwhile.
		if err == nil && other[attribute] == any(id) {
			return errors.New(strings.ReplaceAll(message, "%s", id))
		}
	}
	return nil
}

// Save writes an object atomically: a reader sees the old text or the new one.
func (s Store) Save(kind, id string, object Object) error {
	reach()
	file, err := s.file(kind, id)
	if err != nil {
		return err
	}
	text, err := Encode(object)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(file), "."+id+"-*")
	if err != nil {
		return err
	}
	_, err = temporary.Write(text)
	if err = errors.Join(err, temporary.Close()); err == nil {
		err = os.Rename(temporary.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary.Name()))
	}
	return nil
}

// Delete removes an object. It is not an error if it is already gone.
func (s Store) Delete(kind, id string) error {
	reach()
	file, err := s.file(kind, id)
	if err == nil {
		err = os.Remove(file)
	}
	if errors.Is(err, ErrGone) || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Decode reads one JSON value and refuses anything after it.
func Decode(reader io.Reader, into any) error {
	decoder := json.NewDecoder(reader)
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return errors.New("something follows the JSON value")
	}
	return nil
}

// Encode writes a value in the form of the files.
func Encode(value any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(value)
	return text.Bytes(), err
}
