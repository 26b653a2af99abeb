// Package wrong has what cannot be a service.
package wrong

import (
	"context"
	"iter"
)

// M is a message.
type M struct {
	A int64 `zmy:"0"`
}

// Bad is no message.
type Bad struct {
	C chan int `zmy:"0"`
}

// Forms has methods of wrong forms.
type Forms interface {
	NoContext(*M) (*M, error)
	Value(context.Context, M) (*M, error)
	NoError(context.Context, *M) *M
	SeqAndError(context.Context, *M) (iter.Seq2[*M, error], error)
	Variadic(context.Context, ...*M) (*M, error)
	Seq(context.Context, *M) iter.Seq[*M]
	hidden(context.Context, *M) (*M, error)
}

// Named has wrong names.
//
//zmy:service two words
//zmy:sparse
type Named interface {
	//zmy:rpc Two
	One(context.Context, *M) (*M, error)
	Two(context.Context, *M) (*M, error)
	//zmy:rpc
	Three(context.Context, *M) (*M, error)
	//zmy:method X
	Four(context.Context, *M) (*M, error)
}

// Empty has no methods.
type Empty interface{}

// Generic is generic.
type Generic[T any] interface {
	Get(context.Context, *T) (*T, error)
}

// Messages has one that has no native form.
type Messages interface {
	Get(context.Context, *M) (*Bad, error)
}
