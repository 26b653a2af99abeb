package fxprotobench

import (
	"time"

	"github.com/zmylab/zmy/fxproto"
)

//go:generate go run github.com/zmylab/zmy/gen/cmd/fxproto -type=Order,Event,Result,Session

// Order is a list of structs, a map and a time.
type Order struct {
	ID        string            `proto:"1"`
	Items     []Item            `proto:"2"`
	Metadata  map[string]string `proto:"3"`
	Timestamp time.Time         `proto:"4"`

	Unknown fxproto.Unknown
}

// Item is a part of an Order.
type Item struct {
	Sku   string  `proto:"1"`
	Price float64 `proto:"2"`
	Qty   int32   `proto:"3"`
	Attrs []byte  `proto:"4"`

	Unknown fxproto.Unknown
}

// Event is mostly one text.
type Event struct {
	ID     string            `proto:"1"`
	Event  string            `proto:"2"`
	Data   string            `proto:"3"`
	Replay bool              `proto:"4"`
	Meta   map[string]string `proto:"5"`

	Unknown fxproto.Unknown
}

// Result is a packed list of numbers.
type Result struct {
	ID        uint64    `proto:"1"`
	Data      []float64 `proto:"2"`
	Timestamp int64     `proto:"3"`

	Unknown fxproto.Unknown
}

// Session has many small fields.
type Session struct {
	ID        string            `proto:"1"`
	UserID    string            `proto:"2"`
	Created   time.Time         `proto:"3"`
	LastSeen  time.Time         `proto:"4"`
	Expires   time.Time         `proto:"5"`
	IP        string            `proto:"6"`
	UserAgent string            `proto:"7"`
	Roles     []string          `proto:"8"`
	Attrs     map[string]string `proto:"9"`
	Status    int32             `proto:"10"`
	Locale    *string           `proto:"11"`
	TZ        int64             `proto:"12,sint"`
	MFA       bool              `proto:"13"`
	Logins    uint32            `proto:"14"`
	Token     []byte            `proto:"15"`
	Device    string            `proto:"16"`

	Unknown fxproto.Unknown
}
