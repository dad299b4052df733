package main

import (
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/validation"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/sdkv2/objects"
)

// numbers has the SDK's two types of number, and its validators.
func numbers() objects.Kind {
	return objects.Kind{
		Name: "sdkfix_numbers",
		Resource: &schema.Resource{
			Description: "Numbers.",
			Schema: map[string]*schema.Schema{
				"amount": {Type: schema.TypeInt, Optional: true},
				"ratio": {
					Type: schema.TypeFloat, Optional: true,
					Description:      "Kept as a 64-bit float.",
					DiffSuppressFunc: objects.SameFloat,
					ValidateFunc:     objects.Finite,
				},
				"factor": {
					Type: schema.TypeFloat, Optional: true, Default: 1.5,
					DiffSuppressFunc: objects.SameFloat,
					ValidateFunc:     objects.Finite,
				},
				"quota": {Type: schema.TypeInt, Optional: true, Computed: true},
				"percent": {
					Type: schema.TypeInt, Optional: true,
					ValidateDiagFunc: validation.ToDiagFunc(validation.IntBetween(0, 100)),
				},
				"unit": {
					Type: schema.TypeString, Optional: true,
					ValidateFunc: validation.StringInSlice([]string{"m", "kg", "s"}, false),
				},
				"samples": {
					Type: schema.TypeList, Optional: true,
					Elem: &schema.Schema{Type: schema.TypeInt},
				},
				"weights": {
					Type: schema.TypeMap, Optional: true,
					Elem:             &schema.Schema{Type: schema.TypeFloat},
					DiffSuppressFunc: objects.SameFloat,
					ValidateFunc:     allFinite,
				},
			},
		},
		Computed: map[string]objects.Compute{
			"id":    objects.TheID,
			"quota": func(string, any) any { return json.Number("100") },
		},
		Drift: filestore.Drift{
			Change: []filestore.Change{{Path: "amount"}, {Path: "ratio"}, {Path: "factor"}},
			Grow: []filestore.Grow{
				{Path: "samples", Element: `7`},
				{Path: "weights", Element: `"added-%d": 0.5`},
			},
			Respell: []filestore.Respell{
				{Path: "ratio", As: filestore.Number},
				{Path: "factor", As: filestore.Number},
			},
		},
	}
}

func allFinite(value any, name string) (warnings []string, errs []error) {
	for key, number := range value.(map[string]any) {
		_, found := objects.Finite(number, name+"."+key)
		errs = append(errs, found...)
	}
	return nil, errs
}
