package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"tfconform.example/providers/filestore/mistakes"
)

// fault is one mistake of an author. What it is about is in faults.toml.
type fault struct {
	mistakes.Mistake
	// change is the mistake, if the author made it in the schema or in an
	// operation.
	change func(*schema.Resource)
}

func faults() []fault {
	all := slices.Concat(replacements(), spellings(), defaults(), plans(), panics(), failures(), states())
	for _, mistake := range mistakes.All() {
		all = append(all, fault{Mistake: mistake})
	}
	return all
}

// changed is a mistake in the schema or in an operation.
func changed(name, on string, change func(*schema.Resource)) fault {
	return fault{mistakes.Mistake{Name: name, On: on}, change}
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

// operation is any of the four.
type operation = func(context.Context, *schema.ResourceData, any) diag.Diagnostics

// onApply runs the author's code before every create and update.
func onApply(code func(*schema.ResourceData)) func(*schema.Resource) {
	return func(resource *schema.Resource) {
		for _, apply := range []*operation{
			(*operation)(&resource.CreateContext), (*operation)(&resource.UpdateContext),
		} {
			rest := *apply
			*apply = func(ctx context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
				code(d)
				return rest(ctx, d, meta)
			}
		}
	}
}
