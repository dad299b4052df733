package main

import (
	"context"
	"time"

	"github.com/hashicorp/go-cty/cty"
	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/sdkv2/objects"
)

// job has timeouts, which the SDK keeps in private data. They have their own
// type because they cannot conform: the SDK (2.40) fails to plan an unknown
// timeout, with "Error parsing … timeout".
func job() objects.Kind {
	timeout := 20 * time.Minute
	return objects.Kind{
		Name: "sdkfix_job",
		Resource: &schema.Resource{
			Description: "Timeouts.",
			Timeouts:    &schema.ResourceTimeout{Create: &timeout, Update: &timeout, Delete: &timeout},
			Schema: map[string]*schema.Schema{
				"name": {Type: schema.TypeString, Required: true},
				"host": {Type: schema.TypeString, Computed: true},
			},
			ValidateRawResourceConfigFuncs: []schema.ValidateRawResourceConfigFunc{validTimeouts},
		},
		Computed: map[string]objects.Compute{"id": objects.TheID, "host": objects.Generated},
		Drift:    filestore.Drift{Change: []filestore.Change{{Path: "name"}}},
	}
}

// validTimeouts reports in validation what the SDK would report only when
// planning.
func validTimeouts(_ context.Context, req schema.ValidateResourceConfigFuncRequest, resp *schema.ValidateResourceConfigFuncResponse) {
	timeouts := req.RawConfig.GetAttr(schema.TimeoutsConfigKey)
	if !timeouts.IsKnown() || timeouts.IsNull() {
		return
	}
	for name, value := range timeouts.AsValueMap() {
		if !value.IsKnown() || value.IsNull() {
			continue
		}
		if _, err := time.ParseDuration(value.AsString()); err != nil {
			resp.Diagnostics = append(resp.Diagnostics, diag.Diagnostic{
				Severity:      diag.Error,
				Summary:       "The timeout is no duration",
				Detail:        err.Error(),
				AttributePath: cty.GetAttrPath(schema.TimeoutsConfigKey).GetAttr(name),
			})
		}
	}
}
