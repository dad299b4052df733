package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/dynamicdefault"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/framework/objects"
)

// anything has attributes whose type the configuration decides.
type anything struct{ objects.Kind }

func newAnything() resource.Resource {
	return &anything{objects.Kind{
		Name: "fwfix_anything",
		Computed: map[string]objects.Compute{
			"id":   objects.TheID,
			"echo": func(a objects.Applied) any { return a.Plan["value"] },
		},
		Drift: filestore.Drift{
			Change: []filestore.Change{{Path: "value.value"}, {Path: "name", WhenNull: `"changed"`}},
			Respell: []filestore.Respell{
				{Path: "wrapped.number", As: filestore.Number},
			},
		},
	}}
}

func (*anything) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		Description: "Dynamic attributes.",
		Attributes: map[string]schema.Attribute{
			"id":    objects.IDAttribute(),
			"name":  schema.StringAttribute{Optional: true},
			"value": schema.DynamicAttribute{Optional: true},
			"fallback": schema.DynamicAttribute{
				Optional: true, Computed: true,
				Default: dynamicdefault.StaticValue(types.DynamicValue(types.StringValue("none"))),
			},
			"wrapped": schema.SingleNestedAttribute{
				Optional: true,
				Attributes: map[string]schema.Attribute{
					"inner":  schema.DynamicAttribute{Optional: true},
					"number": schema.NumberAttribute{Optional: true},
				},
			},
			"echo": schema.DynamicAttribute{Computed: true, Description: "The value, as applied last."},
		},
	}
}
