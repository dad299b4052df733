package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"tfconform.example/providers/framework/objects"
)

// resourceType does what a Kind does, unless a fault says otherwise.
type resourceType struct {
	objects.Kind
	schema schema.Schema
	plan   planFunc
	fault  fault
}

func (r *resourceType) commit(planted fault) {
	r.fault = planted
	r.Client = planted.Client
	if planted.schema != nil {
		planted.schema(r.schema)
	}
}

func (r *resourceType) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = r.schema
}

func (r *resourceType) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	if r.fault.validate != nil {
		r.fault.validate(ctx, req, resp)
	}
}

func (r *resourceType) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if r.fault.plan != nil {
		r.fault.plan(ctx, req, resp)
	} else if r.plan != nil && !req.Plan.Raw.IsNull() {
		r.plan(ctx, req, resp)
	}
}

func (r *resourceType) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	if r.fault.apply != nil {
		r.fault.apply(ctx, req.Plan)
	}
	if r.fault.create != nil {
		r.fault.create(ctx, r, req, resp)
		return
	}
	r.Kind.Create(ctx, req, resp)
	if r.fault.answered != nil && !resp.Diagnostics.HasError() {
		r.fault.answered(ctx, &resp.State)
	}
}

func (r *resourceType) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	if r.fault.apply != nil {
		r.fault.apply(ctx, req.Plan)
	}
	if r.fault.update != nil {
		r.fault.update(ctx, r, req, resp)
		return
	}
	r.Kind.Update(ctx, req, resp)
	if r.fault.answered != nil && !resp.Diagnostics.HasError() {
		r.fault.answered(ctx, &resp.State)
	}
}

func (r *resourceType) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	if r.fault.read != nil {
		r.fault.read(ctx, r, req, resp)
		return
	}
	r.Kind.Read(ctx, req, resp)
}

func (r *resourceType) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	if r.fault.delete != nil {
		r.fault.delete(ctx, r, req, resp)
		return
	}
	r.Kind.Delete(ctx, req, resp)
}

func (r *resourceType) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	if r.fault.importState != nil {
		r.fault.importState(ctx, req, resp)
		return
	}
	r.Kind.ImportState(ctx, req, resp)
}

// attributes are a configuration, a plan or a state.
type attributes interface {
	GetAttribute(context.Context, path.Path, any) diag.Diagnostics
}

// textOf is a text at the root.
func textOf(ctx context.Context, of attributes, name string) types.String {
	var text types.String
	of.GetAttribute(ctx, path.Root(name), &text)
	return text
}

// withFeatures returns a type that has an older version, or private data, as
// one that the framework knows this of.
func (r *resourceType) withFeatures() resource.Resource {
	switch r.Name {
	case name + "_record":
		return &recordType{r}
	case name + "_lock":
		return &lockType{r}
	default:
		return r
	}
}
