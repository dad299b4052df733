package main

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/filestore/mistakes"
)

// step is what the size of a pool is a multiple of.
const step = 4

func inSteps(_ filestore.Store, pool filestore.Object) error {
	if mistakes.Whole(pool["size"])%step != 0 {
		return fmt.Errorf("400 InvalidParameter: size must be a multiple of %d", step)
	}
	return nil
}

// failures leave behind something else than what they say.
func failures() []fault {
	return []fault{
		{Mistake: on("server", "delete_fails"), delete: func(_ context.Context, _ *resourceType, _ resource.DeleteRequest, resp *resource.DeleteResponse) {
			resp.Diagnostics.AddError("Failed to delete the server", "409 Conflict: it must be stopped before it can be deleted")
		}},
		{Mistake: on("server", "delete_of_a_gone_object_fails"), delete: func(ctx context.Context, r *resourceType, req resource.DeleteRequest, resp *resource.DeleteResponse) {
			if _, err := r.Remote().Load(r.Name, textOf(ctx, req.State, "id").ValueString()); err != nil {
				resp.Diagnostics.AddError("Failed to delete the server", err.Error())
				return
			}
			r.Kind.Delete(ctx, req, resp)
		}},
		{Mistake: on("server", "delete_leaves_the_object"), delete: func(ctx context.Context, r *resourceType, req resource.DeleteRequest, resp *resource.DeleteResponse) {
			// By its address, but the remote system wants the id.
			if err := r.Remote().Delete(r.Name, textOf(ctx, req.State, "address").ValueString()); err != nil {
				resp.Diagnostics.AddError("Failed to delete the server", err.Error())
			}
		}},
		{Mistake: on("server", "gone_object_is_an_error"), read: func(ctx context.Context, r *resourceType, req resource.ReadRequest, resp *resource.ReadResponse) {
			if _, err := r.Remote().Load(r.Name, textOf(ctx, req.State, "id").ValueString()); err != nil {
				resp.Diagnostics.AddError("Failed to read the server", err.Error())
				return
			}
			r.Kind.Read(ctx, req, resp)
		}},
		{Mistake: on("server", "read_copies_the_note"), read: func(ctx context.Context, r *resourceType, req resource.ReadRequest, resp *resource.ReadResponse) {
			r.Kind.Read(ctx, req, resp)
			if !resp.State.Raw.IsNull() {
				note := textOf(ctx, req.State, "note")
				resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("note"), note)...)
			}
		}},
		{Mistake: on("server", "read_copies_the_size"), read: func(ctx context.Context, r *resourceType, req resource.ReadRequest, resp *resource.ReadResponse) {
			r.Kind.Read(ctx, req, resp)
			if !resp.State.Raw.IsNull() {
				size := number(ctx, req.State, "size")
				resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("size"), size)...)
			}
		}},
		{Mistake: on("pool", "partial_create_is_lost"), create: func(ctx context.Context, r *resourceType, req resource.CreateRequest, resp *resource.CreateResponse) {
			size, id := number(ctx, req.Plan, "size").ValueInt64(), filestore.NewID()
			created := filestore.Object{"id": id, "name": textOf(ctx, req.Plan, "name").ValueString(), "size": size}
			if err := r.Remote().Save(r.Name, id, created); err != nil {
				resp.Diagnostics.AddError("Failed to create the pool", err.Error())
				return
			}
			if size%step != 0 {
				resp.Diagnostics.AddError("Failed to set the size", "400 InvalidParameter")
				return
			}
			resp.State.Raw = req.Plan.Raw
			resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), id)...)
		}},
		{Mistake: on("pool", "failed_update_is_recorded"), update: func(ctx context.Context, r *resourceType, req resource.UpdateRequest, resp *resource.UpdateResponse) {
			r.Kind.Update(ctx, req, resp)
			resp.State.Raw = req.Plan.Raw
		}},
		{Mistake: on("ticket", "two_creates_race_for_an_id"), create: func(ctx context.Context, r *resourceType, req resource.CreateRequest, resp *resource.CreateResponse) {
			id, err := mistakes.NextTicket(r.Remote())
			if err == nil {
				title := textOf(ctx, req.Plan, "title").ValueString()
				err = r.Remote().Save(r.Name, id, filestore.Object{"id": id, "title": title})
			}
			if err != nil {
				resp.Diagnostics.AddError("Failed to create the ticket", err.Error())
				return
			}
			resp.State.Raw = req.Plan.Raw
			resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), id)...)
		}},
		{Mistake: on("job", "read_leaves_out_the_timeouts"), read: func(ctx context.Context, r *resourceType, req resource.ReadRequest, resp *resource.ReadResponse) {
			r.Kind.Read(ctx, req, resp)
			if !resp.State.Raw.IsNull() {
				state := jobModel{ID: textOf(ctx, resp.State, "id"), Name: textOf(ctx, resp.State, "name")}
				resp.Diagnostics.Append(resp.State.Set(ctx, state)...)
			}
		}},
		{Mistake: on("job", "timeouts_are_dropped"), answered: func(ctx context.Context, state *tfsdk.State) {
			state.SetAttribute(ctx, path.Root("timeouts"), noTimeouts)
		}},
	}
}

type jobModel struct {
	ID       types.String   `tfsdk:"id"`
	Name     types.String   `tfsdk:"name"`
	Timeouts timeouts.Value `tfsdk:"timeouts"`
}

var noTimeouts = types.ObjectNull(map[string]attr.Type{"create": types.StringType, "update": types.StringType})

// refusedUpdate is for an argument that cannot change.
func refusedUpdate(ctx context.Context, r *resourceType, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	if !textOf(ctx, req.Plan, "zone").Equal(textOf(ctx, req.State, "zone")) {
		resp.Diagnostics.AddError("Failed to update the server", "400 Bad Request: the zone of a server is immutable")
		return
	}
	r.Kind.Update(ctx, req, resp)
}
