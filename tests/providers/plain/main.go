// Command terraform-provider-plain has as little of its own as a provider can: what is wrong with it is its SDK's.
package main

import (
	"context"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func main() {
	options := providerserver.ServeOpts{Address: "registry.terraform.io/tfconform/plain"}
	if err := providerserver.Serve(context.Background(), func() provider.Provider { return plain{} }, options); err != nil {
		log.Fatal(err)
	}
}

type plain struct{}

func (plain) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "plain"
}

func (plain) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}

func (plain) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {}

func (plain) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (plain) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return ratio{} }}
}

// ratio keeps a Go float64 in the state, as most providers do.
type ratio struct{}

type model struct {
	Value types.Float64 `tfsdk:"value"`
}

func (ratio) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = "plain_ratio"
}

func (ratio) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"value": schema.Float64Attribute{Optional: true},
	}}
}

func (ratio) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	keep(ctx, req.Plan, &resp.State, &resp.Diagnostics)
}

func (ratio) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

func (ratio) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	keep(ctx, req.Plan, &resp.State, &resp.Diagnostics)
}

func (ratio) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

// keep stores what is planned, by way of a Go float64.
func keep(ctx context.Context, plan tfsdk.Plan, state *tfsdk.State, diagnostics *diag.Diagnostics) {
	var object model
	diagnostics.Append(plan.Get(ctx, &object)...)
	object.Value = types.Float64PointerValue(object.Value.ValueFloat64Pointer())
	diagnostics.Append(state.Set(ctx, object)...)
}
