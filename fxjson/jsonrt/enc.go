package jsonrt

import (
	"encoding/json"
	"math/big"
	"sync"
)

// Enc is the state of one encoding. It is made by [NewEnc] and ended by
// [Enc.Done].
type Enc struct {
	failed bool
	addr   bool          // the current value is addressable in the sense of package reflect
	depth  int           // number of open pointers, maps and slices
	limit  int           // the largest depth
	keys   []string      // keys of all open maps, a stack; those from strings to strings have their values there too
	anys   []any         // values of all open maps of values of type any, a stack
	heads  []uint64      // heads of keys (keysort.Head), a stack
	shapes [shapes]shape // of maps of up to fewKeys keys
	large  [shapes]shape // of larger maps
	used   bool          // it has returned a result before
	buf    []byte        // scratch for [MarshalWith]
	cells  []any         // for elements of maps; each is a *cell
	opt    Options
	plain  bool  // <, > and & are not escaped, from opt
	err    error // an error that encoding/json would not report
	big    big.Float
}

// maxDepth is the depth at which encoding/json begins to look for cycles. Real values do not nest
// so deep; encoding/json marshals those that do.
const maxDepth = 1000

// methodDepth is the limit of depth if encoding/json cannot take over: in a method MarshalJSON that
// encoding/json called, and for a form that it does not know.
const methodDepth = 100_000

var encPool = sync.Pool{New: func() any { return new(Enc) }}

// NewEnc returns a state for one encoding. addressable says whether the value is reached through a
// pointer. As in encoding/json, methods with pointer receivers are called only then.
func NewEnc(addressable bool) *Enc {
	e := encPool.Get().(*Enc)
	e.failed, e.addr, e.depth, e.limit, e.opt, e.plain = false, addressable, 0, maxDepth, 0, false
	e.keys, e.anys, e.heads = e.keys[:0], e.anys[:0], e.heads[:0]
	return e
}

// newEnc is NewEnc with options.
func newEnc(opt Options) *Enc {
	e := NewEnc(false)
	e.opt, e.plain = opt, opt&PlainHTML != 0
	if opt&ownOptions != 0 {
		e.limit = methodDepth // encoding/json cannot take over: it does not know these options
	}
	return e
}

// null appends the JSON of a nil slice or map: the text empty if option opt is set, else null.
func (e *Enc) null(b []byte, opt Options, empty string) []byte {
	if e.opt&opt != 0 {
		return append(b, empty...)
	}
	return append(b, "null"...)
}

// Done ends the encoding and reports whether it succeeded. If not, the caller asks encoding/json
// for the error, see [Code.AppendStd].
func (e *Enc) Done() bool {
	ok := !e.failed
	if ok { // a failed state is still asked for its error
		encPool.Put(e)
	}
	return ok
}

// appendStd appends v as encoding/json marshals it, or returns encoding/json's error.
func appendStd(b []byte, v any) ([]byte, error) {
	out, err := json.Marshal(v)
	if err != nil {
		return b, err
	}
	return append(b, out...), nil
}

// Fail records that the encoding failed, and returns b. encoding/json says later what was wrong.
func (e *Enc) Fail(b []byte) []byte {
	e.failed = true
	return b
}

// Failed reports whether the encoding has failed. After a failure no user's methods are called.
func (e *Enc) Failed() bool { return e.failed }

// enter counts a pointer, map or slice that opens. It returns false if encoding should stop.
func (e *Enc) enter() bool {
	e.depth++
	if e.depth > e.limit {
		e.failed = true
	}
	return !e.failed
}

func (e *Enc) leave() { e.depth-- }

// std appends v as encoding/json marshals it.
func (e *Enc) std(b []byte, v any) []byte {
	out, err := appendStdWith(b, v, e.opt)
	if err != nil {
		return e.Fail(b)
	}
	return out
}

// Reach sets whether the values encoded next are addressable, and returns the setting before.
func (e *Enc) Reach(addressable bool) (before bool) {
	before, e.addr = e.addr, addressable
	return before
}

// Key appends the key of a struct's field, with the comma or brace before it and the colon after
// it. html and plain are two forms of this text: html has <, > and & as \u escapes, plain has them
// unescaped.
func Key(e *Enc, b []byte, html, plain string) []byte {
	if e.plain {
		return append(b, plain...)
	}
	return append(b, html...)
}
