//go:build mended

package main

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// sizeOf is the size that state has.
func sizeOf(machine remoteMachine, _ types.String) types.String {
	return types.StringValue(machine.Size)
}

// noTags is what a machine without tags has in state: the API does not tell null from empty, so what was
// empty before stays empty.
func noTags(before types.List) types.List {
	if before.IsNull() {
		return before
	}
	return types.ListValueMust(types.StringType, []attr.Value{})
}
