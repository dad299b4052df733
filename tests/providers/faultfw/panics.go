package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// panics come with values that the author did not think of.
func panics() []fault {
	return []fault{
		{Mistake: on("service", "panic_on_absent_health_check"), apply: func(ctx context.Context, plan tfsdk.Plan) {
			var check *healthCheck
			plan.GetAttribute(ctx, path.Root("health_check"), &check)
			_ = check.Path.ValueString()
		}},
		{Mistake: on("server", "panic_on_null_note"), apply: func(ctx context.Context, plan tfsdk.Plan) {
			_ = strings.TrimSpace(*textOf(ctx, plan, "note").ValueStringPointer())
		}},
		{Mistake: on("server", "panic_on_empty_note"), apply: func(ctx context.Context, plan tfsdk.Plan) {
			if note := textOf(ctx, plan, "note"); !note.IsNull() && note.ValueString()[0] == '#' {
				_ = fmt.Sprint("heading: ", note.ValueString())
			}
		}},
		{Mistake: on("group", "panic_on_null_member"), apply: func(ctx context.Context, plan tfsdk.Plan) {
			var members []*string
			plan.GetAttribute(ctx, path.Root("members"), &members)
			for _, member := range members {
				_ = strings.ToLower(*member)
			}
		}},
		{Mistake: on("group", "null_member_is_not_converted"), create: func(ctx context.Context, r *resourceType, req resource.CreateRequest, resp *resource.CreateResponse) {
			var members []string
			resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root("members"), &members)...)
			if !resp.Diagnostics.HasError() {
				r.Kind.Create(ctx, req, resp)
			}
		}},
		{Mistake: on("disk", "panic_on_zero_copies"), apply: func(ctx context.Context, plan tfsdk.Plan) {
			if copies := number(ctx, plan, "copies"); !copies.IsNull() {
				_ = number(ctx, plan, "gigabytes").ValueInt64() / copies.ValueInt64()
			}
		}},
		{Mistake: on("disk", "panic_on_negative_copies"), apply: func(ctx context.Context, plan tfsdk.Plan) {
			_ = make([]string, min(number(ctx, plan, "copies").ValueInt64(), 100))
		}},
		{Mistake: on("disk", "panic_on_null_price"), apply: func(ctx context.Context, plan tfsdk.Plan) {
			var price types.Number
			plan.GetAttribute(ctx, path.Root("price"), &price)
			_, _ = price.ValueBigFloat().Float64()
		}},
		{Mistake: on("account", "panic_on_one_word"), apply: func(ctx context.Context, plan tfsdk.Plan) {
			_ = strings.Split(textOf(ctx, plan, "email").ValueString(), "@")[1]
		}},
		{Mistake: on("queue", "panic_on_negative_buffer"), schema: func(queue schema.Schema) {
			queue.Attributes["buffer"] = bufferOf(func(entries int64) int64 { return int64(len(make([]struct{}, entries))) })
		}},
		{Mistake: on("server", "panic_in_plan_of_an_update"), plan: func(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
			if req.Plan.Raw.IsNull() {
				return
			}
			hostOfName(ctx, req, resp)
			if before := textOf(ctx, req.State, "note").ValueStringPointer(); !req.State.Raw.IsNull() && *before == "locked" {
				resp.Diagnostics.AddError("The server is locked", "Remove the note first.")
			}
		}},
	}
}

func number(ctx context.Context, of attributes, name string) types.Int64 {
	var number types.Int64
	of.GetAttribute(ctx, path.Root(name), &number)
	return number
}
