// Command terraform-provider-plainsdk has as little of its own as a provider can: what is wrong with it is its SDK's.
package main

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/plugin"
)

func main() {
	plugin.Serve(&plugin.ServeOpts{ProviderFunc: func() *schema.Provider {
		return &schema.Provider{ResourcesMap: map[string]*schema.Resource{
			"plainsdk_size": resource(map[string]*schema.Schema{"size": optional(schema.TypeInt)}),
			"plainsdk_timeouts": withTimeouts(resource(map[string]*schema.Schema{
				"name": {Type: schema.TypeString, Required: true},
			})),
		}}
	}})
}

func optional(of schema.ValueType) *schema.Schema { return &schema.Schema{Type: of, Optional: true} }

// resource has objects that exist only in the state.
func resource(arguments map[string]*schema.Schema) *schema.Resource {
	return &schema.Resource{
		Schema: arguments,
		CreateContext: func(_ context.Context, d *schema.ResourceData, _ any) diag.Diagnostics {
			d.SetId("it")
			return nil
		},
		ReadContext:   schema.NoopContext,
		UpdateContext: schema.NoopContext,
		DeleteContext: schema.NoopContext,
	}
}

func withTimeouts(of *schema.Resource) *schema.Resource {
	minute := time.Minute
	of.Timeouts = &schema.ResourceTimeout{Create: &minute, Update: &minute}
	return of
}
