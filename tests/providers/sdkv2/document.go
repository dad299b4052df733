package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"

	"github.com/hashicorp/go-cty/cty"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/customdiff"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/sdkv2/objects"
)

// document has strings with several spellings, a plan modifier for the whole
// resource, and older versions.
func document() objects.Kind {
	return objects.Kind{
		Name: "sdkfix_document",
		Resource: &schema.Resource{
			Description:   "Texts with several spellings, and older versions of the schema.",
			SchemaVersion: 2,
			StateUpgraders: []schema.StateUpgrader{
				{Version: 0, Type: oldDocument(cty.String, "path"), Upgrade: numberOfPages},
				{Version: 1, Type: oldDocument(cty.Number, "path"), Upgrade: pathIsFolder},
			},
			Schema: map[string]*schema.Schema{
				"name": {
					Type: schema.TypeString, Required: true,
					DiffSuppressFunc:      sameText(filestore.SameCaseless),
					DiffSuppressOnRefresh: true,
				},
				"language": {
					Type: schema.TypeString, Optional: true,
					DiffSuppressFunc:      sameText(filestore.SameCaseless),
					DiffSuppressOnRefresh: true,
				},
				"body": {
					Type: schema.TypeString, Optional: true,
					Description:           "Where it is JSON, spacing and the order of keys mean nothing.",
					DiffSuppressFunc:      sameText(filestore.SameJSON),
					DiffSuppressOnRefresh: true,
				},
				"slug": {
					Type: schema.TypeString, Optional: true,
					Description: "Kept in small letters.",
					StateFunc:   func(value any) string { return strings.ToLower(value.(string)) },
				},
				"pages":  {Type: schema.TypeInt, Optional: true},
				"folder": {Type: schema.TypeString, Optional: true, Description: "Replaces once it is set."},
				"digest": {
					Type: schema.TypeString, Computed: true,
					Description: "SHA-256 of the body, known at plan time where the body is.",
				},
			},
			CustomizeDiff: customdiff.All(
				planDigest,
				customdiff.ForceNewIfChange("folder", func(_ context.Context, old, _, _ any) bool {
					return old.(string) != ""
				}),
			),
		},
		Computed: map[string]objects.Compute{"id": objects.TheID},
		Drift: filestore.Drift{
			Change: []filestore.Change{{Path: "body"}, {Path: "language"}, {Path: "name"}},
			Respell: []filestore.Respell{
				{Path: "body", As: filestore.JSON},
				{Path: "language", As: filestore.Caseless},
				{Path: "name", As: filestore.Caseless},
			},
		},
	}
}

func sameText(same func(a, b string) bool) schema.SchemaDiffSuppressFunc {
	return func(_, old, new string, _ *schema.ResourceData) bool { return same(old, new) }
}

func planDigest(_ context.Context, d *schema.ResourceDiff, _ any) error {
	if !d.NewValueKnown("body") {
		return d.SetNewComputed("digest")
	}
	if planned := digest(d.Get("body").(string)); planned != d.Get("digest") {
		return d.SetNew("digest", planned)
	}
	return nil
}

// oldDocument is the type of versions 0 and 1.
func oldDocument(pages cty.Type, folder string) cty.Type {
	return cty.Object(map[string]cty.Type{
		"id": cty.String, "name": cty.String, "language": cty.String, "body": cty.String,
		"slug": cty.String, "digest": cty.String, "pages": pages, folder: cty.String,
	})
}

// numberOfPages upgrades version 0 to 1: the page count was a string.
func numberOfPages(_ context.Context, state map[string]any, _ any) (map[string]any, error) {
	pages, ok := state["pages"].(string)
	if !ok {
		return state, nil
	}
	if state["pages"] = nil; pages != "" {
		if !json.Valid([]byte(pages)) {
			return nil, errors.New("the page count is not a number")
		}
		state["pages"] = json.Number(pages)
	}
	return state, nil
}

// pathIsFolder upgrades version 1 to 2: the folder was called path.
func pathIsFolder(_ context.Context, state map[string]any, _ any) (map[string]any, error) {
	if folder, ok := state["path"]; ok {
		state["folder"] = folder
		delete(state, "path")
	}
	return state, nil
}

// digest is the same for every spelling of a JSON value.
func digest(body string) string {
	var value any
	canonical := []byte(body)
	if filestore.Decode(strings.NewReader(body), &value) == nil {
		canonical, _ = filestore.Encode(value)
	}
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:])
}
