package codec

import (
	"context"
	"time"
)

// Change reports that a chooser changed the codec that it prefers. The degrader of adapters/grpcx
// is a chooser.
type Change struct {
	Time     time.Time
	Chooser  string  // name of the chooser; a program has few
	From, To string  // states of the chooser before and after, one word each
	Share    float64 // share of its choices that get its preferred codec from now on
	Worse    bool    // the chooser turns away from its preferred codec, or should but cannot
	Cause    string  // why, in one sentence
}

// ChangeObserver is an [Observer] that is also told of changes. The changes of one chooser arrive
// one at a time and in order. ctx is the context of the operation that caused the change. The
// observers of adapters/otelx and codec/slogx are ChangeObservers.
type ChangeObserver interface {
	Observer
	Changed(ctx context.Context, c Change)
}

// TellChange tells o of a change if o is a [ChangeObserver].
func TellChange(ctx context.Context, o Observer, c Change) {
	if x, ok := o.(ChangeObserver); ok {
		x.Changed(ctx, c)
	}
}

// Changed tells each [ChangeObserver] among o, one after the other.
func (o Observers) Changed(ctx context.Context, c Change) {
	for _, x := range o {
		TellChange(ctx, x, c)
	}
}
