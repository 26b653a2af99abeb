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
	"unicode/utf8"

	"github.com/zmylab/zmy/fxjson/internal/jsonfold"
	"github.com/zmylab/zmy/fxjson/internal/jsonscan"
	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// NOTE: A decoding begins in unmarshalWith for generated code, and in unmarshalBy for plans. The
// first attempt decodes into a target that is zero, and stops at any error. Most documents need no
// other. After an error the target is cleared and encoding/json decodes the document, so that the
// error and the partial result are its own. With FastErrors, or if the target was not zero, there
// is a merge instead: the document is validated, so that wrong values can be skipped, and decoded
// into the target. A function that fails returns the index of the document's end. The zero byte
// there begins no token, so its callers end too.
//
// Strings are copied to memory that they share (text.go). Escapes are undone in place, so a second
// attempt begins with a new copy of the document.

// Dec is the state of one decoding.
type Dec struct {
	doc    []byte // the document, padded
	n      int    // its length without padding
	depth  int    // number of open objects and arrays
	failed bool
	// merge says that the document has been validated. So values of the wrong type can be skipped;
	// err keeps the first such error. It is set for targets that hold values, for the second
	// attempt with FastErrors, and in generated methods UnmarshalJSON.
	merge  bool
	alias  bool         // strings share doc, which is in memory of its own
	intern *internTable // table for the strings that are read now, nil for none
	valid  int          // end of the part of doc that is known to be valid UTF-8, see validText
	err    error
	opt    Options
	alien  string // the last unknown key, if the options refuse it or its struct keeps it

	literal  []byte       // alien as it is in the document, with quotes and escapes
	scratch  []byte       // memory for doc if strings do not share it
	repaired []byte       // scratch for the text of a string with invalid UTF-8
	slab     []byte       // memory for texts, in use up to its length
	room     int          // length of slab up to which it has room for a short text, see setRoom
	before   int          // bytes of texts in earlier pieces
	texts    *texts       // what is known of the texts of the type; nil if it has none
	turn     uint         // number of documents with texts
	look     bool         // learn looks at this document
	copied   int          // a measure of how many texts str has copied
	anys     []any        // the elements of all open []any, a stack
	members  []member     // the members of open maps to any, a stack
	large    [shapes]bool // whether the last map to any at a depth had more than fewKeys members
	strs     []string     // strings that interfaces point to, see boxString
	floats   []float64    // scratch of DecodeFloats
	slabs    []interface{ reset() }
}

// member is one member of an object.
type member struct {
	k string
	v any
}

// maxScratch is the size in bytes of the largest copy of a document whose memory is kept for the
// next document. The pool frees it after two garbage collections without use.
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
	d.load(b, c.textsOf(), opt)
	if isZero(v) {
		i := c.Decode(d, 0, v)
		if !d.failed && jsonwire.SkipSpace(d.doc, i) == d.n {
			d.free()
			return nil
		}
		*v = *new(T)
		if opt&FastErrors == 0 {
			d.free()
			return unmarshalStd(bytes.Clone(b), c.stdTarget(v), opt) // a copy, since methods UnmarshalJSON may keep it
		}
		d.load(b, d.texts, opt) // strings may have been unescaped in place
	}
	if !jsonwire.Valid(d.doc, d.n) {
		d.free()
		return malformed(b, c.stdTarget(v), opt)
	}
	d.merge = true
	c.Decode(d, 0, v)
	return d.verdict(b, func() any { return c.stdTarget(new(T)) })
}

// malformed returns the error for a document that is not JSON. It does not change v.
func malformed(b []byte, v any, opt Options) error {
	if opt&FastErrors != 0 {
		return &SyntaxError{int64(jsonscan.Malformed(b))}
	}
	return unmarshalStd(b, v, opt) // it validates before it touches v
}

// verdict frees d after a decoding in merge mode and returns the decoding's error. If an error of a
// user's method ended the decoding, or if FastErrors is set, verdict returns the error unchanged.
// Otherwise encoding/json decodes b into fresh(), and verdict returns the error of encoding/json.
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

// errorOf returns the error of encoding/json for b and a fresh target. It returns nil also if
// encoding/json panics, as it does for an embedded pointer that is nil and may not be set.
func errorOf(b []byte, fresh any, opt Options) (err error) {
	defer func() { recover() }()
	return unmarshalStd(b, fresh, opt)
}

// load makes d ready for the document b, whose texts are t: it copies b into the padded document.
func (d *Dec) load(b []byte, t *texts, opt Options) {
	d.n, d.depth, d.failed, d.merge, d.valid, d.err, d.opt, d.intern = len(b), 0, false, false, -1, nil, opt, nil
	d.texts, d.alias = nil, false
	if t != nil {
		d.alias = d.newTexts(t, len(b)) || opt&ShareStrings != 0
	}
	d.setRoom()
	if d.alias {
		d.doc = newDocument(b)
		if at := (len(d.doc) + 7) &^ 7; at < cap(d.doc) { // numbers are aligned
			d.slab = d.doc[at:at]
		}
		return
	}
	if cap(d.scratch) < len(b)+jsonwire.Pad {
		d.scratch = make([]byte, 0, len(b)+len(b)/4+jsonwire.Pad)
	}
	d.scratch = jsonwire.Padded(d.scratch, b)
	d.doc = d.scratch
}

