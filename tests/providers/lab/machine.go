package main

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

type machineResource struct{ client *client }

func newMachine() resource.Resource { return &machineResource{} }

type machineModel struct {
	ID      types.String `tfsdk:"id"`
	Name    types.String `tfsdk:"name"`
	Size    types.String `tfsdk:"size"`
	Tags    types.List   `tfsdk:"tags"`
	Address types.String `tfsdk:"address"`
}

func (*machineResource) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = "lab_machine"
}

func (*machineResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	stays := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	resp.Schema = schema.Schema{
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{Computed: true, PlanModifiers: stays},
			"name": schema.StringAttribute{
				Required:      true,
				Validators:    []validator.String{stringvalidator.LengthBetween(1, 63)},
				PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"size": schema.StringAttribute{
				Optional: true, Computed: true,
				Default:    stringdefault.StaticString("small"),
				Validators: []validator.String{stringvalidator.OneOf("small", "medium", "large")},
			},
			"tags": schema.ListAttribute{
				Optional:    true,
				ElementType: types.StringType,
				Validators:  []validator.List{listvalidator.NoNullValues()},
			},
			"address": schema.StringAttribute{Computed: true, PlanModifiers: stays},
		},
	}
}

func (r *machineResource) Configure(_ context.Context, req resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	r.client, _ = req.ProviderData.(*client)
}

func (r *machineResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan machineModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	machine := plan.remote(ctx, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if err := r.client.create(ctx, &machine); err != nil {
		resp.Diagnostics.AddError("The machine was not created", err.Error())
		return
	}
	plan.fill(ctx, machine, &resp.Diagnostics)
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
}

func (r *machineResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state machineModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	machine := remoteMachine{ID: state.ID.ValueString()}
	err := r.client.read(ctx, &machine)
	if errors.Is(err, errGone) {
		resp.State.RemoveResource(ctx)
		return
	}
	if err != nil {
		resp.Diagnostics.AddError("The machine was not read", err.Error())
		return
	}
	state.fill(ctx, machine, &resp.Diagnostics)
	resp.Diagnostics.Append(resp.State.Set(ctx, &state)...)
}

func (r *machineResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan machineModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	machine := plan.remote(ctx, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if err := r.client.update(ctx, &machine); err != nil {
		resp.Diagnostics.AddError("The machine was not changed", err.Error())
		return
	}
	plan.fill(ctx, machine, &resp.Diagnostics)
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
}

func (r *machineResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state machineModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	if resp.Diagnostics.HasError() {
		return
	}
	machine := remoteMachine{ID: state.ID.ValueString()}
	if err := r.client.delete(ctx, &machine); err != nil && !errors.Is(err, errGone) {
		resp.Diagnostics.AddError("The machine was not deleted", err.Error())
	}
}

func (m *machineModel) remote(ctx context.Context, diagnostics *diag.Diagnostics) remoteMachine {
	machine := remoteMachine{ID: m.ID.ValueString(), Name: m.Name.ValueString(), Size: m.Size.ValueString()}
	diagnostics.Append(m.Tags.ElementsAs(ctx, &machine.Tags, false)...)
	return machine
}

func (m *machineModel) fill(ctx context.Context, machine remoteMachine, diagnostics *diag.Diagnostics) {
	m.ID = types.StringValue(machine.ID)
	m.Name = types.StringValue(machine.Name)
	m.Size = sizeOf(machine, m.Size)
	m.Address = types.StringValue(machine.Address)
	if len(machine.Tags) == 0 {
		m.Tags = noTags(m.Tags)
		return
	}
	tags, problems := types.ListValueFrom(ctx, types.StringType, machine.Tags)
	diagnostics.Append(problems...)
	m.Tags = tags
}
