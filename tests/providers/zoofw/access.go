package main

import (
	"context"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"tfconform.example/providers/framework/objects"
)

// guarded demands arguments of its own, and does not say which: with
// ZOOFW_ACCESS=1 the zoo is served like this.
type guarded struct{ objects.Provider }

func (p guarded) Schema(ctx context.Context, req provider.SchemaRequest, resp *provider.SchemaResponse) {
	p.Provider.Schema(ctx, req, resp)
	resp.Schema.Attributes["endpoint"] = schema.StringAttribute{
		Required:   true,
		Validators: []validator.String{stringvalidator.RegexMatches(regexp.MustCompile(`^https://`), "must be a URL with https")},
	}
	resp.Schema.Attributes["username"] = schema.StringAttribute{Optional: true}
	resp.Schema.Attributes["api_token"] = schema.StringAttribute{Optional: true, Sensitive: true}
}

func (p guarded) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	var endpoint, token types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("endpoint"), &endpoint)...)
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("api_token"), &token)...)
	if token.IsNull() {
		resp.Diagnostics.AddError("No valid credential sources found", "The provider does not know who you are.")
		return
	}
	if !strings.Contains(endpoint.ValueString(), ".invalid") {
		resp.Diagnostics.AddError("This could be a real host", endpoint.ValueString())
		return
	}
	p.Provider.Configure(ctx, req, resp)
}