// free returns d to the pool, without references to memory that decoded values share.
func (d *Dec) free() {
	d.learn()
	d.doc, d.slab, d.err, d.strs = nil, nil, nil, nil
	if cap(d.scratch) > maxScratch {
		d.scratch = nil
	}
	clear(d.anys)
	clear(d.members)
	d.anys, d.members = d.anys[:0], d.members[:0]
	d.freeSlabs()
	decPool.Put(d)
}

// Doc returns the document, followed by zero bytes. Generated code compares it with the key that it
// expects next.
func (d *Dec) Doc() []byte { return d.doc }

// fail records the failure and returns the index of the document's end, where nothing matches.
func (d *Dec) fail() int {
	d.failed = true
	return d.n
}

// abort is fail with the error err of a user's method. Such an error ends the decoding in
// encoding/json too.
func (d *Dec) abort(err error) int {
	d.err = err
	return d.fail()
}

// raised handles the error err of a user's method for the value that ends at index e. Version 2 of
// encoding/json goes on after the value; version 1 stops.
func (d *Dec) raised(e int, err error) int {
	if !jsonwire.StdV2 || !d.merge {
		return d.abort(err)
	}
	if d.err == nil {
		d.err = err
	}
	return e
}

// std has encoding/json decode the value at i into v, a pointer.
func (d *Dec) std(i int, v any) int {
	i = jsonwire.SkipSpace(d.doc, i)
	e := d.Skip(i)
	if d.failed {
		return e
	}
	if err := unmarshalStd(d.own(i, e), v, d.opt); err != nil {
		if te, ok := err.(*json.UnmarshalTypeError); ok && te.Type != numberType { // errors for a Number have no offset
			te.Offset += int64(i)
		}
		return d.raised(e, err)
	}
	return e
}

// Skip checks the grammar of the value at i and returns the index after it.
func (d *Dec) Skip(i int) int {
	if e := jsonwire.Skip(d.doc, i, d.depth); e >= 0 {
		return e
	}
	return d.fail()
}

// Unknown skips the value of a key for which the target has no field. If the options refuse unknown
// keys, it records an error.
func (d *Dec) Unknown(i int) int {
	if d.opt&RefuseUnknown != 0 {
		err := fmt.Errorf("json: unknown field %q", d.alien)
		d.alien = "" // alien may share the document's memory
		return d.refuse(i, err)
	}
	return d.Skip(i)
}

// mismatch handles the value at i, which a T cannot hold.
func mismatch[T any](d *Dec, i int) int { return d.wrong(i, reflect.TypeFor[T]()) }

// wrong handles the value at i, which a t cannot hold. In merge mode it skips the value and records
// the error; otherwise it fails.
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

// RefuseEmbedded records an error for the value at i and skips it. The value is for a field of the
// unexported struct typ, which is embedded by a pointer that is nil. Reflection cannot set such a
// pointer.
func (d *Dec) RefuseEmbedded(i int, typ string) int {
	return d.refuse(i, errors.New("json: cannot set embedded pointer to unexported struct: "+typ))
}

// refuse skips the value at i and records err. Outside of merge mode it fails.
func (d *Dec) refuse(i int, err error) int {
	if !d.merge {
		return d.fail()
	}
	if d.err == nil {
		d.err = err
	}
	return d.Skip(i)
}

// null handles a value at i that is not of type T. JSON's null is skipped and changes nothing;
// anything else is a mismatch.
func null[T any](d *Dec, i int) int {
	if jsonwire.IsNull(d.doc, i) {
		return i + 4
	}
	return mismatch[T](d, i)
}

// text returns the string whose opening quote is at i, and the index after its closing quote. The
// loop is that of [jsonwire.ScanString], written out to save the call (BenchmarkUnmarshal), except
// that it also stops at bytes that are not ASCII.
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
	if n := e - i; uint(n-1) < shortText && len(d.slab) < d.room {
		w0, w1 := jsonwire.Load64(doc, i), jsonwire.Load64(doc, i+8)
		w2, w3 := jsonwire.Load64(doc, i+16), jsonwire.Load64(doc, i+24)
		s := d.slab
		at := len(s)
		jsonwire.Store64(s, at, w0)
		jsonwire.Store64(s, at+8, w1)
		jsonwire.Store64(s, at+16, w2)
		jsonwire.Store64(s, at+24, w3)
		d.slab = d.slab[:at+n] // no write barrier, since only the length changes; d.slab = s[:at+n] would have one
		return jsonwire.AliasString(s, at, at+n), e + 1
	}
	return d.str(i, e), e + 1
}

