package main

import (
	"regexp"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/validation"
	"tfconform.example/providers/sdkv2/objects"
)

// nested are validators inside blocks.
func nested() []objects.Kind {
	text := &schema.Schema{Type: schema.TypeString}
	return []objects.Kind{
		animal("nested_three_deep", "A route with validators in every depth.", map[string]*schema.Schema{
			"name": {Type: schema.TypeString, Required: true},
			"rule": {
				Type: schema.TypeList, Required: true, MinItems: 1, MaxItems: 3,
				Elem: &schema.Resource{Schema: map[string]*schema.Schema{
					"priority": {Type: schema.TypeInt, Required: true, ValidateFunc: validation.IntBetween(1, 50000)},
					"match": {
						Type: schema.TypeList, Required: true, MaxItems: 1,
						Elem: &schema.Resource{Schema: map[string]*schema.Schema{
							"method": {
								Type: schema.TypeString, Required: true,
								ValidateFunc: validation.StringInSlice([]string{"GET", "PUT", "POST"}, false),
							},
							"header": {
								Type: schema.TypeList, Optional: true, MaxItems: 2,
								Elem: &schema.Resource{Schema: map[string]*schema.Schema{
									"name": {
										Type: schema.TypeString, Required: true,
										ValidateFunc: validation.StringMatch(regexp.MustCompile(`^X-[A-Za-z-]+$`), "headers must begin with X-"),
									},
									"values": {Type: schema.TypeList, Required: true, MinItems: 1, MaxItems: 2, Elem: text},
								}},
							},
						}},
					},
				}},
			},
		}),
		animal("nested_five_deep", "A dashboard whose blocks have arguments of the same names.", map[string]*schema.Schema{
			"name":  {Type: schema.TypeString, Required: true},
			"sheet": block(sheet()),
		}),
		animal("block_in_set", "A security group.", map[string]*schema.Schema{
			"name": {Type: schema.TypeString, Required: true},
			"ingress": {
				Type: schema.TypeSet, Optional: true,
				Elem: &schema.Resource{Schema: map[string]*schema.Schema{
					"protocol": {
						Type: schema.TypeString, Required: true,
						ValidateFunc: validation.StringInSlice([]string{"tcp", "udp", "icmp"}, false),
					},
					"from_port": {Type: schema.TypeInt, Required: true, ValidateFunc: validation.IsPortNumberOrZero},
					"to_port":   {Type: schema.TypeInt, Required: true, ValidateFunc: validation.IsPortNumberOrZero},
				}},
			},
		}),
		animal("required_blocks", "A node pool with two or more taints.", map[string]*schema.Schema{
			"taint": {
				Type: schema.TypeList, Required: true, MinItems: 2,
				Elem: &schema.Resource{Schema: map[string]*schema.Schema{
					"key": {Type: schema.TypeString, Required: true, ValidateFunc: validation.StringIsNotEmpty},
					"effect": {
						Type: schema.TypeString, Required: true,
						ValidateFunc: validation.StringInSlice([]string{"NO_SCHEDULE", "PREFER_NO_SCHEDULE", "NO_EXECUTE"}, false),
					},
				}},
			},
		}),
		optionalComputed(),
	}
}

// block is a block that may be left out.
func block(arguments map[string]*schema.Schema) *schema.Schema {
	return &schema.Schema{
		Type: schema.TypeList, Optional: true, MaxItems: 2,
		Elem: &schema.Resource{Schema: arguments},
	}
}

// sheet has validators at the end of long paths. SDKv2 hands their errors on in the order of a Go map and with steps of
// sibling arguments in their paths; the texts name the last step alone.
func sheet() map[string]*schema.Schema {
	required := func(kind schema.ValueType, valid schema.SchemaValidateFunc) *schema.Schema {
		return &schema.Schema{Type: kind, Required: true, ValidateDiagFunc: validation.ToDiagFunc(valid)}
	}
	oneOf := func(words ...string) *schema.Schema {
		return required(schema.TypeString, validation.StringInSlice(words, false))
	}
	format := func() *schema.Schema {
		return block(map[string]*schema.Schema{
			"prefix":     required(schema.TypeString, validation.StringLenBetween(3, 8)),
			"separator":  oneOf("COMMA", "DOT", "SPACE"),
			"visibility": oneOf("HIDDEN", "VISIBLE"),
			"decimals":   required(schema.TypeInt, validation.IntBetween(2, 20)),
		})
	}
	axis := func() *schema.Schema {
		return block(map[string]*schema.Schema{
			"label":      required(schema.TypeString, validation.StringLenBetween(12, 14)),
			"visibility": oneOf("AUTO", "NEVER"),
			"size":       required(schema.TypeInt, validation.IntDivisibleBy(12)),
			"format":     format(),
		})
	}
	return map[string]*schema.Schema{
		"title": required(schema.TypeString, validation.StringLenBetween(20, 40)),
		"visual": block(map[string]*schema.Schema{
			"kind":       oneOf("BAR", "LINE"),
			"visibility": oneOf("OFF", "ON"),
			"x_axis":     axis(),
			"y_axis":     axis(),
			"legend":     format(),
		}),
	}
}

func optionalComputed() objects.Kind {
	kind := animal("optional_computed", "A database whose size the system chooses if nobody does.", map[string]*schema.Schema{
		"engine": {
			Type: schema.TypeString, Required: true, ForceNew: true,
			ValidateFunc: validation.StringInSlice([]string{"mysql", "postgres"}, false),
		},
		"class": {
			Type: schema.TypeString, Optional: true, Computed: true,
			ValidateFunc: validation.StringMatch(regexp.MustCompile(`^db\.`), `must begin with "db."`),
		},
		"endpoint": {Type: schema.TypeString, Computed: true},
		"comment":  comment(),
	})
	kind.Computed["class"] = func(string, any) any { return "db.small" }
	kind.Computed["endpoint"] = objects.Generated
	return kind
}
