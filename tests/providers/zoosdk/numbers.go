package main

import (
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/validation"
	"tfconform.example/providers/sdkv2/objects"
)

// numbers are the validators of numbers.
func numbers() []objects.Kind {
	return []objects.Kind{
		animal("int_between", "A backup that is kept for some days.", map[string]*schema.Schema{
			"retention_days": {Type: schema.TypeInt, Required: true, ValidateFunc: validation.IntBetween(7, 35)},
			"copies":         {Type: schema.TypeInt, Optional: true, Default: 1, ValidateFunc: validation.IntBetween(1, 3)},
			"comment":        comment(),
		}),
		animal("int_bounds", "A queue.", map[string]*schema.Schema{
			"visibility_seconds": {Type: schema.TypeInt, Required: true, ValidateFunc: validation.IntAtLeast(30)},
			"delay_seconds":      {Type: schema.TypeInt, Optional: true, ValidateFunc: validation.IntAtMost(900)},
			"comment":            comment(),
		}),
		animal("int_divisible_by", "Memory in whole steps.", map[string]*schema.Schema{
			"memory_mib": {
				Type: schema.TypeInt, Required: true,
				ValidateFunc: validation.All(validation.IntDivisibleBy(256), validation.IntAtLeast(512)),
			},
			"comment": comment(),
		}),
		animal("int_in_slice", "Logs that are kept for one of some periods.", map[string]*schema.Schema{
			"retention": {
				Type: schema.TypeInt, Required: true,
				ValidateFunc: validation.IntInSlice([]int{1, 3, 5, 7, 14, 30, 60, 90, 365}),
			},
			"vlan": {
				Type: schema.TypeInt, Optional: true,
				ValidateFunc: validation.IntNotInSlice([]int{0, 1, 4095}),
			},
		}),
		animal("float_bounds", "A rule of an autoscaler.", map[string]*schema.Schema{
			"target": {
				Type: schema.TypeFloat, Required: true,
				DiffSuppressFunc: objects.SameFloat,
				ValidateFunc:     validation.FloatBetween(0.1, 0.9),
			},
			"minimum": {
				Type: schema.TypeFloat, Optional: true,
				DiffSuppressFunc: objects.SameFloat,
				ValidateFunc:     validation.All(validation.FloatAtLeast(0.5), objects.Finite),
			},
			"maximum": {
				Type: schema.TypeFloat, Optional: true,
				DiffSuppressFunc: objects.SameFloat,
				ValidateFunc:     validation.All(validation.FloatAtMost(99.5), objects.Finite),
			},
		}),
	}
}
