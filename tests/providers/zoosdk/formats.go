package main

import (
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/validation"
	"tfconform.example/providers/sdkv2/objects"
)

// formats are the validators of texts with a grammar.
func formats() []objects.Kind {
	return []objects.Kind{
		animal("uuid", "A tenant.", map[string]*schema.Schema{
			"tenant_id": {Type: schema.TypeString, Required: true, ForceNew: true, ValidateFunc: validation.IsUUID},
			"object_id": {Type: schema.TypeString, Optional: true, ValidateFunc: validation.IsUUID},
			"comment":   comment(),
		}),
		animal("json", "A policy document.", map[string]*schema.Schema{
			"name":   {Type: schema.TypeString, Required: true},
			"policy": {Type: schema.TypeString, Required: true, ValidateFunc: validation.StringIsJSON},
			"tags":   {Type: schema.TypeMap, Optional: true, Elem: &schema.Schema{Type: schema.TypeString}},
		}),
		animal("base64", "A secret of a cluster.", map[string]*schema.Schema{
			"data":    {Type: schema.TypeString, Required: true, ValidateFunc: validation.StringIsBase64},
			"comment": comment(),
		}),
		animal("regular_expression", "A filter of log lines.", map[string]*schema.Schema{
			"pattern": {Type: schema.TypeString, Required: true, ValidateFunc: validation.StringIsValidRegExp},
			"negate":  {Type: schema.TypeBool, Optional: true},
		}),
		animal("url_https", "A webhook.", map[string]*schema.Schema{
			"callback": {Type: schema.TypeString, Required: true, ValidateFunc: validation.IsURLWithHTTPS},
			"homepage": {Type: schema.TypeString, Optional: true, ValidateFunc: validation.IsURLWithHTTPorHTTPS},
			"comment":  comment(),
		}),
		animal("url_scheme", "A mirror of a repository.", map[string]*schema.Schema{
			"source": {
				Type: schema.TypeString, Required: true,
				ValidateFunc: validation.IsURLWithScheme([]string{"ssh", "git", "s3"}),
			},
			"comment": comment(),
		}),
	}
}

// times are the validators of dates and days.
func times() []objects.Kind {
	return []objects.Kind{
		animal("rfc3339", "A window in which nobody is paged.", map[string]*schema.Schema{
			"starts_at": {Type: schema.TypeString, Required: true, ValidateFunc: validation.IsRFC3339Time},
			"ends_at":   {Type: schema.TypeString, Optional: true, ValidateFunc: validation.IsRFC3339Time},
			"comment":   comment(),
		}),
		animal("calendar", "A day on which to patch.", map[string]*schema.Schema{
			"weekday": {Type: schema.TypeString, Required: true, ValidateFunc: validation.IsDayOfTheWeek(false)},
			"month":   {Type: schema.TypeString, Optional: true, ValidateFunc: validation.IsMonth(true)},
			"comment": comment(),
		}),
	}
}
