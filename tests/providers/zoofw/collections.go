package main

import (
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// collections are the validators of lists, sets and maps.
func collections() []*animal {
	return []*animal{
		newAnimal("list_size", "A cluster over two or three zones.", attributes{
			"zones": schema.ListAttribute{
				Required: true, ElementType: types.StringType,
				Validators: []validator.List{listvalidator.SizeBetween(2, 3)},
			},
			"comment": comment(),
		}),
		newAnimal("list_unique_values", "Servers in order, none of them twice.", attributes{
			"servers": schema.ListAttribute{
				Required: true, ElementType: types.StringType,
				Validators: []validator.List{listvalidator.UniqueValues(), listvalidator.NoNullValues(), listvalidator.SizeAtLeast(1)},
			},
			"comment": comment(),
		}),
		newAnimal("list_values", "An account with scopes.", attributes{
			"scopes": schema.ListAttribute{
				Required: true, ElementType: types.StringType,
				Validators: []validator.List{
					listvalidator.SizeAtLeast(1),
					listvalidator.ValueStringsAre(stringvalidator.OneOf("read", "write", "admin")),
				},
			},
			"limits": schema.ListAttribute{
				Optional: true, ElementType: types.Int64Type,
				Validators: []validator.List{listvalidator.ValueInt64sAre(int64validator.AtLeast(10))},
			},
		}),
		newAnimal("set_size", "A group with members.", attributes{
			"members": schema.SetAttribute{
				Required: true, ElementType: types.StringType,
				Validators: []validator.Set{setvalidator.SizeAtLeast(1), setvalidator.SizeAtMost(4)},
			},
			"comment": comment(),
		}),
		newAnimal("set_values", "A subscription to events.", attributes{
			"events": schema.SetAttribute{
				Required: true, ElementType: types.StringType,
				Validators: []validator.Set{
					setvalidator.SizeBetween(1, 3),
					setvalidator.NoNullValues(),
					setvalidator.ValueStringsAre(stringvalidator.OneOf("push", "pull", "tag")),
				},
			},
			"comment": comment(),
		}),
		newAnimal("map_keys", "Labels whose keys have rules.", attributes{
			"labels": schema.MapAttribute{
				Required: true, ElementType: types.StringType,
				Validators: []validator.Map{
					mapvalidator.SizeAtLeast(1),
					mapvalidator.KeysAre(
						stringvalidator.LengthBetween(2, 12),
						stringvalidator.RegexMatches(regexp.MustCompile(`^[a-z][a-z0-9_]*$`), "keys must be lowercase"),
					),
				},
			},
			"comment": comment(),
		}),
		newAnimal("map_values", "Tags whose values have rules.", attributes{
			"tags": schema.MapAttribute{
				Required: true, ElementType: types.StringType,
				Validators: []validator.Map{
					mapvalidator.SizeBetween(1, 3),
					mapvalidator.NoNullValues(),
					mapvalidator.ValueStringsAre(stringvalidator.LengthBetween(1, 20)),
				},
			},
			"weights": schema.MapAttribute{
				Optional: true, ElementType: types.Int64Type,
				Validators: []validator.Map{mapvalidator.ValueInt64sAre(int64validator.Between(1, 100))},
			},
		}),
	}
}
