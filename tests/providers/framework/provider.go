package main

import (
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/framework/objects"
)

const name = "fwfix"

var fixture = objects.Provider{
	Name: name,
	Types: []func() resource.Resource{
		newNote, newNumbers, newCollections, newPolicy, newServer, newDocument, newSecret, newAnything,
	},
	Data: []func() datasource.DataSource{newLookup, newRender},
}

func newProvider() provider.Provider { return fixture }

// drifts is what `remote-change` may do, by resource type.
func drifts() map[string]filestore.Drift { return fixture.Drifts() }
