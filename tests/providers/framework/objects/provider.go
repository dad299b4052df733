package objects

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"tfconform.example/providers/filestore"
)

// Provider is a provider whose only argument is the folder of the objects.
type Provider struct {
	Name string
	// Types are of resources that embed a Kind.
	Types []func() resource.Resource
	Data  []func() datasource.DataSource
}

func (p Provider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = p.Name
	resp.Version = "1.0.0"
}

func (p Provider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{
		Description: "Objects that are files.",
		Attributes: map[string]schema.Attribute{
			"root": schema.StringAttribute{
				Optional:    true,
				Description: fmt.Sprintf("Folder of the objects. Default: %s_ROOT, else ~/.%s.", strings.ToUpper(p.Name), p.Name),
			},
		},
	}
}

// Configure leaves the store out if the root is not known yet: planning does
// not need it.
func (p Provider) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	var root types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("root"), &root)...)
	if resp.Diagnostics.HasError() || root.IsUnknown() {
		return
	}
	store, err := filestore.Locate(p.Name, root.ValueString())
	if err != nil {
		resp.Diagnostics.AddError("No folder for the objects", err.Error())
		return
	}
	resp.ResourceData = store
	resp.DataSourceData = store
}

func (p Provider) Resources(context.Context) []func() resource.Resource { return p.Types }

func (p Provider) DataSources(context.Context) []func() datasource.DataSource { return p.Data }

// Drifts is what `remote-change` may do, by resource type.
func (p Provider) Drifts() map[string]filestore.Drift {
	all := map[string]filestore.Drift{}
	for _, create := range p.Types {
		described := create().(interface {
			Describe() (string, filestore.Drift)
		})
		kind, drift := described.Describe()
		all[kind] = drift
	}
	return all
}

// Main serves the provider, or does what the sub-command `remote-change` asks.
func (p Provider) Main() {
	p.MainAs(func() provider.Provider { return p })
}

// MainAs is Main of a provider that is built on this one.
func (p Provider) MainAs(create func() provider.Provider) {
	if len(os.Args) > 1 && os.Args[1] == "remote-change" {
		if err := filestore.RemoteChange(p.Name, p.Drifts(), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintf(os.Stderr, "remote-change: %v\n", err)
			os.Exit(2)
		}
		return
	}
	debug := flag.Bool("debug", false, "wait for a debugger and print what to put in TF_REATTACH_PROVIDERS")
	flag.Parse()
	err := providerserver.Serve(context.Background(), create, providerserver.ServeOpts{
		Address: "registry.terraform.io/tfconform/" + p.Name,
		Debug:   *debug,
	})
	if err != nil {
		log.Fatal(err)
	}
}
