package main

import (
	"math/big"

	"github.com/hashicorp/terraform-plugin-framework-validators/boolvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/float64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/int32validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/numbervalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// numbers are the validators of numbers, and the one of booleans.
func numbers() []*animal {
	return []*animal{
		newAnimal("int64_between", "A backup that is kept for some days.", attributes{
			"retention_days": number(int64validator.Between(7, 35)),
			"copies":         optionalNumber(int64validator.Between(1, 3)),
			"comment":        comment(),
		}),
		newAnimal("int64_bounds", "A queue.", attributes{
			"visibility_seconds": number(int64validator.AtLeast(30)),
			"delay_seconds":      optionalNumber(int64validator.AtMost(900)),
			"comment":            comment(),
		}),
		newAnimal("int64_one_of", "Logs that are kept for one of some periods.", attributes{
			"retention": number(int64validator.OneOf(1, 3, 5, 7, 14, 30, 60, 90, 365)),
			"vlan":      optionalNumber(int64validator.NoneOf(0, 1, 4095)),
		}),
		newAnimal("int32_between", "A listener.", attributes{
			"port":    schema.Int32Attribute{Required: true, Validators: []validator.Int32{int32validator.Between(1024, 65535)}},
			"backlog": schema.Int32Attribute{Optional: true, Validators: []validator.Int32{int32validator.AtLeast(16)}},
		}),
		newAnimal("float64_bounds", "A rule of an autoscaler.", attributes{
			"target":  schema.Float64Attribute{Required: true, Validators: []validator.Float64{float64validator.Between(0.1, 0.9)}},
			"minimum": schema.Float64Attribute{Optional: true, Validators: []validator.Float64{float64validator.AtLeast(0.5)}},
			"maximum": schema.Float64Attribute{Optional: true, Validators: []validator.Float64{float64validator.AtMost(99.5)}},
		}),
		newAnimal("number_one_of", "A dose.", attributes{
			"dose": schema.NumberAttribute{Required: true, Validators: []validator.Number{
				numbervalidator.OneOf(big.NewFloat(0.25), big.NewFloat(0.5), big.NewFloat(1)),
			}},
			"comment": comment(),
		}),
		newAnimal("bool_equals", "A contract that must be accepted.", attributes{
			"accept_terms": schema.BoolAttribute{Required: true, Validators: []validator.Bool{boolvalidator.Equals(true)}},
			"comment":      comment(),
		}),
	}
}

// sums are the validators that calculate with other attributes.
func sums() []*animal {
	return []*animal{
		newAnimal("int64_at_least_sum_of", "A quota for two teams.", attributes{
			"red":   number(int64validator.AtLeast(1)),
			"green": number(int64validator.AtLeast(1)),
			"total": number(int64validator.AtLeastSumOf(path.MatchRoot("red"), path.MatchRoot("green"))),
		}),
		newAnimal("int64_at_most_sum_of", "A limit below what two pools have.", attributes{
			"red":   number(int64validator.Between(1, 1000)),
			"green": number(int64validator.Between(1, 1000)),
			"limit": number(int64validator.AtMostSumOf(path.MatchRoot("red"), path.MatchRoot("green"))),
		}),
		newAnimal("int64_equal_to_sum_of", "A budget and its parts.", attributes{
			"first":  number(int64validator.Between(0, 1000)),
			"second": number(int64validator.Between(0, 1000)),
			"budget": optionalNumber(int64validator.EqualToSumOf(path.MatchRoot("first"), path.MatchRoot("second"))),
		}),
		newAnimal("int64_equal_to_product_of", "A grid and the number of its cells.", attributes{
			"rows":    number(int64validator.Between(1, 100)),
			"columns": number(int64validator.Between(1, 100)),
			"cells":   optionalNumber(int64validator.EqualToProductOf(path.MatchRoot("rows"), path.MatchRoot("columns"))),
		}),
	}
}
