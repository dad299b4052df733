package main

import (
	"regexp"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/validation"
	"tfconform.example/providers/sdkv2/objects"
)

// texts are the validators that look at the words of a text.
func texts() []objects.Kind {
	return []objects.Kind{
		animal("string_in_slice", "A plan that is one of three.", map[string]*schema.Schema{
			"tier": {
				Type: schema.TypeString, Required: true,
				ValidateFunc: validation.StringInSlice([]string{"basic", "standard", "premium"}, false),
			},
			"billing": {
				Type: schema.TypeString, Optional: true, Default: "hourly",
				ValidateFunc: validation.StringInSlice([]string{"hourly", "monthly"}, false),
			},
			"comment": comment(),
		}),
		animal("string_in_slice_any_case", "A protocol in any case.", map[string]*schema.Schema{
			"protocol": {
				Type: schema.TypeString, Required: true,
				ValidateFunc: validation.StringInSlice([]string{"TCP", "UDP", "ICMP", "-1"}, true),
			},
			"comment": comment(),
		}),
		animal("string_not_in_slice", "An account, but not one of the system's.", map[string]*schema.Schema{
			"username": {
				Type: schema.TypeString, Required: true,
				ValidateFunc: validation.StringNotInSlice([]string{"root", "admin", "azure_superuser"}, true),
			},
			"comment": comment(),
		}),
		animal("string_len_between", "A storage account.", map[string]*schema.Schema{
			"account_name": {
				Type: schema.TypeString, Required: true, ForceNew: true,
				ValidateFunc: validation.StringLenBetween(3, 24),
			},
			"display_name": {
				Type: schema.TypeString, Optional: true,
				ValidateFunc: validation.StringLenBetween(1, 120),
			},
		}),
		animal("string_match", "A project whose validator says only the expression.", map[string]*schema.Schema{
			"project": {
				Type: schema.TypeString, Required: true,
				ValidateFunc: validation.StringMatch(regexp.MustCompile(`^[a-z][a-z0-9-]{4,28}[a-z0-9]$`), ""),
			},
			"comment": comment(),
		}),
		animal("string_match_prose", "A bucket whose validator has words of its own.", map[string]*schema.Schema{
			"bucket": {
				Type: schema.TypeString, Required: true, ForceNew: true,
				ValidateFunc: validation.StringMatch(
					regexp.MustCompile(`^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$`),
					"bucket names may contain only lowercase letters, digits and hyphens, and must begin and end with a letter or a digit"),
			},
			"comment": comment(),
		}),
		animal("string_does_not_match", "A role outside a reserved prefix.", map[string]*schema.Schema{
			"role": {
				Type: schema.TypeString, Required: true,
				ValidateFunc: validation.StringDoesNotMatch(
					regexp.MustCompile(`^(aws|rds)_`), "role names must not start with aws_ or rds_"),
			},
			"comment": comment(),
		}),
		animal("string_does_not_contain_any", "A file of a share.", map[string]*schema.Schema{
			"file": {
				Type: schema.TypeString, Required: true,
				ValidateFunc: validation.StringDoesNotContainAny(`/\:*?"<>|`),
			},
			"comment": comment(),
		}),
		animal("string_not_empty", "A contact.", map[string]*schema.Schema{
			"surname": {
				Type: schema.TypeString, Required: true,
				ValidateFunc: validation.StringIsNotEmpty,
			},
			"given_name": {
				Type: schema.TypeString, Optional: true,
				ValidateFunc: validation.StringIsNotWhiteSpace,
			},
			"phone": {
				Type: schema.TypeString, Optional: true,
				ValidateFunc: validation.NoZeroValues,
			},
		}),
		animal("string_all", "A hostname under two conditions at once.", map[string]*schema.Schema{
			"hostname": {
				Type: schema.TypeString, Required: true,
				ValidateFunc: validation.All(
					validation.StringLenBetween(8, 16),
					validation.StringMatch(regexp.MustCompile(`^[A-Z]+-[0-9]+$`), "expected capital letters, a hyphen and a number"),
				),
			},
			"comment": comment(),
		}),
		animal("string_any", "A gateway: an address or a word.", map[string]*schema.Schema{
			"gateway": {
				Type: schema.TypeString, Required: true,
				ValidateFunc: validation.Any(
					validation.IsIPv4Address,
					validation.StringInSlice([]string{"auto", "none"}, false),
				),
			},
			"comment": comment(),
		}),
	}
}
