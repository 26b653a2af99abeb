package jsonrt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/zmylab/zmy/fxjson/internal/jsonfold"
	"github.com/zmylab/zmy/fxjson/internal/jsonscan"
	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// Dec is the state of one decoding.
type Dec struct {
	doc    []byte // the document, padded
	n      int    // its length without padding
	depth  int    // of objects and arrays open at the moment
	failed bool
	// merge says that the target held values and the document was validated:
	// values of the wrong type are passed over, the first of them kept in err.
	merge  bool
	alias  bool         // doc is a copy of its own that strings may share
	intern *internTable // where strings are looked for that are read now, nil for none
	spare  int          // from here on there is room behind it that nobody uses; 0 for none
	valid  int          // doc is valid UTF-8 from where that was asked for first up to here, see validText
	err    error
	opt    Options
	alien  string // a key that is unknown, where the options refuse it or its struct keeps it

	literal  []byte   // the same as it stands in the document, in quotes
	scratch  []byte   // doc's memory when strings do not share it
	repaired []byte   // the text of a string that holds invalid UTF-8
	slab     []byte   // chunk that strings are copied to in that case
	anys     []any    // a stack of array elements
	strs     []string // slabs of values that interfaces point to
	nums     []float64
	floats   []float64 // likewise
	slabs    []interface{ reset() }
}

// aliasMax is the size up to which all strings share one copy of the document,
// and keep it alive; above, they are copied to chunks.
const aliasMax = 64 << 10

// maxScratch is the largest copy of a document whose memory is kept for the next
// one; the pool gives it up after two collections.
const maxScratch = 8 << 20

var decPool = sync.Pool{New: func() any { return new(Dec) }}

// Unmarshal decodes the JSON document b into *v; see the package's comment.
func (c *Code[T]) Unmarshal(b []byte, v *T) error { return c.unmarshalWith(b, v, 0) }

func (c *Code[T]) unmarshalWith(b []byte, v *T, opt Options) error {
	if v == nil {
		return unmarshalStd(b, c.stdTarget(v), opt)
	}
	if c.state.Load() != good {
		if !c.fits() {
			to := c.stdTarget(v)
			return unmarshalPlanned(b, to, reflect.ValueOf(to), opt)
		}
		if c.state.Load() == goodOwn {
			opt |= FastErrors
		}
	}
	d := decPool.Get().(*Dec)
	d.load(b, c.Alias && (len(b) <= aliasMax || opt&ShareStrings != 0), opt)
	if isZero(v) {
		i := c.Decode(d, 0, v)
		if !d.failed && jsonwire.SkipSpace(d.doc, i) == d.n {
			d.free()
			return nil
		}
		*v = *new(T)
		if opt&FastErrors == 0 {
			d.free()
			return unmarshalStd(bytes.Clone(b), c.stdTarget(v), opt) // whose methods may keep it
		}
		d.load(b, d.alias, opt) // strings may have been unescaped in place
	}
	if !jsonwire.Valid(d.doc, d.n) {
		d.free()
		return malformed(b, c.stdTarget(v), opt)
	}
	d.merge = true
	c.Decode(d, 0, v)
	return d.verdict(b, func() any { return c.stdTarget(new(T)) })
}

// malformed is the error for a document that is no JSON; v stays as it is.
func malformed(b []byte, v any, opt Options) error {
	if opt&FastErrors != 0 {
		return &SyntaxError{int64(jsonscan.Malformed(b))}
	}
	return unmarshalStd(b, v, opt) // which validates before it touches v
}

// verdict frees d after a valid document was decoded into a target that held
// values, and returns the error: the text comes from encoding/json, which decodes
// the document into a fresh target.
func (d *Dec) verdict(b []byte, fresh func() any) error {
	err, opt, gone := d.err, d.opt, d.failed
	d.free()
	if err == nil || gone || opt&FastErrors != 0 {
		return located(err, b)
	}
	if std := errorOf(b, fresh(), opt); std != nil {
		return std
	}
	return located(err, b)
}

// errorOf is the error of encoding/json for a fresh target. It is nil too if encoding/json panics, as
// it does for an embedded pointer that is nil there and may not be set.
func errorOf(b []byte, fresh any, opt Options) (err error) {
	defer func() { recover() }()
	return unmarshalStd(b, fresh, opt)
}

