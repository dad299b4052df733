package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"tfconform.example/providers/filestore"
)

// kind is what all resource types have in common: the state's object is the
// file's object. A type embeds it and adds its schema.
type kind struct {
	name string
	// computed provides values for attributes that the plan left unknown. The key
	// is the path without element keys, as in "rule.handle".
	computed map[string]compute
	// local names the attributes that the remote system does not have.
	local []string
	// hidden returns what the remote system stores and never shows. The object is
	// nil on create.
	hidden func(ctx context.Context, config tfsdk.Config, prior filestore.Object) (filestore.Object, diag.Diagnostics)
	drift  filestore.Drift

	store *filestore.Store
}

// applied is what the remote system uses to fill in an attribute.
type applied struct {
	id   string
	plan map[string]tftypes.Value
	// was is the attribute's previous value: nil on create, in new elements and
	// anywhere in a set.
	was any
}

// compute returns the value of an attribute, as tftypes.NewValue takes it or
// as a complete tftypes.Value.
type compute func(applied) any

// generated creates an identifier that the attribute then keeps.
func generated(a applied) any {
	if a.was != nil {
		return a.was
	}
	return filestore.NewID()
}

func theID(a applied) any { return a.id }

// counted is the number of applies so far.
func counted(a applied) any {
	was, _ := a.was.(json.Number)
	count, _ := was.Int64()
	return count + 1
}

func (k *kind) describe() (string, filestore.Drift) { return k.name, k.drift }

func (k *kind) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = k.name
}

func (k *kind) Configure(_ context.Context, req resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	if store, ok := req.ProviderData.(filestore.Store); ok {
		k.store = &store
	}
}

func (k *kind) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	if k.unknownRoot(&resp.Diagnostics) {
		return
	}
	ctx, done := k.deadline(ctx, req.Plan, timeouts.Value.Create, &resp.Diagnostics)
	defer done()
	if resp.Diagnostics.HasError() {
		return
	}
	id := filestore.NewID()
	k.apply(ctx, id, nil, req.Config, req.Plan, &resp.State, &resp.Diagnostics)
	resp.Diagnostics.Append(setIdentity(ctx, resp.Identity, id)...)
}

func (k *kind) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	if k.unknownRoot(&resp.Diagnostics) {
		return
	}
	ctx, done := k.deadline(ctx, req.Plan, timeouts.Value.Update, &resp.Diagnostics)
	defer done()
	id := identifier(ctx, req.State, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	prior, err := k.store.Load(k.name, id)
	if err != nil {
		resp.Diagnostics.AddError("Failed to update the object", err.Error())
		return
	}
	k.apply(ctx, id, prior, req.Config, req.Plan, &resp.State, &resp.Diagnostics)
	resp.Diagnostics.Append(setIdentity(ctx, resp.Identity, id)...)
}

// apply fills in the plan's unknowns and writes the object.
func (k *kind) apply(ctx context.Context, id string, prior filestore.Object, config tfsdk.Config, plan tfsdk.Plan, state *tfsdk.State, diags *diag.Diagnostics) {
	attributes := map[string]tftypes.Value{}
	if err := plan.Raw.As(&attributes); err != nil {
		diags.AddError("Failed to read the plan", err.Error())
		return
	}
	value, err := fill(plan.Raw, k.computed, prior, applied{id: id, plan: attributes})
	if err != nil {
		diags.AddError("Failed to complete the object", err.Error())
		return
	}
	object, err := toObject(value, plan.Schema.Type().TerraformType(ctx))
	if err != nil {
		diags.AddError("Failed to write the object", err.Error())
		return
	}
	for _, name := range k.local {
		delete(object, name)
	}
	if k.hidden != nil {
		hidden, found := k.hidden(ctx, config, prior)
		diags.Append(found...)
		maps.Copy(object, hidden)
	}
	if diags.HasError() {
		return
	}
	if err := k.store.Save(k.name, id, object); err != nil {
		diags.AddError("Failed to write the object", err.Error())
		return
	}
	state.Raw = value
}

func (k *kind) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	id := identifier(ctx, req.State, &resp.Diagnostics)
	// The framework requires the identity even of an object that is gone, and an
	// engine without identities has none to send.
	resp.Diagnostics.Append(setIdentity(ctx, resp.Identity, id)...)
	if resp.Diagnostics.HasError() || k.store == nil {
		return // Without a root, nothing is known about the object.
	}
	object, err := k.store.Load(k.name, id)
	if errors.Is(err, filestore.ErrGone) {
		resp.State.RemoveResource(ctx)
		return
	}
	if err == nil {
		resp.State.Raw, err = fromObject(object, req.State.Raw, req.State.Schema.Type().TerraformType(ctx), k.local)
	}
	if err != nil {
		resp.Diagnostics.AddError("Failed to read the object", err.Error())
	}
}

func (k *kind) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	if k.unknownRoot(&resp.Diagnostics) {
		return
	}
	id := identifier(ctx, req.State, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if err := k.store.Delete(k.name, id); err != nil {
		resp.Diagnostics.AddError("Failed to delete the object", err.Error())
	}
}

// ImportState takes an id or an identity and returns the whole object: an
// import whose blocks are null until the read would not fit the schema.
func (k *kind) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	if k.unknownRoot(&resp.Diagnostics) {
		return
	}
	id := req.ID
	if id == "" && req.Identity != nil {
		resp.Diagnostics.Append(req.Identity.GetAttribute(ctx, path.Root("id"), &id)...)
	}
	object, err := k.store.Load(k.name, id)
	if err == nil {
		resp.State.Raw, err = fromObject(object, resp.State.Raw, resp.State.Schema.Type().TerraformType(ctx), k.local)
	}
	if err != nil {
		resp.Diagnostics.AddError("Failed to import the object", err.Error())
		return
	}
	resp.Diagnostics.Append(setIdentity(ctx, resp.Identity, id)...)
}

func (k *kind) unknownRoot(diags *diag.Diagnostics) bool {
	if k.store == nil {
		diags.AddError("The folder of the objects is not known", "The provider's argument \"root\" is unknown.")
	}
	return k.store == nil
}

// deadline returns the context of an operation whose type has timeouts.
func (k *kind) deadline(ctx context.Context, plan tfsdk.Plan, of func(timeouts.Value, context.Context, time.Duration) (time.Duration, diag.Diagnostics), diags *diag.Diagnostics) (context.Context, context.CancelFunc) {
	if len(k.local) == 0 {
		return ctx, func() {}
	}
	var configured timeouts.Value
	diags.Append(plan.GetAttribute(ctx, path.Root("timeouts"), &configured)...)
	if diags.HasError() {
		return ctx, func() {}
	}
	limit, found := of(configured, ctx, 20*time.Minute)
	diags.Append(found...)
	return context.WithTimeout(ctx, limit)
}

func identifier(ctx context.Context, state tfsdk.State, diags *diag.Diagnostics) string {
	var id types.String
	diags.Append(state.GetAttribute(ctx, path.Root("id"), &id)...)
	if id.ValueString() == "" {
		diags.AddError("The state names no object", fmt.Sprintf("The attribute \"id\" is %s.", id))
	}
	return id.ValueString()
}
