package main

import "testing"

// TestProvider runs the SDK's own checks of the schemas.
func TestProvider(t *testing.T) {
	if err := newProvider().InternalValidate(); err != nil {
		t.Fatal(err)
	}
}
