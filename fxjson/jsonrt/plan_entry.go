package jsonrt

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// Options are deviations from what encoding/json's Marshal and Unmarshal do.
type Options uint16

const (
	PlainHTML        Options = 1 << iota // write <, > and & as they are
	Unsorted                             // write maps in any order
	UseNumber                            // numbers in interfaces become a json.Number
	RefuseUnknown                        // a key without a field in its struct is an error
	FastErrors                           // errors do not come from encoding/json
	ShareStrings                         // strings share one copy of the document, not of their texts only, whatever its size
	ExactNames                           // a key is unknown if its case differs from the field's name
	RefuseDuplicates                     // an object with a name twice is an error
	Integers                             // whole numbers in interfaces become an int64 if that can hold them
	EmptySlices                          // nil slices are [], and "" for bytes
	EmptyMaps                            // nil maps are {}
	DropUnknown                          // members kept in fields with option unknown are not written
	Own                                  // set during encoding: a type has a form that encoding/json does not know
)

// encodeAt appends v, a *T. It leaves e.addr as it is: v is as addressable as the value around it.
func (c *Code[T]) encodeAt(e *Enc, b []byte, v any) []byte { return c.Encode(e, b, v.(*T)) }

// decodeAt reads the value at i into v, a *T.
func (c *Code[T]) decodeAt(d *Dec, i int, v any) int { return c.Decode(d, i, v.(*T)) }

// AppendWith appends v to b as the options say; on an error it returns b.
func AppendWith(b []byte, v any, opt Options) ([]byte, error) {
	if stdOnly && stdMarshals(v, opt) {
		return appendStdWith(b, v, opt)
	}
	if v != nil {
		if c := lookup(v); c != nil {
			return c.marshal(b, v, opt)
		}
	}
	e, n := newEnc(opt), len(b)
	return e.end(EncodeDynamic(e, b, v), n, v)
}

// MarshalWith returns the JSON of v as the options say, in memory of its own.
func MarshalWith(v any, opt Options) ([]byte, error) {
	if stdOnly && stdMarshals(v, opt) {
		return appendStdWith(nil, v, opt)
	}
	if v != nil {
		if c := lookup(v); c != nil {
			return c.marshalNew(v, opt)
		}
	}
	e := newEnc(opt)
	b := EncodeDynamic(e, e.buf[:0], v)
	var out []byte
	if !e.failed {
		out = append([]byte(nil), b...)
	}
	if cap(b) <= maxBuffer {
		e.buf = b
	}
	if e.Done() {
		return out, nil
	}
	return e.rescue(nil, v)
}

// appendStdWith is appendStd with options. It ignores options that encoding/json does not have,
// because they make no difference to an error.
func appendStdWith(b []byte, v any, opt Options) ([]byte, error) {
	if opt&PlainHTML == 0 {
		return appendStd(b, v)
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return b, err
	}
	return append(b, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...), nil
}

// UnmarshalWith decodes the document b into v as the options say. It is [Code.Unmarshal] for any
// type.
func UnmarshalWith(b []byte, v any, opt Options) error {
	if stdOnly && stdUnmarshals(v, opt) {
		return unmarshalStd(b, v, opt)
	}
	if opt&RefuseDuplicates != 0 {
		if err := refuseDuplicates(b, v, opt); err != nil {
			return err
		}
	}
	if v != nil {
		if c := lookup(v); c != nil {
			return c.unmarshal(b, v, opt)
		}
	}
	ptr := reflect.ValueOf(v)
	if ptr.Kind() != reflect.Pointer || ptr.IsNil() {
		return unmarshalStd(b, v, opt)
	}
	target := ptr.Elem()
	if target.Kind() == reflect.Interface && target.Elem().Equal(ptr) { // target holds its own address
		return unmarshalItself(b, target, opt)
	}
	return unmarshalPlanned(b, v, ptr, opt)
}

// refuseDuplicates returns an error if the options refuse duplicate names and an object has a name
// twice.
func refuseDuplicates(b []byte, v any, opt Options) error {
	if opt&RefuseDuplicates == 0 {
		return nil
	}
	return withPadded(b, func(doc []byte, n int) error {
		if !jsonwire.Valid(doc, n) {
			return malformed(b, v, opt)
		}
		return duplicates(doc)
	})
}

// unmarshalPlanned is UnmarshalWith by a plan, without generated code. ptr is the value of v.
func unmarshalPlanned(b []byte, v any, ptr reflect.Value, opt Options) error {
	return unmarshalBy(b, v, ptr, opt, decoderOf(ptr.Type().Elem(), ptr.Type().Name() == ""))
}

// unmarshalBy decodes b into v by the plan dec. ptr is the value of v. It does for plans what
// [Code.unmarshalWith] does for generated code, which knows the type of its target and so needs no
// reflection.
func unmarshalBy(b []byte, v any, ptr reflect.Value, opt Options, dec *decoder) error {
	target := ptr.Elem()
	if dec.own {
		opt |= FastErrors
	}
	d := decPool.Get().(*Dec)
	d.load(b, dec.texts, opt)
	p := placeOf(target)
	if zeroAt(target.Type(), p) {
		i := dec.do(d, 0, p)
		if !d.failed && d.err == nil && jsonwire.SkipSpace(d.doc, i) == d.n {
			d.free()
			return nil
		}
		target.SetZero()
		if opt&FastErrors == 0 {
			d.free()
			return unmarshalStd(bytes.Clone(b), v, opt) // a copy, since methods UnmarshalJSON may keep it
		}
		d.load(b, d.texts, opt) // strings may have been unescaped in place
	}
	if !jsonwire.Valid(d.doc, d.n) {
		d.free()
		return malformed(b, v, opt)
	}
	d.merge = true
	dec.do(d, 0, p)
	return d.verdict(b, func() any { return reflect.New(target.Type()).Interface() })
}

// unmarshalItself decodes into target, an interface that holds its own address. The decoded value
// replaces that address. (Version 2 of encoding/json would not return.)
func unmarshalItself(b []byte, target reflect.Value, opt Options) error {
	fresh := reflect.New(target.Type())
	err := UnmarshalWith(b, fresh.Interface(), opt)
	switch err.(type) {
	case *json.SyntaxError, *SyntaxError:
	default:
		target.Set(fresh.Elem())
	}
	return err
}

// unmarshalStd decodes b into v by encoding/json, with its options UseNumber and
// DisallowUnknownFields if opt has them.
func unmarshalStd(b []byte, v any, opt Options) error {
	if opt&(UseNumber|RefuseUnknown) == 0 {
		return json.Unmarshal(b, v)
	}
	if err := json.Unmarshal(b, new(json.RawMessage)); err != nil {
		return err // a Decoder would not look at what follows the value
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	if opt&UseNumber != 0 {
		dec.UseNumber()
	}
	if opt&RefuseUnknown != 0 {
		dec.DisallowUnknownFields()
	}
	return dec.Decode(v)
}

// SyntaxError says where a document is malformed, if FastErrors is set.
type SyntaxError struct {
	Offset int64 // bytes up to and including the first wrong one, or all if only the end is missing
}

func (e *SyntaxError) Error() string {
	return "fxjson: malformed JSON at offset " + strconv.FormatInt(e.Offset, 10)
}
