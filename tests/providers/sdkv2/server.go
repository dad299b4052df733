package main

import (
	"context"

	"github.com/hashicorp/go-cty/cty"
	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/customdiff"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/sdkv2/objects"
)

// server has blocks in every mode, and every way to require replacement.
func server() objects.Kind {
	return objects.Kind{
		Name: "sdkfix_server",
		Resource: &schema.Resource{
			Description: "Nested blocks and replacement.",
			Schema: map[string]*schema.Schema{
				"comment": {Type: schema.TypeString, Optional: true},
				"zone":    {Type: schema.TypeString, Optional: true, ForceNew: true},
				"image":   {Type: schema.TypeString, Optional: true, Computed: true, ForceNew: true},
				"memory": {
					Type: schema.TypeInt, Optional: true,
					Description: "Grows in place; replaces where it shrinks.",
				},
				"host": {Type: schema.TypeString, Computed: true},
				"network": {
					Type: schema.TypeList, Optional: true, MaxItems: 1,
					Elem: &schema.Resource{Schema: map[string]*schema.Schema{
						"subnet":  {Type: schema.TypeString, Required: true},
						"public":  {Type: schema.TypeBool, Optional: true, Default: true},
						"address": {Type: schema.TypeString, Computed: true},
					}},
				},
				"disk": {
					Type: schema.TypeList, Optional: true,
					Elem: &schema.Resource{Schema: map[string]*schema.Schema{
						"name":   {Type: schema.TypeString, Required: true},
						"size":   {Type: schema.TypeInt, Optional: true},
						"serial": {Type: schema.TypeString, Computed: true},
						"partition": {
							Type: schema.TypeList, Optional: true,
							Elem: &schema.Resource{Schema: map[string]*schema.Schema{
								"label": {Type: schema.TypeString, Required: true},
								"bytes": {Type: schema.TypeInt, Optional: true},
							}},
						},
					}},
				},
				"rule": {
					Type: schema.TypeSet, Optional: true,
					Set: ruleHash,
					Elem: &schema.Resource{Schema: map[string]*schema.Schema{
						"name": {Type: schema.TypeString, Required: true},
						// In a set, the SDK loses the difference between a null
						// and an empty text. A default leaves neither.
						"note":   {Type: schema.TypeString, Optional: true, Default: "none"},
						"handle": {Type: schema.TypeString, Optional: true, Computed: true},
					}},
				},
			},
			CustomizeDiff: customdiff.ForceNewIfChange("memory", func(_ context.Context, old, new, _ any) bool {
				// An unknown amount is 0 here and so counts as a smaller one: an
				// update that turns out to be a replacement would be an error.
				return new.(int) < old.(int)
			}),
			ValidateRawResourceConfigFuncs: []schema.ValidateRawResourceConfigFunc{distinctRules},
		},
		Computed: map[string]objects.Compute{
			"id":              objects.TheID,
			"host":            objects.Generated,
			"image":           func(string, any) any { return "standard" },
			"network.address": objects.Generated,
			"disk.serial":     objects.Generated,
			"rule.handle":     func(string, any) any { return filestore.NewID() },
		},
		Drift: filestore.Drift{
			Change: []filestore.Change{
				{Path: "disk.0.partition.0.label"},
				{Path: "disk.0.size"},
				{Path: "network.0.subnet"},
				{Path: "comment", WhenNull: `"changed"`},
			},
			Grow: []filestore.Grow{{
				Path:    "rule",
				Element: `{"name": "added-%d", "note": "none", "handle": "outside"}`,
			}},
		},
	}
}

// ruleHash leaves out the handle: a rule without one must match itself in the
// state, where it has one.
func ruleHash(value any) int {
	rule := value.(map[string]any)
	note, _ := rule["note"].(string)
	return schema.HashString(rule["name"].(string) + "\x00" + note)
}

// distinctRules refuses rules that the hash cannot tell apart.
func distinctRules(_ context.Context, req schema.ValidateResourceConfigFuncRequest, resp *schema.ValidateResourceConfigFuncResponse) {
	rules := req.RawConfig.GetAttr("rule")
	if !rules.IsKnown() || rules.IsNull() {
		return
	}
	seen := map[string]bool{}
	for _, rule := range rules.AsValueSlice() {
		name, known := knownText(rule, "name")
		note, also := knownText(rule, "note")
		if !known || !also {
			continue
		}
		if key := name + "\x00" + note; !seen[key] {
			seen[key] = true
			continue
		}
		resp.Diagnostics = append(resp.Diagnostics, diag.Diagnostic{
			Severity:      diag.Error,
			Summary:       "Two rules have the same name and note",
			AttributePath: cty.GetAttrPath("rule"),
		})
		return
	}
}

// knownText is the attribute's text, or the default of a note.
func knownText(object cty.Value, name string) (string, bool) {
	if !object.IsKnown() || object.IsNull() {
		return "", false
	}
	value := object.GetAttr(name)
	if !value.IsKnown() {
		return "", false
	}
	if value.IsNull() {
		return "none", true
	}
	return value.AsString(), true
}
