package main

import (
	"testing"

	"tfconform.example/providers/filestore/mistakes"
)

// TestProvider runs the SDK's own checks of the schemas.
func TestProvider(t *testing.T) {
	for _, planted := range append(faults(), fault{}) {
		if err := newProvider(planted).InternalValidate(); err != nil {
			t.Errorf("%s: %v", planted.Name, err)
		}
	}
}

func TestTheTableHasEveryFault(t *testing.T) {
	var all []mistakes.Mistake
	for _, planted := range faults() {
		all = append(all, planted.Mistake)
	}
	mistakes.CheckTable(t, name, all)
}
