package main

import (
	"context"
	"os"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	// For the tests that `tfconform reproduce --as go` writes.
	_ "github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"tfconform.example/providers/filestore/mistakes"
)

// testAccProtoV6ProviderFactories has the name that the tests expect which
// `tfconform reproduce --as go` writes. The environment variable FAULT names the
// fault, as for the program.
var testAccProtoV6ProviderFactories = map[string]func() (tfprotov6.ProviderServer, error){
	name: func() (tfprotov6.ProviderServer, error) {
		planted, err := find(os.Getenv("FAULT"))
		if err != nil {
			return nil, err
		}
		return providerserver.NewProtocol6WithError(newProvider(planted))()
	},
}

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
