package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/framework/objects"
)

// policy has nested attributes in every mode, some inside others.
type policy struct {
	objects.Kind
	objects.Identified
}

func newPolicy() resource.Resource {
	return &policy{Kind: objects.Kind{
		Name: "fwfix_policy",
		Computed: map[string]objects.Compute{
			"id":            objects.TheID,
			"grants.handle": objects.Generated,
			"status":        policyStatus,
		},
		Drift: filestore.Drift{
			Change: []filestore.Change{
				{Path: "statements.0.effect"},
				{Path: "owner.contact.email", WhenNull: `"changed"`},
				{Path: "owner.name", WhenNull: `"changed"`},
			},
			Grow: []filestore.Grow{{
				Path:    "grants",
				Element: `{"who": "added-%d", "note": null, "handle": "outside"}`,
			}},
		},
	}}
}

func (*policy) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	settings := map[string]attr.Type{"theme": types.StringType, "depth": types.Int64Type}
	resp.Schema = schema.Schema{
		Description: "Nested attributes.",
		Attributes: map[string]schema.Attribute{
			"id": objects.IDAttribute(),
			"owner": schema.SingleNestedAttribute{
				Required: true,
				Attributes: map[string]schema.Attribute{
					"name": schema.StringAttribute{Optional: true},
					"contact": schema.SingleNestedAttribute{
						Optional: true,
						Attributes: map[string]schema.Attribute{
							"email": schema.StringAttribute{Optional: true},
							"phone": schema.StringAttribute{Optional: true},
						},
					},
				},
			},
			"statements": schema.ListNestedAttribute{
				Optional: true,
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"effect": schema.StringAttribute{
						Optional: true, Computed: true,
						Default: stringdefault.StaticString("allow"),
					},
					"actions": schema.SetAttribute{Optional: true, ElementType: types.StringType},
					"conditions": schema.MapNestedAttribute{
						Optional: true,
						NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
							"operator": schema.StringAttribute{Required: true},
							"values":   schema.ListAttribute{Optional: true, ElementType: types.StringType},
						}},
					},
				}},
			},
			"grants": schema.SetNestedAttribute{
				Optional: true,
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"who":  schema.StringAttribute{Required: true},
					"note": schema.StringAttribute{Optional: true},
					// No default and no plan modifier: in a set, the framework
					// cannot tell which element they would belong to.
					"handle": schema.StringAttribute{Optional: true, Computed: true},
				}},
			},
			"limits": schema.MapNestedAttribute{
				Optional: true,
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"most": schema.Int64Attribute{Required: true},
					"burst": schema.Int64Attribute{
						Optional: true, Computed: true,
						Default: int64default.StaticInt64(1),
					},
				}},
			},
			"settings": schema.SingleNestedAttribute{
				Optional: true, Computed: true,
				Default: objectdefault.StaticValue(types.ObjectValueMust(settings, map[string]attr.Value{
					"theme": types.StringValue("plain"), "depth": types.Int64Value(1),
				})),
				Attributes: map[string]schema.Attribute{
					"theme": schema.StringAttribute{
						Optional: true, Computed: true,
						Default: stringdefault.StaticString("plain"),
					},
					"depth": schema.Int64Attribute{
						Optional: true, Computed: true,
						Default: int64default.StaticInt64(1),
					},
				},
			},
			"status": schema.SingleNestedAttribute{
				Computed: true,
				Attributes: map[string]schema.Attribute{
					"phase": schema.StringAttribute{Computed: true},
					"checks": schema.ListNestedAttribute{
						Computed: true,
						NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
							"name":   schema.StringAttribute{Computed: true},
							"passed": schema.BoolAttribute{Computed: true},
						}},
					},
				},
			},
		},
	}
}

// policyStatus has as many checks as the policy has statements.
func policyStatus(a objects.Applied) any {
	check := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"name": tftypes.String, "passed": tftypes.Bool}}
	list := tftypes.List{ElementType: check}
	var statements []tftypes.Value
	if value := a.Plan["statements"]; !value.IsNull() {
		_ = value.As(&statements)
	}
	checks := []tftypes.Value{}
	for range statements {
		checks = append(checks, tftypes.NewValue(check, map[string]tftypes.Value{
			"name":   tftypes.NewValue(tftypes.String, "syntax"),
			"passed": tftypes.NewValue(tftypes.Bool, true),
		}))
	}
	return map[string]tftypes.Value{
		"phase":  tftypes.NewValue(tftypes.String, "active"),
		"checks": tftypes.NewValue(list, checks),
	}
}
