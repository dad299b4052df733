// Command terraform-provider-faultfw is a provider on
// terraform-plugin-framework with planted faults: the environment variable
// FAULT names the one that it commits, or two of one type. Without it, the
// provider conforms. Its objects are files.
package main

import (
	"fmt"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"tfconform.example/providers/framework/objects"
)

const name = "faultfw"

func main() {
	planted, err := find(os.Getenv("FAULT"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	newProvider(planted).Main()
}

func newProvider(planted fault) objects.Provider {
	provider := objects.Provider{Name: name}
	for _, create := range resourceTypes() {
		provider.Types = append(provider.Types, func() resource.Resource {
			made := create()
			if made.Name == name+"_"+planted.On {
				made.commit(planted)
			}
			return made.withFeatures()
		})
	}
	return provider
}
