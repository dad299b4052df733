package main

import (
	"context"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/customdiff"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/sdkv2/objects"
)

// note is the plain type: defaults, and attributes that only the remote system
// sets.
func note() objects.Kind {
	return objects.Kind{
		Name: "sdkfix_note",
		Resource: &schema.Resource{
			Description: "A note.",
			Schema: map[string]*schema.Schema{
				"title":   {Type: schema.TypeString, Required: true},
				"body":    {Type: schema.TypeString, Optional: true},
				"color":   {Type: schema.TypeString, Optional: true, Default: "yellow"},
				"pinned":  {Type: schema.TypeBool, Optional: true, Default: false},
				"shared":  {Type: schema.TypeBool, Optional: true},
				"created": {Type: schema.TypeString, Computed: true},
				"revision": {
					Type: schema.TypeInt, Computed: true,
					Description: "Grows by one with every apply, so every update leaves it unknown.",
				},
			},
			CustomizeDiff: customdiff.ComputedIf("revision", anyChange()),
		},
		Computed: map[string]objects.Compute{
			"id":       objects.TheID,
			"revision": objects.Counted,
			"created":  func(string, any) any { return time.Now().UTC().Format(time.RFC3339Nano) },
		},
		Drift: filestore.Drift{Change: []filestore.Change{{Path: "title"}}},
	}
}

// anyChange returns whether an existing object is about to be updated. A
// write-only attribute looks changed whenever it is configured, so it is
// ignored.
func anyChange(writeOnly ...string) customdiff.ResourceConditionFunc {
	return func(_ context.Context, d *schema.ResourceDiff, _ any) bool {
		changed := slices.DeleteFunc(d.GetChangedKeysPrefix(""), func(key string) bool {
			return slices.Contains(writeOnly, key)
		})
		return d.Id() != "" && len(changed) > 0
	}
}
