package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"tfconform.example/providers/filestore"
)

// lockType keeps the version of the object in private data, and sends it with
// every update.
type lockType struct{ *resourceType }

const version = "version"

// privateData is the framework's interface to it.
type privateData interface {
	GetKey(context.Context, string) ([]byte, diag.Diagnostics)
	SetKey(context.Context, string, []byte) diag.Diagnostics
}

func (l *lockType) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	l.Kind.Create(ctx, req, resp)
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(l.renew(ctx, textOf(ctx, resp.State, "id"), resp.Private)...)
	}
}

func (l *lockType) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	id := textOf(ctx, req.State, "id")
	object, err := l.Remote().Load(l.Name, id.ValueString())
	if err != nil {
		resp.Diagnostics.AddError("Failed to update the lock", err.Error())
		return
	}
	var seen string
	sent, diags := req.Private.GetKey(ctx, version)
	resp.Diagnostics.Append(diags...)
	if sent != nil {
		if err := json.Unmarshal(sent, &seen); err != nil {
			resp.Diagnostics.AddError("Failed to read the private data", err.Error())
			return
		}
	}
	if current, ok := object[version]; ok && sent != nil && current != seen {
		resp.Diagnostics.AddError("Failed to update the lock", "412 Precondition Failed: the version is not the current one")
		return
	}
	l.Kind.Update(ctx, req, resp)
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(l.renew(ctx, id, resp.Private)...)
	}
}

// renew is what the remote system does with every write, and what the provider
// remembers of it.
func (l *lockType) renew(ctx context.Context, id types.String, private privateData) diag.Diagnostics {
	object, err := l.Remote().Load(l.Name, id.ValueString())
	if err == nil {
		object[version] = filestore.NewID()
		err = l.Remote().Save(l.Name, id.ValueString(), object)
	}
	if err != nil {
		return diag.Diagnostics{diag.NewErrorDiagnostic("Failed to read the version", err.Error())}
	}
	if known, _ := private.GetKey(ctx, version); known != nil && l.fault.Name == "version_is_not_renewed" {
		return nil
	}
	return private.SetKey(ctx, version, fmt.Appendf(nil, "%q", object[version]))
}

// Read needs the private data for one of the faults.
func (l *lockType) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	if l.fault.Name == "read_needs_private_data" {
		var seen string
		known, diags := req.Private.GetKey(ctx, version)
		resp.Diagnostics.Append(diags...)
		if err := json.Unmarshal(known, &seen); err != nil {
			resp.Diagnostics.AddError("Failed to read the private data", err.Error())
			return
		}
	}
	if l.fault.Name == "read_forgets_private_data" {
		resp.Diagnostics.Append(resp.Private.SetKey(ctx, version, []byte(`""`))...)
	}
	l.Kind.Read(ctx, req, resp)
}

// private is lost, or needed where there is none.
func private() []fault {
	return []fault{
		{Mistake: on("lock", "version_is_not_renewed")},
		{Mistake: on("lock", "read_needs_private_data")},
		{Mistake: on("lock", "read_forgets_private_data")},
	}
}