// load copies b into the padded document.
func (d *Dec) load(b []byte, alias bool, opt Options) {
	d.n, d.depth, d.failed, d.merge, d.alias, d.valid, d.err, d.opt = len(b), 0, false, false, alias, -1, nil, opt
	d.spare, d.intern = 0, nil
	if alias {
		d.doc = newDocument(b)
		d.spare = len(d.doc)
		return
	}
	if cap(d.scratch) < len(b)+jsonwire.Pad {
		d.scratch = make([]byte, 0, len(b)+len(b)/4+jsonwire.Pad)
	}
	d.scratch = jsonwire.Padded(d.scratch, b)
	d.doc = d.scratch
}

// free gives d back, without what must not be kept alive.
func (d *Dec) free() {
	d.doc, d.slab, d.err, d.strs, d.nums = nil, nil, nil, nil, nil
	if cap(d.scratch) > maxScratch {
		d.scratch = nil
	}
	clear(d.anys)
	d.anys = d.anys[:0]
	d.freeSlabs()
	decPool.Put(d)
}

// Doc is the document followed by bytes NUL; generated code compares it with
// the key that it expects next.
func (d *Dec) Doc() []byte { return d.doc }

// fail gives up: nothing matches at the index that it returns.
func (d *Dec) fail() int {
	d.failed = true
	return d.n
}

// abort is fail with the error that a method of the user's returned, which ends
// the decoding in encoding/json too.
func (d *Dec) abort(err error) int {
	d.err = err
	return d.fail()
}

// raised handles the error that a method of the user's returned for the value
// that ends with e. Version 2 of encoding/json goes on behind it.
func (d *Dec) raised(e int, err error) int {
	if !jsonwire.StdV2 || !d.merge {
		return d.abort(err)
	}
	if d.err == nil {
		d.err = err
	}
	return e
}

// std decodes the value at i into v, a pointer, by encoding/json.
func (d *Dec) std(i int, v any) int {
	i = jsonwire.SkipSpace(d.doc, i)
	e := d.Skip(i)
	if d.failed {
		return e
	}
	if err := unmarshalStd(d.own(i, e), v, d.opt); err != nil {
		if te, ok := err.(*json.UnmarshalTypeError); ok && te.Type != numberType { // whose errors are not told where they are
			te.Offset += int64(i)
		}
		return d.raised(e, err)
	}
	return e
}

// Skip passes over the value at i, checking its grammar.
func (d *Dec) Skip(i int) int {
	if e := jsonwire.Skip(d.doc, i, d.depth); e >= 0 {
		return e
	}
	return d.fail()
}

// Unknown passes over the value of a key that the target does not have.
func (d *Dec) Unknown(i int) int {
	if d.opt&RefuseUnknown != 0 {
		err := fmt.Errorf("json: unknown field %q", d.alien)
		d.alien = "" // which may share the document
		return d.refuse(i, err)
	}
	return d.Skip(i)
}

// mismatch handles the value at i, which a T cannot hold.
func mismatch[T any](d *Dec, i int) int { return d.wrong(i, reflect.TypeFor[T]()) }

// wrong handles the value at i, which a t cannot hold.
func (d *Dec) wrong(i int, t reflect.Type) int {
	if !d.merge || d.failed {
		return d.fail()
	}
	i = jsonwire.SkipSpace(d.doc, i)
	end := d.Skip(i)
	if d.err == nil {
		what, at := "number", end
		switch c := d.doc[i]; c {
		case '"':
			what = "string"
		case '{':
			what, at = "object", i+1
		case '[':
			what, at = "array", i+1
		case 't', 'f':
			what = "bool"
		default:
			what += " " + string(d.doc[i:end])
		}
		if jsonwire.StdV2Early {
			at = i
		}
		d.err = &json.UnmarshalTypeError{Value: what, Type: t, Offset: int64(at)}
	}
	return end
}

// RefuseEmbedded passes over the value at i, which belongs into an embedded
// pointer to an unexported struct that is nil: reflection may not set it.
func (d *Dec) RefuseEmbedded(i int, typ string) int {
	return d.refuse(i, errors.New("json: cannot set embedded pointer to unexported struct: "+typ))
}

// refuse passes over the value at i for the reason given.
func (d *Dec) refuse(i int, err error) int {
	if !d.merge {
		return d.fail()
	}
	if d.err == nil {
		d.err = err
	}
	return d.Skip(i)
}

// null handles what is no value of type T at i: null changes nothing.
func null[T any](d *Dec, i int) int {
	if jsonwire.IsNull(d.doc, i) {
		return i + 4
	}
	return mismatch[T](d, i)
}

