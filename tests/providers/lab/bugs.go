//go:build !mended

package main

import "github.com/hashicorp/terraform-plugin-framework/types"

// noTags is what a machine without tags has in state: null, even if the user wrote `tags = []`.
func noTags(types.List) types.List { return types.ListNull(types.StringType) }

// goneIsNoError says whether a machine that was deleted elsewhere is removed from state.
const goneIsNoError = false
