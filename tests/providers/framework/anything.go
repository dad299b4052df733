package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/dynamicdefault"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"tfconform.example/providers/filestore"
)

// anything has attributes whose type the configuration decides.
type anything struct{ kind }

func newAnything() resource.Resource {
	return &anything{kind{
		name: "fwfix_anything",
		computed: map[string]compute{
			"id":   theID,
			"echo": func(a applied) any { return a.plan["value"] },
		},
		drift: filestore.Drift{
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
			"id":    idAttribute(),
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
