package mistakes

import (
	"bytes"
	"encoding/json"
	"html"
	"strings"
	"time"
	"unicode/utf8"

	"tfconform.example/providers/filestore"
)

// spellings change a text that means the same, in one place only.
func spellings() []Mistake {
	return []Mistake{
		ReadAs("email_is_read_in_small_letters", "email", strings.ToLower),
		ReadAs("display_name_is_read_trimmed", "display_name", strings.TrimSpace),
		ReadAs("display_name_is_read_escaped", "display_name", html.EscapeString),
		ReadAs("policy_is_read_compacted", "policy", compacted),
		ReadAs("policy_is_read_with_sorted_keys", "policy", sortedKeys),
		ReadAs("expires_at_is_read_in_utc", "expires_at", inUTC),
		ReadAs("password_is_read_masked", "password", func(string) string { return "********" }),
		storedAs("email_is_stored_in_small_letters", "email", strings.ToLower),
		storedAs("display_name_is_stored_trimmed", "display_name", strings.TrimSpace),
		storedAs("display_name_is_stored_without_emoji", "display_name", withoutEmoji),
		storedAs("display_name_is_cut_by_bytes", "display_name", cut),
	}
}

// ReadAs is a fault of an account's read.
func ReadAs(name, argument string, respelled func(string) string) Mistake {
	return Mistake{name, "account", filestore.Client{Read: func(answer filestore.Object) {
		respell(answer, argument, respelled)
	}}}
}

// storedAs is what an account's remote system does to every text.
func storedAs(name, argument string, respelled func(string) string) Mistake {
	return Mistake{name, "account", filestore.Client{
		Sent:    func(request, _ filestore.Object) { respell(request, argument, respelled) },
		Applied: AsAnswered,
	}}
}

func respell(object filestore.Object, argument string, respelled func(string) string) {
	if value, ok := object[argument].(string); ok {
		object[argument] = respelled(value)
	}
}

func compacted(text string) string {
	var compact bytes.Buffer
	if json.Compact(&compact, []byte(text)) != nil {
		return text
	}
	return compact.String()
}

func sortedKeys(text string) string {
	var value any
	if json.Unmarshal([]byte(text), &value) != nil {
		return text
	}
	sorted, _ := json.Marshal(value)
	return string(sorted)
}

func inUTC(text string) string {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return text
	}
	return at.UTC().Format(time.RFC3339)
}

// withoutEmoji is what a database keeps whose letters have at most three bytes.
func withoutEmoji(text string) string {
	return strings.Map(func(letter rune) rune {
		if utf8.RuneLen(letter) > 3 {
			return '?'
		}
		return letter
	}, text)
}

func cut(text string) string {
	if len(text) > 60 {
		return strings.ToValidUTF8(text[:60], "")
	}
	return text
}
