// Command terraform-provider-zoosdk has a resource type for every way in which
// providers on terraform-plugin-sdk/v2 refuse configurations: the SDK's own
// validators and relations, validators with words of their own, and refusals
// that come only with the plan or the apply. Its objects are files.
package main

import (
	"os"
	"slices"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/sdkv2/objects"
)

const name = "zoosdk"

func main() { objects.Main(name, newProvider, objects.Drifts(kinds())) }

func newProvider() *schema.Provider {
	provider := objects.Provider(name, kinds())
	provider.DataSourcesMap[name+"_user_group"] = groupData()
	if os.Getenv("ZOOSDK_ACCESS") != "" {
		guard(provider)
	}
	return provider
}

func kinds() []objects.Kind {
	return slices.Concat(
		texts(), formats(), network(), times(), numbers(), collections(),
		relations(), nested(), ownWords(), untold(), encoded(), plans(), applies(), references(),
	)
}

// animal is a type without attributes of the remote system's making, other
// than its id.
func animal(kind, description string, attributes map[string]*schema.Schema) objects.Kind {
	made := objects.Kind{
		Name:     name + "_" + kind,
		Resource: &schema.Resource{Description: description, Schema: attributes},
		Computed: map[string]objects.Compute{"id": objects.TheID},
	}
	if _, ok := attributes["comment"]; ok {
		made.Drift.Change = []filestore.Change{{Path: "comment", WhenNull: `"changed"`}}
	}
	return made
}

func planned(kind objects.Kind, check schema.CustomizeDiffFunc) objects.Kind {
	kind.Resource.CustomizeDiff = check
	return kind
}

// comment is an argument that takes any text.
func comment() *schema.Schema {
	return &schema.Schema{Type: schema.TypeString, Optional: true}
}