// textSlow is text for a string that begins at i, is ASCII up to e and does not end there.
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
		// Unescaping in place needs valid UTF-8, because the replacement of an invalid byte is
		// longer than the byte.
		const near = 64
		end := d.n
		if d.valid != d.n && d.valid-e > near { // validate this string only, not all of the document
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

// validText reports whether doc[i:e], a part of a string, is valid UTF-8. It validates from i on as
// far as the document is valid, and remembers the end, so that it looks at each byte once.
func (d *Dec) validText(i, e int) bool {
	if d.valid < i {
		d.valid = jsonwire.UTF8End(d.doc, i, d.n)
	}
	return e <= d.valid
}

// str returns doc[i:e] as a string that shares the document, is interned, or is a copy.
func (d *Dec) str(i, e int) string {
	if d.alias {
		return jsonwire.AliasString(d.doc, i, e)
	}
	n := e - i
	d.copied += 1 + 2*min(1, n/shortText) // a long one takes three times as long
	if d.intern != nil && uint(n-1) < maxInterned {
		if s, ok := d.intern.get(d.doc[i:e]); ok {
			return s
		}
	}
	// An empty string must not point past the end of the piece.
	if n == 0 || n > maxChunked && n > cap(d.slab)-len(d.slab) {
		d.before += n
		return string(d.doc[i:e])
	}
	at := d.chunk(i, e)
	return jsonwire.AliasString(d.slab, at, at+n)
}

// own returns doc[i:e] for a user's method. The method may keep it, because nobody writes to that
// memory any more.
func (d *Dec) own(i, e int) []byte {
	if d.alias {
		return d.doc[i:e:e]
	}
	if n := e - i; n > maxChunked && n > cap(d.slab)-len(d.slab) {
		d.before += n
		return append([]byte(nil), d.doc[i:e]...)
	}
	at := d.chunk(i, e)
	return d.slab[at:len(d.slab):len(d.slab)]
}

// Names describes the keys of a struct. The number of a field is the index of its key in Keys.
type Names struct {
	Find   func(key string) int // returns the field's number, or [Unknown]
	Keys   []string
	Rest   bool // the struct keeps members that have no field
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
	if jsonwire.Load8(d.doc, i) != '{' {
		if i = jsonwire.SkipSpace(d.doc, i); jsonwire.Load8(d.doc, i) != '{' {
			return null[T](d, i), Done
		}
	}
	return d.object1(i+1, t)
}

// object1 continues Object at i, the index after the opening brace.
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

// enter counts an object or array that opens. It returns false if they nest too deep.
func (d *Dec) enter() bool {
	d.depth++
	return d.depth <= jsonwire.MaxDepth
}

// Key continues an object after the value of field k. It returns the index of the next value and
// the number of its field, or [Done]. It tries the key of field k+1 first.
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

// field reads the key at i and its colon. It first compares the key, byte by byte, with that of
// field number guess: documents usually have keys in the order of the fields, without escapes.
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
	if jsonwire.Load8(d.doc, i+1) == ' ' { // many documents have a blank there
		i++
	}
	return i + 1, f
}

// findField reads the key whose text begins at i. It returns the number of its field and the index
// after the key.
func (d *Dec) findField(i int, t *Names) (f, next int) {
	var key string
	from := i
	e, nonASCII := jsonwire.ScanString(d.doc, i)
	plain := jsonwire.Load8(d.doc, e) == '"' && !nonASCII
	if plain {
		key = jsonwire.AliasString(d.doc, i, e) // used for the look-up only
		i = e + 1
	} else {
		if t.Rest {
			d.keepLiteral(i - 1) // before escapes are undone in place
		}
		key, i = d.text(i - 1)
	}
	if f = t.Find(key); f == Unknown {
		if d.opt&ExactNames == 0 {
			f = t.folded.Find(t.Keys, key)
		}
		if f == Unknown && (t.Rest || d.opt&RefuseUnknown != 0) {
			d.keepKey(key, from, i, plain)
		}
	}
	return f, i
}

// keepKey keeps an unknown key in d.alien and d.literal. The key is plain if d.doc[from-1:to] still
// is its literal: no escapes were undone there.
func (d *Dec) keepKey(key string, from, to int, plain bool) {
	if plain {
		d.literal = append(d.literal[:0], d.doc[from-1:to]...)
		if !d.alias {
			key = strings.Clone(key)
		}
	}
	d.alien = key
}

// keepLiteral keeps the literal of the key whose quote is at i in d.literal.
func (d *Dec) keepLiteral(i int) {
	if e := jsonwire.SkipString(d.doc, i); e >= 0 {
		d.literal = append(d.literal[:0], d.doc[i:e]...)
	}
}

// next continues an array or object after a value; end is the closing bracket of the array or
// object. It returns the index after a comma or after the bracket, and whether another value
// follows.
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
