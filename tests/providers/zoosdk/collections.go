package main

import (
	"context"
	"errors"
	"regexp"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/validation"
	"tfconform.example/providers/sdkv2/objects"
)

// collections are the validators of lists, sets and maps.
func collections() []objects.Kind {
	text := &schema.Schema{Type: schema.TypeString}
	return []objects.Kind{
		animal("list_length", "A cluster over two or three zones.", map[string]*schema.Schema{
			"zones":   {Type: schema.TypeList, Required: true, MinItems: 2, MaxItems: 3, Elem: text},
			"comment": comment(),
		}),
		animal("set_length", "A group with members.", map[string]*schema.Schema{
			"members": {Type: schema.TypeSet, Required: true, MinItems: 1, MaxItems: 4, Elem: text},
			"comment": comment(),
		}),
		animal("list_elements", "An account with scopes.", map[string]*schema.Schema{
			"scopes": {
				Type: schema.TypeList, Required: true, MinItems: 1,
				Elem: &schema.Schema{
					Type:         schema.TypeString,
					ValidateFunc: validation.StringInSlice([]string{"read", "write", "admin"}, false),
				},
			},
			"ports": {
				Type: schema.TypeSet, Optional: true,
				Elem: &schema.Schema{Type: schema.TypeInt, ValidateFunc: validation.IsPortNumber},
			},
		}),
		planned(animal("list_of_unique_strings", "Servers in order, none of them twice.", map[string]*schema.Schema{
			"servers": {Type: schema.TypeList, Required: true, MinItems: 1, Elem: text},
			"comment": comment(),
		}), uniqueServers),
		animal("map_keys", "Labels whose keys have rules.", map[string]*schema.Schema{
			"labels": {
				Type: schema.TypeMap, Required: true, Elem: text,
				ValidateDiagFunc: validation.AllDiag(
					validation.MapKeyLenBetween(2, 12),
					validation.MapKeyMatch(regexp.MustCompile(`^[a-z][a-z0-9_]*$`), "keys must be lowercase"),
				),
			},
			"comment": comment(),
		}),
		animal("map_values", "Tags whose values have rules.", map[string]*schema.Schema{
			"tags": {
				Type: schema.TypeMap, Required: true, Elem: text,
				ValidateDiagFunc: validation.MapValueLenBetween(1, 20),
			},
			"versions": {
				Type: schema.TypeMap, Optional: true, Elem: text,
				ValidateDiagFunc: validation.MapValueMatch(regexp.MustCompile(`^v[0-9]+$`), "values must look like v1"),
			},
		}),
	}
}

// uniqueServers is at plan time, because the SDK has no validators of lists.
func uniqueServers(_ context.Context, d *schema.ResourceDiff, _ any) error {
	if !d.GetRawConfig().GetAttr("servers").IsWhollyKnown() {
		return nil
	}
	_, errs := validation.ListOfUniqueStrings(d.Get("servers"), "servers")
	return errors.Join(errs...)
}
