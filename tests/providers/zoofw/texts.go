package main

import (
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
)

// texts are the validators that look at the words of a text.
func texts() []*animal {
	return []*animal{
		newAnimal("one_of", "A plan that is one of three.", attributes{
			"tier":    text(stringvalidator.OneOf("basic", "standard", "premium")),
			"billing": optionalText(stringvalidator.OneOf("hourly", "monthly")),
			"comment": comment(),
		}),
		newAnimal("one_of_any_case", "A protocol in any case.", attributes{
			"protocol": text(stringvalidator.OneOfCaseInsensitive("tcp", "udp", "icmp")),
			"comment":  comment(),
		}),
		newAnimal("none_of", "An account, but not one of the system's.", attributes{
			"username": text(
				stringvalidator.NoneOf("root", "admin"),
				stringvalidator.NoneOfCaseInsensitive("azure_superuser"),
			),
			"comment": comment(),
		}),
		newAnimal("length_between", "A storage account.", attributes{
			"account_name": text(stringvalidator.LengthBetween(3, 24)),
			"display_name": optionalText(stringvalidator.LengthAtMost(120)),
			"description":  optionalText(stringvalidator.LengthAtLeast(10)),
		}),
		newAnimal("utf8_length", "A title, counted in letters.", attributes{
			"title":    text(stringvalidator.UTF8LengthBetween(5, 12)),
			"subtitle": optionalText(stringvalidator.UTF8LengthAtLeast(3)),
			"footer":   optionalText(stringvalidator.UTF8LengthAtMost(8)),
		}),
		newAnimal("regex", "A project whose validator says only the expression.", attributes{
			"project": text(stringvalidator.RegexMatches(regexp.MustCompile(`^[a-z][a-z0-9-]{4,28}[a-z0-9]$`), "")),
			"comment": comment(),
		}),
		newAnimal("regex_prose", "A bucket whose validator has words of its own.", attributes{
			"bucket": text(
				stringvalidator.LengthBetween(3, 63),
				stringvalidator.RegexMatches(regexp.MustCompile(`^[a-z0-9]`), "must begin with a lowercase letter or number"),
				stringvalidator.RegexMatches(regexp.MustCompile(`[a-z0-9]$`), "must end with a lowercase letter or number"),
				stringvalidator.RegexMatches(regexp.MustCompile(`^[a-z0-9-]+$`), "must contain only lowercase letters, numbers and hyphens"),
			),
			"comment": comment(),
		}),
		newAnimal("all", "A hostname under two conditions at once.", attributes{
			"hostname": text(stringvalidator.All(
				stringvalidator.LengthAtLeast(8),
				stringvalidator.RegexMatches(regexp.MustCompile(`^[A-Z]+-[0-9]+$`), "expected capital letters, a hyphen and a number"),
			)),
			"comment": comment(),
		}),
		newAnimal("any", "A size: a word or a machine type.", attributes{
			"size": text(stringvalidator.Any(
				stringvalidator.OneOf("small", "large"),
				stringvalidator.RegexMatches(regexp.MustCompile(`^[a-z][0-9]\.[a-z]+$`), `must be a machine type such as "m5.large"`),
			)),
			"comment": comment(),
		}),
	}
}
