package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/validation"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/sdkv2/objects"
)

// plans are refused by the plan, after validation accepted them.
func plans() []objects.Kind {
	return []objects.Kind{
		planned(animal("plan_order", "An autoscaler.", map[string]*schema.Schema{
			"min":     {Type: schema.TypeInt, Required: true, ValidateFunc: validation.IntAtLeast(0)},
			"max":     {Type: schema.TypeInt, Required: true, ValidateFunc: validation.IntAtLeast(0)},
			"comment": comment(),
		}), maxAboveMin),
		planned(animal("plan_dependent", "A database whose versions depend on its engine.", map[string]*schema.Schema{
			"engine": {
				Type: schema.TypeString, Required: true,
				ValidateFunc: validation.StringInSlice([]string{"mysql", "postgres"}, false),
			},
			"engine_version": {Type: schema.TypeString, Required: true},
			"comment":        comment(),
		}), versionOfEngine),
		planned(animal("plan_required_if", "A volume that needs a rate if it is fast.", map[string]*schema.Schema{
			"type": {
				Type: schema.TypeString, Optional: true, Default: "standard",
				ValidateFunc: validation.StringInSlice([]string{"standard", "io1", "io2"}, false),
			},
			"iops":    {Type: schema.TypeInt, Optional: true, ValidateFunc: validation.IntBetween(100, 64000)},
			"comment": comment(),
		}), rateIfFast),
	}
}

func maxAboveMin(_ context.Context, d *schema.ResourceDiff, _ any) error {
	if !d.NewValueKnown("min") || !d.NewValueKnown("max") {
		return nil
	}
	if d.Get("max").(int) <= d.Get("min").(int) {
		return errors.New("max must be greater than min")
	}
	return nil
}

func versionOfEngine(_ context.Context, d *schema.ResourceDiff, _ any) error {
	if !d.NewValueKnown("engine") || !d.NewValueKnown("engine_version") {
		return nil
	}
	engine, version := d.Get("engine").(string), d.Get("engine_version").(string)
	versions := map[string]string{"mysql": "8.0", "postgres": "16"}
	if versions[engine] != version {
		return fmt.Errorf("engine_version %q is not available for %s, available versions: [%s]", version, engine, versions[engine])
	}
	return nil
}

func rateIfFast(_ context.Context, d *schema.ResourceDiff, _ any) error {
	iops := d.GetRawConfig().GetAttr("iops")
	if !d.NewValueKnown("type") || !iops.IsKnown() {
		return nil
	}
	switch kind := d.Get("type").(string); {
	case kind == "standard" && !iops.IsNull():
		return fmt.Errorf("'iops' must not be set when 'type' is '%s'", kind)
	case kind != "standard" && iops.IsNull():
		return fmt.Errorf("'iops' must be set when 'type' is '%s'", kind)
	}
	return nil
}

// applies are refused by the remote system.
func applies() []objects.Kind {
	return []objects.Kind{
		refused(animal("apply_limit", "A volume whose limits only the remote system knows.", map[string]*schema.Schema{
			"size":    {Type: schema.TypeInt, Required: true},
			"comment": comment(),
		}), func(_ filestore.Store, volume filestore.Object) error {
			size, _ := volume["size"].(json.Number).Int64()
			if size < 10 || size > 500 {
				return fmt.Errorf("error creating volume: InvalidParameterValue: Volume of %dGiB is invalid; size must be between 10 and 500", size)
			}
			return nil
		}),
		refused(animal("apply_order", "A window whose ends only the remote system compares.", map[string]*schema.Schema{
			"first":   {Type: schema.TypeInt, Required: true, ValidateFunc: validation.IntBetween(0, 23)},
			"last":    {Type: schema.TypeInt, Required: true, ValidateFunc: validation.IntBetween(0, 23)},
			"comment": comment(),
		}), func(_ filestore.Store, window filestore.Object) error {
			first, _ := window["first"].(json.Number).Int64()
			last, _ := window["last"].(json.Number).Int64()
			if last < first {
				return errors.New("400 Bad Request: last must be greater than or equal to first")
			}
			return nil
		}),
		refused(animal("apply_required_with", "A certificate some of whose arguments need others, as the remote system says.", map[string]*schema.Schema{
			"label":    {Type: schema.TypeString, Required: true},
			"ca":       {Type: schema.TypeBool, Optional: true},
			"max_path": {Type: schema.TypeInt, Optional: true},
			"subject": block(map[string]*schema.Schema{
				"common_name": {Type: schema.TypeString, Optional: true},
				"country":     {Type: schema.TypeString, Optional: true},
			}),
			"comment": comment(),
		}), func(_ filestore.Store, certificate filestore.Object) error {
			isAuthority := certificate["ca"] == true
			if path, _ := certificate["max_path"].(json.Number); path != "" && path != "0" && !isAuthority {
				return errors.New("400 Bad Request: only authorities have a longest path")
			}
			if isAuthority && !hasName(certificate["subject"]) {
				return errors.New("400 Bad Request: nobody trusts an anonymous authority")
			}
			return nil
		}),
	}
}

func hasName(subject any) bool {
	blocks, _ := subject.([]any)
	for _, block := range blocks {
		members, _ := block.(map[string]any)
		if name, _ := members["common_name"].(string); name != "" {
			return true
		}
	}
	return false
}

func refused(kind objects.Kind, refuse func(filestore.Store, filestore.Object) error) objects.Kind {
	kind.Refuse = refuse
	return kind
}
