// Command terraform-provider-zoofw has a resource type for every way in which
// providers on terraform-plugin-framework refuse configurations: the
// validators of terraform-plugin-framework-validators, types that validate
// themselves, validators with words of their own, and refusals that come only
// with the plan or the apply. Its objects are files.
package main

import (
	"os"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"tfconform.example/providers/framework/objects"
)

const name = "zoofw"

func main() {
	if zoo := zoo(); os.Getenv("ZOOFW_ACCESS") != "" {
		zoo.MainAs(func() provider.Provider { return guarded{zoo} })
	} else {
		zoo.Main()
	}
}

func zoo() objects.Provider {
	provider := objects.Provider{
		Name: name,
		Data: []func() datasource.DataSource{func() datasource.DataSource { return &vpcData{} }},
	}
	animals := slices.Concat(
		texts(), numbers(), sums(), collections(), relations(), rules(),
		nested(), blocks(), ownTypes(), ownWords(), untold(), addresses(), encoded(), others(), refusals(), references(),
	)
	for _, animal := range animals {
		provider.Types = append(provider.Types, func() resource.Resource {
			fresh := *animal
			return &fresh
		})
	}
	return provider
}
