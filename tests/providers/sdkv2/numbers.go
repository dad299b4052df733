package main

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/validation"
	"tfconform.example/providers/filestore"
)

// numbers has the SDK's two types of number, and its validators.
func numbers() kind {
	return kind{
		name: "sdkfix_numbers",
		resource: &schema.Resource{
			Description: "Numbers.",
			Schema: map[string]*schema.Schema{
				"amount": {Type: schema.TypeInt, Optional: true},
				"ratio": {
					Type: schema.TypeFloat, Optional: true,
					Description:      "Kept as a 64-bit float.",
					DiffSuppressFunc: sameFloat,
					ValidateFunc:     finite,
				},
				"factor": {
					Type: schema.TypeFloat, Optional: true, Default: 1.5,
					DiffSuppressFunc: sameFloat,
					ValidateFunc:     finite,
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
					DiffSuppressFunc: sameFloat,
					ValidateFunc:     allFinite,
				},
			},
		},
		computed: map[string]compute{
			"id":    theID,
			"quota": func(string, any) any { return json.Number("100") },
		},
		drift: filestore.Drift{
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

// finite refuses what is beyond a 64-bit float: no state can hold an infinity.
func finite(value any, name string) ([]string, []error) {
	if number, ok := value.(float64); ok && math.IsInf(number, 0) {
		return nil, []error{fmt.Errorf("%s is too large", name)}
	}
	return nil, nil
}

func allFinite(value any, name string) (warnings []string, errs []error) {
	for key, number := range value.(map[string]any) {
		_, found := finite(number, name+"."+key)
		errs = append(errs, found...)
	}
	return nil, errs
}

// sameFloat compares as the state keeps them: at 64 bits.
func sameFloat(_, old, new string, _ *schema.ResourceData) bool {
	before, err := strconv.ParseFloat(old, 64)
	if err != nil {
		return false
	}
	after, err := strconv.ParseFloat(new, 64)
	return err == nil && before == after
}
