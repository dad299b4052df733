package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// remoteMachine is a machine as the API sends and takes it.
type remoteMachine struct {
	ID      string   `json:"id,omitempty"`
	Name    string   `json:"name"`
	Size    string   `json:"size"`
	Tags    []string `json:"tags,omitempty"`
	Address string   `json:"address,omitempty"`
}

// errGone is the API's answer if there is no such machine.
var errGone = errors.New("there is no such machine")

type client struct{ endpoint string }

func (c *client) create(ctx context.Context, machine *remoteMachine) error {
	return c.call(ctx, http.MethodPost, "/machines", machine)
}

func (c *client) read(ctx context.Context, machine *remoteMachine) error {
	return c.call(ctx, http.MethodGet, "/machines/"+url.PathEscape(machine.ID), machine)
}

func (c *client) update(ctx context.Context, machine *remoteMachine) error {
	return c.call(ctx, http.MethodPut, "/machines/"+url.PathEscape(machine.ID), machine)
}

func (c *client) delete(ctx context.Context, machine *remoteMachine) error {
	return c.call(ctx, http.MethodDelete, "/machines/"+url.PathEscape(machine.ID), machine)
}

// call sends the machine and replaces it by the answer, if there is one.
func (c *client) call(ctx context.Context, method, path string, machine *remoteMachine) error {
	body, err := json.Marshal(machine)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, method, c.endpoint+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	switch {
	case err != nil:
		return err
	case response.StatusCode == http.StatusNotFound:
		return errGone
	case response.StatusCode >= 300:
		return fmt.Errorf("%s: %s", response.Status, answer)
	case len(answer) == 0:
		return nil
	}
	*machine = remoteMachine{}
	return json.Unmarshal(answer, machine)
}
