package main

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

const smallestBuffer = 1024

// bufferOf is an argument with a minimum; room tells how many entries fit.
func bufferOf(room func(int64) int64) schema.Attribute {
	return schema.Int64Attribute{Required: true, Validators: []validator.Int64{largeEnough{room}}}
}

type largeEnough struct{ room func(int64) int64 }

func (v largeEnough) Description(context.Context) string {
	return fmt.Sprintf("value must be at least %d", smallestBuffer)
}

func (v largeEnough) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (v largeEnough) ValidateInt64(ctx context.Context, req validator.Int64Request, resp *validator.Int64Response) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if v.room(req.ConfigValue.ValueInt64()) < smallestBuffer {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid Attribute Value",
			fmt.Sprintf("Attribute %s %s, got: %d", req.Path, v.Description(ctx), req.ConfigValue.ValueInt64()))
	}
}
