package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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

// find returns a fault without a mistake for an empty name. Two names, with a
// comma between them, are of one type.
func find(wanted string) (fault, error) {
	if wanted == "" {
		return fault{}, nil
	}
	if one, another, ok := strings.Cut(wanted, ","); ok {
		first, err := find(one)
		second, err2 := find(another)
		return first.and(second), errors.Join(err, err2)
	}
	for _, planted := range faults() {
		if planted.Name == wanted {
			return planted, nil
		}
	}
	return fault{}, fmt.Errorf("FAULT: there is no fault %q", wanted)
}

// and returns both faults; where both have a function, it is the second one's.
func (f fault) and(second fault) fault {
	both := second
	if both.Client.Sent == nil {
		both.Client.Sent = f.Client.Sent
	}
	if both.Client.Applied == nil {
		both.Client.Applied = f.Client.Applied
	}
	if both.Client.Read == nil {
		both.Client.Read = f.Client.Read
	}
	if both.schema == nil {
		both.schema = f.schema
	}
	if both.validate == nil {
		both.validate = f.validate
	}
	if both.plan == nil {
		both.plan = f.plan
	}
	if both.apply == nil {
		both.apply = f.apply
	}
	if both.answered == nil {
		both.answered = f.answered
	}
	if both.create == nil {
		both.create = f.create
	}
	if both.update == nil {
		both.update = f.update
	}
	if both.read == nil {
		both.read = f.read
	}
	if both.delete == nil {
		both.delete = f.delete
	}
	if both.importState == nil {
		both.importState = f.importState
	}
	if both.upgrade == nil {
		both.upgrade = f.upgrade
	}
	return both
}

// on is for the names of a mistake that is in a function.
func on(kind, name string) mistakes.Mistake { return mistakes.Mistake{Name: name, On: kind} }
