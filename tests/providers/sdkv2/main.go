// Command terraform-provider-sdkfix is a conforming provider built on
// terraform-plugin-sdk/v2. Its objects are files.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/hashicorp/terraform-plugin-sdk/v2/plugin"
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
	plugin.Serve(&plugin.ServeOpts{
		ProviderAddr: "registry.terraform.io/tfconform/" + name,
		ProviderFunc: newProvider,
		Debug:        *debug,
	})
}
