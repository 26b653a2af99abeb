package worker

import "context"

// Store keeps messages under keys from 0 on, as a cache or a table does for a service. All
// goroutines of a load share one. It touches nothing but what bears the name that it was
// opened with.
type Store interface {
	// About is what answers, with its version: "PostgreSQL 15.14".
	About() string
	// Create makes room for messages where none were: what an earlier Create and Put left
	// under the same name is removed.
	Create(ctx context.Context) error
	// Begin comes before Put and Get, once there is room.
	Begin(ctx context.Context) error
	Put(ctx context.Context, key int, message []byte) error
	// Get returns bytes that the caller owns. A key that is not there is an error.
	Get(ctx context.Context, key int) ([]byte, error)
	// Size is how many bytes the store takes for all keys by its own account, its overhead
	// included; 0 when it does not tell.
	Size(ctx context.Context) (int64, error)
	// Drop removes all of it.
	Drop(ctx context.Context) error
	Close() error
}

// StoreAt says which store, and what is kept there.
type StoreAt struct {
	Kind  string // redis | postgres | mysql
	URL   string // as its client spells it, with the password where there is one
	Name  string // of the table, or what keys begin with: of one run and codec alone
	Conns int    // connections, and requests that can be under way
	Keys  int    // from 0 to Keys - 1; key k holds value k modulo the number of values, until it is written again
	// Largest message in bytes, for stores that refuse larger ones. Filled in by the worker.
	Largest int `json:"-"`
}
