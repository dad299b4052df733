package main

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"golang.org/x/text/unicode/norm"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/filestore/mistakes"
)

// spellings change a text, or a block, that means the same.
func spellings() []fault {
	return []fault{
		{Mistake: mistakes.ReadAs("display_name_is_read_in_compatible_form", "display_name", norm.NFKC.String)},
		changed("email_is_planned_in_small_letters", "account", func(account *schema.Resource) {
			account.Schema["email"].StateFunc = func(email any) string { return strings.ToLower(email.(string)) }
		}),
		{Mistake: mistakes.Mistake{Name: "empty_health_check_is_lost", On: "service", Client: filestore.Client{
			Sent: loseEmptyCheck, Applied: mistakes.AsAnswered,
		}}},
	}
}

// loseEmptyCheck skips a block without arguments.
func loseEmptyCheck(request, _ filestore.Object) {
	for _, check := range mistakes.List(request["health_check"]) {
		fields, _ := check.(filestore.Object)
		if mistakes.IsEmpty(fields["path"]) && mistakes.IsEmpty(fields["interval"]) {
			request["health_check"] = []any{}
		}
	}
}