// text returns the string whose opening quote is at i. The loop is that of
// [jsonwire.ScanString], here without the call, and it ends at what is not ASCII too
// (BenchmarkUnmarshal).
func (d *Dec) text(i int) (string, int) {
	i++
	doc := d.doc
	e := i
	for {
		m := jsonwire.TextEnds(jsonwire.Load64(doc, e))
		if m != 0 {
			e += bits.TrailingZeros64(m) >> 3
			break
		}
		e += 8
	}
	if jsonwire.Load8(doc, e) != '"' {
		return d.textSlow(i, e)
	}
	if d.alias {
		return jsonwire.AliasString(doc, i, e), e + 1
	}
	return d.str(i, e), e + 1
}

// textSlow is text where e is no closing quote, and all before it ASCII.
func (d *Dec) textSlow(i, e int) (string, int) {
	c := d.doc[e]
	nonASCII := c >= utf8.RuneSelf
	if nonASCII {
		e, _ = jsonwire.ScanString(d.doc, e)
		c = d.doc[e]
	}
	if c != '"' && c != '\\' {
		return "", d.fail()
	}
	if c == '"' && (!nonASCII || d.validText(i, e)) {
		return d.str(i, e), e + 1
	}
	if c == '\\' {
		const near = 64
		end := d.n
		if d.valid != d.n && d.valid-e > near { // it need not be all of the document that is valid
			if end = jsonwire.SkipString(d.doc, i-1); end < 0 {
				return "", d.fail()
			}
			end--
		}
		if d.validText(i, end) {
			end, next := jsonwire.UnescapeInPlace(d.doc, e)
			if next < 0 {
				return "", d.fail()
			}
			return d.str(i, end), next
		}
	}
	out, next := jsonwire.AppendUnescaped(d.repaired[:0], d.doc, i-1)
	if next < 0 {
		return "", d.fail()
	}
	if cap(out) <= maxBuffer {
		d.repaired = out
	}
	return string(out), next
}

// validText reports whether doc[i:e], a part of a string, is valid UTF-8. It looks at each byte of
// the document once, and as far ahead as that is valid.
func (d *Dec) validText(i, e int) bool {
	if d.valid < i {
		d.valid = jsonwire.UTF8End(d.doc, i, d.n)
	}
	return e <= d.valid
}

// str makes doc[i:e] a string.
func (d *Dec) str(i, e int) string {
	if d.alias {
		return jsonwire.AliasString(d.doc, i, e)
	}
	n := e - i
	if d.intern != nil && uint(n-1) < maxInterned {
		if s, ok := d.intern.get(d.doc[i:e]); ok {
			return s
		}
	}
	if n == 0 || n > maxChunked { // an empty one must not point behind the chunk
		return string(d.doc[i:e])
	}
	at := d.chunk(i, e)
	return jsonwire.AliasString(d.slab, at, at+n)
}

// maxChunked is the size up to which pieces of the document are copied to chunks.
const maxChunked = 1024

// chunk copies doc[i:e] to the chunk and returns where it is there.
func (d *Dec) chunk(i, e int) int {
	if n := e - i; cap(d.slab)-len(d.slab) < n {
		d.slab = make([]byte, 0, max(n, min(4096, d.n-i)))
	}
	at := len(d.slab)
	d.slab = append(d.slab, d.doc[i:e]...)
	return at
}

// own returns doc[i:e] for a method of the user's, which may keep it: it is in memory that
// is not written to any more.
func (d *Dec) own(i, e int) []byte {
	if d.alias {
		return d.doc[i:e:e]
	}
	if e-i > maxChunked {
		return append([]byte(nil), d.doc[i:e]...)
	}
	at := d.chunk(i, e)
	return d.slab[at:len(d.slab):len(d.slab)]
}

// Names are the keys of an object in the order of the fields' numbers.
type Names struct {
	Find   func(key string) int // the field's number, [Unknown] if there is none
	Keys   []string
	Rest   bool                           // the struct keeps members that have no field
	folded atomic.Pointer[jsonfold.Index] // made when a key is met that Find does not know
}

// What [Dec.Object] and [Dec.Key] return in place of a field's number.
const (
	Unknown = -1 // a key that is no field
	Done    = -2 // the object has ended, or the decoding failed
)

// Object opens the object at i and returns the index of its first value and the
// number of that field. null changes nothing.
func Object[T any](d *Dec, i int, t *Names) (int, int) {
	if jsonwire.Load8(d.doc, i) != '{' {
		if i = jsonwire.SkipSpace(d.doc, i); jsonwire.Load8(d.doc, i) != '{' {
			return null[T](d, i), Done
		}
	}
	return d.object1(i+1, t)
}

