package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/framework/objects"
)

// server has blocks in every mode, and plan modifiers that require
// replacement.
type server struct{ objects.Kind }

func newServer() resource.Resource {
	return &server{objects.Kind{
		Name: "fwfix_server",
		Computed: map[string]objects.Compute{
			"id":              objects.TheID,
			"host":            objects.Generated,
			"image":           func(objects.Applied) any { return "standard" },
			"network.address": objects.Generated,
			"disk.serial":     objects.Generated,
			"rule.handle":     objects.Generated,
		},
		Local: []string{"timeouts"},
		Drift: filestore.Drift{
			Change: []filestore.Change{
				{Path: "disk.0.partition.0.bytes", WhenNull: `7`},
				{Path: "disk.0.size", WhenNull: `7`},
				{Path: "network.subnet", WhenNull: `"changed"`},
				{Path: "comment", WhenNull: `"changed"`},
			},
			Grow: []filestore.Grow{{
				Path:    "rule",
				Element: `{"name": "added-%d", "note": null, "handle": "outside"}`,
			}},
			Respell: []filestore.Respell{
				{Path: "memory", As: filestore.Number},
				{Path: "disk.0.size", As: filestore.Number},
			},
		},
	}}
}

func (*server) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		Description: "Nested blocks, replacement and timeouts.",
		Attributes: map[string]schema.Attribute{
			"id":      objects.IDAttribute(),
			"comment": schema.StringAttribute{Optional: true},
			"zone": schema.StringAttribute{
				Optional:      true,
				Description:   "Always replaces.",
				PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"image": schema.StringAttribute{
				Optional: true, Computed: true,
				Description: "Replaces if configured; kept when the argument goes away.",
				PlanModifiers: []planmodifier.String{
					stringplanmodifier.UseStateForUnknown(),
					stringplanmodifier.RequiresReplaceIfConfigured(),
				},
			},
			"memory": schema.Int64Attribute{
				Optional:    true,
				Description: "Grows in place; replaces where it shrinks.",
				PlanModifiers: []planmodifier.Int64{int64planmodifier.RequiresReplaceIf(
					memoryShrinks, "replaces where it shrinks", "replaces where it shrinks",
				)},
			},
			"host": schema.StringAttribute{
				Computed:      true,
				PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"timeouts": timeouts.Attributes(ctx, timeouts.Opts{Create: true, Update: true}),
		},
		Blocks: map[string]schema.Block{
			"network": schema.SingleNestedBlock{
				Attributes: map[string]schema.Attribute{
					"subnet": schema.StringAttribute{Optional: true},
					"public": schema.BoolAttribute{
						Optional: true, Computed: true,
						Default: booldefault.StaticBool(true),
					},
					"address": schema.StringAttribute{Computed: true},
				},
			},
			"disk": schema.ListNestedBlock{
				NestedObject: schema.NestedBlockObject{
					Attributes: map[string]schema.Attribute{
						"name":   schema.StringAttribute{Required: true},
						"size":   schema.Int64Attribute{Optional: true},
						"serial": schema.StringAttribute{Computed: true},
					},
					Blocks: map[string]schema.Block{
						"partition": schema.ListNestedBlock{
							NestedObject: schema.NestedBlockObject{
								Attributes: map[string]schema.Attribute{
									"label": schema.StringAttribute{Optional: true},
									"bytes": schema.NumberAttribute{Optional: true},
								},
							},
						},
					},
				},
			},
			"rule": schema.SetNestedBlock{
				NestedObject: schema.NestedBlockObject{
					Attributes: map[string]schema.Attribute{
						"name":   schema.StringAttribute{Required: true},
						"note":   schema.StringAttribute{Optional: true},
						"handle": schema.StringAttribute{Optional: true, Computed: true},
					},
				},
			},
		},
	}
}

// memoryShrinks takes an unknown amount for a smaller one: an update that turns
// out to be a replacement would be an error, but not the other way round.
func memoryShrinks(_ context.Context, req planmodifier.Int64Request, resp *int64planmodifier.RequiresReplaceIfFuncResponse) {
	if req.StateValue.IsNull() {
		return
	}
	resp.RequiresReplace = req.PlanValue.IsUnknown() || req.PlanValue.ValueInt64() < req.StateValue.ValueInt64()
}
