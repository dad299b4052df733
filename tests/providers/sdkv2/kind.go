package main

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"tfconform.example/providers/filestore"
)

// kind is one resource type: the schema and the SDK's operations are in
// resource; the state's object is the file's object.
type kind struct {
	name     string
	resource *schema.Resource
	// computed provides values for attributes that the plan left unknown. The key
	// is the path without indices, as in "rule.handle".
	computed map[string]compute
	// hidden returns what the remote system stores and never shows. The object is
	// nil on create.
	hidden func(d *schema.ResourceData, prior filestore.Object) (filestore.Object, diag.Diagnostics)
	drift  filestore.Drift
}

var errUnknownRoot = errors.New("the folder of the objects is not known: the provider's argument \"root\" is unknown")

// serve adds the operations to the resource, unless it has its own.
func (k kind) serve() *schema.Resource {
	if k.resource.CreateContext != nil {
		return k.resource
	}
	k.resource.CreateContext = k.create
	k.resource.ReadContext = k.read
	k.resource.DeleteContext = k.delete
	k.resource.UpdateContext = k.update
	// Without this, the SDK reads stored states through 64-bit floats.
	k.resource.UseJSONNumber = true
	k.resource.Importer = &schema.ResourceImporter{StateContext: k.importState}
	return k.resource
}

func (k kind) create(_ context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
	return k.apply(d, meta, filestore.NewID(), nil)
}

func (k kind) update(_ context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
	store, ok := meta.(filestore.Store)
	if !ok {
		return diag.FromErr(errUnknownRoot)
	}
	prior, err := store.Load(k.name, d.Id())
	if err != nil {
		// Without this, the state would hold the failed plan.
		d.Partial(true)
		return diag.FromErr(err)
	}
	return k.apply(d, meta, d.Id(), prior)
}

// apply fills in the plan's unknowns and writes the object.
func (k kind) apply(d *schema.ResourceData, meta any, id string, prior filestore.Object) diag.Diagnostics {
	store, ok := meta.(filestore.Store)
	if !ok {
		return diag.FromErr(errUnknownRoot)
	}
	// The raw plan tells null from empty, which ResourceData does not.
	object := toJSON(d.GetRawPlan()).(filestore.Object)
	delete(object, schema.TimeoutsConfigKey)
	var set []string
	for name, value := range object {
		made, changed, err := fill(value, k.computed, []any{name}, prior, id)
		if err != nil {
			return diag.FromErr(err)
		}
		// A block's unset members come back from the state as zeros. Setting
		// blocks lets the apply return what the next read will.
		object[name] = made
		if hasMembers(k.resource.SchemaMap()[name]) || changed && name != "id" {
			set = append(set, name)
		}
	}
	stored := maps.Clone(object)
	if k.hidden != nil {
		hidden, diags := k.hidden(d, prior)
		if diags.HasError() {
			return diags
		}
		maps.Copy(stored, hidden)
	}
	if err := store.Save(k.name, id, stored); err != nil {
		d.Partial(prior != nil)
		return diag.FromErr(err)
	}
	d.SetId(id)
	slices.Sort(set)
	for _, name := range set {
		if err := d.Set(name, object[name]); err != nil {
			return diag.FromErr(err)
		}
	}
	return nil
}

// read sets only what differs: the SDK cannot give back every null and empty
// value that a state may hold.
func (k kind) read(_ context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
	store, ok := meta.(filestore.Store)
	if !ok {
		return nil // The root is not known, so nothing is known about the object.
	}
	object, err := store.Load(k.name, d.Id())
	if errors.Is(err, filestore.ErrGone) {
		d.SetId("")
		return nil
	}
	if err != nil {
		return diag.FromErr(err)
	}
	current := filestore.Object{}
	if state := d.GetRawState(); !state.IsNull() {
		current = toJSON(state).(filestore.Object)
	}
	for name := range k.resource.SchemaMap() {
		if value, ok := object[name]; ok && !same(value, current[name]) {
			if err := d.Set(name, value); err != nil {
				return diag.FromErr(err)
			}
		}
	}
	return nil
}

func (k kind) delete(_ context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
	store, ok := meta.(filestore.Store)
	if !ok {
		return diag.FromErr(errUnknownRoot)
	}
	return diag.FromErr(store.Delete(k.name, d.Id()))
}

// importState refuses ids that no object has; the read that follows does the
// rest.
func (k kind) importState(_ context.Context, d *schema.ResourceData, meta any) ([]*schema.ResourceData, error) {
	store, ok := meta.(filestore.Store)
	if !ok {
		return nil, errUnknownRoot
	}
	if _, err := store.Load(k.name, d.Id()); err != nil {
		return nil, err
	}
	return []*schema.ResourceData{d}, nil
}

func hasMembers(attribute *schema.Schema) bool {
	if attribute == nil {
		return false
	}
	_, ok := attribute.Elem.(*schema.Resource)
	return ok
}

func same(a, b any) bool { return reflect.DeepEqual(a, b) }
