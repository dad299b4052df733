// Package objects is what providers on terraform-plugin-framework have in
// common here: the operations of resource types whose objects are files.
package objects

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

// Kind is what all resource types have in common: the state's object is the
// file's object. A type embeds it and adds its schema.
type Kind struct {
	Name string
	// Computed provides values for attributes that the plan left unknown. The key
	// is the path without element keys, as in "rule.handle".
	Computed map[string]Compute
	// Local names the attributes that the remote system does not have.
	Local []string
	// Hidden returns what the remote system stores and never shows. The object is
	// nil on create.
	Hidden func(ctx context.Context, config tfsdk.Config, prior filestore.Object) (filestore.Object, diag.Diagnostics)
	// Refuse is the remote system's own validation: an error leaves what it has
	// as it is.
	Refuse func(store filestore.Store, object filestore.Object) error
	// RefuseDelete is the same for the ID of an object that is to be deleted.
	RefuseDelete func(store filestore.Store, id string) error
	Client       filestore.Client
	Drift        filestore.Drift

	store *filestore.Store
}

// Applied is what the remote system uses to fill in an attribute.
type Applied struct {
	ID   string
	Plan map[string]tftypes.Value
	// Was is the attribute's previous value: nil on create, in new elements and
	// anywhere in a set.
	Was any
}

// Compute returns the value of an attribute, as tftypes.NewValue takes it or
// as a complete tftypes.Value.
type Compute func(Applied) any

// Generated creates an identifier that the attribute then keeps.
func Generated(a Applied) any {
	if a.Was != nil {
		return a.Was
	}
	return filestore.NewID()
}

// TheID is the object's identifier.
func TheID(a Applied) any { return a.ID }

// Counted is the number of applies so far.
func Counted(a Applied) any {
	was, _ := a.Was.(json.Number)
	count, _ := was.Int64()
	return count + 1
}

// Describe returns the type's name, and how its objects may change.
func (k *Kind) Describe() (string, filestore.Drift) { return k.Name, k.Drift }

func (k *Kind) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = k.Name
}

func (k *Kind) Configure(_ context.Context, req resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	if store, ok := req.ProviderData.(filestore.Store); ok {
		k.store = &store
	}
}

// Remote is the remote system. The provider must have been configured.
func (k *Kind) Remote() filestore.Store { return *k.store }

func (k *Kind) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
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
	resp.Diagnostics.Append(SetIdentity(ctx, resp.Identity, id)...)
}

func (k *Kind) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	if k.unknownRoot(&resp.Diagnostics) {
		return
	}
	ctx, done := k.deadline(ctx, req.Plan, timeouts.Value.Update, &resp.Diagnostics)
	defer done()
	id := identifier(ctx, req.State, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	prior, err := k.store.Load(k.Name, id)
	if err != nil {
		resp.Diagnostics.AddError("Failed to update the object", err.Error())
		return
	}
	k.apply(ctx, id, prior, req.Config, req.Plan, &resp.State, &resp.Diagnostics)
	resp.Diagnostics.Append(SetIdentity(ctx, resp.Identity, id)...)
}

// apply fills in the plan's unknowns and writes the object.
func (k *Kind) apply(ctx context.Context, id string, prior filestore.Object, config tfsdk.Config, plan tfsdk.Plan, state *tfsdk.State, diags *diag.Diagnostics) {
	attributes := map[string]tftypes.Value{}
	if err := plan.Raw.As(&attributes); err != nil {
		diags.AddError("Failed to read the plan", err.Error())
		return
	}
	value, err := fill(plan.Raw, k.Computed, prior, Applied{ID: id, Plan: attributes})
	if err != nil {
		diags.AddError("Failed to complete the object", err.Error())
		return
	}
	object, err := toObject(value, plan.Schema.Type().TerraformType(ctx))
	if err != nil {
		diags.AddError("Failed to write the object", err.Error())
		return
	}
	for _, name := range k.Local {
		delete(object, name)
	}
	if k.Refuse != nil {
		if err := k.Refuse(*k.store, object); err != nil {
			diags.AddError("The remote system refused the object", err.Error())
			return
		}
	}
	if k.Hidden != nil {
		hidden, found := k.Hidden(ctx, config, prior)
		diags.Append(found...)
		maps.Copy(object, hidden)
	}
	if diags.HasError() {
		return
	}
	if k.Client.Sent != nil {
		k.Client.Sent(object, prior)
	}
	if err := k.store.Save(k.Name, id, object); err != nil {
		diags.AddError("Failed to write the object", err.Error())
		return
	}
	if k.Client.Applied != nil {
		k.Client.Applied(object)
		if value, err = FromObject(object, value, plan.Schema.Type().TerraformType(ctx), k.Local); err != nil {
			diags.AddError("Failed to read the answer", err.Error())
		}
	}
	state.Raw = value
}

func (k *Kind) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	id := identifier(ctx, req.State, &resp.Diagnostics)
	// The framework requires the identity even of an object that is gone, and an
	// engine without identities has none to send.
	resp.Diagnostics.Append(SetIdentity(ctx, resp.Identity, id)...)
	if resp.Diagnostics.HasError() || k.store == nil {
		return // Without a root, nothing is known about the object.
	}
	object, err := k.store.Load(k.Name, id)
	if errors.Is(err, filestore.ErrGone) {
		resp.State.RemoveResource(ctx)
		return
	}
	if err == nil && k.Client.Read != nil {
		k.Client.Read(object)
	}
	if err == nil {
		resp.State.Raw, err = FromObject(object, req.State.Raw, req.State.Schema.Type().TerraformType(ctx), k.Local)
	}
	if err != nil {
		resp.Diagnostics.AddError("Failed to read the object", err.Error())
	}
}

func (k *Kind) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	if k.unknownRoot(&resp.Diagnostics) {
		return
	}
	id := identifier(ctx, req.State, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if k.RefuseDelete != nil {
		if err := k.RefuseDelete(*k.store, id); err != nil {
			resp.Diagnostics.AddError("The remote system refused to delete the object", err.Error())
			return
		}
	}
	if err := k.store.Delete(k.Name, id); err != nil {
		resp.Diagnostics.AddError("Failed to delete the object", err.Error())
	}
}

// ImportState takes an id or an identity and returns the whole object: an
// import whose blocks are null until the read would not fit the schema.
func (k *Kind) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	if k.unknownRoot(&resp.Diagnostics) {
		return
	}
	id := req.ID
	if id == "" && req.Identity != nil {
		resp.Diagnostics.Append(req.Identity.GetAttribute(ctx, path.Root("id"), &id)...)
	}
	object, err := k.store.Load(k.Name, id)
	if err == nil {
		resp.State.Raw, err = FromObject(object, resp.State.Raw, resp.State.Schema.Type().TerraformType(ctx), k.Local)
	}
	if err != nil {
		resp.Diagnostics.AddError("Failed to import the object", err.Error())
		return
	}
	resp.Diagnostics.Append(SetIdentity(ctx, resp.Identity, id)...)
}

func (k *Kind) unknownRoot(diags *diag.Diagnostics) bool {
	if k.store == nil {
		diags.AddError("The folder of the objects is not known", "The provider's argument \"root\" is unknown.")
	}
	return k.store == nil
}

// deadline returns the context of an operation whose type has timeouts.
func (k *Kind) deadline(ctx context.Context, plan tfsdk.Plan, of func(timeouts.Value, context.Context, time.Duration) (time.Duration, diag.Diagnostics), diags *diag.Diagnostics) (context.Context, context.CancelFunc) {
	if len(k.Local) == 0 {
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
