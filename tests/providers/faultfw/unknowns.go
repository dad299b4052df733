package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// unknowns stay in a state, or are not expected in a configuration.
func unknowns() []fault {
	return []fault{
		{Mistake: on("server", "address_is_left_unknown"), answered: func(ctx context.Context, state *tfsdk.State) {
			state.SetAttribute(ctx, path.Root("address"), types.StringUnknown())
		}},
		{Mistake: on("server", "revision_is_left_unknown_on_update"), update: func(ctx context.Context, r *resourceType, req resource.UpdateRequest, resp *resource.UpdateResponse) {
			r.Kind.Update(ctx, req, resp)
			resp.State.SetAttribute(ctx, path.Root("revision"), types.Int64Unknown())
		}},
		{Mistake: on("service", "handle_of_the_second_listener_is_left_unknown"), answered: func(ctx context.Context, state *tfsdk.State) {
			var listeners types.List
			state.GetAttribute(ctx, path.Root("listener"), &listeners)
			if len(listeners.Elements()) > 1 {
				state.SetAttribute(ctx, path.Root("listener").AtListIndex(1).AtName("handle"), types.StringUnknown())
			}
		}},
		{Mistake: on("server", "unknown_zone_is_refused"), validate: func(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
			if zone := textOf(ctx, req.Config, "zone"); !zone.IsNull() && zone.ValueString() == "" {
				resp.Diagnostics.AddAttributeError(path.Root("zone"), "Invalid zone", "zone must not be empty")
			}
		}},
		{Mistake: on("group", "unknown_tags_are_refused"), validate: func(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
			var tags []string
			resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("tags"), &tags)...)
			if len(tags) > 50 {
				resp.Diagnostics.AddAttributeError(path.Root("tags"), "Too many tags", "at most 50 tags are allowed")
			}
		}},
		{Mistake: on("service", "unknown_health_check_is_refused"), plan: func(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
			var check *healthCheck
			if !req.Plan.Raw.IsNull() {
				resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root("health_check"), &check)...)
			}
		}},
	}
}

type healthCheck struct {
	Path     types.String `tfsdk:"path"`
	Interval types.Int64  `tfsdk:"interval"`
}
