package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

type labProvider struct{}

func newProvider() provider.Provider { return labProvider{} }

func (labProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "lab"
	resp.Version = "1.0.0"
}

func (labProvider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{
		Attributes: map[string]schema.Attribute{
			"endpoint": schema.StringAttribute{Required: true, Description: "URL of the API."},
		},
	}
}

// Configure leaves the client out while the endpoint is unknown: planning does not need it.
func (labProvider) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	var endpoint types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("endpoint"), &endpoint)...)
	if !endpoint.IsUnknown() && !resp.Diagnostics.HasError() {
		resp.ResourceData = &client{endpoint: endpoint.ValueString()}
	}
}

func (labProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{newMachine}
}

func (labProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }
