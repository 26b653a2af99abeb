// Package office has a service whose messages are those of protobuf.
package office

import (
	"context"
	"iter"
)

type Ticket struct {
	ID string `proto:"1"`
}

type Empty struct{}

//zmy:service acme.office.v1.Office
type Office interface {
	Raise(context.Context, *Ticket) (*Empty, error)
	List(context.Context, *Empty) iter.Seq2[*Ticket, error]
}
