package objects

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/plugin"
	"tfconform.example/providers/filestore"
)

// Provider is a provider of these resource types. Its only argument is the
// folder of the objects.
func Provider(name string, kinds []Kind) *schema.Provider {
	provider := &schema.Provider{
		Schema: map[string]*schema.Schema{
			"root": {
				Type: schema.TypeString, Optional: true,
				Description: fmt.Sprintf("Folder of the objects. Default: %s_ROOT, else ~/.%s.", strings.ToUpper(name), name),
			},
		},
		ResourcesMap:   map[string]*schema.Resource{},
		DataSourcesMap: map[string]*schema.Resource{},
	}
	// The store is left out if the root is not known yet: planning does not need
	// it.
	provider.ConfigureContextFunc = func(_ context.Context, d *schema.ResourceData) (any, diag.Diagnostics) {
		if root := d.GetRawConfig().GetAttr("root"); !root.IsKnown() {
			return nil, nil
		}
		store, err := filestore.Locate(name, d.Get("root").(string))
		if err != nil {
			return nil, diag.FromErr(err)
		}
		return store, nil
	}
	for _, kind := range kinds {
		provider.ResourcesMap[kind.Name] = kind.Serve()
	}
	return provider
}

// Drifts is what `remote-change` may do, by resource type.
func Drifts(kinds []Kind) map[string]filestore.Drift {
	all := map[string]filestore.Drift{}
	for _, kind := range kinds {
		all[kind.Name] = kind.Drift
	}
	return all
}

// Main serves a provider, or does what the sub-command `remote-change` asks.
func Main(name string, provider func() *schema.Provider, drifts map[string]filestore.Drift) {
	if len(os.Args) > 1 && os.Args[1] == "remote-change" {
		if err := filestore.RemoteChange(name, drifts, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintf(os.Stderr, "remote-change: %v\n", err)
			os.Exit(2)
		}
		return
	}
	debug := flag.Bool("debug", false, "wait for a debugger and print what to put in TF_REATTACH_PROVIDERS")
	flag.Parse()
	plugin.Serve(&plugin.ServeOpts{
		ProviderAddr: "registry.terraform.io/tfconform/" + name,
		ProviderFunc: provider,
		Debug:        *debug,
	})
}
