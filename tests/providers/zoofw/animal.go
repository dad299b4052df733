package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/framework/objects"
)

// animal is a resource type that has nothing special but what it refuses.
type animal struct {
	objects.Kind
	schema     schema.Schema
	validators []resource.ConfigValidator
	modify     func(context.Context, resource.ModifyPlanRequest, *resource.ModifyPlanResponse)
}

type attributes = map[string]schema.Attribute

// newAnimal adds an identifier to the attributes.
func newAnimal(kind, description string, has attributes) *animal {
	made := &animal{
		Kind: objects.Kind{
			Name:     name + "_" + kind,
			Computed: map[string]objects.Compute{"id": objects.TheID},
		},
		schema: schema.Schema{Description: description, Attributes: has},
	}
	if _, ok := has["comment"]; ok {
		made.Drift.Change = []filestore.Change{{Path: "comment", WhenNull: `"changed"`}}
	}
	has["id"] = objects.IDAttribute()
	return made
}

func (a *animal) withBlocks(blocks map[string]schema.Block) *animal {
	a.schema.Blocks = blocks
	return a
}

func (a *animal) withValidators(validators ...resource.ConfigValidator) *animal {
	a.validators = validators
	return a
}

func (a *animal) withComputed(path string, compute objects.Compute) *animal {
	a.Computed[path] = compute
	return a
}

func (a *animal) refusedBy(refuse func(filestore.Store, filestore.Object) error) *animal {
	a.Refuse = refuse
	return a
}

// neededBy keeps an object for as long as an attribute of another kind has its ID.
func (a *animal) neededBy(kind, attribute string) *animal {
	a.RefuseDelete = func(store filestore.Store, id string) error {
		message := "DependencyViolation: '%s' has dependencies and cannot be deleted"
		return store.RequireUnused(id, name+"_"+kind, attribute, message)
	}
	return a
}

func (a *animal) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = a.schema
}

func (a *animal) ConfigValidators(context.Context) []resource.ConfigValidator { return a.validators }

func (a *animal) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if a.modify != nil && !req.Plan.Raw.IsNull() {
		a.modify(ctx, req, resp)
	}
}

// comment is an argument that takes any text.
func comment() schema.Attribute { return schema.StringAttribute{Optional: true} }

func text(validators ...validator.String) schema.Attribute {
	return schema.StringAttribute{Required: true, Validators: validators}
}

func optionalText(validators ...validator.String) schema.Attribute {
	return schema.StringAttribute{Optional: true, Validators: validators}
}

func number(validators ...validator.Int64) schema.Attribute {
	return schema.Int64Attribute{Required: true, Validators: validators}
}

func optionalNumber(validators ...validator.Int64) schema.Attribute {
	return schema.Int64Attribute{Optional: true, Validators: validators}
}
