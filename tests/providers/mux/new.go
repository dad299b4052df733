package main

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	providerschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"tfconform.example/providers/filestore"
)

const newType = "muxfix_new"

type newProvider struct{}

func (newProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = name
}

// Schema must be exactly that of the other provider.
func (newProvider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = providerschema.Schema{Attributes: map[string]providerschema.Attribute{
		"root": providerschema.StringAttribute{Optional: true, Description: rootDescription},
	}}
}

func (newProvider) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
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
}

func (newProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return &moved{} }}
}

func (newProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }

// moved is the type that has been rewritten.
type moved struct{ store *filestore.Store }

type movedModel struct {
	ID   types.String `tfsdk:"id"`
	Name types.String `tfsdk:"name"`
	Size types.Number `tfsdk:"size"`
}

func (*moved) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = newType
}

func (*moved) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		Description: "On the new framework.",
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				Computed:      true,
				PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"name": schema.StringAttribute{Required: true},
			"size": schema.NumberAttribute{Optional: true},
		},
	}
}

func (m *moved) Configure(_ context.Context, req resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	if store, ok := req.ProviderData.(filestore.Store); ok {
		m.store = &store
	}
}

func (m *moved) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var model movedModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &model)...)
	model.ID = types.StringValue(filestore.NewID())
	if m.save(model, &resp.Diagnostics) {
		resp.Diagnostics.Append(resp.State.Set(ctx, model)...)
	}
}

func (m *moved) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var model movedModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &model)...)
	if m.store != nil {
		if _, err := m.store.Load(newType, model.ID.ValueString()); err != nil {
			resp.Diagnostics.AddError("Failed to update the object", err.Error())
		}
	}
	if m.save(model, &resp.Diagnostics) {
		resp.Diagnostics.Append(resp.State.Set(ctx, model)...)
	}
}

// save returns whether the object was written.
func (m *moved) save(model movedModel, diags *diag.Diagnostics) bool {
	if m.store == nil {
		diags.AddError("The folder of the objects is not known", "The provider's argument \"root\" is unknown.")
	}
	if diags.HasError() {
		return false
	}
	object := filestore.Object{"name": model.Name.ValueString(), "size": nil}
	if size := model.Size.ValueBigFloat(); size != nil {
		object["size"] = json.Number(new(big.Float).SetPrec(512).Set(size).Text('g', -1))
	}
	if err := m.store.Save(newType, model.ID.ValueString(), object); err != nil {
		diags.AddError("Failed to write the object", err.Error())
		return false
	}
	return true
}

func (m *moved) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var model movedModel
	resp.Diagnostics.Append(req.State.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() || m.store == nil {
		return // Without a root, nothing is known about the object.
	}
	object, err := m.store.Load(newType, model.ID.ValueString())
	if errors.Is(err, filestore.ErrGone) {
		resp.State.RemoveResource(ctx)
		return
	}
	if err != nil {
		resp.Diagnostics.AddError("Failed to read the object", err.Error())
		return
	}
	text, _ := object["name"].(string)
	model.Name, model.Size = types.StringValue(text), types.NumberNull()
	if number, ok := object["size"].(json.Number); ok {
		size, _, err := big.ParseFloat(number.String(), 10, 512, big.ToNearestEven)
		if err != nil {
			resp.Diagnostics.AddError("Failed to read the object", err.Error())
			return
		}
		model.Size = types.NumberValue(size)
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, model)...)
}

func (m *moved) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var model movedModel
	resp.Diagnostics.Append(req.State.Get(ctx, &model)...)
	if m.store == nil {
		resp.Diagnostics.AddError("The folder of the objects is not known", "The provider's argument \"root\" is unknown.")
	}
	if resp.Diagnostics.HasError() {
		return
	}
	if err := m.store.Delete(newType, model.ID.ValueString()); err != nil {
		resp.Diagnostics.AddError("Failed to delete the object", err.Error())
	}
}

func (m *moved) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	resource.ImportStatePassthroughID(ctx, path.Root("id"), req, resp)
}
