package main

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
)

func TestDocumentsOfOlderVersionsAreUpgraded(t *testing.T) {
	ctx := context.Background()
	server := schema.NewGRPCProviderServer(newProvider())
	schemas, err := server.GetProviderSchema(ctx, &tfprotov5.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for version, state := range []string{
		`{"id": "x", "name": "n", "pages": "9007199254740993", "path": "f", "gone": [1]}`,
		`{"id": "x", "name": "n", "pages": 9007199254740993, "path": "f"}`,
		`{"id": "x", "name": "n", "pages": 9007199254740993, "folder": "f"}`,
	} {
		response, err := server.UpgradeResourceState(ctx, &tfprotov5.UpgradeResourceStateRequest{
			TypeName: "sdkfix_document", Version: int64(version), RawState: &tfprotov5.RawState{JSON: []byte(state)},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, diagnostic := range response.Diagnostics {
			t.Fatalf("version %d: %s: %s", version, diagnostic.Summary, diagnostic.Detail)
		}
		value, err := response.UpgradedState.Unmarshal(schemas.ResourceSchemas["sdkfix_document"].ValueType())
		if err != nil {
			t.Fatal(err)
		}
		var object map[string]tftypes.Value
		if err := value.As(&object); err != nil {
			t.Fatal(err)
		}
		if !object["folder"].Equal(tftypes.NewValue(tftypes.String, "f")) {
			t.Errorf("version %d: folder is %s", version, object["folder"])
		}
		if !object["pages"].Equal(tftypes.NewValue(tftypes.Number, int64(9007199254740993))) {
			t.Errorf("version %d: pages is %s", version, object["pages"])
		}
	}
}
