// Package store keeps orders as JSON.
package store

import (
	"encoding/json"
	"fmt"

	"example.org/shop/order"
)

// DB is a store.
type DB struct {
	rows map[string][]byte
}

// New returns an empty store.
func New() *DB { return &DB{map[string][]byte{}} }

// Save stores an order.
func (d *DB) Save(o *order.Order) error {
	b, err := json.Marshal(o)
	if err != nil {
		return err
	}
	d.rows[o.ID] = b
	return nil
}

// Load returns an order.
func (d *DB) Load(id string) (*order.Order, error) {
	row, ok := d.rows[id]
	if !ok {
		return nil, fmt.Errorf("there is no order %s", id)
	}
	var o order.Order
	if err := json.Unmarshal(row, &o); err != nil {
		return nil, err
	}
	return &o, nil
}
