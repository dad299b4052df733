package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/framework/objects"
)

// collections has every collection that is neither a nested attribute nor a
// block.
type collections struct{ objects.Kind }

func newCollections() resource.Resource {
	return &collections{objects.Kind{
		Name: "fwfix_collections",
		Computed: map[string]objects.Compute{
			"id":    objects.TheID,
			"slots": func(objects.Applied) any { return []tftypes.Value{tftypes.NewValue(tftypes.String, "first")} },
		},
		Drift: filestore.Drift{
			Change: []filestore.Change{
				{Path: "words.0", WhenNull: `"changed"`},
				{Path: "points.0.label", WhenNull: `"changed"`},
				{Path: "corner.x", WhenNull: `7`},
				{Path: "name", WhenNull: `"changed"`},
			},
			Grow: []filestore.Grow{{Path: "tags", Element: `"added-%d"`}},
		},
	}}
}

func (*collections) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	point := types.ObjectType{AttrTypes: map[string]attr.Type{
		"x": types.NumberType, "y": types.NumberType, "label": types.StringType,
	}}
	resp.Schema = schema.Schema{
		Description: "Collections and objects as plain attributes.",
		Attributes: map[string]schema.Attribute{
			"id":      objects.IDAttribute(),
			"name":    schema.StringAttribute{Optional: true},
			"words":   schema.ListAttribute{Optional: true, ElementType: types.StringType},
			"tags":    schema.SetAttribute{Optional: true, ElementType: types.StringType},
			"flags":   schema.MapAttribute{Optional: true, ElementType: types.BoolType},
			"matrix":  schema.ListAttribute{Optional: true, ElementType: types.ListType{ElemType: types.NumberType}},
			"corner":  schema.ObjectAttribute{Optional: true, AttributeTypes: point.AttrTypes},
			"points":  schema.ListAttribute{Optional: true, ElementType: point},
			"members": schema.SetAttribute{Optional: true, ElementType: point},
			"places":  schema.MapAttribute{Optional: true, ElementType: point},
			"labels": schema.MapAttribute{
				Optional: true, Computed: true,
				ElementType: types.StringType,
				Default:     mapdefault.StaticValue(types.MapValueMust(types.StringType, map[string]attr.Value{})),
			},
			"slots": schema.ListAttribute{
				Optional: true, Computed: true,
				ElementType:   types.StringType,
				PlanModifiers: []planmodifier.List{listplanmodifier.UseStateForUnknown()},
			},
		},
	}
}
