package main

import (
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/objectvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// nested are validators inside nested attributes.
func nested() []*animal {
	return []*animal{
		newAnimal("nested_three_deep", "A route with validators in every depth.", attributes{
			"name": text(),
			"rules": schema.ListNestedAttribute{
				Required:   true,
				Validators: []validator.List{listvalidator.SizeBetween(1, 3)},
				NestedObject: schema.NestedAttributeObject{Attributes: attributes{
					"priority": number(int64validator.Between(1, 50000)),
					"match": schema.SingleNestedAttribute{
						Required: true,
						Attributes: attributes{
							"method": text(stringvalidator.OneOf("GET", "PUT", "POST")),
							"headers": schema.ListNestedAttribute{
								Optional:   true,
								Validators: []validator.List{listvalidator.SizeAtMost(2)},
								NestedObject: schema.NestedAttributeObject{Attributes: attributes{
									"name": text(stringvalidator.RegexMatches(regexp.MustCompile(`^X-[A-Za-z-]+$`), "headers must begin with X-")),
									"values": schema.ListAttribute{
										Required: true, ElementType: types.StringType,
										Validators: []validator.List{listvalidator.SizeBetween(1, 2)},
									},
								}},
							},
						},
					},
				}},
			},
		}),
		newAnimal("nested_set", "A security group.", attributes{
			"name": text(),
			"ingress": schema.SetNestedAttribute{
				Optional:   true,
				Validators: []validator.Set{setvalidator.SizeAtMost(3)},
				NestedObject: schema.NestedAttributeObject{Attributes: attributes{
					"protocol":  text(stringvalidator.OneOf("tcp", "udp", "icmp")),
					"from_port": number(int64validator.Between(0, 65535)),
					"to_port":   optionalNumber(int64validator.Between(0, 65535)),
				}},
			},
		}),
		newAnimal("nested_map", "Users by name.", attributes{
			"users": schema.MapNestedAttribute{
				Required:   true,
				Validators: []validator.Map{mapvalidator.SizeAtLeast(1), mapvalidator.KeysAre(stringvalidator.LengthBetween(3, 10))},
				NestedObject: schema.NestedAttributeObject{Attributes: attributes{
					"role":  text(stringvalidator.OneOf("viewer", "editor", "owner")),
					"email": optionalText(),
				}},
			},
			"comment": comment(),
		}),
	}
}

// blocks are validators of blocks and inside them.
func blocks() []*animal {
	return []*animal{
		newAnimal("block_required", "A node pool with two or more taints.", attributes{
			"comment": comment(),
		}).withBlocks(map[string]schema.Block{
			"taint": schema.ListNestedBlock{
				Validators: []validator.List{listvalidator.IsRequired(), listvalidator.SizeAtLeast(2)},
				NestedObject: schema.NestedBlockObject{Attributes: attributes{
					"key":    text(stringvalidator.LengthAtLeast(1)),
					"effect": text(stringvalidator.OneOf("NO_SCHEDULE", "PREFER_NO_SCHEDULE", "NO_EXECUTE")),
				}},
			},
		}),
		newAnimal("block_single", "A function with its place in a network.", attributes{
			"comment": comment(),
		}).withBlocks(map[string]schema.Block{
			"network": schema.SingleNestedBlock{
				Validators: []validator.Object{objectvalidator.IsRequired()},
				Attributes: attributes{
					"subnet": schema.StringAttribute{Optional: true},
					"port":   optionalNumber(int64validator.Between(1, 65535)),
				},
			},
		}),
		newAnimal("block_in_block", "A policy of three levels of blocks.", attributes{
			"name": text(),
		}).withBlocks(map[string]schema.Block{
			"statement": schema.ListNestedBlock{
				Validators: []validator.List{listvalidator.SizeBetween(1, 3)},
				NestedObject: schema.NestedBlockObject{
					Attributes: attributes{"effect": text(stringvalidator.OneOf("Allow", "Deny"))},
					Blocks: map[string]schema.Block{
						"principal": schema.SetNestedBlock{
							Validators: []validator.Set{setvalidator.IsRequired(), setvalidator.SizeAtMost(2)},
							NestedObject: schema.NestedBlockObject{Attributes: attributes{
								"type": text(stringvalidator.OneOf("user", "group")),
								"name": text(stringvalidator.LengthBetween(2, 20)),
							}},
						},
					},
				},
			},
		}),
	}
}
