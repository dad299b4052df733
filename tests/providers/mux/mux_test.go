package main

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
)

// TestServersJoin fails if the two provider configuration schemas differ.
func TestServersJoin(t *testing.T) {
	server, err := newServer(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	schemas, err := server.GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for _, diagnostic := range schemas.Diagnostics {
		t.Errorf("%s: %s", diagnostic.Summary, diagnostic.Detail)
	}
	if len(schemas.ResourceSchemas) != 2 {
		t.Errorf("there are %d resource types", len(schemas.ResourceSchemas))
	}
}

func TestAccBothTypes(t *testing.T) {
	if os.Getenv("TF_ACC") != "1" {
		t.Skip("acceptance tests run only with TF_ACC=1")
	}
	if os.Getenv("TF_ACC_TERRAFORM_PATH") == "" {
		if _, err := exec.LookPath("terraform"); err != nil {
			t.Skip("terraform is not on the PATH")
		}
	}
	t.Setenv("MUXFIX_ROOT", t.TempDir())
	config := func(text string) string {
		return `
			resource "muxfix_old" "it" {
			  name = "` + text + `"
			  tags = ["", "` + text + `"]
			}
			resource "muxfix_new" "it" {
			  name = muxfix_old.it.host
			  size = 0.1
			}`
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: map[string]func() (tfprotov6.ProviderServer, error){
			name: func() (tfprotov6.ProviderServer, error) { return newServer(context.Background()) },
		},
		Steps: []resource.TestStep{
			{Config: `
				resource "muxfix_old" "it" { name = "" }
				resource "muxfix_new" "it" { name = "" }`},
			{Config: config("a")},
			{ResourceName: "muxfix_old.it", ImportState: true, ImportStateVerify: true},
			{ResourceName: "muxfix_new.it", ImportState: true, ImportStateVerify: true},
			{Config: config("b")},
		},
	})
}
