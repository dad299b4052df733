package main

import (
	"context"
	"errors"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"tfconform.example/providers/filestore"
)

// untold are types that do not say what they accept: only the examples of the
// documentation do.
func untold() []*animal {
	return []*animal{
		newAnimal("untold", "A badge, refused without a reason.", attributes{
			"code":    text(words{"Invalid value", validCode}),
			"holder":  schema.StringAttribute{Optional: true},
			"comment": comment(),
		}),
		newAnimal("untold_reference", "A locker, refused without a reason unless its minder exists.", attributes{
			"minder": schema.StringAttribute{
				Required:      true,
				PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"comment": comment(),
		}).refusedBy(func(store filestore.Store, locker filestore.Object) error {
			return store.Require(name+"_email", locker["minder"], "400 Bad Request")
		}),
		newAnimal("untold_together", "A gate, of which no argument is required alone.", attributes{
			"left":    schema.StringAttribute{Optional: true},
			"right":   schema.StringAttribute{Optional: true},
			"comment": comment(),
		}).withValidators(gate{}),
	}
}

var code = regexp.MustCompile(`^[A-Z]{2}[0-9]{4}/(north|south)$`)

func validCode(text string) error {
	if !code.MatchString(text) {
		return errors.New("The value is invalid.")
	}
	return nil
}

// gate wants both sides.
type gate struct{}

func (gate) Description(context.Context) string         { return "" }
func (gate) MarkdownDescription(context.Context) string { return "" }

func (gate) ValidateResource(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var side struct {
		ID      types.String `tfsdk:"id"`
		Left    types.String `tfsdk:"left"`
		Right   types.String `tfsdk:"right"`
		Comment types.String `tfsdk:"comment"`
	}
	resp.Diagnostics.Append(req.Config.Get(ctx, &side)...)
	if side.Left.IsNull() || side.Right.IsNull() {
		resp.Diagnostics.AddError("Invalid configuration", "The configuration is invalid.")
	}
}
