package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/filestore/mistakes"
)

// replacements are planned as updates.
func replacements() []fault {
	return []fault{
		{
			mistakes.Mistake{Name: "zone_changes_in_place", On: "server", Client: filestore.Client{Sent: mistakes.Keep("zone")}},
			inPlace("zone"),
		},
		changed("zone_change_is_refused", "server", refusedUpdate),
	}
}

func inPlace(argument string) func(*schema.Resource) {
	return func(resource *schema.Resource) { resource.Schema[argument].ForceNew = false }
}

func refusedUpdate(server *schema.Resource) {
	inPlace("zone")(server)
	update := server.UpdateContext
	server.UpdateContext = func(ctx context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
		if d.HasChange("zone") {
			d.Partial(true)
			return diag.Errorf("400 Bad Request: the zone of a server is immutable")
		}
		return update(ctx, d, meta)
	}
}
