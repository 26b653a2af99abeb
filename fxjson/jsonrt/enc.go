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
	addr   bool     // the value at hand is addressable, as reflection sees it
	depth  int      // of pointers, maps and slices
	limit  int      // of depth
	keys   []string // a stack of map keys being sorted
	shapes [shapes]shape
	used   bool   // it has given a result
	buf    []byte // scratch for [MarshalWith]
	cells  []any  // of maps, each a *cell
	opt    Options
	plain  bool  // <, > and & stand as they are, from opt
	err    error // that encoding/json does not know
	big    big.Float
}

// maxDepth is where encoding/json begins to look for cycles. Nothing real nests
// so deep; whatever does is left to it.
const maxDepth = 1000

// methodDepth is the limit in a method MarshalJSON that encoding/json called:
// there is nobody to leave the rest to.
const methodDepth = 100_000

var encPool = sync.Pool{New: func() any { return new(Enc) }}

// NewEnc returns a state for one encoding. addressable says whether the value
// is reached through a pointer, which decides for encoding/json whether methods
// with pointer receivers are called.
func NewEnc(addressable bool) *Enc {
	e := encPool.Get().(*Enc)
	e.failed, e.addr, e.depth, e.limit, e.keys, e.opt, e.plain = false, addressable, 0, maxDepth, e.keys[:0], 0, false
	return e
}

// newEnc is NewEnc with options.
func newEnc(opt Options) *Enc {
	e := NewEnc(false)
	e.opt, e.plain = opt, opt&PlainHTML != 0
	if opt&ownOptions != 0 {
		e.limit = methodDepth // encoding/json would write null
	}
	return e
}

// nilSlice, nilBytes and nilMap append what is written for a nil one.
func (e *Enc) nilSlice(b []byte) []byte {
	if e.opt&EmptySlices != 0 {
		return append(b, "[]"...)
	}
	return append(b, "null"...)
}

func (e *Enc) nilBytes(b []byte) []byte {
	if e.opt&EmptySlices != 0 {
		return append(b, `""`...)
	}
	return append(b, "null"...)
}

func (e *Enc) nilMap(b []byte) []byte {
	if e.opt&EmptyMaps != 0 {
		return append(b, "{}"...)
	}
	return append(b, "null"...)
}

// Done ends the encoding and reports whether nothing failed. When something
// did, the caller asks encoding/json for the error, see [Code.AppendStd].
func (e *Enc) Done() bool {
	ok := !e.failed
	if ok { // else its error is yet to be asked for
		encPool.Put(e)
	}
	return ok
}

// appendStd appends v as encoding/json marshals it; it is what remains to do
// when an encoding failed, and gives the error.
func appendStd(b []byte, v any) ([]byte, error) {
	out, err := json.Marshal(v)
	if err != nil {
		return b, err
	}
	return append(b, out...), nil
}

// Fail keeps the failure; encoding/json will say what it was.
func (e *Enc) Fail(b []byte) []byte {
	e.failed = true
	return b
}

// Failed reports whether the encoding has failed. Methods of the user's are not called after that.
func (e *Enc) Failed() bool { return e.failed }

// enter opens a level; false means that encoding should stop.
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

// Reach says whether the values to come are addressable, and returns what was said
// before.
func (e *Enc) Reach(addressable bool) (before bool) {
	before, e.addr = e.addr, addressable
	return before
}

// Key appends the key of a struct's field, a comma or brace before it and a colon
// behind it, which holds <, > or &: as it is in plain, as \u escapes in html.
func Key(e *Enc, b []byte, html, plain string) []byte {
	if e.plain {
		return append(b, plain...)
	}
	return append(b, html...)
}
