package main

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"tfconform.example/providers/filestore"
)

func documentType(t *testing.T, server tfprotov6.ProviderServer) tftypes.Type {
	schema, err := server.GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	return schema.ResourceSchemas["fwfix_document"].ValueType()
}

// attributes fails the test if the response has diagnostics or no object.
func attributes(t *testing.T, state *tfprotov6.DynamicValue, kind tftypes.Type, diagnostics []*tfprotov6.Diagnostic) map[string]tftypes.Value {
	t.Helper()
	for _, diagnostic := range diagnostics {
		t.Fatalf("%s: %s", diagnostic.Summary, diagnostic.Detail)
	}
	value, err := state.Unmarshal(kind)
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]tftypes.Value
	if err := value.As(&object); err != nil {
		t.Fatal(err)
	}
	return object
}

func TestDocumentsOfOlderVersionsAreUpgraded(t *testing.T) {
	server := providerserver.NewProtocol6(newProvider())()
	kind := documentType(t, server)
	for version, state := range []string{
		`{"id": "x", "name": "n", "pages": "9007199254740993", "path": "f", "gone": [1]}`,
		`{"id": "x", "name": "n", "pages": 9007199254740993, "path": "f"}`,
		`{"id": "x", "name": "n", "pages": 9007199254740993, "folder": "f"}`,
	} {
		response, err := server.UpgradeResourceState(context.Background(), &tfprotov6.UpgradeResourceStateRequest{
			TypeName: "fwfix_document", Version: int64(version), RawState: &tfprotov6.RawState{JSON: []byte(state)},
		})
		if err != nil {
			t.Fatal(err)
		}
		object := attributes(t, response.UpgradedState, kind, response.Diagnostics)
		if !object["folder"].Equal(tftypes.NewValue(tftypes.String, "f")) {
			t.Errorf("version %d: folder is %s", version, object["folder"])
		}
		if !object["pages"].Equal(tftypes.NewValue(tftypes.Number, int64(9007199254740993))) {
			t.Errorf("version %d: pages is %s", version, object["pages"])
		}
	}
}

func TestIdentityImports(t *testing.T) {
	store := filestore.Store{Root: t.TempDir()}
	id := filestore.NewID()
	if err := store.Save("fwfix_document", id, filestore.Object{"id": id, "name": "n"}); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	server := providerserver.NewProtocol6(newProvider())()
	configType := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"root": tftypes.String}}
	config, err := tfprotov6.NewDynamicValue(configType, tftypes.NewValue(configType, map[string]tftypes.Value{
		"root": tftypes.NewValue(tftypes.String, store.Root),
	}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := server.ConfigureProvider(ctx, &tfprotov6.ConfigureProviderRequest{Config: &config}); err != nil {
		t.Fatal(err)
	}
	identityType := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"id": tftypes.String}}
	identity := func(id string) *tfprotov6.ResourceIdentityData {
		value, err := tfprotov6.NewDynamicValue(identityType, tftypes.NewValue(identityType, map[string]tftypes.Value{
			"id": tftypes.NewValue(tftypes.String, id),
		}))
		if err != nil {
			t.Fatal(err)
		}
		return &tfprotov6.ResourceIdentityData{IdentityData: &value}
	}
	response, err := server.ImportResourceState(ctx, &tfprotov6.ImportResourceStateRequest{
		TypeName: "fwfix_document", Identity: identity(id),
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(response.ImportedResources) != 1 {
		t.Fatalf("imported %d resources, %v", len(response.ImportedResources), response.Diagnostics)
	}
	imported := response.ImportedResources[0]
	object := attributes(t, imported.State, documentType(t, server), response.Diagnostics)
	if !object["name"].Equal(tftypes.NewValue(tftypes.String, "n")) || imported.Identity == nil {
		t.Errorf("imported %v with identity %v", object, imported.Identity)
	}

	response, err = server.ImportResourceState(ctx, &tfprotov6.ImportResourceStateRequest{
		TypeName: "fwfix_document", Identity: identity("nobody"),
	})
	if err != nil || len(response.Diagnostics) == 0 {
		t.Errorf("an identity of no object was imported: %v", err)
	}
}
