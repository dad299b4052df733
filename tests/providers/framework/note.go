package main

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/framework/objects"
)

// note is the plain type: what most resources are made of.
type note struct{ objects.Kind }

func newNote() resource.Resource {
	return &note{objects.Kind{
		Name: "fwfix_note",
		Computed: map[string]objects.Compute{
			"id":       objects.TheID,
			"revision": objects.Counted,
			"created":  func(objects.Applied) any { return time.Now().UTC().Format(time.RFC3339Nano) },
		},
		Drift: filestore.Drift{Change: []filestore.Change{{Path: "title"}}},
	}}
}

func (*note) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		Description: "A note: defaults, and attributes that only the remote system sets.",
		Attributes: map[string]schema.Attribute{
			"id":    objects.IDAttribute(),
			"title": schema.StringAttribute{Required: true},
			"body":  schema.StringAttribute{Optional: true},
			"color": schema.StringAttribute{
				Optional: true, Computed: true,
				Default: stringdefault.StaticString("yellow"),
			},
			"pinned": schema.BoolAttribute{
				Optional: true, Computed: true,
				Default: booldefault.StaticBool(false),
			},
			"created": schema.StringAttribute{
				Computed:      true,
				PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"revision": schema.Int64Attribute{
				Computed:    true,
				Description: "Grows by one with every apply, so every update leaves it unknown.",
			},
		},
	}
}
