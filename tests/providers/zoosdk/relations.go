package main

import (
	"github.com/hashicorp/go-cty/cty"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/validation"
	"tfconform.example/providers/sdkv2/objects"
)

// relations are the rules about which arguments go together.
func relations() []objects.Kind {
	text := &schema.Schema{Type: schema.TypeString}
	return []objects.Kind{
		animal("conflicts_with", "A user with a name or with a prefix for one.", map[string]*schema.Schema{
			"name":        {Type: schema.TypeString, Optional: true, ConflictsWith: []string{"name_prefix"}},
			"name_prefix": {Type: schema.TypeString, Optional: true, ConflictsWith: []string{"name"}},
			"comment":     comment(),
		}),
		animal("conflicts_with_many", "A rule with one kind of source at most, said on one side only.", map[string]*schema.Schema{
			"source_cidrs": {
				Type: schema.TypeList, Optional: true,
				Elem:          &schema.Schema{Type: schema.TypeString, ValidateFunc: validation.IsCIDR},
				ConflictsWith: []string{"source_group", "self"},
			},
			"source_group": {Type: schema.TypeString, Optional: true, ConflictsWith: []string{"self"}},
			"self":         {Type: schema.TypeBool, Optional: true},
			"comment":      comment(),
		}),
		animal("exactly_one_of", "An image from one source.", map[string]*schema.Schema{
			"snapshot_id": {Type: schema.TypeString, Optional: true, ExactlyOneOf: []string{"snapshot_id", "volume_id", "source_uri"}},
			"volume_id":   {Type: schema.TypeString, Optional: true, ExactlyOneOf: []string{"snapshot_id", "volume_id", "source_uri"}},
			"source_uri":  {Type: schema.TypeString, Optional: true, ExactlyOneOf: []string{"snapshot_id", "volume_id", "source_uri"}},
			"comment":     comment(),
		}),
		animal("at_least_one_of", "An alarm that tells somebody.", map[string]*schema.Schema{
			"emails":  {Type: schema.TypeList, Optional: true, Elem: text, AtLeastOneOf: []string{"emails", "webhook", "pager"}},
			"webhook": {Type: schema.TypeString, Optional: true, AtLeastOneOf: []string{"emails", "webhook", "pager"}},
			"pager":   {Type: schema.TypeInt, Optional: true, AtLeastOneOf: []string{"emails", "webhook", "pager"}},
			"comment": comment(),
		}),
		animal("required_with", "A proxy with credentials.", map[string]*schema.Schema{
			"address":  {Type: schema.TypeString, Required: true},
			"username": {Type: schema.TypeString, Optional: true, RequiredWith: []string{"password"}},
			"password": {Type: schema.TypeString, Optional: true, Sensitive: true, RequiredWith: []string{"username"}},
			"realm":    {Type: schema.TypeString, Optional: true, RequiredWith: []string{"username", "password"}},
		}),
		animal("required_with_exactly_one", "A certificate: imported or issued, never both.", map[string]*schema.Schema{
			"domain": {
				Type: schema.TypeString, Optional: true,
				ExactlyOneOf: []string{"domain", "body"}, ConflictsWith: []string{"chain"},
			},
			"body": {
				Type: schema.TypeString, Optional: true,
				ExactlyOneOf: []string{"domain", "body"}, RequiredWith: []string{"key"},
			},
			"key":     {Type: schema.TypeString, Optional: true, Sensitive: true, RequiredWith: []string{"body"}},
			"chain":   {Type: schema.TypeString, Optional: true, RequiredWith: []string{"body"}},
			"comment": comment(),
		}),
		animal("relation_in_block", "A disk that is empty or from an image.", map[string]*schema.Schema{
			"name": {Type: schema.TypeString, Required: true},
			"source": {
				Type: schema.TypeList, Required: true, MaxItems: 1,
				Elem: &schema.Resource{Schema: map[string]*schema.Schema{
					"image": {Type: schema.TypeString, Optional: true, ExactlyOneOf: []string{"source.0.image", "source.0.size"}},
					"size": {
						Type: schema.TypeInt, Optional: true,
						ExactlyOneOf: []string{"source.0.image", "source.0.size"},
						ValidateFunc: validation.IntAtLeast(1),
					},
				}},
			},
		}),
		animal("relation_of_blocks", "A schedule: one of two blocks.", map[string]*schema.Schema{
			"daily": {
				Type: schema.TypeList, Optional: true, MaxItems: 1, ExactlyOneOf: []string{"daily", "weekly"},
				Elem: &schema.Resource{Schema: map[string]*schema.Schema{
					"hour": {Type: schema.TypeInt, Required: true, ValidateFunc: validation.IntBetween(0, 23)},
				}},
			},
			"weekly": {
				Type: schema.TypeList, Optional: true, MaxItems: 1, ExactlyOneOf: []string{"daily", "weekly"},
				Elem: &schema.Resource{Schema: map[string]*schema.Schema{
					"day":  {Type: schema.TypeString, Required: true, ValidateFunc: validation.IsDayOfTheWeek(true)},
					"hour": {Type: schema.TypeInt, Optional: true, Default: 3, ValidateFunc: validation.IntBetween(0, 23)},
				}},
			},
		}),
		deprecated(),
		writeOnly(),
	}
}

func deprecated() objects.Kind {
	return animal("deprecated", "An argument that was renamed.", map[string]*schema.Schema{
		"subnet": {
			Type: schema.TypeString, Optional: true,
			Deprecated:   "Use `subnet_id` instead.",
			ExactlyOneOf: []string{"subnet", "subnet_id"},
		},
		"subnet_id": {Type: schema.TypeString, Optional: true, ExactlyOneOf: []string{"subnet", "subnet_id"}},
	})
}

func writeOnly() objects.Kind {
	kind := animal("required_with_write_only", "A login whose password may stay out of the state.", map[string]*schema.Schema{
		"user": {Type: schema.TypeString, Required: true},
		"password": {
			Type: schema.TypeString, Optional: true, Sensitive: true,
			ExactlyOneOf: []string{"password", "password_wo"},
		},
		"password_wo": {
			Type: schema.TypeString, Optional: true, WriteOnly: true,
			ExactlyOneOf: []string{"password", "password_wo"},
			RequiredWith: []string{"password_wo_version"},
		},
		"password_wo_version": {Type: schema.TypeInt, Optional: true, RequiredWith: []string{"password_wo"}},
	})
	kind.Resource.ValidateRawResourceConfigFuncs = []schema.ValidateRawResourceConfigFunc{
		validation.PreferWriteOnlyAttribute(cty.GetAttrPath("password"), cty.GetAttrPath("password_wo")),
	}
	return kind
}
