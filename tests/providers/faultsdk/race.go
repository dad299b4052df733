package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/filestore/mistakes"
)

// createTicket makes the id itself, from the last one.
func createTicket(_ context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
	store := meta.(filestore.Store)
	id, err := mistakes.NextTicket(store)
	if err != nil {
		return diag.FromErr(err)
	}
	d.SetId(id)
	return diag.FromErr(store.Save(name+"_ticket", id, filestore.Object{"id": id, "title": d.Get("title")}))
}
