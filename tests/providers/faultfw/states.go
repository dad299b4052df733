package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/framework/objects"
)

// recordType has an older version, in which the pages were a text, and the
// labels were called tags.
type recordType struct{ *resourceType }

func (r *recordType) UpgradeState(context.Context) map[int64]resource.StateUpgrader {
	upgrade := upgradeRecord
	if r.fault.upgrade != nil {
		upgrade = r.fault.upgrade
	}
	return map[int64]resource.StateUpgrader{0: {StateUpgrader: upgrade, PriorSchema: r.fault.prior}}
}

// recordModel is a record, and oldRecordModel one of version 0 whose pages were
// a number already.
type recordModel struct {
	ID     types.String `tfsdk:"id"`
	Title  types.String `tfsdk:"title"`
	Pages  types.Int64  `tfsdk:"pages"`
	Labels types.Map    `tfsdk:"labels"`
}

type oldRecordModel struct {
	ID    types.String `tfsdk:"id"`
	Title types.String `tfsdk:"title"`
	Pages types.Int64  `tfsdk:"pages"`
	Tags  types.Map    `tfsdk:"tags"`
}

func oldRecordSchema() *schema.Schema {
	return &schema.Schema{Attributes: map[string]schema.Attribute{
		"id":    schema.StringAttribute{Computed: true},
		"title": schema.StringAttribute{Required: true},
		"pages": schema.Int64Attribute{Optional: true},
		"tags":  schema.MapAttribute{Optional: true, ElementType: types.StringType},
	}}
}

// upgradeRecord works on the stored text: an old state may lack any attribute.
func upgradeRecord(ctx context.Context, req resource.UpgradeStateRequest, resp *resource.UpgradeStateResponse) {
	old, err := oldRecord(req)
	if err != nil {
		resp.Diagnostics.AddError("Failed to read the old state", err.Error())
		return
	}
	if tags, ok := old["tags"]; ok {
		old["labels"] = tags
	}
	if pages, ok := old["pages"].(string); ok {
		if old["pages"] = nil; pages != "" {
			old["pages"] = json.Number(pages)
		}
	}
	upgraded(ctx, old, resp)
}

func oldRecord(req resource.UpgradeStateRequest) (filestore.Object, error) {
	old := filestore.Object{}
	return old, filestore.Decode(strings.NewReader(string(req.RawState.JSON)), &old)
}

func upgraded(ctx context.Context, record filestore.Object, resp *resource.UpgradeStateResponse) {
	schema := resp.State.Schema.Type().TerraformType(ctx)
	var err error
	resp.State.Raw, err = objects.FromObject(record, resp.State.Raw, schema, nil)
	if err != nil {
		resp.Diagnostics.AddError("Failed to upgrade the old state", fmt.Sprintf("It does not fit version 1: %v", err))
	}
}

// states come from elsewhere: from an older version or an import.
func states() []fault {
	return []fault{
		{Mistake: on("record", "upgrader_expects_a_key"), upgrade: func(ctx context.Context, req resource.UpgradeStateRequest, resp *resource.UpgradeStateResponse) {
			old, _ := oldRecord(req)
			labels := filestore.Object{}
			for key, value := range old["tags"].(map[string]any) {
				labels[strings.ToLower(key)] = value
			}
			old["labels"] = labels
			old["pages"] = json.Number(old["pages"].(string))
			upgraded(ctx, old, resp)
		}},
		{Mistake: on("record", "upgrader_leaves_an_old_type"), upgrade: func(ctx context.Context, req resource.UpgradeStateRequest, resp *resource.UpgradeStateResponse) {
			old, _ := oldRecord(req)
			old["labels"] = old["tags"]
			upgraded(ctx, old, resp)
		}},
		{Mistake: on("record", "upgrader_drops_the_pages"), prior: oldRecordSchema(), upgrade: func(ctx context.Context, req resource.UpgradeStateRequest, resp *resource.UpgradeStateResponse) {
			var old oldRecordModel
			resp.Diagnostics.Append(req.State.Get(ctx, &old)...)
			if !resp.Diagnostics.HasError() {
				record := recordModel{ID: old.ID, Title: old.Title, Labels: old.Tags}
				resp.Diagnostics.Append(resp.State.Set(ctx, record)...)
			}
		}},
		{Mistake: on("record", "import_sets_the_wrong_attribute"), importState: func(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
			resource.ImportStatePassthroughID(ctx, path.Root("title"), req, resp)
		}},
	}
}
