package zmy

import (
	"sync"

	"github.com/zmylab/zmy/internal/zmyreflect"
	"github.com/zmylab/zmy/wire"
)

// NOTE: The names that this file exports, and [Code] in stale.go, are for generated code. That code
// is in the packages of its types, so it cannot call unexported functions. Package schema/dynamic,
// which does the same work without generated code, uses them too. A marshal method asks the options
// for an Encoder, appends the message with functions of package wire, and returns what Encoded
// makes of it. If the caller gave no memory it appends to a Scratch, since it does not know the
// size of the message in advance. An unmarshal method calls Decoder, reads, and calls Decoded.
// Plans for reflection (reflect.go) do the same with the same functions.

// Encoder is for generated code. It returns the state with which that code appends a message to
// dst, and how deep the message may be nested.
func (o MarshalOptions) Encoder(dst []byte) (e wire.Encoder, depth int) {
	return wire.NewEncoder(len(dst), size(o.MaxWire, o.MaxRaw)), limit(o.MaxDepth, DefaultMaxDepth)
}

// Flat is for generated code. It reports whether the options allow every narrow message whose
// structs are nested at most two deep. A narrow message has at most 65,535 bytes.
func (o MarshalOptions) Flat() bool {
	return defaultOr(o.MaxWire, wire.Narrow) && defaultOr(o.MaxRaw, wire.Narrow) && defaultOr(o.MaxDepth, 2)
}

// Flat is for generated code. It reports whether the options allow narrow messages of every size
// and also let the strings of the result share memory.
func (o UnmarshalOptions) Flat() bool {
	return defaultOr(o.MaxWire, wire.Narrow) && defaultOr(o.MaxRaw, wire.Narrow) && !o.CopyEach
}

// defaultOr reports whether limit is at least n or not positive, which stands for the default. One
// comparison tells both: below 1, limit-1 is huge without its sign.
func defaultOr(limit, n int) bool { return uint(limit-1) >= uint(n-1) }

// Decoder is for generated code. It returns the state with which that code reads a message of n
// bytes, and how deep the message may be nested. It fails with ErrTooLarge if n exceeds the limits.
func (o UnmarshalOptions) Decoder(n int) (d wire.Decoder, depth int, err *wire.Error) {
	w := size(o.MaxWire, o.MaxRaw)
	if n > w {
		err = &wire.Error{Code: wire.ErrTooLarge, Need: n, Have: w}
	}
	d = wire.Decoder{Budget: o.Budget, Free: wire.Free(n), NoCopy: o.aliases(), CopyEach: o.CopyEach, Reuse: o.Reuse, Exact: o.Exact}
	if d.Budget <= 0 {
		d.Budget = max(DefaultBudget, 16*int64(w))
	}
	return d, limit(o.MaxDepth, DefaultMaxDepth), err
}

// Decoded is for generated code. It returns the error of an unmarshal method: nil, or a
// DecodeError.
func Decoded(typ string, err *wire.Error) error {
	if err == nil {
		return nil
	}
	return decodeError(typ, err)
}

// decodeError is a function of its own so that Decoded is inlined into generated code.
func decodeError(typ string, err *wire.Error) error {
	return &DecodeError{Type: typ, Path: err.Path, Offset: err.Offset, Err: cause(err), detail: detail(err)}
}

// Encoded is for generated code. It returns the results of a marshal method. b is dst with the
// message appended. If err is nil and the message is not too large, Encoded returns b, else dst and
// an error.
func Encoded(typ string, e *wire.Encoder, dst, b []byte, err *wire.Error) ([]byte, error) {
	if err == nil {
		err = e.Fits(b)
	}
	if err == nil {
		return b, nil
	}
	return dst, encodeError(typ, err)
}

func encodeError(typ string, err *wire.Error) error {
	return &EncodeError{Type: typ, Path: err.Path, Err: cause(err), detail: detail(err)}
}

// scratches holds buffers for messages whose size is not known in advance.
var scratches = sync.Pool{New: func() any { return &Scratch{buf: make([]byte, 0, 1<<10)} }}

// maxScratch is the size in bytes of the largest buffer that is kept for the next message.
const maxScratch = 1 << 20

// Scratch is for generated code: a buffer that it borrows for one message.
type Scratch struct{ buf []byte }

// Borrow is for generated code. It returns a scratch buffer, which [Scratch.Encoded] takes back.
func Borrow() (s *Scratch, buf []byte) {
	s = scratches.Get().(*Scratch)
	return s, s.buf[:0]
}

// Encoded is like the function Encoded, for a message b that was made in the buffer. It takes the
// buffer back and returns a copy of the message, with no spare capacity. If b's memory is too large
// to be kept as a buffer, and the message fills at least eight ninths of it, Encoded returns b
// itself.
func (s *Scratch) Encoded(typ string, e *wire.Encoder, b []byte, err *wire.Error) ([]byte, error) {
	b, failed := Encoded(typ, e, nil, b, err)
	var out []byte
	switch {
	case failed != nil:
	case cap(b) > maxScratch && cap(b)-len(b) <= len(b)/8:
		out = b[:len(b):len(b)]
	default:
		out = make([]byte, len(b)) // the compiler combines make and copy, so nothing is zeroed
		copy(out, b)
	}
	if cap(b) > cap(s.buf) && cap(b) <= maxScratch {
		s.buf = b
	}
	scratches.Put(s)
	return out, failed
}

// AppendJSON is for generated code, which calls it for types that are carried as JSON. It appends
// what encoding/json writes for the value that p points to. For the zero value it appends nothing.
func AppendJSON(b []byte, p any) ([]byte, *wire.Error) { return zmyreflect.AppendJSON(b, p) }

// DecodeJSON is for generated code. It stores the JSON text b into the value that p points to; b is
// not kept.
func DecodeJSON(b []byte, p any) *wire.Error { return zmyreflect.DecodeJSON(b, p) }
