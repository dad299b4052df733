package main

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/objectvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/resourcevalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// relations are attributes' rules about which arguments go together.
func relations() []*animal {
	sibling := func(name string) path.Expression { return path.MatchRelative().AtParent().AtName(name) }
	return []*animal{
		newAnimal("conflicts_with", "A user with a name or with a prefix for one.", attributes{
			"name":        optionalText(stringvalidator.ConflictsWith(path.MatchRoot("name_prefix"))),
			"name_prefix": optionalText(stringvalidator.ConflictsWith(path.MatchRoot("name"))),
			"comment":     comment(),
		}),
		newAnimal("exactly_one_of", "An image from one source, said by one attribute only.", attributes{
			"snapshot_id": optionalText(stringvalidator.ExactlyOneOf(path.MatchRoot("volume_id"), path.MatchRoot("source_uri"))),
			"volume_id":   optionalText(),
			"source_uri":  optionalText(),
			"comment":     comment(),
		}),
		newAnimal("at_least_one_of", "An alarm that tells somebody.", attributes{
			"emails": schema.ListAttribute{
				Optional: true, ElementType: types.StringType,
				Validators: []validator.List{listvalidator.AtLeastOneOf(path.MatchRoot("webhook"), path.MatchRoot("pager"))},
			},
			"webhook": optionalText(),
			"pager":   optionalNumber(),
			"comment": comment(),
		}),
		newAnimal("also_requires", "A proxy with credentials.", attributes{
			"address":  text(),
			"username": optionalText(stringvalidator.AlsoRequires(path.MatchRoot("password"))),
			"password": schema.StringAttribute{
				Optional: true, Sensitive: true,
				Validators: []validator.String{stringvalidator.AlsoRequires(path.MatchRoot("username"))},
			},
			"realm": optionalText(stringvalidator.AlsoRequires(path.MatchRoot("username"), path.MatchRoot("password"))),
		}),
		newAnimal("relations_relative", "Routes, each to one target.", attributes{
			"routes": schema.ListNestedAttribute{
				Required:   true,
				Validators: []validator.List{listvalidator.SizeBetween(1, 3)},
				NestedObject: schema.NestedAttributeObject{Attributes: attributes{
					"prefix":   text(),
					"gateway":  optionalText(stringvalidator.ExactlyOneOf(sibling("instance"), sibling("discard"))),
					"instance": optionalText(stringvalidator.AlsoRequires(sibling("port"))),
					"port":     optionalNumber(int64validator.ConflictsWith(sibling("gateway"))),
					"discard":  schema.BoolAttribute{Optional: true},
				}},
			},
		}),
		newAnimal("object_relations", "A login: one of two objects.", attributes{
			"basic": schema.SingleNestedAttribute{
				Optional:   true,
				Validators: []validator.Object{objectvalidator.ExactlyOneOf(path.MatchRoot("basic"), path.MatchRoot("token"))},
				Attributes: attributes{
					"user":     text(stringvalidator.LengthAtLeast(1)),
					"password": schema.StringAttribute{Required: true, Sensitive: true},
				},
			},
			"token": schema.SingleNestedAttribute{
				Optional:   true,
				Validators: []validator.Object{objectvalidator.ConflictsWith(path.MatchRoot("basic"))},
				Attributes: attributes{
					"value":   schema.StringAttribute{Required: true, Sensitive: true},
					"refresh": schema.BoolAttribute{Optional: true},
				},
			},
		}),
	}
}

// rules are the same for the whole resource.
func rules() []*animal {
	return []*animal{
		newAnimal("rules_conflicting", "A disk that is empty or from an image.", attributes{
			"image": optionalText(), "size": optionalNumber(), "comment": comment(),
		}).withValidators(resourcevalidator.Conflicting(path.MatchRoot("image"), path.MatchRoot("size"))),
		newAnimal("rules_exactly_one_of", "An address: given, or from a pool.", attributes{
			"address": optionalText(), "pool": optionalText(), "dynamic": schema.BoolAttribute{Optional: true},
		}).withValidators(resourcevalidator.ExactlyOneOf(path.MatchRoot("address"), path.MatchRoot("pool"), path.MatchRoot("dynamic"))),
		newAnimal("rules_at_least_one_of", "A filter with a condition.", attributes{
			"prefix": optionalText(), "suffix": optionalText(), "larger_than": optionalNumber(),
		}).withValidators(resourcevalidator.AtLeastOneOf(path.MatchRoot("prefix"), path.MatchRoot("suffix"), path.MatchRoot("larger_than"))),
		newAnimal("rules_required_together", "A certificate and its key.", attributes{
			"certificate": optionalText(), "key": optionalText(), "comment": comment(),
		}).withValidators(resourcevalidator.RequiredTogether(path.MatchRoot("certificate"), path.MatchRoot("key"))),
		newAnimal("rules_several", "A database: from a backup, or new with an administrator.", attributes{
			"backup_id": optionalText(), "admin": optionalText(), "password": optionalText(), "size": optionalNumber(),
		}).withValidators(
			resourcevalidator.ExactlyOneOf(path.MatchRoot("backup_id"), path.MatchRoot("admin")),
			resourcevalidator.RequiredTogether(path.MatchRoot("admin"), path.MatchRoot("password")),
			resourcevalidator.Conflicting(path.MatchRoot("backup_id"), path.MatchRoot("size")),
		),
		newAnimal("rules_any", "A record: an address, or a name with a weight.", attributes{
			"address": optionalText(), "target": optionalText(), "weight": optionalNumber(),
		}).withValidators(resourcevalidator.Any(
			resourcevalidator.ExactlyOneOf(path.MatchRoot("address"), path.MatchRoot("target")),
			resourcevalidator.RequiredTogether(path.MatchRoot("target"), path.MatchRoot("weight")),
		)),
	}
}
