package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"tfconform.example/providers/filestore"
)

const name = "sdkfix"

func kinds() []kind {
	return []kind{note(), numbers(), collections(), server(), document(), secret(), job(), shelf()}
}

func newProvider() *schema.Provider {
	provider := &schema.Provider{
		Schema: map[string]*schema.Schema{
			"root": {
				Type: schema.TypeString, Optional: true,
				Description: "Folder of the objects. Default: SDKFIX_ROOT, else ~/.sdkfix.",
			},
		},
		ResourcesMap: map[string]*schema.Resource{},
		DataSourcesMap: map[string]*schema.Resource{
			name + "_lookup": lookup(),
			name + "_render": render(),
		},
		ConfigureContextFunc: configure,
	}
	for _, kind := range kinds() {
		provider.ResourcesMap[kind.name] = kind.serve()
	}
	return provider
}

// configure leaves the store out if the root is not known yet: planning does
// not need it.
func configure(_ context.Context, d *schema.ResourceData) (any, diag.Diagnostics) {
	if root := d.GetRawConfig().GetAttr("root"); !root.IsKnown() {
		return nil, nil
	}
	store, err := filestore.Locate(name, d.Get("root").(string))
	if err != nil {
		return nil, diag.FromErr(err)
	}
	return store, nil
}

// drifts is what `remote-change` may do, by resource type.
func drifts() map[string]filestore.Drift {
	all := map[string]filestore.Drift{}
	for _, kind := range kinds() {
		all[kind.name] = kind.drift
	}
	return all
}
