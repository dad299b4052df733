// Package objects is what providers on terraform-plugin-sdk/v2 have in common
// here: the operations of resource types whose objects are files.
package objects

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

// Kind is one resource type: the schema and the SDK's operations are in
// Resource; the state's object is the file's object.
type Kind struct {
	Name     string
	Resource *schema.Resource
	// Computed provides values for attributes that the plan left unknown. The key
	// is the path without indices, as in "rule.handle".
	Computed map[string]Compute
	// Hidden returns what the remote system stores and never shows. The object is
	// nil on create.
	Hidden func(d *schema.ResourceData, prior filestore.Object) (filestore.Object, diag.Diagnostics)
	// Refuse is the remote system's own validation: an error leaves what it has
	// as it is.
	Refuse func(store filestore.Store, object filestore.Object) error
	Client filestore.Client
	Drift  filestore.Drift
}

// ErrUnknownRoot says that no operation on objects is possible.
var ErrUnknownRoot = errors.New("the folder of the objects is not known: the provider's argument \"root\" is unknown")

// Serve adds the operations to the resource, unless it has its own.
func (k Kind) Serve() *schema.Resource {
	if k.Resource.CreateContext != nil {
		return k.Resource
	}
	k.Resource.CreateContext = k.create
	k.Resource.ReadContext = k.read
	k.Resource.DeleteContext = k.delete
	k.Resource.UpdateContext = k.update
	// Without this, the SDK reads stored states through 64-bit floats.
	k.Resource.UseJSONNumber = true
	k.Resource.Importer = &schema.ResourceImporter{StateContext: k.importState}
	return k.Resource
}

func (k Kind) create(_ context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
	return k.apply(d, meta, filestore.NewID(), nil)
}

func (k Kind) update(_ context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
	store, ok := meta.(filestore.Store)
	if !ok {
		return diag.FromErr(ErrUnknownRoot)
	}
	prior, err := store.Load(k.Name, d.Id())
	if err != nil {
		// Without this, the state would hold the failed plan.
		d.Partial(true)
		return diag.FromErr(err)
	}
	return k.apply(d, meta, d.Id(), prior)
}

// apply fills in the plan's unknowns and writes the object.
func (k Kind) apply(d *schema.ResourceData, meta any, id string, prior filestore.Object) diag.Diagnostics {
	store, ok := meta.(filestore.Store)
	if !ok {
		return diag.FromErr(ErrUnknownRoot)
	}
	// The raw plan tells null from empty, which ResourceData does not.
	object := toJSON(d.GetRawPlan()).(filestore.Object)
	delete(object, schema.TimeoutsConfigKey)
	var set []string
	for name, value := range object {
		made, changed, err := fill(value, k.Computed, []any{name}, prior, id)
		if err != nil {
			return diag.FromErr(err)
		}
		// A block's unset members come back from the state as zeros. Setting
		// blocks lets the apply return what the next read will.
		object[name] = made
		if hasMembers(k.Resource.SchemaMap()[name]) || changed && name != "id" {
			set = append(set, name)
		}
	}
	if k.Refuse != nil {
		if err := k.Refuse(store, object); err != nil {
			d.Partial(prior != nil)
			return diag.FromErr(err)
		}
	}
	stored := maps.Clone(object)
	if k.Hidden != nil {
		hidden, diags := k.Hidden(d, prior)
		if diags.HasError() {
			return diags
		}
		maps.Copy(stored, hidden)
	}
	stored, err := filestore.Copy(stored)
	if err != nil {
		return diag.FromErr(err)
	}
	if k.Client.Sent != nil {
		k.Client.Sent(stored, prior)
	}
	if err := store.Save(k.Name, id, stored); err != nil {
		d.Partial(prior != nil)
		return diag.FromErr(err)
	}
	d.SetId(id)
	if k.Client.Applied != nil {
		k.Client.Applied(stored)
		for name := range k.Resource.SchemaMap() {
			if value, ok := stored[name]; ok && !same(value, object[name]) {
				object[name] = value
				set = append(set, name)
			}
		}
	}
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
func (k Kind) read(_ context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
	store, ok := meta.(filestore.Store)
	if !ok {
		return nil // The root is not known, so nothing is known about the object.
	}
	object, err := store.Load(k.Name, d.Id())
	if errors.Is(err, filestore.ErrGone) {
		d.SetId("")
		return nil
	}
	if err != nil {
		return diag.FromErr(err)
	}
	if k.Client.Read != nil {
		k.Client.Read(object)
	}
	current := filestore.Object{}
	if state := d.GetRawState(); !state.IsNull() {
		current = toJSON(state).(filestore.Object)
	}
	for name := range k.Resource.SchemaMap() {
		if value, ok := object[name]; ok && !same(value, current[name]) {
			if err := d.Set(name, value); err != nil {
				return diag.FromErr(err)
			}
		}
	}
	return nil
}

func (k Kind) delete(_ context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
	store, ok := meta.(filestore.Store)
	if !ok {
		return diag.FromErr(ErrUnknownRoot)
	}
	return diag.FromErr(store.Delete(k.Name, d.Id()))
}

// importState refuses ids that no object has; the read that follows does the
// rest.
func (k Kind) importState(_ context.Context, d *schema.ResourceData, meta any) ([]*schema.ResourceData, error) {
	store, ok := meta.(filestore.Store)
	if !ok {
		return nil, ErrUnknownRoot
	}
	if _, err := store.Load(k.Name, d.Id()); err != nil {
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
