package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/customdiff"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/filestore/mistakes"
)

// plans promise what does not hold, or refuse what is not known yet.
func plans() []fault {
	return []fault{
		changed("clock_in_plan", "server", customized(func(_ context.Context, d *schema.ResourceDiff, _ any) error {
			return d.SetNew("address", time.Now().UTC().Format(time.RFC3339))
		})),
		changed("random_in_plan", "server", customized(func(_ context.Context, d *schema.ResourceDiff, _ any) error {
			if d.Id() != "" {
				return nil
			}
			return d.SetNew("address", fmt.Sprintf("10.0.%d.%d", rand.IntN(256), rand.IntN(256)))
		})),
		{
			mistakes.Mistake{Name: "revision_is_planned_as_it_was", On: "server", Client: filestore.Client{
				Sent: mistakes.Count("revision"), Applied: mistakes.AsAnswered,
			}},
			func(server *schema.Resource) { server.CustomizeDiff = hostOfName },
		},
		changed("address_is_always_unknown", "server", customized(func(_ context.Context, d *schema.ResourceDiff, _ any) error {
			return d.SetNewComputed("address")
		})),
		changed("host_of_an_unknown_name", "server", func(server *schema.Resource) {
			host := func(_ context.Context, d *schema.ResourceDiff, _ any) error {
				if host := d.Get("name").(string) + ".example"; host != d.Get("host") {
					return d.SetNew("host", host)
				}
				return nil
			}
			server.CustomizeDiff = customdiff.All(host, customdiff.ComputedIf("revision", anyChange))
		}),
		changed("unknown_zone_is_refused", "server", customized(func(_ context.Context, d *schema.ResourceDiff, _ any) error {
			if !d.GetRawConfig().GetAttr("zone").IsNull() && d.Get("zone").(string) == "" {
				return errors.New("zone must not be empty")
			}
			return nil
		})),
		changed("unknown_tags_are_refused", "group", customized(func(_ context.Context, d *schema.ResourceDiff, _ any) error {
			if !d.GetRawConfig().GetAttr("tags").IsNull() && d.Get("tags").(*schema.Set).Len() == 0 {
				return errors.New("tags must have at least one element, or be left out")
			}
			return nil
		})),
		changed("panic_on_unknown_tags", "group", customized(func(_ context.Context, d *schema.ResourceDiff, _ any) error {
			if tags := d.GetRawConfig().GetAttr("tags"); !tags.IsNull() && tags.LengthInt() > 50 {
				return errors.New("at most 50 tags are allowed")
			}
			return nil
		})),
	}
}

// customized adds to what a type plans already.
func customized(plan schema.CustomizeDiffFunc) func(*schema.Resource) {
	return func(resource *schema.Resource) {
		if resource.CustomizeDiff != nil {
			plan = customdiff.All(resource.CustomizeDiff, plan)
		}
		resource.CustomizeDiff = plan
	}
}
