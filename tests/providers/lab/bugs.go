//go:build !mended

package main

import "github.com/hashicorp/terraform-plugin-framework/types"

// sizeOf is the size that state has: what the user asked for, whatever the machine has by now.
func sizeOf(_ remoteMachine, before types.String) types.String { return before }

// noTags is what a machine without tags has in state: null, even if the user wrote `tags = []`.
func noTags(types.List) types.List { return types.ListNull(types.StringType) }
