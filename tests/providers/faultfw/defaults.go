package main

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/filestore/mistakes"
)

// defaults exist on one side only, and replacements are planned as updates.
func defaults() []fault {
	blue := mistakes.EmptyFor("color", "blue")
	return []fault{
		{
			Mistake: mistakes.Mistake{Name: "default_only_in_the_remote_system", On: "server", Client: filestore.Client{
				Applied: blue, Read: blue,
			}},
			schema: colored(schema.StringAttribute{Optional: true}),
		},
		{
			Mistake: mistakes.Mistake{Name: "default_only_on_read", On: "server", Client: filestore.Client{Read: blue}},
			schema:  colored(schema.StringAttribute{Optional: true}),
		},
		{Mistake: mistakes.Mistake{Name: "default_differs_from_the_schema", On: "server", Client: filestore.Client{
			Sent: leaveOutBlue,
		}}},
		{
			Mistake: mistakes.Mistake{Name: "zone_changes_in_place", On: "server", Client: filestore.Client{
				Sent: mistakes.Keep("zone"),
			}},
			schema: zoned(schema.StringAttribute{Optional: true}),
		},
		{
			Mistake: on("server", "zone_change_is_refused"),
			schema:  zoned(schema.StringAttribute{Optional: true}),
			update:  refusedUpdate,
		},
		{
			Mistake: on("server", "zone_is_kept_when_unset"),
			schema: zoned(schema.StringAttribute{
				Optional:      true,
				PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown(), keepsState{}},
			}),
		},
	}
}

func colored(color schema.StringAttribute) func(schema.Schema) {
	return func(server schema.Schema) { server.Attributes["color"] = color }
}

func zoned(zone schema.StringAttribute) func(schema.Schema) {
	return func(server schema.Schema) { server.Attributes["zone"] = zone }
}

// leaveOutBlue does not send what it takes for the remote system's default.
func leaveOutBlue(request, _ filestore.Object) {
	if request["color"] == "blue" {
		request["color"] = "azure"
	}
}
