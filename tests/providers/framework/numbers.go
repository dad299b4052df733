package main

import (
	"context"
	"math/big"

	"github.com/hashicorp/terraform-plugin-framework-validators/int32validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/numberdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/framework/objects"
)

// numbers has every type of number, and the types' validators.
type numbers struct{ objects.Kind }

func newNumbers() resource.Resource {
	paths := []string{"big", "amount", "ratio", "small", "single", "factor"}
	var drift filestore.Drift
	for _, path := range paths {
		drift.Change = append(drift.Change, filestore.Change{Path: path})
		drift.Respell = append(drift.Respell, filestore.Respell{Path: path, As: filestore.Number})
	}
	drift.Grow = []filestore.Grow{{Path: "samples", Element: `1.5`}, {Path: "weights", Element: `"added-%d": 0.5`}}
	return &numbers{objects.Kind{
		Name: "fwfix_numbers",
		Computed: map[string]objects.Compute{
			"id":    objects.TheID,
			"quota": func(objects.Applied) any { return 100 },
		},
		Drift: drift,
	}}
}

func (*numbers) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		Description: "Numbers, kept to the last digit.",
		Attributes: map[string]schema.Attribute{
			"id":     objects.IDAttribute(),
			"amount": schema.Int64Attribute{Optional: true},
			"small":  schema.Int32Attribute{Optional: true},
			"ratio":  schema.Float64Attribute{Optional: true},
			"single": schema.Float32Attribute{Optional: true},
			"big":    schema.NumberAttribute{Optional: true},
			"factor": schema.NumberAttribute{
				Optional: true, Computed: true,
				Default: numberdefault.StaticBigFloat(big.NewFloat(1.5)),
			},
			"quota": schema.Int64Attribute{
				Optional: true, Computed: true,
				Description:   "100 until configured; the last value after that.",
				PlanModifiers: []planmodifier.Int64{int64planmodifier.UseStateForUnknown()},
			},
			"percent": schema.Int32Attribute{
				Optional:   true,
				Validators: []validator.Int32{int32validator.Between(0, 100)},
			},
			"unit": schema.StringAttribute{
				Optional:   true,
				Validators: []validator.String{stringvalidator.OneOf("m", "kg", "s")},
			},
			"samples": schema.ListAttribute{Optional: true, ElementType: types.NumberType},
			"weights": schema.MapAttribute{Optional: true, ElementType: types.Float64Type},
		},
	}
}
