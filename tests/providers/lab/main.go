// Command terraform-provider-lab manages machines through an HTTP API. It is built on
// terraform-plugin-framework, and has two bugs that many providers have or had; with the build tag
// `mended` it has none.
package main

import (
	"context"
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
)

func main() {
	debug := flag.Bool("debug", false, "wait for an engine to attach")
	flag.Parse()
	options := providerserver.ServeOpts{Address: "registry.terraform.io/tfconform/lab", Debug: *debug}
	if err := providerserver.Serve(context.Background(), newProvider, options); err != nil {
		log.Fatal(err)
	}
}
