package main

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// render joins strings. It needs no remote system.
type render struct{}

func newRender() datasource.DataSource { return render{} }

func (render) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = name + "_render"
}

func (render) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		Description: "Joins the parts.",
		Attributes: map[string]schema.Attribute{
			"separator": schema.StringAttribute{Optional: true, Computed: true, Description: "Default: a blank."},
			"parts": schema.ListNestedAttribute{
				Optional: true,
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"text":   schema.StringAttribute{Optional: true},
					"repeat": schema.Int64Attribute{Optional: true, Description: "Up to 100. Default: 1."},
				}},
			},
			"weights": schema.MapAttribute{Optional: true, ElementType: types.NumberType},
			"result":  schema.StringAttribute{Computed: true},
		},
		Blocks: map[string]schema.Block{
			"extra": schema.SetNestedBlock{
				NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{
					"key":   schema.StringAttribute{Optional: true},
					"value": schema.NumberAttribute{Optional: true},
				}},
			},
		},
	}
}

func (render) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var separator types.String
	var parts []struct {
		Text   types.String `tfsdk:"text"`
		Repeat types.Int64  `tfsdk:"repeat"`
	}
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("separator"), &separator)...)
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("parts"), &parts)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if separator.IsNull() {
		separator = types.StringValue(" ")
	}
	var texts []string
	for _, part := range parts {
		times := int64(1)
		if !part.Repeat.IsNull() {
			times = min(max(part.Repeat.ValueInt64(), 0), 100)
		}
		for range times {
			texts = append(texts, part.Text.ValueString())
		}
	}
	resp.State.Raw = req.Config.Raw
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("separator"), separator)...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("result"), strings.Join(texts, separator.ValueString()))...)
}
