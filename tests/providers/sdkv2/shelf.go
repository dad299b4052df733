package main

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/sdkv2/objects"
)

const shelfName = "sdkfix_shelf"

// shelf is written as most resources on this SDK are: Create and Update take
// values with Get, which does not tell null from empty, and then read; Read
// sets every attribute to what the remote system has, which is an empty list
// where the configuration has none.
func shelf() objects.Kind {
	text := &schema.Schema{Type: schema.TypeString}
	return objects.Kind{
		Name: shelfName,
		Resource: &schema.Resource{
			Description:   "A shelf, read in the style of most providers on this SDK.",
			CreateContext: createShelf,
			ReadContext:   readShelf,
			UpdateContext: updateShelf,
			DeleteContext: deleteShelf,
			Importer:      &schema.ResourceImporter{StateContext: schema.ImportStatePassthroughContext},
			Schema: map[string]*schema.Schema{
				"name":   {Type: schema.TypeString, Required: true},
				"zones":  {Type: schema.TypeList, Optional: true, Elem: text},
				"tags":   {Type: schema.TypeSet, Optional: true, Elem: text},
				"labels": {Type: schema.TypeMap, Optional: true, Elem: text},
				"book": {
					Type: schema.TypeList, Optional: true,
					Elem: &schema.Resource{Schema: map[string]*schema.Schema{
						"title":   {Type: schema.TypeString, Required: true},
						"authors": {Type: schema.TypeList, Optional: true, Elem: text},
					}},
				},
				"place": {Type: schema.TypeString, Computed: true},
			},
		},
		Drift: filestore.Drift{
			Change: []filestore.Change{{Path: "name"}},
			Grow:   []filestore.Grow{{Path: "tags", Element: `"added-%d"`}},
		},
	}
}

func createShelf(ctx context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
	object := expandShelf(d)
	object["place"] = filestore.NewID()
	id := filestore.NewID()
	if err := saveShelf(meta, id, object); err != nil {
		return diag.FromErr(err)
	}
	d.SetId(id)
	return readShelf(ctx, d, meta)
}

func updateShelf(ctx context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
	object := expandShelf(d)
	object["place"] = d.Get("place")
	if err := saveShelf(meta, d.Id(), object); err != nil {
		d.Partial(true)
		return diag.FromErr(err)
	}
	return readShelf(ctx, d, meta)
}

func expandShelf(d *schema.ResourceData) filestore.Object {
	return filestore.Object{
		"id":     d.Id(),
		"name":   d.Get("name"),
		"zones":  d.Get("zones"),
		"tags":   d.Get("tags").(*schema.Set).List(),
		"labels": d.Get("labels"),
		"book":   d.Get("book"),
	}
}

func saveShelf(meta any, id string, object filestore.Object) error {
	store, ok := meta.(filestore.Store)
	if !ok {
		return objects.ErrUnknownRoot
	}
	object["id"] = id
	return store.Save(shelfName, id, object)
}

func readShelf(_ context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
	store, ok := meta.(filestore.Store)
	if !ok {
		return nil // The root is not known, so nothing is known about the object.
	}
	object, err := store.Load(shelfName, d.Id())
	if errors.Is(err, filestore.ErrGone) {
		d.SetId("")
		return nil
	}
	if err != nil {
		return diag.FromErr(err)
	}
	for _, attribute := range []string{"name", "zones", "tags", "labels", "book", "place"} {
		if err := d.Set(attribute, object[attribute]); err != nil {
			return diag.FromErr(err)
		}
	}
	return nil
}

func deleteShelf(_ context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
	store, ok := meta.(filestore.Store)
	if !ok {
		return diag.FromErr(objects.ErrUnknownRoot)
	}
	return diag.FromErr(store.Delete(shelfName, d.Id()))
}
