package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/hashicorp/go-cty/cty"
	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/customdiff"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/sdkv2/objects"
)

// secret has a value in the state and a write-only one.
func secret() objects.Kind {
	return objects.Kind{
		Name: "sdkfix_secret",
		Resource: &schema.Resource{
			Description: "Sensitive and write-only values.",
			Schema: map[string]*schema.Schema{
				"name": {Type: schema.TypeString, Required: true},
				"token": {
					Type: schema.TypeString, Optional: true, Computed: true, Sensitive: true,
					Description: "Made by the remote system unless configured.",
				},
				"password": {
					Type: schema.TypeString, Optional: true, Sensitive: true, WriteOnly: true,
					Description: "Sent on create, and when password_version changes.",
				},
				"password_version": {Type: schema.TypeInt, Optional: true},
				"sets": {
					Type: schema.TypeInt, Computed: true,
					Description: "How often it was applied.",
				},
			},
			CustomizeDiff: customdiff.ComputedIf("sets", anyChange("password")),
		},
		Computed: map[string]objects.Compute{"id": objects.TheID, "token": objects.Generated, "sets": objects.Counted},
		Hidden:   passwordDigest,
		Drift:    filestore.Drift{Change: []filestore.Change{{Path: "name"}}},
	}
}

// passwordDigest is what the remote system stores of the password. It does not
// change until the version does.
func passwordDigest(d *schema.ResourceData, prior filestore.Object) (filestore.Object, diag.Diagnostics) {
	const hidden = "_password_digest"
	was, _ := prior["password_version"].(json.Number)
	old, _ := was.Int64()
	if prior != nil && old == int64(d.Get("password_version").(int)) {
		return filestore.Object{hidden: prior[hidden]}, nil
	}
	password, diags := d.GetRawConfigAt(cty.GetAttrPath("password"))
	if diags.HasError() || password.IsNull() {
		return filestore.Object{hidden: nil}, diags
	}
	sum := sha256.Sum256([]byte("remote\x00" + password.AsString()))
	return filestore.Object{hidden: hex.EncodeToString(sum[:])}, diags
}