// object1 is Object behind the brace.
func (d *Dec) object1(i int, t *Names) (int, int) {
	if !d.enter() {
		return d.fail(), Done
	}
	i = jsonwire.SkipSpace(d.doc, i)
	if jsonwire.Load8(d.doc, i) == '}' {
		d.depth--
		return i + 1, Done
	}
	return d.field(i, 0, t)
}

// enter opens an object or array.
func (d *Dec) enter() bool {
	d.depth++
	return d.depth <= jsonwire.MaxDepth
}

// Key goes on in an object after the value of field k: it returns the index of
// the next value and the number of its field. It expects field k+1.
func (d *Dec) Key(i, k int, t *Names) (int, int) {
	c := jsonwire.Load8(d.doc, i)
	if c <= ' ' {
		i = jsonwire.SkipSpace(d.doc, i)
		c = jsonwire.Load8(d.doc, i)
	}
	switch c {
	case ',':
		return d.field(jsonwire.SkipSpace(d.doc, i+1), k+1, t)
	case '}':
		d.depth--
		return i + 1, Done
	}
	return d.fail(), Done
}

// field reads the key at i and its colon. It looks first whether the key is that
// of the field guess; keys of fields stand in documents as they are, without
// escapes.
func (d *Dec) field(i, guess int, t *Names) (int, int) {
	f := Unknown
	if jsonwire.Load8(d.doc, i) != '"' {
		return d.fail(), Done
	}
	if uint(guess) < uint(len(t.Keys)) {
		k := t.Keys[guess]
		if e := i + 1 + len(k); e < len(d.doc) && d.doc[e] == '"' && string(d.doc[i+1:e]) == k {
			i, f = e+1, guess
		}
	}
	if f == Unknown {
		f, i = d.findField(i+1, t)
	}
	if jsonwire.Load8(d.doc, i) != ':' {
		if i = jsonwire.SkipSpace(d.doc, i); jsonwire.Load8(d.doc, i) != ':' {
			return d.fail(), Done
		}
	}
	if jsonwire.Load8(d.doc, i+1) == ' ' { // the usual place for a blank
		i++
	}
	return i + 1, f
}

// findField reads the key whose text begins at i and finds its field.
func (d *Dec) findField(i int, t *Names) (f, next int) {
	var key string
	from := i
	e, nonASCII := jsonwire.ScanString(d.doc, i)
	plain := jsonwire.Load8(d.doc, e) == '"' && !nonASCII
	if plain {
		key = jsonwire.AliasString(d.doc, i, e) // for the time of the look-up
		i = e + 1
	} else {
		if t.Rest {
			d.keepLiteral(i - 1) // before escapes are undone in place
		}
		key, i = d.text(i - 1)
	}
	if f = t.Find(key); f == Unknown {
		if d.opt&ExactNames == 0 {
			f = t.fold(key)
		}
		if f == Unknown && (t.Rest || d.opt&RefuseUnknown != 0) {
			d.keepKey(key, from, i, plain)
		}
	}
	return f, i
}

// keepKey keeps an unknown key; it is plain if its literal stands in d.doc[from-1:to] as it was.
func (d *Dec) keepKey(key string, from, to int, plain bool) {
	if plain {
		d.literal = append(d.literal[:0], d.doc[from-1:to]...)
		if !d.alias {
			key = strings.Clone(key)
		}
	}
	d.alien = key
}

// keepLiteral keeps the literal of the key at i.
func (d *Dec) keepLiteral(i int) {
	if e := jsonwire.SkipString(d.doc, i); e >= 0 {
		d.literal = append(d.literal[:0], d.doc[i:e]...)
	}
}

// fold returns the first field whose name equals the key but for case, or [Unknown].
func (t *Names) fold(key string) int {
	x := t.folded.Load()
	if x == nil {
		x = jsonfold.New(t.Keys)
		t.folded.Store(x)
	}
	return x.Find(key)
}

// next goes on after a value of an object or array that ends with end: it
// returns the index after a comma or the end, and whether more follows.
func (d *Dec) next(i int, end byte) (int, bool) {
	c := jsonwire.Load8(d.doc, i)
	if c <= ' ' {
		i = jsonwire.SkipSpace(d.doc, i)
		c = jsonwire.Load8(d.doc, i)
	}
	if c == ',' {
		return i + 1, true
	}
	if c == end {
		d.depth--
		return i + 1, false
	}
	return d.fail(), false
}
