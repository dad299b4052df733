package main

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/sdkv2/objects"
)

// lookup reads the file of any object.
func lookup() *schema.Resource {
	return &schema.Resource{
		Description: "Whether an object exists, and its text.",
		Schema: map[string]*schema.Schema{
			"type":   {Type: schema.TypeString, Required: true},
			"object": {Type: schema.TypeString, Required: true},
			"found":  {Type: schema.TypeBool, Computed: true},
			"text":   {Type: schema.TypeString, Computed: true, Sensitive: true},
		},
		ReadContext: func(_ context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
			store, ok := meta.(filestore.Store)
			if !ok {
				return diag.FromErr(objects.ErrUnknownRoot)
			}
			kind, id := d.Get("type").(string), d.Get("object").(string)
			object, err := store.Load(kind, id)
			if err != nil && !errors.Is(err, filestore.ErrGone) {
				return diag.FromErr(err)
			}
			d.SetId(kind + "/" + id)
			text := ""
			if err == nil {
				encoded, _ := filestore.Encode(object)
				text = string(encoded)
			}
			return diag.FromErr(errors.Join(d.Set("found", err == nil), d.Set("text", text)))
		},
	}
}
