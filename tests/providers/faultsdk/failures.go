package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/filestore/mistakes"
	"tfconform.example/providers/sdkv2/objects"
)

// step is what the size of a pool is a multiple of.
const step = 4

func inSteps(_ filestore.Store, pool filestore.Object) error {
	if mistakes.Whole(pool["size"])%step != 0 {
		return fmt.Errorf("400 InvalidParameter: size must be a multiple of %d", step)
	}
	return nil
}

// failures leave behind something else than what they say.
func failures() []fault {
	return []fault{
		changed("delete_fails", "server", func(server *schema.Resource) {
			server.DeleteContext = func(context.Context, *schema.ResourceData, any) diag.Diagnostics {
				return diag.Errorf("409 Conflict: the server must be stopped before it can be deleted")
			}
		}),
		changed("delete_of_a_gone_object_fails", "server", func(server *schema.Resource) {
			server.DeleteContext = func(_ context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
				store := meta.(filestore.Store)
				if _, err := store.Load(name+"_server", d.Id()); err != nil {
					return diag.FromErr(err)
				}
				return diag.FromErr(store.Delete(name+"_server", d.Id()))
			}
		}),
		changed("delete_leaves_the_object", "server", func(server *schema.Resource) {
			server.DeleteContext = func(_ context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
				// By the name, but the remote system wants the id.
				return diag.FromErr(meta.(filestore.Store).Delete(name+"_server", d.Get("address").(string)))
			}
		}),
		changed("gone_object_is_an_error", "server", onRead(func(d *schema.ResourceData, store filestore.Store) diag.Diagnostics {
			_, err := store.Load(name+"_server", d.Id())
			return diag.FromErr(err)
		})),
		{Mistake: mistakes.Mistake{Name: "read_copies_the_note", On: "server", Client: filestore.Client{
			Read: func(answer filestore.Object) { delete(answer, "note") }, // And so does not set it.
		}}},
		{Mistake: mistakes.Mistake{Name: "read_copies_the_size", On: "server", Client: filestore.Client{
			Read: func(answer filestore.Object) { delete(answer, "size") },
		}}},
		{mistakes.Mistake{Name: "added_default_replaces", On: "server", Client: filestore.Client{
			Read: func(answer filestore.Object) { delete(answer, "color") },
		}}, func(server *schema.Resource) { server.Schema["color"].ForceNew = true }},
		changed("partial_create_is_lost", "pool", func(pool *schema.Resource) {
			pool.CreateContext = func(_ context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
				id, store := filestore.NewID(), meta.(filestore.Store)
				created := filestore.Object{"id": id, "name": d.Get("name"), "size": d.Get("size")}
				if err := store.Save(name+"_pool", id, created); err != nil {
					return diag.FromErr(err)
				}
				if size := d.Get("size").(int); size%step != 0 {
					return diag.FromErr(errors.New("error setting the size: 400 InvalidParameter"))
				}
				d.SetId(id)
				return nil
			}
		}),
		changed("failed_update_is_recorded", "pool", func(pool *schema.Resource) {
			update := pool.UpdateContext
			pool.UpdateContext = func(ctx context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
				diags := update(ctx, d, meta)
				d.Partial(false) // The author does not know of it.
				return diags
			}
		}),
		changed("two_creates_race_for_an_id", "ticket", func(ticket *schema.Resource) { ticket.CreateContext = createTicket }),
	}
}

// onRead is the author's code before the rest of a read.
func onRead(code func(*schema.ResourceData, filestore.Store) diag.Diagnostics) func(*schema.Resource) {
	return func(resource *schema.Resource) {
		rest := resource.ReadContext
		resource.ReadContext = func(ctx context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
			store, ok := meta.(filestore.Store)
			if !ok {
				return diag.FromErr(objects.ErrUnknownRoot)
			}
			if diags := code(d, store); diags.HasError() {
				return diags
			}
			return rest(ctx, d, meta)
		}
	}
}
