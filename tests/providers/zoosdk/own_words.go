package main

import (
	"fmt"
	"net/mail"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/go-cty/cty"
	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"tfconform.example/providers/sdkv2/objects"
)

// ownWords are validators that their authors wrote by hand.
func ownWords() []objects.Kind {
	return []objects.Kind{
		animal("enum_prose_list", "A disk type, refused with a list.", map[string]*schema.Schema{
			"disk_type": {Type: schema.TypeString, Required: true, ValidateFunc: validDiskType},
			"comment":   comment(),
		}),
		animal("enum_prose_or", "A kind of backup, refused with a sentence.", map[string]*schema.Schema{
			"backup": {Type: schema.TypeString, Required: true, ValidateFunc: validBackup},
			"comment": {
				Type: schema.TypeString, Optional: true,
			},
		}),
		animal("enum_diagnostic", "A mode, refused in the detail of a diagnostic.", map[string]*schema.Schema{
			"mode":    {Type: schema.TypeString, Required: true, ValidateDiagFunc: validMode},
			"comment": comment(),
		}),
		animal("bound_prose", "A pool, refused with a comparison.", map[string]*schema.Schema{
			"nodes":   {Type: schema.TypeInt, Required: true, ValidateFunc: validNodes},
			"percent": {Type: schema.TypeInt, Optional: true, ValidateFunc: validPercent},
			"comment": comment(),
		}),
		animal("duration", "A lock that is held for a while.", map[string]*schema.Schema{
			"ttl":     {Type: schema.TypeString, Required: true, ValidateFunc: validDuration},
			"wait":    {Type: schema.TypeString, Optional: true, Default: "30s", ValidateFunc: validDuration},
			"comment": comment(),
		}),
		animal("arn", "A role that is assumed.", map[string]*schema.Schema{
			"role_arn": {Type: schema.TypeString, Required: true, ValidateFunc: validARN},
			"comment":  comment(),
		}),
		animal("trailing_dot", "A zone of the DNS.", map[string]*schema.Schema{
			"zone":    {Type: schema.TypeString, Required: true, ForceNew: true, ValidateFunc: validZone},
			"comment": comment(),
		}),
		animal("email", "A subscriber.", map[string]*schema.Schema{
			"email":   {Type: schema.TypeString, Required: true, ValidateFunc: validEmail},
			"comment": comment(),
		}),
		animal("number_in_text", "A weight that the API takes as text.", map[string]*schema.Schema{
			"weight":  {Type: schema.TypeString, Required: true, ValidateFunc: validNumericText},
			"comment": comment(),
		}),
		animal("semantic_version", "An engine of a version.", map[string]*schema.Schema{
			"version": {Type: schema.TypeString, Required: true, ValidateFunc: validVersion},
			"comment": comment(),
		}),
		animal("path_prefix", "A mount.", map[string]*schema.Schema{
			"path":    {Type: schema.TypeString, Required: true, ValidateFunc: validPath},
			"comment": comment(),
		}),
	}
}

func validDiskType(value any, key string) (warnings []string, errs []error) {
	types := []string{"pd-standard", "pd-balanced", "pd-ssd"}
	if !slices.Contains(types, value.(string)) {
		errs = append(errs, fmt.Errorf("%q must be one of: %s", key, strings.Join(types, ", ")))
	}
	return
}

func validBackup(value any, key string) (warnings []string, errs []error) {
	switch value.(string) {
	case "FULL", "INCREMENTAL", "DIFFERENTIAL":
	default:
		errs = append(errs, fmt.Errorf("invalid value for %s: valid values are FULL, INCREMENTAL or DIFFERENTIAL", key))
	}
	return
}

func validMode(value any, path cty.Path) diag.Diagnostics {
	if mode := value.(string); mode != "enforcing" && mode != "permissive" {
		return diag.Diagnostics{{
			Severity:      diag.Error,
			Summary:       "Unsupported mode",
			Detail:        fmt.Sprintf("The mode %q is not supported. Supported modes: `enforcing`, `permissive`.", mode),
			AttributePath: path,
		}}
	}
	return nil
}

func validNodes(value any, key string) (warnings []string, errs []error) {
	if nodes := value.(int); nodes < 3 || nodes%2 == 0 {
		errs = append(errs, fmt.Errorf("%s must be an odd number >= 3", key))
	}
	return
}

func validPercent(value any, key string) (warnings []string, errs []error) {
	if percent := value.(int); percent <= 0 || percent > 100 {
		errs = append(errs, fmt.Errorf("%q must be greater than 0 and not more than 100, got %d", key, percent))
	}
	return
}

func validDuration(value any, key string) (warnings []string, errs []error) {
	duration, err := time.ParseDuration(value.(string))
	if err != nil {
		return nil, []error{fmt.Errorf("%q cannot be parsed as a duration: %w", key, err)}
	}
	if duration < time.Second {
		errs = append(errs, fmt.Errorf("duration %q must be at least 1s", key))
	}
	return
}

var arn = regexp.MustCompile(`^arn:(aws|aws-cn|aws-us-gov):iam::[0-9]{12}:role/[\w+=,.@/-]+$`)

func validARN(value any, key string) (warnings []string, errs []error) {
	if text := value.(string); !arn.MatchString(text) {
		errs = append(errs, fmt.Errorf("%q (%s) is an invalid ARN: expected arn:aws:iam::<account ID>:role/<name>, matching %s", key, text, arn))
	}
	return
}

func validZone(value any, key string) (warnings []string, errs []error) {
	zone := value.(string)
	if !strings.HasSuffix(zone, ".") {
		return nil, []error{fmt.Errorf("%s: DNS names need a trailing dot", key)}
	}
	if !regexp.MustCompile(`^([a-z0-9-]+\.)+$`).MatchString(zone) {
		errs = append(errs, fmt.Errorf("%s: %q is not a valid domain name", key, zone))
	}
	return
}

func validEmail(value any, key string) (warnings []string, errs []error) {
	if address, err := mail.ParseAddress(value.(string)); err != nil || address.Address != value.(string) {
		errs = append(errs, fmt.Errorf("%q is not a valid email address", key))
	}
	return
}

func validNumericText(value any, key string) (warnings []string, errs []error) {
	if _, err := strconv.ParseInt(value.(string), 10, 32); err != nil {
		errs = append(errs, fmt.Errorf("%s: %w", key, err))
	}
	return
}

func validVersion(value any, key string) (warnings []string, errs []error) {
	if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(value.(string)) {
		errs = append(errs, fmt.Errorf("%s must be a version in the form MAJOR.MINOR.PATCH, for example 1.2.3", key))
	}
	return
}

func validPath(value any, key string) (warnings []string, errs []error) {
	path := value.(string)
	if !strings.HasPrefix(path, "/") {
		errs = append(errs, fmt.Errorf("%q must begin with a \"/\"", key))
	}
	if len(path) > 1 && strings.HasSuffix(path, "/") {
		errs = append(errs, fmt.Errorf("%q must not end with a \"/\"", key))
	}
	return
}
