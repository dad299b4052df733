package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/framework/objects"
)

// document has strings with several spellings, a plan modifier for the whole
// resource, and older versions.
type document struct {
	objects.Kind
	objects.Identified
}

func newDocument() resource.Resource {
	return &document{Kind: objects.Kind{
		Name: "fwfix_document",
		Computed: map[string]objects.Compute{
			"id":     objects.TheID,
			"digest": documentDigest,
		},
		Drift: filestore.Drift{
			Change: []filestore.Change{{Path: "body"}, {Path: "language"}, {Path: "name"}},
			Respell: []filestore.Respell{
				{Path: "body", As: filestore.JSON},
				{Path: "language", As: filestore.Caseless},
				{Path: "name", As: filestore.Caseless},
				{Path: "pages", As: filestore.Number},
			},
		},
	}}
}

func (*document) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		Description: "Texts with several spellings, and older versions of the schema.",
		Version:     2,
		Attributes: map[string]schema.Attribute{
			"id": objects.IDAttribute(),
			"name": schema.StringAttribute{
				Required:   true,
				CustomType: caselessText,
			},
			"language": schema.StringAttribute{
				Optional:   true,
				CustomType: caselessText,
			},
			"body": schema.StringAttribute{
				Optional:    true,
				CustomType:  jsonText,
				Description: "Where it is JSON, spacing and the order of keys mean nothing.",
			},
			"pages":  schema.Int64Attribute{Optional: true},
			"folder": schema.StringAttribute{Optional: true, Description: "Replaces once it is set."},
			"digest": schema.StringAttribute{
				Computed:      true,
				Description:   "SHA-256 of the body, known at plan time where the body is.",
				PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
		},
	}
}

// ModifyPlan plans the digest, and replaces a document that changes its
// folder.
func (*document) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		return
	}
	var body text
	resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root("body"), &body)...)
	planned := types.StringUnknown()
	if !body.IsUnknown() {
		planned = types.StringValue(digest(body.ValueString()))
	}
	resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("digest"), planned)...)

	if req.State.Raw.IsNull() {
		return
	}
	var before, after types.String
	resp.Diagnostics.Append(req.State.GetAttribute(ctx, path.Root("folder"), &before)...)
	resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root("folder"), &after)...)
	if !before.IsNull() && !after.Equal(before) {
		resp.RequiresReplace = append(resp.RequiresReplace, path.Root("folder"))
	}
}

// UpgradeState handles two older versions. In version 0 the page count was a
// string and the folder was called "path"; in version 1 only the latter.
func (d *document) UpgradeState(context.Context) map[int64]resource.StateUpgrader {
	return map[int64]resource.StateUpgrader{
		0: {StateUpgrader: d.upgrade},
		1: {StateUpgrader: d.upgrade},
	}
}

// upgrade works on the stored text: an old state may lack any attribute.
func (d *document) upgrade(ctx context.Context, req resource.UpgradeStateRequest, resp *resource.UpgradeStateResponse) {
	old := filestore.Object{}
	err := filestore.Decode(strings.NewReader(string(req.RawState.JSON)), &old)
	if err != nil {
		resp.Diagnostics.AddError("Failed to read the old state", err.Error())
		return
	}
	if folder, ok := old["path"]; ok {
		old["folder"] = folder
	}
	if pages, ok := old["pages"].(string); ok {
		old["pages"] = nil
		if pages != "" {
			old["pages"] = json.Number(pages)
		}
	}
	schema := resp.State.Schema.Type().TerraformType(ctx)
	resp.State.Raw, err = objects.FromObject(old, resp.State.Raw, schema, nil)
	if err != nil {
		resp.Diagnostics.AddError("Failed to upgrade the old state", fmt.Sprintf("It does not fit version 2: %v", err))
	}
}

func documentDigest(a objects.Applied) any {
	var body string
	if value := a.Plan["body"]; !value.IsNull() {
		_ = value.As(&body)
	}
	return digest(body)
}

// digest is the same for every spelling of a JSON value.
func digest(body string) string {
	var value any
	canonical := []byte(body)
	if filestore.Decode(strings.NewReader(body), &value) == nil {
		canonical, _ = filestore.Encode(value)
	}
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:])
}
