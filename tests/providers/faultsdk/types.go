package main

import (
	"context"

	"github.com/hashicorp/go-cty/cty"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/customdiff"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/validation"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/sdkv2/objects"
)

func kinds() []objects.Kind {
	return []objects.Kind{server(), group(), service(), disk(), account(), pool(), record(), ticket(), queue()}
}

var text = &schema.Schema{Type: schema.TypeString}

func newKind(kind, description string, drift filestore.Drift, arguments map[string]*schema.Schema) objects.Kind {
	return objects.Kind{
		Name:     name + "_" + kind,
		Resource: &schema.Resource{Description: description, Schema: arguments},
		Computed: map[string]objects.Compute{"id": objects.TheID},
		Drift:    drift,
	}
}

func server() objects.Kind {
	drift := filestore.Drift{Change: []filestore.Change{{Path: "note", WhenNull: `"changed"`}}}
	kind := newKind("server", "A server.", drift, map[string]*schema.Schema{
		"name":    {Type: schema.TypeString, Required: true},
		"note":    {Type: schema.TypeString, Optional: true},
		"size":    {Type: schema.TypeInt, Optional: true},
		"enabled": {Type: schema.TypeBool, Optional: true},
		"zone":    {Type: schema.TypeString, Optional: true, ForceNew: true},
		"color":   {Type: schema.TypeString, Optional: true, Default: "blue"},
		"host":    {Type: schema.TypeString, Computed: true, Description: "Follows from the name."},
		"address": {Type: schema.TypeString, Computed: true, Description: "Stays the same."},
		"revision": {
			Type: schema.TypeInt, Computed: true,
			Description: "Grows by one with every apply.",
		},
	})
	kind.Resource.CustomizeDiff = customdiff.All(hostOfName, customdiff.ComputedIf("revision", anyChange))
	kind.Computed["address"] = objects.Generated
	kind.Computed["revision"] = objects.Counted
	return kind
}

func hostOfName(_ context.Context, d *schema.ResourceDiff, _ any) error {
	if !d.NewValueKnown("name") {
		return d.SetNewComputed("host")
	}
	if host := d.Get("name").(string) + ".example"; host != d.Get("host") {
		return d.SetNew("host", host)
	}
	return nil
}

func anyChange(_ context.Context, d *schema.ResourceDiff, _ any) bool {
	return d.Id() != "" && len(d.GetChangedKeysPrefix("")) > 0
}

func group() objects.Kind {
	drift := filestore.Drift{
		Change: []filestore.Change{{Path: "name"}},
		Grow:   []filestore.Grow{{Path: "tags", Element: `"added-%d"`}},
	}
	return newKind("group", "Collections.", drift, map[string]*schema.Schema{
		"name":    {Type: schema.TypeString, Required: true},
		"members": {Type: schema.TypeList, Optional: true, Elem: text},
		"tags":    {Type: schema.TypeSet, Optional: true, Elem: text},
		"labels":  {Type: schema.TypeMap, Optional: true, Elem: text},
	})
}

func service() objects.Kind {
	drift := filestore.Drift{Change: []filestore.Change{{Path: "name"}}}
	return newKind("service", "Nested blocks.", drift, map[string]*schema.Schema{
		"name": {Type: schema.TypeString, Required: true},
		"listener": {
			Type: schema.TypeList, Optional: true,
			Elem: &schema.Resource{Schema: map[string]*schema.Schema{
				"port":    {Type: schema.TypeInt, Required: true},
				"host":    {Type: schema.TypeString, Optional: true},
				"aliases": {Type: schema.TypeList, Optional: true, Elem: text},
			}},
		},
		"health_check": {
			Type: schema.TypeList, Optional: true, MaxItems: 1,
			Elem: &schema.Resource{Schema: map[string]*schema.Schema{
				"path":     {Type: schema.TypeString, Optional: true},
				"interval": {Type: schema.TypeInt, Optional: true},
			}},
		},
		"rule": {
			Type: schema.TypeSet, Optional: true,
			Elem: &schema.Resource{Schema: map[string]*schema.Schema{
				"source": {Type: schema.TypeString, Required: true},
				// Both required: in a set, the SDK finds another element where an optional
				// one is null.
				"comment": {Type: schema.TypeString, Required: true},
			}},
		},
	})
}

func disk() objects.Kind {
	drift := filestore.Drift{Change: []filestore.Change{{Path: "gigabytes", WhenNull: "7"}}}
	return newKind("disk", "Numbers.", drift, map[string]*schema.Schema{
		"name":      {Type: schema.TypeString, Required: true},
		"gigabytes": {Type: schema.TypeInt, Optional: true},
		"copies":    {Type: schema.TypeInt, Optional: true},
	})
}

func account() objects.Kind {
	drift := filestore.Drift{Change: []filestore.Change{{Path: "display_name", WhenNull: `"changed"`}}}
	return newKind("account", "Texts with several spellings, each kept as it is written.", drift, map[string]*schema.Schema{
		"email":        {Type: schema.TypeString, Required: true},
		"display_name": {Type: schema.TypeString, Optional: true},
		"code":         {Type: schema.TypeString, Optional: true},
		"policy":       {Type: schema.TypeString, Optional: true, ValidateFunc: validation.StringIsJSON},
		"expires_at":   {Type: schema.TypeString, Optional: true, ValidateFunc: validation.IsRFC3339Time},
		"password":     {Type: schema.TypeString, Optional: true, Sensitive: true},
	})
}

// pool has an argument with a rule that only the remote system knows.
func pool() objects.Kind {
	drift := filestore.Drift{Change: []filestore.Change{{Path: "name"}}}
	kind := newKind("pool", "A pool whose size is a multiple of 4.", drift, map[string]*schema.Schema{
		"name": {Type: schema.TypeString, Required: true},
		"size": {Type: schema.TypeInt, Required: true},
	})
	kind.Refuse = inSteps
	return kind
}

// record has an older version, in which the pages were a text.
func record() objects.Kind {
	drift := filestore.Drift{Change: []filestore.Change{{Path: "title"}}}
	kind := newKind("record", "A record with an older version.", drift, map[string]*schema.Schema{
		"title":  {Type: schema.TypeString, Required: true},
		"pages":  {Type: schema.TypeInt, Optional: true},
		"labels": {Type: schema.TypeMap, Optional: true, Elem: text},
	})
	kind.Resource.SchemaVersion = 1
	kind.Resource.StateUpgraders = []schema.StateUpgrader{{
		Version: 0,
		Type: cty.Object(map[string]cty.Type{
			"id": cty.String, "title": cty.String, "pages": cty.String, "tags": cty.Map(cty.String),
		}),
		Upgrade: upgradeRecord,
	}}
	return kind
}

// queue has an argument whose minimum is above what anyone would try first.
func queue() objects.Kind {
	drift := filestore.Drift{Change: []filestore.Change{{Path: "name"}}}
	return newKind("queue", "A queue with room for 1024 entries or more.", drift, map[string]*schema.Schema{
		"name":   {Type: schema.TypeString, Required: true},
		"buffer": {Type: schema.TypeInt, Required: true, ValidateFunc: validation.IntAtLeast(1024)},
	})
}

func ticket() objects.Kind {
	drift := filestore.Drift{Change: []filestore.Change{{Path: "title"}}}
	return newKind("ticket", "A ticket.", drift, map[string]*schema.Schema{
		"title": {Type: schema.TypeString, Required: true},
	})
}
