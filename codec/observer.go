package codec

import (
	"context"
	"reflect"
	"time"
)

// Op is an operation of a codec.
type Op uint8

// The operations.
const (
	OpMarshal   Op = iota // a value to bytes
	OpUnmarshal           // bytes to a value
	OpEncode              // a value to a stream
	OpDecode              // a value from a stream

	NumOps = int(OpDecode) + 1 // length of an array with one element for each operation
)

var opNames = [NumOps]string{"marshal", "unmarshal", "encode", "decode"}

// String returns the operation in one lower-case word.
func (o Op) String() string {
	if int(o) >= NumOps {
		return "unknown"
	}
	return opNames[o]
}

// Observer is told when each operation of a codec begins and ends. It is called on the goroutine of
// the operation, which waits for it, and by many goroutines at once. It must not keep the event,
// nor anything that the event refers to.
//
// [Registry.Observe] and [Observe] set an observer.
type Observer interface {
	// Begin is called before the operation, with its Codec, Op and type. It returns the context for
	// End: ctx itself, or one that carries a span.
	Begin(ctx context.Context, e Event) context.Context
	// End is called after the operation, also if it panicked.
	End(ctx context.Context, e Event)
}

// SlowMark is the duration from which an operation counts as slow by default.
const SlowMark = 5 * time.Millisecond

// Event is one operation of a codec. Size, Duration and Err are set at its end.
type Event struct {
	Codec string // name of the codec
	Op    Op
	// Size is the size of the message in bytes, 0 if marshal failed. For a stream it is the number
	// of bytes that were written or read during the operation. Decoders read ahead, so the sizes of
	// a stream are right in sum, not one by one.
	Size     int
	Duration time.Duration // for a stream including the time of its reader or writer
	Err      error         // ErrPanicked if the operation panicked; io.EOF at the end of a stream

	value any
}

// NewEvent returns the event of an operation that begins. It is for transports that measure codecs
// themselves because they know more about the request. Set Size, Duration and Err before End.
func NewEvent(codec string, op Op, v any) Event { return Event{Codec: codec, Op: op, value: v} }

// Type returns the Go type of the value or target, nil for a nil interface.
func (e Event) Type() reflect.Type { return reflect.TypeOf(e.value) }

// Value returns the value or target itself. It belongs to the operation's caller: an observer must
// not change it, and must not refer to it after Begin or End has returned.
func (e Event) Value() any { return e.value }

// Class returns the class of Err.
func (e Event) Class() Class { return ClassOf(e.Err) }

// Observers is an Observer that calls several observers: in order at the beginning of an operation,
// in reverse order at its end. Each Begin gets the context that the Begin before it has returned.
// Every End gets the context of the last Begin.
type Observers []Observer

// Begin calls the Begin of each observer.
func (o Observers) Begin(ctx context.Context, e Event) context.Context {
	for _, x := range o {
		ctx = x.Begin(ctx, e)
	}
	return ctx
}

// End calls the End of each observer.
func (o Observers) End(ctx context.Context, e Event) {
	for i := len(o) - 1; i >= 0; i-- {
		o[i].End(ctx, e)
	}
}
