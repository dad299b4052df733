package main

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
)

// panics come with values that the author did not think of.
func panics() []fault {
	return []fault{
		changed("panic_on_absent_health_check", "service", onApply(func(d *schema.ResourceData) {
			check := d.Get("health_check").([]any)[0].(map[string]any)
			_ = check["path"].(string)
		})),
		changed("panic_on_empty_health_check", "service", onApply(func(d *schema.ResourceData) {
			for _, check := range d.Get("health_check").([]any) {
				_ = check.(map[string]any)["path"].(string)
			}
		})),
		changed("panic_on_null_note", "server", onApply(func(d *schema.ResourceData) {
			_ = strings.TrimSpace(d.GetRawConfig().GetAttr("note").AsString())
		})),
		changed("panic_on_empty_note", "server", onApply(func(d *schema.ResourceData) {
			if note, ok := d.GetOkExists("note"); ok && note.(string)[0] == '#' {
				_ = fmt.Sprint("heading: ", note)
			}
		})),
		changed("panic_on_zero_copies", "disk", onApply(func(d *schema.ResourceData) {
			if d.GetRawConfig().GetAttr("copies").IsNull() {
				return
			}
			_ = d.Get("gigabytes").(int) / d.Get("copies").(int)
		})),
		changed("panic_on_negative_copies", "disk", onApply(func(d *schema.ResourceData) {
			_ = make([]string, min(d.Get("copies").(int), 100))
		})),
		changed("panic_on_one_word", "account", onApply(func(d *schema.ResourceData) {
			_ = strings.Split(d.Get("email").(string), "@")[1]
		})),
		changed("panic_on_negative_buffer", "queue", func(queue *schema.Resource) {
			queue.Schema["buffer"].ValidateFunc = makesRoom
		}),
	}
}

// makesRoom counts the entries that fit.
func makesRoom(value any, key string) ([]string, []error) {
	if room := make([]struct{}, value.(int)); len(room) < 1024 {
		return nil, []error{fmt.Errorf("expected %s to be at least (1024), got %d", key, len(room))}
	}
	return nil, nil
}
