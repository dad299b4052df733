package main

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/sdkv2/objects"
)

// groupData reads a group that exists.
func groupData() *schema.Resource {
	return &schema.Resource{
		Description: "A group that exists.",
		Schema: map[string]*schema.Schema{
			"name":    {Type: schema.TypeString, Required: true},
			"comment": {Type: schema.TypeString, Computed: true},
		},
		ReadContext: func(_ context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
			store, ok := meta.(filestore.Store)
			if !ok {
				return diag.FromErr(objects.ErrUnknownRoot)
			}
			id := strings.TrimPrefix(d.Get("name").(string), "group-")
			group, err := store.Load(name+"_user_group", id)
			if err != nil {
				return diag.Errorf("no user group exists with the name %s", d.Get("name"))
			}
			d.SetId(id)
			comment, _ := group["comment"].(string)
			return diag.FromErr(d.Set("comment", comment))
		},
	}
}
