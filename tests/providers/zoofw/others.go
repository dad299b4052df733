package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/hashicorp/terraform-plugin-framework-validators/dynamicvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/framework/objects"
)

// others are validators beside the features that they often come with.
func others() []*animal {
	return []*animal{
		newAnimal("optional_computed", "A database whose size the system chooses if nobody does.", attributes{
			"engine": schema.StringAttribute{
				Required:      true,
				Validators:    []validator.String{stringvalidator.OneOf("mysql", "postgres")},
				PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"class": schema.StringAttribute{
				Optional: true, Computed: true,
				Validators:    []validator.String{stringvalidator.OneOf("db.small", "db.large")},
				PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"billing": schema.StringAttribute{
				Optional: true, Computed: true,
				Validators: []validator.String{stringvalidator.OneOf("hourly", "monthly")},
				Default:    stringdefault.StaticString("hourly"),
			},
			"endpoint": schema.StringAttribute{
				Computed:      true,
				PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
			"comment": comment(),
		}).
			withComputed("class", func(objects.Applied) any { return "db.small" }).
			withComputed("endpoint", objects.Generated),
		newAnimal("deprecated", "An argument that was renamed.", attributes{
			"subnet": schema.StringAttribute{
				Optional:           true,
				DeprecationMessage: "Use subnet_id instead.",
				Validators:         []validator.String{stringvalidator.ExactlyOneOf(path.MatchRoot("subnet_id"))},
			},
			"subnet_id": optionalText(),
		}),
		newAnimal("write_only", "A login whose password may stay out of the state.", attributes{
			"user": text(),
			"password": schema.StringAttribute{
				Optional: true, Sensitive: true,
				Validators: []validator.String{
					stringvalidator.ExactlyOneOf(path.MatchRoot("password_wo")),
					stringvalidator.PreferWriteOnlyAttribute(path.MatchRoot("password_wo")),
				},
			},
			"password_wo": schema.StringAttribute{
				Optional: true, WriteOnly: true,
				Validators: []validator.String{stringvalidator.AlsoRequires(path.MatchRoot("password_wo_version"))},
			},
			"password_wo_version": optionalNumber(int64validator.AlsoRequires(path.MatchRoot("password_wo"))),
		}),
		newAnimal("dynamic", "A setting of any type, or a file with settings.", attributes{
			"value": schema.DynamicAttribute{
				Optional:   true,
				Validators: []validator.Dynamic{dynamicvalidator.ExactlyOneOf(path.MatchRoot("file"))},
			},
			"file": optionalText(),
		}),
	}
}

// refusals come from the configuration as a whole, the plan or the remote
// system.
func refusals() []*animal {
	modified := newAnimal("plan_dependent", "A database whose versions depend on its engine.", attributes{
		"engine":         text(stringvalidator.OneOf("mysql", "postgres")),
		"engine_version": text(),
		"comment":        comment(),
	})
	modified.modify = versionOfEngine
	ordered := newAnimal("config_order", "An autoscaler, checked by the resource itself.", attributes{
		"min":     number(int64validator.AtLeast(0)),
		"max":     number(int64validator.AtLeast(0)),
		"comment": comment(),
	}).withValidators(order{"min", "max"})
	planned := newAnimal("plan_order", "A window, checked only by the plan.", attributes{
		"first":   number(int64validator.Between(0, 23)),
		"last":    number(int64validator.Between(0, 23)),
		"comment": comment(),
	})
	planned.modify = func(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
		order{"first", "last"}.check(ctx, req.Config, resp.Diagnostics.AddError)
	}
	return []*animal{
		modified, ordered, planned,
		newAnimal("apply_limit", "A volume whose limits only the remote system knows.", attributes{
			"size":    number(),
			"comment": comment(),
		}).refusedBy(func(_ filestore.Store, volume filestore.Object) error {
			size, _ := volume["size"].(json.Number).Int64()
			if size < 10 || size > 500 {
				return fmt.Errorf("InvalidParameterValue: Volume of %dGiB is invalid; size must be between 10 and 500", size)
			}
			return nil
		}),
		newAnimal("apply_file", "An upload of a file that must be there.", attributes{
			"source":  text(),
			"comment": comment(),
		}).refusedBy(func(_ filestore.Store, upload filestore.Object) error {
			_, err := os.ReadFile(upload["source"].(string))
			return err
		}),
	}
}

// order wants the second number to be greater than the first.
type order struct{ low, high string }

func (order) Description(context.Context) string         { return "" }
func (order) MarkdownDescription(context.Context) string { return "" }

func (o order) ValidateResource(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	o.check(ctx, req.Config, resp.Diagnostics.AddError)
}

func (o order) check(ctx context.Context, config tfsdk.Config, refuse func(summary, detail string)) {
	var low, high types.Int64
	if config.GetAttribute(ctx, path.Root(o.low), &low).HasError() || config.GetAttribute(ctx, path.Root(o.high), &high).HasError() {
		return
	}
	if !low.IsUnknown() && !high.IsUnknown() && high.ValueInt64() <= low.ValueInt64() {
		refuse("Invalid range", fmt.Sprintf("%q must be greater than %q.", o.high, o.low))
	}
}

func versionOfEngine(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var engine, version types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("engine"), &engine)...)
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("engine_version"), &version)...)
	if resp.Diagnostics.HasError() || engine.IsUnknown() || version.IsUnknown() {
		return
	}
	versions := map[string]string{"mysql": "8.0", "postgres": "16"}
	if available := versions[engine.ValueString()]; available != version.ValueString() {
		resp.Diagnostics.AddAttributeError(path.Root("engine_version"), "Unavailable version",
			fmt.Sprintf("Available versions of %s: %s.", engine.ValueString(), available))
	}
}
