package main

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// ownTypes are types that validate themselves.
func ownTypes() []*animal {
	return []*animal{
		newAnimal("rfc3339", "A window in which nobody is paged.", attributes{
			"starts_at": schema.StringAttribute{Required: true, CustomType: timetypes.RFC3339Type{}},
			"ends_at":   schema.StringAttribute{Optional: true, CustomType: timetypes.RFC3339Type{}},
			"comment":   comment(),
		}),
		newAnimal("go_duration", "A lock that is held for a while.", attributes{
			"ttl":     schema.StringAttribute{Required: true, CustomType: timetypes.GoDurationType{}},
			"comment": comment(),
		}),
		newAnimal("json_exact", "A document that is kept as it is.", attributes{
			"document": schema.StringAttribute{Required: true, CustomType: jsontypes.ExactType{}},
			"comment":  comment(),
		}),
		newAnimal("json_normalized", "A policy document.", attributes{
			"policy":  schema.StringAttribute{Required: true, CustomType: jsontypes.NormalizedType{}},
			"comment": comment(),
		}),
	}
}

// words is a validator whose author wrote what it says.
type words struct {
	summary string
	refuse  func(string) error
}

func (words) Description(context.Context) string         { return "" }
func (words) MarkdownDescription(context.Context) string { return "" }

func (w words) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if err := w.refuse(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, w.summary, err.Error())
	}
}

// ownWords are validators that their authors wrote by hand.
func ownWords() []*animal {
	return []*animal{
		newAnimal("enum_prose_list", "A disk type, refused with a list.", attributes{
			"disk_type": text(words{"Invalid disk type", validDiskType}),
			"comment":   comment(),
		}),
		newAnimal("enum_prose_or", "A kind of backup, refused with a sentence.", attributes{
			"backup":  text(words{"Invalid value", validBackup}),
			"comment": comment(),
		}),
		newAnimal("arn", "A role that is assumed.", attributes{
			"role_arn": text(words{"Invalid ARN", validARN}),
			"comment":  comment(),
		}),
		newAnimal("trailing_dot", "A zone of the DNS.", attributes{
			"zone":    text(words{"Invalid zone name", validZone}),
			"comment": comment(),
		}),
		newAnimal("email", "A subscriber.", attributes{
			"email":   text(words{"Invalid email address", validEmail}),
			"comment": comment(),
		}),
		newAnimal("duration_bounds", "A cache.", attributes{
			"ttl":     text(words{"Invalid duration", validTTL}),
			"comment": comment(),
		}),
		newAnimal("semantic_version", "An engine of a version.", attributes{
			"version": text(words{"Invalid version", validVersion}),
			"comment": comment(),
		}),
		newAnimal("path_prefix", "A mount.", attributes{
			"path":    text(words{"Invalid path", validPath}),
			"comment": comment(),
		}),
	}
}

func validDiskType(text string) error {
	types := []string{"pd-standard", "pd-balanced", "pd-ssd"}
	if !slices.Contains(types, text) {
		return fmt.Errorf("The disk type must be one of: %s. Got: %q.", strings.Join(types, ", "), text)
	}
	return nil
}

func validBackup(text string) error {
	switch text {
	case "FULL", "INCREMENTAL", "DIFFERENTIAL":
		return nil
	}
	return errors.New("Valid values are FULL, INCREMENTAL or DIFFERENTIAL.")
}

var arn = regexp.MustCompile(`^arn:(aws|aws-cn|aws-us-gov):iam::[0-9]{12}:role/[\w+=,.@/-]+$`)

func validARN(text string) error {
	switch parts := strings.SplitN(text, ":", 6); {
	case len(parts) < 6:
		return errors.New("The value cannot be parsed as an ARN: not enough sections")
	case parts[0] != "arn":
		return errors.New("The value cannot be parsed as an ARN: invalid prefix")
	case !arn.MatchString(text):
		return fmt.Errorf("The ARN does not name a role: it must match %s", arn)
	}
	return nil
}

func validZone(text string) error {
	if !strings.HasSuffix(text, ".") {
		return errors.New("The name of a zone needs a trailing dot.")
	}
	if !regexp.MustCompile(`^([a-z0-9-]+\.)+$`).MatchString(text) {
		return fmt.Errorf("%q is not a valid domain name.", text)
	}
	return nil
}

func validEmail(text string) error {
	address, err := mail.ParseAddress(text)
	if err != nil {
		return err
	}
	if address.Address != text {
		return errors.New("expected an address without a name")
	}
	return nil
}

func validTTL(text string) error {
	duration, err := time.ParseDuration(text)
	if err != nil {
		return err
	}
	if duration < time.Minute || duration > 24*time.Hour {
		return fmt.Errorf("The duration must be between 1m and 24h, got %s.", duration)
	}
	return nil
}

func validVersion(text string) error {
	if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(text) {
		return errors.New("Expected a version in the form MAJOR.MINOR.PATCH, for example 1.2.3.")
	}
	return nil
}

func validPath(text string) error {
	if !strings.HasPrefix(text, "/") {
		return errors.New("The path must begin with a slash (/).")
	}
	if len(text) > 1 && strings.HasSuffix(text, "/") {
		return errors.New("The path must not end with a slash (/).")
	}
	return nil
}

// addresses are validators of addresses, in the words of the standard library.
func addresses() []*animal {
	address := words{"Invalid IP address", func(text string) error {
		_, err := netip.ParseAddr(text)
		return err
	}}
	version4 := words{"Invalid IPv4 address", func(text string) error {
		if address, err := netip.ParseAddr(text); err != nil || !address.Is4() {
			return fmt.Errorf("%q is not an IPv4 address.", text)
		}
		return nil
	}}
	prefix := words{"Invalid CIDR", func(text string) error {
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			return err
		}
		if prefix.Masked() != prefix {
			return fmt.Errorf("%q has host bits set, expected %q.", text, prefix.Masked())
		}
		return nil
	}}
	return []*animal{
		newAnimal("ip_address", "A record of a host.", attributes{
			"address": text(address),
			"ipv4":    optionalText(version4),
			"comment": comment(),
		}),
		newAnimal("cidr", "A network, with no bits for the host.", attributes{
			"cidr":    text(prefix),
			"comment": comment(),
		}),
	}
}
