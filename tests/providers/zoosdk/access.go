package main

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/validation"
)

// guard makes a provider demand arguments of its own, and say which: with
// ZOOSDK_ACCESS=1 the zoo is served like this.
func guard(provider *schema.Provider) {
	who := []string{"token", "username"}
	provider.Schema["endpoint"] = &schema.Schema{
		Type: schema.TypeString, Required: true, ValidateFunc: validation.IsURLWithHTTPS,
	}
	provider.Schema["token"] = &schema.Schema{
		Type: schema.TypeString, Optional: true, Sensitive: true, ExactlyOneOf: who,
		ValidateFunc: validation.StringLenBetween(20, 40),
	}
	provider.Schema["username"] = &schema.Schema{
		Type: schema.TypeString, Optional: true, ExactlyOneOf: who, RequiredWith: []string{"password"},
	}
	provider.Schema["password"] = &schema.Schema{Type: schema.TypeString, Optional: true, Sensitive: true}
	configure := provider.ConfigureContextFunc
	provider.ConfigureContextFunc = func(ctx context.Context, d *schema.ResourceData) (any, diag.Diagnostics) {
		if endpoint := d.Get("endpoint").(string); !strings.Contains(endpoint, ".invalid") {
			return nil, diag.Errorf("this could be a real host: %s", endpoint)
		}
		return configure(ctx, d)
	}
}
