package main

import (
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/sdkv2/objects"
)

const name = "sdkfix"

func kinds() []objects.Kind {
	return []objects.Kind{note(), numbers(), collections(), server(), document(), secret(), job(), shelf()}
}

func newProvider() *schema.Provider {
	provider := objects.Provider(name, kinds())
	provider.DataSourcesMap[name+"_lookup"] = lookup()
	provider.DataSourcesMap[name+"_render"] = render()
	return provider
}

// drifts is what `remote-change` may do, by resource type.
func drifts() map[string]filestore.Drift { return objects.Drifts(kinds()) }
