// Package api answers requests.
package api

import (
	"encoding/json"
	"net/http"

	"example.org/shop/order"
	"example.org/shop/store"
)

// Page is a list of orders.
type Page struct {
	Orders []*order.Order `json:"orders"`
	Total  int            `json:"total"`
}

// Server serves a store.
type Server struct{ DB *store.DB }

// Get answers with one order.
func (s *Server) Get(w http.ResponseWriter, id string) {
	o, err := s.DB.Load(id)
	if err != nil {
		write(w, http.StatusNotFound, map[string]string{"error": err.Error()})
		return
	}
	write(w, http.StatusOK, o)
}

// List answers with several orders.
func (s *Server) List(w http.ResponseWriter, ids []string) {
	var p Page
	for _, id := range ids {
		if o, err := s.DB.Load(id); err == nil {
			p.Orders = append(p.Orders, o)
		}
	}
	p.Total = len(p.Orders)
	write(w, http.StatusOK, p)
}

// write is what all answers go through.
func write(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}
