package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/filestore/mistakes"
)

// plans promise what does not hold.
func plans() []fault {
	return []fault{
		{Mistake: on("server", "clock_in_plan"), plan: func(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
			if req.Plan.Raw.IsNull() {
				return
			}
			hostOfName(ctx, req, resp)
			now := time.Now().UTC().Format(time.RFC3339)
			resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("address"), now)...)
		}},
		{Mistake: on("server", "random_in_plan"), plan: func(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
			if req.Plan.Raw.IsNull() {
				return
			}
			hostOfName(ctx, req, resp)
			if req.State.Raw.IsNull() {
				address := fmt.Sprintf("10.0.%d.%d", rand.IntN(256), rand.IntN(256))
				resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("address"), address)...)
			}
		}},
		{
			Mistake: mistakes.Mistake{Name: "revision_is_planned_as_it_was", On: "server", Client: filestore.Client{
				Sent: mistakes.Count("revision"), Applied: mistakes.AsAnswered,
			}},
			schema: func(server schema.Schema) {
				server.Attributes["revision"] = schema.Int64Attribute{
					Computed: true, PlanModifiers: []planmodifier.Int64{int64planmodifier.UseStateForUnknown()},
				}
			},
		},
		{
			Mistake: mistakes.Mistake{Name: "host_is_planned_as_it_was", On: "server", Client: filestore.Client{
				Sent: func(request, _ filestore.Object) { request["host"] = request["name"].(string) + ".example" }, Applied: mistakes.AsAnswered,
			}},
			schema: func(server schema.Schema) {
				server.Attributes["host"] = schema.StringAttribute{
					Computed: true, PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
				}
			},
			plan: func(context.Context, resource.ModifyPlanRequest, *resource.ModifyPlanResponse) {},
		},
		{Mistake: on("server", "address_is_always_unknown"), plan: func(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
			if req.Plan.Raw.IsNull() {
				return
			}
			hostOfName(ctx, req, resp)
			resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("address"), types.StringUnknown())...)
		}},
		{Mistake: on("server", "host_of_an_unknown_name"), plan: func(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
			if req.Plan.Raw.IsNull() {
				return
			}
			host := textOf(ctx, req.Plan, "name").ValueString() + ".example"
			resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("host"), host)...)
		}},
		{Mistake: on("server", "plan_of_a_destroy_reads_the_plan"), plan: func(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
			hostOfName(ctx, req, resp)
		}},
		{Mistake: on("account", "email_is_planned_in_small_letters"), plan: func(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
			if req.Plan.Raw.IsNull() {
				return
			}
			if email := textOf(ctx, req.Plan, "email"); !email.IsUnknown() {
				lower := strings.ToLower(email.ValueString())
				resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("email"), lower)...)
			}
		}},
	}
}

// keepsState is a plan modifier that takes an argument that is not set for one
// that may stay.
type keepsState struct{}

func (keepsState) Description(context.Context) string { return "Stays until another is set." }

func (k keepsState) MarkdownDescription(ctx context.Context) string { return k.Description(ctx) }

func (keepsState) PlanModifyString(_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	if req.ConfigValue.IsNull() && !req.StateValue.IsNull() {
		resp.PlanValue = req.StateValue
	}
}
