package main

import (
	"encoding/pem"
	"fmt"
	"net"
	"strings"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/validation"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/sdkv2/objects"
)

// references are types with arguments that only another resource can give: an
// ID, a name or a key that the remote system made.
func references() []objects.Kind {
	key := animal("generated_key", "A key that the remote system makes.", map[string]*schema.Schema{
		"comment":         comment(),
		"private_key_pem": {Type: schema.TypeString, Computed: true, Sensitive: true},
	})
	key.Computed["private_key_pem"] = func(id string, _ any) any {
		return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte(id)}))
	}
	group := animal("user_group", "A group with a name that the remote system makes.", map[string]*schema.Schema{
		"comment": comment(),
		"name":    {Type: schema.TypeString, Computed: true},
	})
	group.Computed["name"] = func(id string, _ any) any { return "group-" + id }
	return []objects.Kind{
		animal("vpc", "A network that subnets lie in.", map[string]*schema.Schema{
			"cidr":    {Type: schema.TypeString, Required: true, ForceNew: true, ValidateFunc: validation.IsCIDR},
			"comment": comment(),
		}),
		// Its name begins like that of the network.
		animal("vpc_route", "A route that no subnet lies in.", map[string]*schema.Schema{"comment": comment()}),
		refused(animal("subnet", "A subnet, which needs a network that exists.", map[string]*schema.Schema{
			"vpc_id":  {Type: schema.TypeString, Required: true, ForceNew: true},
			"cidr":    {Type: schema.TypeString, Required: true, ForceNew: true, ValidateFunc: validation.IsCIDR},
			"comment": comment(),
		}), func(store filestore.Store, subnet filestore.Object) error {
			if _, _, err := net.ParseCIDR(subnet["cidr"].(string)); err != nil {
				return err
			}
			return store.Require(name+"_vpc", subnet["vpc_id"], "InvalidVpcID.NotFound: The vpc ID '%s' does not exist")
		}),
		refused(animal("instance", "A machine in a subnet, which lies in a network.", map[string]*schema.Schema{
			"subnet_id": {Type: schema.TypeString, Required: true, ForceNew: true},
			"key_id":    {Type: schema.TypeString, Optional: true},
			"comment":   comment(),
		}), func(store filestore.Store, instance filestore.Object) error {
			if err := store.Require(name+"_subnet", instance["subnet_id"], "InvalidSubnetID.NotFound: The subnet ID '%s' does not exist"); err != nil {
				return err
			}
			return store.Require(name+"_generated_key", instance["key_id"], "InvalidKey: unable to find generated key %s")
		}),
		refused(animal("balancer", "A load balancer in some subnets.", map[string]*schema.Schema{
			"subnets": {Type: schema.TypeSet, Required: true, Elem: &schema.Schema{Type: schema.TypeString}},
			"comment": comment(),
		}), func(store filestore.Store, balancer filestore.Object) error {
			for _, id := range balancer["subnets"].([]any) {
				if err := store.Require(name+"_subnet", id, "error adding subnet %s: not found"); err != nil {
					return err
				}
			}
			return nil
		}),
		key,
		refused(animal("certificate", "A certificate for a key of the remote system.", map[string]*schema.Schema{
			"private_key_pem": {Type: schema.TypeString, Required: true, ForceNew: true, Sensitive: true},
			"comment":         comment(),
		}), func(store filestore.Store, certificate filestore.Object) error {
			block, _ := pem.Decode([]byte(certificate["private_key_pem"].(string)))
			if block == nil {
				return fmt.Errorf("private_key_pem must be in PEM format")
			}
			return store.Require(name+"_generated_key", string(block.Bytes), "private_key_pem must be a key that was made here")
		}),
		group,
		refused(animal("membership", "A member of a group.", map[string]*schema.Schema{
			"group":   {Type: schema.TypeString, Required: true},
			"comment": comment(),
		}), func(store filestore.Store, member filestore.Object) error {
			id, ok := strings.CutPrefix(member["group"].(string), "group-")
			if !ok {
				return fmt.Errorf("no such user group: %s", member["group"])
			}
			return store.Require(name+"_user_group", id, "no such user group: group-%s")
		}),
	}
}
