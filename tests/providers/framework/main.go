// Command terraform-provider-fwfix is a conforming provider built on
// terraform-plugin-framework. Its objects are files.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"tfconform.example/providers/filestore"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "remote-change" {
		if err := filestore.RemoteChange(name, drifts(), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintf(os.Stderr, "remote-change: %v\n", err)
			os.Exit(2)
		}
		return
	}
	debug := flag.Bool("debug", false, "wait for a debugger and print what to put in TF_REATTACH_PROVIDERS")
	flag.Parse()
	err := providerserver.Serve(context.Background(), newProvider, providerserver.ServeOpts{
		Address: "registry.terraform.io/tfconform/" + name,
		Debug:   *debug,
	})
	if err != nil {
		log.Fatal(err)
	}
}
