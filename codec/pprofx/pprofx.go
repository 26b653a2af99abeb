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

// Labels returns an observer that sets the labels "codec" and "op" of the goroutine
// for the time of an operation, beside those that the context carries. It costs
// three allocations and some 300 ns an operation (BenchmarkLabels); set it while
// profiles are wanted, by codec.Registry.Observe.
//
// Go cannot tell which labels a goroutine has, so that afterwards it gets those of
// the context: hand codec.WithContext the context of pprof.Do, if there is one.
func Labels() codec.Observer { return new(observer) }

type observer struct {
	sets sync.Map // key → pprof.LabelSet: few, as codecs are
}

type key struct {
	codec string
	op    codec.Op
}

// outerKey finds the context whose labels hold after the operation.
type outerKey struct{}

// Begin sets the labels.
func (o *observer) Begin(ctx context.Context, e codec.Event) context.Context {
	inner := pprof.WithLabels(context.WithValue(ctx, outerKey{}, ctx), o.set(key{e.Codec, e.Op}))
	pprof.SetGoroutineLabels(inner)
	return inner
}

// End sets those of the context again.
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
