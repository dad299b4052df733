package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/filestore/mistakes"
)

// upgradeRecord upgrades version 0 to 1: the page count was a text, and the
// labels were called tags.
func upgradeRecord(_ context.Context, state map[string]any, _ any) (map[string]any, error) {
	if tags, ok := state["tags"]; ok {
		state["labels"] = tags
		delete(state, "tags")
	}
	pages, ok := state["pages"].(string)
	if !ok {
		return state, nil
	}
	if state["pages"] = nil; pages != "" {
		if !json.Valid([]byte(pages)) {
			return nil, errors.New("the page count is not a number")
		}
		state["pages"] = json.Number(pages)
	}
	return state, nil
}

// states come from elsewhere: from an older version or an import.
func states() []fault {
	return []fault{
		changed("upgrader_expects_a_key", "record", upgraded(func(state map[string]any) {
			labels := map[string]any{}
			for key, value := range state["tags"].(map[string]any) {
				labels[strings.ToLower(key)] = value
			}
			state["labels"] = labels
		})),
		changed("upgrader_leaves_an_old_type", "record", func(record *schema.Resource) {
			record.StateUpgraders[0].Upgrade = func(_ context.Context, state map[string]any, _ any) (map[string]any, error) {
				state["labels"] = state["tags"]
				state["pages"] = []any{state["pages"]}
				return state, nil
			}
		}),
		{
			mistakes.Mistake{Name: "import_sets_the_wrong_attribute", On: "record", Client: filestore.Client{Read: func(answer filestore.Object) {
				delete(answer, "title") // Read relies on what import has set.
			}}},
			func(record *schema.Resource) {
				record.Importer = &schema.ResourceImporter{StateContext: func(_ context.Context, d *schema.ResourceData, _ any) ([]*schema.ResourceData, error) {
					return []*schema.ResourceData{d}, d.Set("title", d.Id())
				}}
			},
		},
	}
}

// upgraded is the author's code before the rest of the upgrade.
func upgraded(code func(map[string]any)) func(*schema.Resource) {
	return func(record *schema.Resource) {
		rest := record.StateUpgraders[0].Upgrade
		record.StateUpgraders[0].Upgrade = func(ctx context.Context, state map[string]any, meta any) (map[string]any, error) {
			code(state)
			return rest(ctx, state, meta)
		}
	}
}
