package worker

import (
	"context"
	"time"

	"github.com/zmylab/zmy/internal/openloop"
)

// Store keeps messages under keys 0, 1, …, as a cache or a table does for a service. All goroutines
// of a load share one Store. It touches only data under the name with which it was opened.
type Store interface {
	// About returns the store's name and version: "PostgreSQL 15.14".
	About() string
	// Create makes an empty place for messages. It removes what an earlier Create and Put left
	// under the same name.
	Create(ctx context.Context) error
	// Begin must be called after Create and before Put and Get.
	Begin(ctx context.Context) error
	Put(ctx context.Context, key int, message []byte) error
	// Get returns bytes that the caller owns. A missing key is an error.
	Get(ctx context.Context, key int) ([]byte, error)
	// Size returns the bytes that the store says it uses for all keys, overhead included; 0 if it
	// does not say.
	Size(ctx context.Context) (int64, error)
	// Drop removes everything that Create and Put have made.
	Drop(ctx context.Context) error
	Close() error
}

// StoreAt identifies a store and the data in it.
type StoreAt struct {
	Kind  string // redis | postgres | mysql
	URL   string // in the client's form, with the password if there is one
	Name  string // name of the table, or prefix of keys; each run and codec has its own
	Conns int    // number of connections, and of requests that can be under way
	Keys  int    // number of keys; key k holds value k modulo the number of values until it is overwritten
	// Largest is the size of the largest message in bytes, for stores with a limit. The worker
	// fills it in.
	Largest int `json:"-"`
}

// Shelf describes a store and the messages in it.
type Shelf struct {
	About string  `json:"about"`
	Bytes float64 `json:"bytes"`          // mean bytes of a message
	Kept  float64 `json:"kept,omitempty"` // bytes per message that the store says it uses, 0 if it does not say
}

// StoreLoop is an open loop of requests to a store. Half of them, drawn at random, encode a value
// that the key does not hold and write it. The others read a message and decode it.
type StoreLoop struct {
	At                StoreAt
	openloop.Schedule               // schedule of writes and reads together
	Wait              time.Duration // time to wait for answers after all requests were begun; 0 means 10 s
}

// Stored holds the measurements of a StoreLoop. Load.Response counts all requests; Load.Service is
// empty.
type Stored struct {
	Load
	Write Part `json:"write"`
	Read  Part `json:"read"`
}

// Part holds the measurements of the writes, or of the reads.
type Part struct {
	Response openloop.Histogram `json:"response"` // ns from when a request was due to its end
	Codec    float64            `json:"codec"`    // ns inside the codec, sum over all requests
	Store    float64            `json:"store"`    // ns inside the store's client, sum over all requests
}

// Add merges o into p.
func (p *Part) Add(o *Part) {
	p.Response.Add(&o.Response)
	p.Codec += o.Codec
	p.Store += o.Store
}
