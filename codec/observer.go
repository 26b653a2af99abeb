package codec

import (
	"context"
	"reflect"
	"time"
)

// Op is what a codec is asked to do.
type Op uint8

// The operations.
const (
	OpMarshal   Op = iota // a value to bytes
	OpUnmarshal           // bytes to a value
	OpEncode              // a value to a stream
	OpDecode              // a value from a stream

	NumOps = int(OpDecode) + 1 // for arrays with one element an operation
)

var opNames = [NumOps]string{"marshal", "unmarshal", "encode", "decode"}

// String is the operation in one lower-case word.
func (o Op) String() string {
	if int(o) >= NumOps {
		return "unknown"
	}
	return opNames[o]
}

// Observer is told of each operation of the codecs that it observes: when it
// begins and when it ends, on the goroutine that works, which waits meanwhile. It
// is used by many goroutines at once and keeps neither the event nor anything
// found through it.
//
// See [Registry.Observe] and [Observe] for how it gets to see them.
type Observer interface {
	// Begin is called before the operation, with its Codec, Op and type. What it
	// returns is handed to End: ctx itself, or one that carries a span.
	Begin(ctx context.Context, e Event) context.Context
	// End is called after it, also when it panicked.
	End(ctx context.Context, e Event)
}

// SlowMark is from how long on an operation is slow, where nothing else is said.
const SlowMark = 5 * time.Millisecond

// Event is one operation of a codec. Size, Duration and Err are known at its end.
type Event struct {
	Codec string // its name
	Op    Op
	// Size is that of the message in bytes, 0 where marshal failed. For a stream it is
	// what was written or read meanwhile; decoders read ahead, so that the sizes of
	// a stream are right in sum and not one by one.
	Size     int
	Duration time.Duration // for a stream with what reader and writer took
	Err      error         // ErrPanicked where the operation did not return; io.EOF at the end of a stream

	value any
}

// NewEvent is the event with which an operation begins, for transports that time codecs
// by themselves as they know more about the request: Size, Duration and Err are set for its end.
func NewEvent(codec string, op Op, v any) Event { return Event{Codec: codec, Op: op, value: v} }

// Type is the Go type of the value or target, nil for a nil interface.
func (e Event) Type() reflect.Type { return reflect.TypeOf(e.value) }

// Class is the class of Err.
func (e Event) Class() Class { return ClassOf(e.Err) }

// Observers tells several, one after the other, and in reverse order at the end.
// Each finds in its context what those before it have put there.
type Observers []Observer

// Begin calls Begin of each.
func (o Observers) Begin(ctx context.Context, e Event) context.Context {
	for _, x := range o {
		ctx = x.Begin(ctx, e)
	}
	return ctx
}

// End calls End of each.
func (o Observers) End(ctx context.Context, e Event) {
	for i := len(o) - 1; i >= 0; i-- {
		o[i].End(ctx, e)
	}
}
