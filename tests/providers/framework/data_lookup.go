package main

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"tfconform.example/providers/filestore"
)

// lookup reads the file of any object.
type lookup struct{ store *filestore.Store }

func newLookup() datasource.DataSource { return &lookup{} }

func (*lookup) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = name + "_lookup"
}

func (*lookup) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		Description: "Whether an object exists, and its text.",
		Attributes: map[string]schema.Attribute{
			"type":  schema.StringAttribute{Required: true},
			"id":    schema.StringAttribute{Required: true},
			"found": schema.BoolAttribute{Computed: true},
			"text":  schema.StringAttribute{Computed: true, Sensitive: true},
		},
	}
}

func (l *lookup) Configure(_ context.Context, req datasource.ConfigureRequest, _ *datasource.ConfigureResponse) {
	if store, ok := req.ProviderData.(filestore.Store); ok {
		l.store = &store
	}
}

func (l *lookup) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	if l.store == nil {
		resp.Diagnostics.AddError("The folder of the objects is not known", "The provider's argument \"root\" is unknown.")
		return
	}
	var kind, id types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("type"), &kind)...)
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("id"), &id)...)
	if resp.Diagnostics.HasError() {
		return
	}
	text := types.StringNull()
	object, err := l.store.Load(kind.ValueString(), id.ValueString())
	switch {
	case err == nil:
		encoded, _ := filestore.Encode(object)
		text = types.StringValue(string(encoded))
	case !errors.Is(err, filestore.ErrGone):
		resp.Diagnostics.AddError("Failed to read the object", err.Error())
		return
	}
	resp.State.Raw = req.Config.Raw
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("found"), err == nil)...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("text"), text)...)
}
