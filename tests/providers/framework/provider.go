package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"tfconform.example/providers/filestore"
)

const name = "fwfix"

type fixture struct{}

func newProvider() provider.Provider { return fixture{} }

func (fixture) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = name
	resp.Version = "1.0.0"
}

func (fixture) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{
		Description: "Objects that are files.",
		Attributes: map[string]schema.Attribute{
			"root": schema.StringAttribute{
				Optional:    true,
				Description: "Folder of the objects. Default: FWFIX_ROOT, else ~/.fwfix.",
			},
		},
	}
}

// Configure leaves the store out if the root is not known yet: planning does
// not need it.
func (fixture) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	var root types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("root"), &root)...)
	if resp.Diagnostics.HasError() || root.IsUnknown() {
		return
	}
	store, err := filestore.Locate(name, root.ValueString())
	if err != nil {
		resp.Diagnostics.AddError("No folder for the objects", err.Error())
		return
	}
	resp.ResourceData = store
	resp.DataSourceData = store
}

func (fixture) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{
		newNote, newNumbers, newCollections, newPolicy, newServer, newDocument, newSecret, newAnything,
	}
}

func (fixture) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{newLookup, newRender}
}

// drifts is what `remote-change` may do, by resource type.
func drifts() map[string]filestore.Drift {
	all := map[string]filestore.Drift{}
	for _, create := range (fixture{}).Resources(context.Background()) {
		described := create().(interface {
			describe() (string, filestore.Drift)
		})
		kind, drift := described.describe()
		all[kind] = drift
	}
	return all
}
