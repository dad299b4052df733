package main

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"tfconform.example/providers/filestore"
)

const oldType = "muxfix_old"

func oldProvider() *schema.Provider {
	return &schema.Provider{
		Schema: map[string]*schema.Schema{
			"root": {Type: schema.TypeString, Optional: true, Description: rootDescription},
		},
		ResourcesMap: map[string]*schema.Resource{
			oldType: {
				Description: "Still on the old SDK.",
				Schema: map[string]*schema.Schema{
					"name": {Type: schema.TypeString, Required: true},
					"zone": {Type: schema.TypeString, Optional: true, ForceNew: true},
					"tags": {
						Type: schema.TypeSet, Optional: true,
						Elem: &schema.Schema{Type: schema.TypeString},
					},
					"host": {Type: schema.TypeString, Computed: true},
				},
				CreateContext: oldCreate,
				ReadContext:   oldRead,
				UpdateContext: oldUpdate,
				DeleteContext: oldDelete,
				Importer:      &schema.ResourceImporter{StateContext: schema.ImportStatePassthroughContext},
			},
		},
		ConfigureContextFunc: func(_ context.Context, d *schema.ResourceData) (any, diag.Diagnostics) {
			if !d.GetRawConfig().GetAttr("root").IsKnown() {
				return nil, nil
			}
			store, err := filestore.Locate(name, d.Get("root").(string))
			return store, diag.FromErr(err)
		},
	}
}

// oldStore returns false if the folder of the objects is not known.
func oldStore(meta any) (filestore.Store, bool) {
	store, ok := meta.(filestore.Store)
	return store, ok
}

var errUnknownRoot = errors.New("the folder of the objects is not known: the provider's argument \"root\" is unknown")

func oldCreate(_ context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
	store, ok := oldStore(meta)
	if !ok {
		return diag.FromErr(errUnknownRoot)
	}
	id := filestore.NewID()
	if err := d.Set("host", filestore.NewID()); err != nil {
		return diag.FromErr(err)
	}
	if err := store.Save(oldType, id, oldObject(d)); err != nil {
		return diag.FromErr(err)
	}
	d.SetId(id)
	return nil
}

func oldUpdate(_ context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
	store, ok := oldStore(meta)
	if !ok {
		return diag.FromErr(errUnknownRoot)
	}
	_, err := store.Load(oldType, d.Id())
	if err == nil {
		err = store.Save(oldType, d.Id(), oldObject(d))
	}
	if err != nil {
		// Without this, the state would hold the failed plan.
		d.Partial(true)
	}
	return diag.FromErr(err)
}

func oldObject(d *schema.ResourceData) filestore.Object {
	return filestore.Object{
		"name": d.Get("name"),
		"zone": d.Get("zone"),
		"tags": d.Get("tags").(*schema.Set).List(),
		"host": d.Get("host"),
	}
}

func oldRead(_ context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
	store, ok := oldStore(meta)
	if !ok {
		return nil // The root is not known, so nothing is known about the object.
	}
	object, err := store.Load(oldType, d.Id())
	if errors.Is(err, filestore.ErrGone) {
		d.SetId("")
		return nil
	}
	if err != nil {
		return diag.FromErr(err)
	}
	for _, attribute := range []string{"name", "zone", "host"} {
		// The remote system has no nulls, so an empty string may mean null.
		if object[attribute] != d.Get(attribute) {
			err = errors.Join(err, d.Set(attribute, object[attribute]))
		}
	}
	tags, _ := object["tags"].([]any)
	if !d.Get("tags").(*schema.Set).Equal(schema.NewSet(schema.HashString, tags)) {
		err = errors.Join(err, d.Set("tags", tags))
	}
	return diag.FromErr(err)
}

func oldDelete(_ context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
	store, ok := oldStore(meta)
	if !ok {
		return diag.FromErr(errUnknownRoot)
	}
	return diag.FromErr(store.Delete(oldType, d.Id()))
}
