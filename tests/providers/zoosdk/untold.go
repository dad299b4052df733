package main

import (
	"errors"
	"regexp"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"tfconform.example/providers/sdkv2/objects"
)

// untold are types that do not say what they accept: only the examples of the
// documentation do.
func untold() []objects.Kind {
	return []objects.Kind{
		animal("untold", "A badge, refused without a reason.", map[string]*schema.Schema{
			"code":    {Type: schema.TypeString, Required: true, ValidateFunc: validCode},
			"grade":   {Type: schema.TypeInt, Optional: true, ValidateFunc: validGrade},
			"holder":  {Type: schema.TypeString, Optional: true},
			"comment": comment(),
		}),
	}
}

var errInvalid = errors.New("invalid value")

var code = regexp.MustCompile(`^[A-Z]{2}[0-9]{4}/(north|south)$`)

func validCode(value any, _ string) (warnings []string, errs []error) {
	if !code.MatchString(value.(string)) {
		errs = append(errs, errInvalid)
	}
	return
}

func validGrade(value any, _ string) (warnings []string, errs []error) {
	if grade := value.(int); grade < 4000 || grade%7 != 0 {
		errs = append(errs, errInvalid)
	}
	return
}
