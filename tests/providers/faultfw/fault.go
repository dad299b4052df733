package main

import (
	"context"
	"errors"
	"fmt"
	"reflect"
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
	// prior is the older schema by which upgrade gets the state decoded.
	prior *schema.Schema
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

// find returns a fault without a mistake for an empty name. Two names with a
// comma between them are two faults of one type.
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
	keep(&second.Client.Sent, f.Client.Sent)
	keep(&second.Client.Applied, f.Client.Applied)
	keep(&second.Client.Read, f.Client.Read)
	keep(&second.schema, f.schema)
	keep(&second.validate, f.validate)
	keep(&second.plan, f.plan)
	keep(&second.apply, f.apply)
	keep(&second.answered, f.answered)
	keep(&second.create, f.create)
	keep(&second.update, f.update)
	keep(&second.read, f.read)
	keep(&second.delete, f.delete)
	keep(&second.importState, f.importState)
	keep(&second.upgrade, f.upgrade)
	return second
}

// keep takes the first function where the second fault has none.
func keep[F any](second *F, first F) {
	if reflect.ValueOf(*second).IsNil() {
		*second = first
	}
}

// on is for the names of a mistake that is in a function.
func on(kind, name string) mistakes.Mistake { return mistakes.Mistake{Name: name, On: kind} }
