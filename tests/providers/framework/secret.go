package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/framework/objects"
)

// secret has a value in the state, a write-only one, and private data that
// tells whether the latter has changed.
type secret struct {
	objects.Kind
	objects.Identified
}

func newSecret() resource.Resource {
	return &secret{Kind: objects.Kind{
		Name: "fwfix_secret",
		Computed: map[string]objects.Compute{
			"id":    objects.TheID,
			"token": objects.Generated,
			"sets":  objects.Counted,
		},
		Hidden: passwordDigest,
		Drift: filestore.Drift{
			Change: []filestore.Change{{Path: "name"}},
		},
	}}
}

func (*secret) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		Description: "Sensitive and write-only values.",
		Attributes: map[string]schema.Attribute{
			"id":   objects.IDAttribute(),
			"name": schema.StringAttribute{Required: true},
			"token": schema.StringAttribute{
				Optional: true, Computed: true, Sensitive: true,
				Description: "Made by the remote system unless configured.",
			},
			"password": schema.StringAttribute{
				Optional: true, Sensitive: true, WriteOnly: true,
				Description: "Sent on create, and when password_version changes.",
			},
			"password_version": schema.Int64Attribute{Optional: true},
			"login": schema.SingleNestedAttribute{
				Optional: true,
				Attributes: map[string]schema.Attribute{
					"user": schema.StringAttribute{Optional: true},
					"pin":  schema.StringAttribute{Optional: true, WriteOnly: true},
				},
			},
			"sets": schema.Int64Attribute{Computed: true, Description: "How often it was applied."},
		},
	}
}

func (s *secret) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	s.Kind.Create(ctx, req, resp)
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(remember(ctx, req.Config, resp.State, resp.Private)...)
	}
}

func (s *secret) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	s.Kind.Update(ctx, req, resp)
	var before, after types.Int64
	resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root("password_version"), &before)...)
	resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root("password_version"), &after)...)
	if !resp.Diagnostics.HasError() && !after.Equal(before) {
		resp.Diagnostics.Append(remember(ctx, req.Config, resp.State, resp.Private)...)
	}
}

// ModifyPlan warns about a password that will not be sent. It changes nothing:
// a plan follows from configuration and state alone.
func (*secret) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() || req.State.Raw.IsNull() {
		return
	}
	var id, password types.String
	var before, after types.Int64
	resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root("id"), &id)...)
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("password"), &password)...)
	resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root("password_version"), &before)...)
	resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root("password_version"), &after)...)
	known, diags := req.Private.GetKey(ctx, "password")
	resp.Diagnostics.Append(diags...)
	if known == nil || password.IsUnknown() || !after.Equal(before) {
		return
	}
	var sent string
	if json.Unmarshal(known, &sent) == nil && sent != salted(id.ValueString(), password) {
		resp.Diagnostics.AddAttributeWarning(path.Root("password"), "The password has changed but will not be sent",
			"Change password_version to send it.")
	}
}

// private is the framework's interface to private data.
type private interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

func remember(ctx context.Context, config tfsdk.Config, state tfsdk.State, data private) diag.Diagnostics {
	var id, password types.String
	diags := state.GetAttribute(ctx, path.Root("id"), &id)
	diags.Append(config.GetAttribute(ctx, path.Root("password"), &password)...)
	if diags.HasError() {
		return diags
	}
	note, _ := json.Marshal(salted(id.ValueString(), password))
	return data.SetKey(ctx, "password", note)
}

// salted is empty if there is no password.
func salted(id string, password types.String) string {
	if password.IsNull() {
		return ""
	}
	sum := sha256.Sum256([]byte(id + "\x00" + password.ValueString()))
	return hex.EncodeToString(sum[:])
}

// passwordDigest is what the remote system stores of the password. It does not
// change until the version does.
func passwordDigest(ctx context.Context, config tfsdk.Config, prior filestore.Object) (filestore.Object, diag.Diagnostics) {
	const hidden = "_password_digest"
	var password types.String
	var version types.Int64
	diags := config.GetAttribute(ctx, path.Root("password"), &password)
	diags.Append(config.GetAttribute(ctx, path.Root("password_version"), &version)...)
	if diags.HasError() {
		return nil, diags
	}
	was, _ := prior["password_version"].(json.Number)
	old, err := was.Int64()
	if prior != nil && (err != nil) == version.IsNull() && old == version.ValueInt64() {
		return filestore.Object{hidden: prior[hidden]}, nil
	}
	return filestore.Object{hidden: salted("remote", password)}, nil
}
