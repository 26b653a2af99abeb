// Package names declares what generated code would like to be called.
package names

import (
	"context"
	"iter"
)

// M is a message.
type M struct {
	A int64 `zmy:"0"`
}

type base interface {
	Stop(context.Context, *M) (*M, error)
}

// service is not exported, and embeds.
//
//zmy:service other.v1.Service
type service interface {
	base
	Walk(ctx context.Context, in iter.Seq2[*M, error]) iter.Seq2[*M, error] //zmy:rpc walk_on
}

func grpc() {}
func cc()   {}
func opts() {}
func c()    {}
func stub() {}
