// Command terraform-provider-muxfix combines a provider built on
// terraform-plugin-sdk/v2 and one built on terraform-plugin-framework in one
// protocol 6 server, like providers that migrate from one to the other.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"github.com/hashicorp/terraform-plugin-mux/tf5to6server"
	"github.com/hashicorp/terraform-plugin-mux/tf6muxserver"
	"tfconform.example/providers/filestore"
)

const name = "muxfix"

const rootDescription = "Folder of the objects. Default: MUXFIX_ROOT, else ~/.muxfix."

// drifts is what `remote-change` may do, by resource type.
var drifts = map[string]filestore.Drift{
	"muxfix_old": {
		Change: []filestore.Change{{Path: "name"}},
		Grow:   []filestore.Grow{{Path: "tags", Element: `"added-%d"`}},
	},
	"muxfix_new": {
		Change:  []filestore.Change{{Path: "name"}},
		Respell: []filestore.Respell{{Path: "size", As: filestore.Number}},
	},
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "remote-change" {
		if err := filestore.RemoteChange(name, drifts, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintf(os.Stderr, "remote-change: %v\n", err)
			os.Exit(2)
		}
		return
	}
	debug := flag.Bool("debug", false, "wait for a debugger and print what to put in TF_REATTACH_PROVIDERS")
	flag.Parse()
	server, err := newServer(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	var options []tf6server.ServeOpt
	if *debug {
		options = append(options, tf6server.WithManagedDebug())
	}
	err = tf6server.Serve("registry.terraform.io/tfconform/"+name, func() tfprotov6.ProviderServer { return server }, options...)
	if err != nil {
		log.Fatal(err)
	}
}

func newServer(ctx context.Context) (tfprotov6.ProviderServer, error) {
	old, err := tf5to6server.UpgradeServer(ctx, oldProvider().GRPCProvider)
	if err != nil {
		return nil, err
	}
	joined, err := tf6muxserver.NewMuxServer(ctx,
		func() tfprotov6.ProviderServer { return old },
		providerserver.NewProtocol6(newProvider{}),
	)
	if err != nil {
		return nil, err
	}
	return joined.ProviderServer(), nil
}
