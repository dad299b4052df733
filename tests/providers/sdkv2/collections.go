package main

import (
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/sdkv2/objects"
)

// collections has the SDK's collections that are not blocks.
func collections() objects.Kind {
	point := func() map[string]*schema.Schema {
		return map[string]*schema.Schema{
			"label": {Type: schema.TypeString, Optional: true},
			"x":     {Type: schema.TypeInt, Optional: true},
		}
	}
	text := &schema.Schema{Type: schema.TypeString}
	return objects.Kind{
		Name: "sdkfix_collections",
		Resource: &schema.Resource{
			Description: "Collections as plain attributes.",
			Schema: map[string]*schema.Schema{
				"name":   {Type: schema.TypeString, Optional: true},
				"words":  {Type: schema.TypeList, Optional: true, Elem: text},
				"tags":   {Type: schema.TypeSet, Optional: true, Elem: text},
				"labels": {Type: schema.TypeMap, Optional: true, Elem: text},
				"flags":  {Type: schema.TypeMap, Optional: true, Elem: &schema.Schema{Type: schema.TypeBool}},
				"matrix": {
					Type: schema.TypeList, Optional: true,
					Elem: &schema.Schema{Type: schema.TypeList, Elem: &schema.Schema{Type: schema.TypeInt}},
				},
				"slots": {Type: schema.TypeList, Optional: true, Computed: true, Elem: text},
				"points": {
					Type: schema.TypeList, Optional: true, Computed: true,
					ConfigMode:  schema.SchemaConfigModeAttr,
					Description: "Objects in an attribute, where [] is not the same as nothing.",
					Elem:        &schema.Resource{Schema: point()},
				},
				"corners": {
					Type: schema.TypeList, Computed: true,
					Elem: &schema.Resource{Schema: point()},
				},
			},
		},
		Computed: map[string]objects.Compute{
			"id":     objects.TheID,
			"slots":  func(string, any) any { return []any{"first"} },
			"points": func(string, any) any { return []any{} },
			"corners": func(string, any) any {
				return []any{map[string]any{"label": "origin", "x": 0}}
			},
		},
		Drift: filestore.Drift{
			Change: []filestore.Change{{Path: "words.0"}, {Path: "name", WhenNull: `"changed"`}},
			Grow:   []filestore.Grow{{Path: "tags", Element: `"added-%d"`}},
		},
	}
}
