package codec

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
)

// PanicError is a panic that a guarded codec has turned into an error. errors.Is reports it as
// ErrPanicked. It wraps the value of the panic if that is an error.
type PanicError struct {
	Value any    // the argument of panic
	Stack []byte // of the goroutine, from debug.Stack
}

func (e *PanicError) Error() string { return fmt.Sprintf("%v: %v", ErrPanicked, e.Value) }

// Is makes errors.Is(err, ErrPanicked) true.
func (e *PanicError) Is(target error) bool { return target == ErrPanicked }

// Unwrap returns Value if that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Guarded returns a codec that works like c, except that a panic becomes an [Error] around a
// [PanicError]. The panic may be in c, or in a method that c calls on a value. Use it for codecs
// and types whose code you do not know well. Then one bad value ends neither a request with many
// values nor a program that does not recover.
//
// If a marshal panics half-way, dst is returned as it was handed in; bytes may have been written to
// its spare capacity. If an unmarshal panics, the target may be half filled. State that a codec
// shares between calls may stay broken; for instance, a lock that it held stays locked. Only panics
// can be caught. Exhausted memory, an overflow of the stack, and a map that two goroutines write,
// end the program.
func Guarded(c Codec) Codec { return &guarded{c} }

type guarded struct{ c Codec }

func (g *guarded) Name() string  { return g.c.Name() }
func (g *guarded) Unwrap() Codec { return g.c }
func (g *guarded) Powers() any   { return (*guardedPowers)(g) }

func (g *guarded) WithContext(ctx context.Context) Codec {
	if c, ok := g.c.(Contextual); ok {
		return &guarded{c.WithContext(ctx)}
	}
	return g
}

// caught is called by defer. It turns a panic into the error.
func (g *guarded) caught(op Op, v any, err *error) {
	if p := recover(); p != nil {
		*err = NewError(g.c, op, v, &PanicError{p, debug.Stack()})
	}
}

func (g *guarded) Marshal(v any) (b []byte, err error) {
	defer g.caught(OpMarshal, v, &err)
	return g.c.Marshal(v)
}

func (g *guarded) Unmarshal(b []byte, v any) (err error) {
	defer g.caught(OpUnmarshal, v, &err)
	return g.c.Unmarshal(b, v)
}

// guardedPowers is a guarded codec with every power that it can pass on.
type guardedPowers guarded

func (g *guardedPowers) AppendMarshal(dst []byte, v any) (b []byte, err error) {
	b = dst // the result after a panic
	defer (*guarded)(g).caught(OpMarshal, v, &err)
	return Append(g.c, dst, v)
}

func (g *guardedPowers) MarshalStable(v any) (b []byte, err error) {
	defer (*guarded)(g).caught(OpMarshal, v, &err)
	return MarshalStable(g.c, v)
}

func (g *guardedPowers) MarshalPooled(p *Pool, v any) (b *Buffer, err error) {
	defer (*guarded)(g).caught(OpMarshal, v, &err)
	return MarshalPooled(g.c, p, v)
}

func (g *guardedPowers) UnmarshalView(b []byte, v any) (err error) {
	defer (*guarded)(g).caught(OpUnmarshal, v, &err)
	return UnmarshalView(g.c, b, v)
}

func (g *guardedPowers) MediaTypes() []string { return mediaTypes(g.c) }

func (g *guardedPowers) NewEncoder(w io.Writer) Encoder {
	s, _ := As[Streamer](g.c)
	return (*guarded)(g).stream(OpEncode, s.NewEncoder(w).Encode)
}

func (g *guardedPowers) NewDecoder(r io.Reader) Decoder {
	s, _ := As[Streamer](g.c)
	return (*guarded)(g).stream(OpDecode, s.NewDecoder(r).Decode)
}

// stream returns a function that calls do and turns a panic into an error. After a panic the
// function only returns that error, because the stream may have stopped in the middle of a message.
func (g *guarded) stream(op Op, do stream) stream {
	var panicked error
	return func(v any) (err error) {
		if panicked != nil {
			return panicked
		}
		defer func() {
			if _, ok := find[*PanicError](err); ok {
				panicked = err
			}
		}()
		defer g.caught(op, v, &err)
		return do(v)
	}
}
