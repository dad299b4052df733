package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"tfconform.example/providers/filestore/mistakes"
)

// fault is one mistake of an author: between the framework and the remote
// system, or in one of the functions that an author writes.
type fault struct {
	mistakes.Mistake
	schema func(schema.Schema)
	// validate and plan come in addition to what the type does.
	validate func(context.Context, resource.ValidateConfigRequest, *resource.ValidateConfigResponse)
	plan     planFunc
	// apply begins every create and update.
	apply func(context.Context, tfsdk.Plan)
	// answered ends every create and update, with the new state.
	answered func(context.Context, *tfsdk.State)
	// The others replace what the type does.
	create      func(context.Context, *resourceType, resource.CreateRequest, *resource.CreateResponse)
	update      func(context.Context, *resourceType, resource.UpdateRequest, *resource.UpdateResponse)
	read        func(context.Context, *resourceType, resource.ReadRequest, *resource.ReadResponse)
	delete      func(context.Context, *resourceType, resource.DeleteRequest, *resource.DeleteResponse)
	importState func(context.Context, resource.ImportStateRequest, *resource.ImportStateResponse)
	upgrade     upgradeFunc
}

type (
	planFunc    = func(context.Context, resource.ModifyPlanRequest, *resource.ModifyPlanResponse)
	upgradeFunc = func(context.Context, resource.UpgradeStateRequest, *resource.UpgradeStateResponse)
)

func faults() []fault {
	all := slices.Concat(empties(), defaults(), plans(), unknowns(), panics(), spellings(), failures(), private(), states())
	for _, mistake := range mistakes.All() {
		all = append(all, fault{Mistake: mistake})
	}
	return all
}

// find returns a fault without a mistake for an empty name.
func find(wanted string) (fault, error) {
	if wanted == "" {
		return fault{}, nil
	}
	for _, planted := range faults() {
		if planted.Name == wanted {
			return planted, nil
		}
	}
	return fault{}, fmt.Errorf("FAULT: there is no fault %q", wanted)
}

// on is for the names of a mistake that is in a function.
func on(kind, name string) mistakes.Mistake { return mistakes.Mistake{Name: name, On: kind} }
