package jsontiny

import (
	"strconv"

	"github.com/zmylab/zmy/fxjson/internal/jsonfold"
	"github.com/zmylab/zmy/fxjson/internal/jsonscan"
	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// Dec is the state of one decoding.
type Dec struct {
	doc    []byte // the document, padded
	n      int    // its length without padding
	err    *Error // the first error
	failed bool   // a user's method failed
}

// Unmarshal calls f to decode the document b into *v. If b is not valid JSON, *v does not change.
func Unmarshal[T any](b []byte, v *T, f func(*Dec, int, *T) int) error {
	d := &Dec{doc: jsonwire.Padded(nil, b), n: len(b)}
	if !jsonwire.Valid(d.doc, d.n) {
		return &Error{Offset: jsonscan.Malformed(b), Msg: "malformed JSON"}
	}
	if v == nil {
		return &Error{Msg: "the target is nil"}
	}
	if f(d, 0, v); d.err != nil {
		return d.err
	}
	return nil
}

// Doc returns the document, followed by zero bytes. Generated code compares it with the key that it
// expects next.
func (d *Dec) Doc() []byte { return d.doc }

// wrong skips the value at i, which the target cannot hold, and records the error if it is the
// first. want says what the target holds.
func (d *Dec) wrong(i int, want string) int {
	i = jsonwire.SkipSpace(d.doc, i)
	if d.failed || i >= d.n {
		return d.n
	}
	if d.err == nil {
		found := "a number"
		switch d.doc[i] {
		case '"':
			found = "a string"
		case '{':
			found = "an object"
		case '[':
			found = "an array"
		case 't', 'f':
			found = "a bool"
		}
		d.err = &Error{Offset: i, Msg: "want " + want + ", found " + found}
	}
	return jsonwire.Skip(d.doc, i, 0)
}

// null handles a value at i that is not of the wanted type. JSON's null is skipped and changes
// nothing.
func (d *Dec) null(i int, want string) int {
	if jsonwire.IsNull(d.doc, i) {
		return i + 4
	}
	return d.wrong(i, want)
}

// abort ends the decoding with the error err of a user's method for the value at i.
func (d *Dec) abort(i int, method string, err error) int {
	if !d.failed { // an error of a method replaces an earlier error, since it ends the decoding
		d.err = &Error{Offset: i, Msg: method, Err: err}
	}
	d.failed = true
	return d.n
}

// Require checks the object that ends at i. names are the members that the object must have. Bit
// k%64 of have[k/64] says that names[k] was met. If one is missing, the error is recorded. A value
// that is no object, such as null, lacks nothing.
func (d *Dec) Require(i int, have []uint64, names []string) int {
	if d.err != nil || d.doc[i-1] != '}' {
		return i
	}
	for n, name := range names {
		if have[n/64]>>(n%64)&1 == 0 {
			d.err = &Error{Offset: i, Msg: "the object lacks " + strconv.Quote(name)}
			break
		}
	}
	return i
}

// Unknown skips the value of a key for which the target has no field.
func (d *Dec) Unknown(i int) int {
	if d.failed {
		return d.n
	}
	return jsonwire.Skip(d.doc, i, 0)
}

// RefuseEmbedded records an error for the value at i and skips it. The value is for a field of the
// unexported struct typ, which is embedded by a pointer that is nil. encoding/json may not set such
// a pointer.
func (d *Dec) RefuseEmbedded(i int, typ string) int {
	if d.err == nil {
		d.err = &Error{Offset: i, Msg: "cannot set embedded pointer to unexported struct: " + typ}
	}
	return d.Unknown(i)
}

// text returns the string whose opening quote is at i, and the index after its closing quote.
func (d *Dec) text(i int) ([]byte, int) { return jsonwire.AppendUnescaped(nil, d.doc, i) }

// Names describes the keys of a struct. The number of a field is the index of its key in Keys.
type Names struct {
	Find   func(key string) int // returns the field's number, or [Unknown]
	Keys   []string
	folded jsonfold.Lazy
}

// [Object] and [Dec.Key] return these in place of a field's number.
const (
	Unknown = -1 // a key that is no field
	Done    = -2 // the object has ended, or the decoding failed
)

// Object opens the object at i. It returns the index of its first value and the number of the field
// for that value, or [Done]. null changes nothing.
func Object[T any](d *Dec, i int, t *Names) (int, int) {
	i = jsonwire.SkipSpace(d.doc, i)
	if d.doc[i] != '{' {
		return d.null(i, "an object"), Done
	}
	i = jsonwire.SkipSpace(d.doc, i+1)
	if d.doc[i] == '}' {
		return i + 1, Done
	}
	return d.field(i, t)
}

// Key continues an object after a value. It returns the index of the next value and the number of
// its field, or [Done].
func (d *Dec) Key(i, _ int, t *Names) (int, int) {
	i = jsonwire.SkipSpace(d.doc, i)
	if d.doc[i] == ',' {
		return d.field(jsonwire.SkipSpace(d.doc, i+1), t)
	}
	return min(i+1, d.n), Done
}

// field reads the key at i and its colon. It returns the index after the colon and the number of
// the field.
func (d *Dec) field(i int, t *Names) (next, f int) {
	key, i := d.key(i)
	if f = t.Find(key); f == Unknown {
		f = t.folded.Find(t.Keys, key)
	}
	return i, f
}

// key reads the key at i and its colon. It returns the key and the index after the colon.
func (d *Dec) key(i int) (string, int) {
	text, i := d.text(jsonwire.SkipSpace(d.doc, i))
	return string(text), jsonwire.SkipSpace(d.doc, i) + 1
}

// next continues an array or object after a value. It returns the index after a comma or after the
// bracket, and whether another value follows.
func (d *Dec) next(i int) (int, bool) {
	i = jsonwire.SkipSpace(d.doc, i)
	return min(i+1, d.n), d.doc[i] == ','
}
