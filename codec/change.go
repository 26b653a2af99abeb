package codec

import (
	"context"
	"time"
)

// Change is a change of mind of something that chooses between codecs, such as the degrader of
// adapters/grpcx.
type Change struct {
	Time     time.Time
	Chooser  string  // its name, of which a program has few
	From, To string  // its states, a word each
	Share    float64 // of what it chooses for, that has the codec which it prefers from now on
	Worse    bool    // it has left the codec that it prefers, or would and cannot
	Cause    string  // one sentence
}

// ChangeObserver is an [Observer] that is told of changes too, of one chooser at a time and in
// order: those of adapters/otelx and codec/slogx are. ctx is that of the operation that has brought
// the change about.
type ChangeObserver interface {
	Observer
	Changed(ctx context.Context, c Change)
}

// TellChange tells o of a change, if it is a [ChangeObserver].
func TellChange(ctx context.Context, o Observer, c Change) {
	if x, ok := o.(ChangeObserver); ok {
		x.Changed(ctx, c)
	}
}

// Changed tells those that are a [ChangeObserver], one after the other.
func (o Observers) Changed(ctx context.Context, c Change) {
	for _, x := range o {
		TellChange(ctx, x, c)
	}
}
