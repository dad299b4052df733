// Command terraform-provider-faultsdk is a provider on terraform-plugin-sdk/v2
// with planted faults: the environment variable FAULT names the one that it
// commits. Without it, the provider conforms. Its objects are files.
package main

import (
	"fmt"
	"os"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"tfconform.example/providers/sdkv2/objects"
)

const name = "faultsdk"

func main() {
	planted, err := find(os.Getenv("FAULT"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	create := func() *schema.Provider { return newProvider(planted) }
	objects.Main(name, create, objects.Drifts(kinds()))
}

func newProvider(planted fault) *schema.Provider {
	all := kinds()
	for i := range all {
		if all[i].Name == name+"_"+planted.On {
			all[i].Client = planted.Client
		}
	}
	provider := objects.Provider(name, all)
	if planted.change != nil {
		planted.change(provider.ResourcesMap[name+"_"+planted.On])
	}
	return provider
}
