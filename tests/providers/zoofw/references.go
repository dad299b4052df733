package main

import (
	"encoding/pem"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/framework/objects"
)

// references are types with arguments that only another resource can give: an
// ID, a name or a key that the remote system made.
func references() []*animal {
	made := func(sensitive bool) schema.Attribute {
		return schema.StringAttribute{
			Computed: true, Sensitive: sensitive,
			PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
		}
	}
	fixed := func(sensitive bool) schema.Attribute {
		return schema.StringAttribute{
			Required: true, Sensitive: sensitive,
			PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()},
		}
	}
	return []*animal{
		newAnimal("vpc", "A network that subnets lie in.", attributes{"comment": comment()}).neededBy("subnet", "vpc_id"),
		// Its name begins like that of the network.
		newAnimal("vpc_route", "A route that no subnet lies in.", attributes{"comment": comment()}),
		newAnimal("subnet", "A subnet, which needs a network that exists.", attributes{
			"vpc_id":  fixed(false),
			"comment": comment(),
		}).refusedBy(func(store filestore.Store, subnet filestore.Object) error {
			return store.Require(name+"_vpc", subnet["vpc_id"], "InvalidVpcID.NotFound: The vpc ID '%s' does not exist")
		}).neededBy("instance", "subnet_id"),
		newAnimal("instance", "A machine in a subnet, which lies in a network.", attributes{
			"subnet_id": fixed(false),
			"key_id":    optionalText(),
			"comment":   comment(),
		}).refusedBy(func(store filestore.Store, instance filestore.Object) error {
			if err := store.Require(name+"_subnet", instance["subnet_id"], "InvalidSubnetID.NotFound: The subnet ID '%s' does not exist"); err != nil {
				return err
			}
			return store.Require(name+"_generated_key", instance["key_id"], "InvalidKey: unable to find generated key %s")
		}),
		newAnimal("balancer", "A load balancer in some subnets.", attributes{
			"subnets": schema.SetAttribute{Required: true, ElementType: types.StringType},
			"comment": comment(),
		}).refusedBy(func(store filestore.Store, balancer filestore.Object) error {
			for _, id := range balancer["subnets"].([]any) {
				if err := store.Require(name+"_subnet", id, "error adding subnet %s: not found"); err != nil {
					return err
				}
			}
			return nil
		}),
		newAnimal("generated_key", "A key that the remote system makes.", attributes{
			"comment":         comment(),
			"private_key_pem": made(true),
		}).withComputed("private_key_pem", func(applied objects.Applied) any {
			return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte(applied.ID)}))
		}),
		newAnimal("certificate", "A certificate for a key of the remote system.", attributes{
			"private_key_pem": fixed(true),
			"comment":         comment(),
		}).refusedBy(func(store filestore.Store, certificate filestore.Object) error {
			block, _ := pem.Decode([]byte(certificate["private_key_pem"].(string)))
			if block == nil {
				return fmt.Errorf("private_key_pem must be in PEM format")
			}
			return store.Require(name+"_generated_key", string(block.Bytes), "private_key_pem must be a key that was made here")
		}),
		newAnimal("user_group", "A group with a name that the remote system makes.", attributes{
			"comment": comment(),
			"name":    made(false),
		}).withComputed("name", func(applied objects.Applied) any { return "group-" + applied.ID }),
		newAnimal("membership", "A member of a group.", attributes{
			"group":   text(),
			"comment": comment(),
		}).refusedBy(func(store filestore.Store, member filestore.Object) error {
			id, ok := strings.CutPrefix(member["group"].(string), "group-")
			if !ok {
				return fmt.Errorf("no such user group: %s", member["group"])
			}
			return store.Require(name+"_user_group", id, "no such user group: group-%s")
		}),
	}
}
