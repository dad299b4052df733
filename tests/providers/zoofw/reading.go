package main

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"tfconform.example/providers/filestore"
)

// vpcData reads a network that exists.
type vpcData struct{ store *filestore.Store }

func (*vpcData) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = name + "_vpc"
}

func (*vpcData) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		Description: "A network that exists.",
		Attributes: map[string]schema.Attribute{
			"id":      schema.StringAttribute{Required: true},
			"comment": schema.StringAttribute{Computed: true},
		},
	}
}

func (v *vpcData) Configure(_ context.Context, req datasource.ConfigureRequest, _ *datasource.ConfigureResponse) {
	if store, ok := req.ProviderData.(filestore.Store); ok {
		v.store = &store
	}
}

func (v *vpcData) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var id types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("id"), &id)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if v.store == nil {
		resp.Diagnostics.AddError("The folder of the objects is not known", "The provider's argument \"root\" is unknown.")
		return
	}
	found, err := v.store.Load(name+"_vpc", id.ValueString())
	if err != nil {
		resp.Diagnostics.AddError("No matching VPC found", fmt.Sprintf("The vpc %s was not found.", id.ValueString()))
		return
	}
	comment := types.StringNull()
	if text, ok := found["comment"].(string); ok {
		comment = types.StringValue(text)
	}
	resp.State.Raw = req.Config.Raw
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("comment"), comment)...)
}
