package main

import (
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/validation"
	"tfconform.example/providers/sdkv2/objects"
)

// network are the validators of addresses.
func network() []objects.Kind {
	return []objects.Kind{
		animal("ip_address", "A record of a host.", map[string]*schema.Schema{
			"ipv4":    {Type: schema.TypeString, Required: true, ValidateFunc: validation.IsIPv4Address},
			"ipv6":    {Type: schema.TypeString, Optional: true, ValidateFunc: validation.IsIPv6Address},
			"either":  {Type: schema.TypeString, Optional: true, ValidateFunc: validation.IsIPAddress},
			"comment": comment(),
		}),
		animal("ipv4_range", "A pool of addresses.", map[string]*schema.Schema{
			"range":   {Type: schema.TypeString, Required: true, ValidateFunc: validation.IsIPv4Range},
			"comment": comment(),
		}),
		animal("cidr", "A rule of a firewall.", map[string]*schema.Schema{
			"source": {Type: schema.TypeString, Required: true, ValidateFunc: validation.IsCIDR},
			"allow":  {Type: schema.TypeBool, Optional: true, Default: true},
			"also": {
				Type: schema.TypeList, Optional: true,
				Elem: &schema.Schema{Type: schema.TypeString, ValidateFunc: validation.IsCIDR},
			},
		}),
		animal("cidr_network", "A network, with no bits for the host.", map[string]*schema.Schema{
			"cidr_block": {
				Type: schema.TypeString, Required: true, ForceNew: true,
				ValidateFunc: validation.IsCIDRNetwork(16, 28),
			},
			"comment": comment(),
		}),
		animal("mac_address", "A network card.", map[string]*schema.Schema{
			"mac":     {Type: schema.TypeString, Required: true, ValidateFunc: validation.IsMACAddress},
			"comment": comment(),
		}),
		animal("port_number", "A listener.", map[string]*schema.Schema{
			"port":        {Type: schema.TypeInt, Required: true, ValidateFunc: validation.IsPortNumber},
			"health_port": {Type: schema.TypeInt, Optional: true, ValidateFunc: validation.IsPortNumberOrZero},
			"comment":     comment(),
		}),
	}
}
