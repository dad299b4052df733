package main

import (
	"time"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/filestore/mistakes"
)

// defaults exist on one side only.
func defaults() []fault {
	return []fault{
		{
			mistakes.Mistake{Name: "default_only_in_the_remote_system", On: "server", Client: filestore.Client{
				Read: mistakes.EmptyFor("color", "blue"),
			}},
			withoutDefault,
		},
		{
			mistakes.Mistake{Name: "default_only_on_create", On: "server", Client: filestore.Client{
				Sent: blueOnCreate, Applied: mistakes.AsAnswered,
			}},
			withoutDefault,
		},
		{Mistake: mistakes.Mistake{Name: "default_differs_from_the_schema", On: "server", Client: filestore.Client{
			Sent: leaveOutBlue,
		}}},
		changed("clock_in_default", "server", func(server *schema.Resource) {
			withoutDefault(server)
			server.Schema["color"].DefaultFunc = func() (any, error) { return time.Now().Format(time.RFC3339Nano), nil }
		}),
	}
}

func withoutDefault(server *schema.Resource) { server.Schema["color"].Default = nil }

func blueOnCreate(request, was filestore.Object) {
	if was == nil && mistakes.IsEmpty(request["color"]) {
		request["color"] = "blue"
	}
}

// leaveOutBlue does not send what it takes for the remote system's default.
func leaveOutBlue(request, _ filestore.Object) {
	if request["color"] == "blue" {
		request["color"] = "azure"
	}
}
