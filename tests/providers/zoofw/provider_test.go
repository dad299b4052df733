package main

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// TestSchemas runs the framework's own checks of the schemas.
func TestSchemas(t *testing.T) {
	for _, create := range zoo().Types {
		var resp resource.SchemaResponse
		create().Schema(context.Background(), resource.SchemaRequest{}, &resp)
		resp.Diagnostics.Append(resp.Schema.ValidateImplementation(context.Background())...)
		for _, found := range resp.Diagnostics.Errors() {
			t.Errorf("%s: %s", found.Summary(), found.Detail())
		}
	}
}
