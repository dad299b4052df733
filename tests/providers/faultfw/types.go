package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/framework/objects"
)

func resourceTypes() []func() *resourceType {
	return []func() *resourceType{server, group, service, disk, account, pool, record, ticket, queue, job, lock}
}

func newType(kind, description string, drift filestore.Drift, arguments map[string]schema.Attribute) *resourceType {
	arguments["id"] = objects.IDAttribute()
	return &resourceType{
		Kind: objects.Kind{
			Name:     name + "_" + kind,
			Computed: map[string]objects.Compute{"id": objects.TheID},
			Drift:    drift,
		},
		schema: schema.Schema{Description: description, Attributes: arguments},
	}
}

func change(path, whenNull string) filestore.Drift {
	return filestore.Drift{Change: []filestore.Change{{Path: path, WhenNull: whenNull}}}
}

func server() *resourceType {
	made := newType("server", "A server.", change("note", `"changed"`), map[string]schema.Attribute{
		"name":    schema.StringAttribute{Required: true},
		"note":    schema.StringAttribute{Optional: true},
		"size":    schema.Int64Attribute{Optional: true},
		"enabled": schema.BoolAttribute{Optional: true},
		"zone": schema.StringAttribute{
			Optional: true, PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()},
		},
		"color": schema.StringAttribute{Optional: true, Computed: true, Default: stringdefault.StaticString("blue")},
		"host":  schema.StringAttribute{Computed: true, Description: "Follows from the name."},
		"address": schema.StringAttribute{
			Computed: true, Description: "Stays the same.",
			PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
		},
		"revision": schema.Int64Attribute{Computed: true, Description: "Grows by one with every apply."},
	})
	made.plan = hostOfName
	made.Computed["host"] = func(objects.Applied) any { return "" } // The client has it from the name.
	made.Computed["address"] = objects.Generated
	made.Computed["revision"] = objects.Counted
	return made
}

func hostOfName(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	host := types.StringUnknown()
	if name := textOf(ctx, req.Plan, "name"); !name.IsUnknown() {
		host = types.StringValue(name.ValueString() + ".example")
	}
	resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("host"), host)...)
}

func group() *resourceType {
	drift := change("name", "")
	drift.Grow = []filestore.Grow{{Path: "tags", Element: `"added-%d"`}}
	return newType("group", "Collections.", drift, map[string]schema.Attribute{
		"name":    schema.StringAttribute{Required: true},
		"members": schema.ListAttribute{Optional: true, ElementType: types.StringType},
		"tags":    schema.SetAttribute{Optional: true, ElementType: types.StringType},
		"labels":  schema.MapAttribute{Optional: true, ElementType: types.StringType},
	})
}

func service() *resourceType {
	made := newType("service", "Nested attributes.", change("name", ""), map[string]schema.Attribute{
		"name": schema.StringAttribute{Required: true},
		"listener": schema.ListNestedAttribute{
			Optional: true,
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"port":    schema.Int64Attribute{Required: true},
				"host":    schema.StringAttribute{Optional: true},
				"aliases": schema.ListAttribute{Optional: true, ElementType: types.StringType},
				"handle":  schema.StringAttribute{Computed: true},
			}},
		},
		"health_check": schema.SingleNestedAttribute{
			Optional: true,
			Attributes: map[string]schema.Attribute{
				"path":     schema.StringAttribute{Optional: true},
				"interval": schema.Int64Attribute{Optional: true},
			},
		},
		"rule": schema.SetNestedAttribute{
			Optional: true,
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"source":  schema.StringAttribute{Required: true},
				"comment": schema.StringAttribute{Optional: true},
			}},
		},
	})
	made.Computed["listener.handle"] = objects.Generated
	return made
}

func disk() *resourceType {
	return newType("disk", "Numbers.", change("gigabytes", "7"), map[string]schema.Attribute{
		"name":      schema.StringAttribute{Required: true},
		"gigabytes": schema.Int64Attribute{Optional: true},
		"copies":    schema.Int64Attribute{Optional: true},
		"price":     schema.NumberAttribute{Optional: true},
	})
}

func account() *resourceType {
	return newType("account", "Texts with several spellings, each kept as it is written.", change("display_name", `"changed"`), map[string]schema.Attribute{
		"email":        schema.StringAttribute{Required: true},
		"display_name": schema.StringAttribute{Optional: true},
		"code":         schema.StringAttribute{Optional: true},
		"policy":       schema.StringAttribute{Optional: true},
		"expires_at":   schema.StringAttribute{Optional: true},
		"password":     schema.StringAttribute{Optional: true, Sensitive: true},
	})
}

// pool has an argument with a rule that only the remote system knows.
func pool() *resourceType {
	made := newType("pool", "A pool whose size is a multiple of 4.", change("name", ""), map[string]schema.Attribute{
		"name": schema.StringAttribute{Required: true},
		"size": schema.Int64Attribute{Required: true},
	})
	made.Refuse = inSteps
	return made
}

// record has an older version.
func record() *resourceType {
	made := newType("record", "A record with an older version.", change("title", ""), map[string]schema.Attribute{
		"title":  schema.StringAttribute{Required: true},
		"pages":  schema.Int64Attribute{Optional: true},
		"labels": schema.MapAttribute{Optional: true, ElementType: types.StringType},
	})
	made.schema.Version = 1
	return made
}

// queue has an argument whose minimum is above what anyone would try first.
func queue() *resourceType {
	return newType("queue", "A queue with room for 1024 entries or more.", change("name", ""), map[string]schema.Attribute{
		"name":   schema.StringAttribute{Required: true},
		"buffer": bufferOf(func(entries int64) int64 { return entries }),
	})
}

func ticket() *resourceType {
	return newType("ticket", "A ticket.", change("title", ""), map[string]schema.Attribute{
		"title": schema.StringAttribute{Required: true},
	})
}

func job() *resourceType {
	made := newType("job", "A job with timeouts.", change("name", ""), map[string]schema.Attribute{
		"name":     schema.StringAttribute{Required: true},
		"timeouts": timeouts.Attributes(context.Background(), timeouts.Opts{Create: true, Update: true}),
	})
	made.Local = []string{"timeouts"}
	return made
}

// lock keeps the version that it has last seen in private data.
func lock() *resourceType {
	return newType("lock", "A lock.", change("owner", ""), map[string]schema.Attribute{
		"owner": schema.StringAttribute{Required: true},
		"note":  schema.StringAttribute{Optional: true},
	})
}
