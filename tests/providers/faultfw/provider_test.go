package main

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"tfconform.example/providers/filestore/mistakes"
)

// TestSchemas runs the framework's own checks of the schemas.
func TestSchemas(t *testing.T) {
	for _, planted := range append(faults(), fault{}) {
		for _, create := range newProvider(planted).Types {
			var resp resource.SchemaResponse
			create().Schema(context.Background(), resource.SchemaRequest{}, &resp)
			resp.Diagnostics.Append(resp.Schema.ValidateImplementation(context.Background())...)
			for _, found := range resp.Diagnostics.Errors() {
				t.Errorf("%s: %s: %s", planted.Name, found.Summary(), found.Detail())
			}
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
