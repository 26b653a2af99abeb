// Package pprofx labels the samples of CPU profiles with the codec and operation
// that was running:
//
//	go tool pprof -tagfocus codec=json cpu.pprof
//	go tool pprof -tagroot codec,op cpu.pprof
//
// Goroutine profiles and execution traces carry the labels too.
package pprofx

import (
	"context"
	"runtime/pprof"
	"sync"

	"github.com/zmylab/zmy/codec"
)

// Labels returns an observer that sets the labels "codec" and "op" of the goroutine during an
// operation, in addition to the labels of the context. It costs three allocations and some 300 ns
// for each operation (BenchmarkLabels). Set it by codec.Registry.Observe while you want profiles.
//
// Go cannot return the labels of a goroutine, so after the operation the goroutine gets those of
// the context. If you use pprof.Do, pass its context to codec.WithContext.
func Labels() codec.Observer { return new(observer) }

type observer struct {
	sets sync.Map // key → pprof.LabelSet; there are few, since there are few codecs
}

type key struct {
	codec string
	op    codec.Op
}

// outerKey is the context key of the context whose labels are set again after the operation.
type outerKey struct{}

// Begin sets the labels.
func (o *observer) Begin(ctx context.Context, e codec.Event) context.Context {
	inner := pprof.WithLabels(context.WithValue(ctx, outerKey{}, ctx), o.set(key{e.Codec, e.Op}))
	pprof.SetGoroutineLabels(inner)
	return inner
}

// End sets the labels of the context again.
func (o *observer) End(ctx context.Context, _ codec.Event) {
	if outer, ok := ctx.Value(outerKey{}).(context.Context); ok {
		pprof.SetGoroutineLabels(outer)
	}
}

func (o *observer) set(k key) pprof.LabelSet {
	if s, ok := o.sets.Load(k); ok {
		return s.(pprof.LabelSet)
	}
	s := pprof.Labels("codec", k.codec, "op", k.op.String())
	o.sets.Store(k, s)
	return s
}
