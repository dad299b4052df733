package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
)

// render joins strings. It needs no remote system.
func render() *schema.Resource {
	return &schema.Resource{
		Description: "Joins the parts.",
		Schema: map[string]*schema.Schema{
			"separator": {Type: schema.TypeString, Optional: true, Default: " "},
			"upper":     {Type: schema.TypeBool, Optional: true},
			"part": {
				Type: schema.TypeList, Optional: true,
				Elem: &schema.Resource{Schema: map[string]*schema.Schema{
					"text": {Type: schema.TypeString, Required: true},
				}},
			},
			"labels": {Type: schema.TypeMap, Optional: true, Elem: &schema.Schema{Type: schema.TypeString}},
			"result": {Type: schema.TypeString, Computed: true},
		},
		ReadContext: func(_ context.Context, d *schema.ResourceData, _ any) diag.Diagnostics {
			var texts []string
			for _, part := range d.Get("part").([]any) {
				fields, _ := part.(map[string]any)
				text, _ := fields["text"].(string)
				texts = append(texts, text)
			}
			result := strings.Join(texts, d.Get("separator").(string))
			if d.Get("upper").(bool) {
				result = strings.ToUpper(result)
			}
			sum := sha256.Sum256([]byte(result))
			d.SetId(hex.EncodeToString(sum[:]))
			return diag.FromErr(errors.Join(d.Set("result", result)))
		},
	}
}
