package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
)

type machine struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Size    string   `json:"size"`
	Tags    []string `json:"tags,omitempty"`
	Address string   `json:"address"`
}

type api struct {
	sync.Mutex
	created  int
	machines map[string]machine
}

func newAPI() http.Handler {
	a := &api{machines: map[string]machine{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /machines", a.create)
	mux.HandleFunc("GET /machines/{id}", a.read)
	mux.HandleFunc("PUT /machines/{id}", a.update)
	mux.HandleFunc("DELETE /machines/{id}", a.delete)
	mux.HandleFunc("DELETE /machines", a.forget)
	return mux
}

func (a *api) create(w http.ResponseWriter, r *http.Request) {
	a.Lock()
	defer a.Unlock()
	var m machine
	if !decode(w, r, &m) {
		return
	}
	a.created++
	m.ID = fmt.Sprintf("m-%d", a.created)
	m.Address = fmt.Sprintf("10.0.%d.%d", a.created/256%256, a.created%256)
	a.machines[m.ID] = m
	answer(w, m)
}

func (a *api) read(w http.ResponseWriter, r *http.Request) {
	a.Lock()
	defer a.Unlock()
	if m, ok := a.find(w, r); ok {
		answer(w, m)
	}
}

func (a *api) update(w http.ResponseWriter, r *http.Request) {
	a.Lock()
	defer a.Unlock()
	before, ok := a.find(w, r)
	var m machine
	if !ok || !decode(w, r, &m) {
		return
	}
	m.ID, m.Address = before.ID, before.Address
	a.machines[m.ID] = m
	answer(w, m)
}

func (a *api) delete(w http.ResponseWriter, r *http.Request) {
	a.Lock()
	defer a.Unlock()
	if m, ok := a.find(w, r); ok {
		delete(a.machines, m.ID)
		w.WriteHeader(http.StatusNoContent)
	}
}

func (a *api) forget(w http.ResponseWriter, _ *http.Request) {
	a.Lock()
	defer a.Unlock()
	clear(a.machines)
	w.WriteHeader(http.StatusNoContent)
}

func (a *api) find(w http.ResponseWriter, r *http.Request) (machine, bool) {
	m, ok := a.machines[r.PathValue("id")]
	if !ok {
		http.Error(w, "no such machine", http.StatusNotFound)
	}
	return m, ok
}

func decode(w http.ResponseWriter, r *http.Request, m *machine) bool {
	err := json.NewDecoder(r.Body).Decode(m)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
	}
	return err == nil
}

func answer(w http.ResponseWriter, m machine) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(m)
}
