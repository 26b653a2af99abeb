package jsonrt

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"

	"github.com/zmylab/zmy/fxjson/internal/jsonscan"
	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// Options are deviations from what encoding/json's Marshal and Unmarshal do.
type Options uint8

const (
	PlainHTML     Options = 1 << iota // write <, > and & as they are
	Unsorted                          // write maps in whatever order
	UseNumber                         // numbers in interfaces become a json.Number
	RefuseUnknown                     // a key that its struct does not have is an error
	FastErrors                        // errors do not come from encoding/json
	ShareStrings                      // strings share one copy of the document, whatever its size
)

// encodeAt appends v, a *T, as addressable as the value around it.
func (c *Code[T]) encodeAt(e *Enc, b []byte, v any) []byte { return c.Encode(e, b, v.(*T)) }

// decodeAt reads the value at i into v, a *T.
func (c *Code[T]) decodeAt(d *Dec, i int, v any) int { return c.Decode(d, i, v.(*T)) }

// AppendWith appends v to b as the options say; on an error it returns b.
func AppendWith(b []byte, v any, opt Options) ([]byte, error) {
	if out, err, found := appendCode(b, v, opt); found {
		return out, err
	}
	e, n := NewEnc(false), len(b)
	e.opt = opt
	b = EncodeDynamic(e, b, v)
	if e.Done() {
		return b, nil
	}
	return appendStdWith(b[:n], v, opt)
}

func appendCode(b []byte, v any, opt Options) ([]byte, error, bool) {
	if opt != 0 {
		return b, nil, false
	}
	return Append(b, v)
}

// MarshalWith returns v in memory of its own.
func MarshalWith(v any, opt Options) ([]byte, error) {
	if opt == 0 {
		if out, err, found := Marshal(v); found {
			return out, err
		}
	}
	e := NewEnc(false)
	e.opt = opt
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
	return appendStdWith(nil, v, opt)
}

// appendStdWith is AppendStd with options; those that encoding/json does not
// have make no difference to an error.
func appendStdWith(b []byte, v any, opt Options) ([]byte, error) {
	if opt&PlainHTML == 0 {
		return AppendStd(b, v)
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return b, err
	}
	return append(b, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...), nil
}

// UnmarshalWith decodes the document b into v as the options say. Its way is
// that of [Code.Unmarshal].
func UnmarshalWith(b []byte, v any, opt Options) error {
	if opt == 0 {
		if err, found := Unmarshal(b, v); found {
			return err
		}
	}
	ptr := reflect.ValueOf(v)
	if ptr.Kind() != reflect.Pointer || ptr.IsNil() {
		return json.Unmarshal(b, v)
	}
	target, dec := ptr.Elem(), decoderOf(ptr.Type().Elem(), ptr.Type().Name() == "")
	if target.Kind() == reflect.Interface && target.Elem().Equal(ptr) { // an interface that holds its own address
		return json.Unmarshal(b, v)
	}
	d := decPool.Get().(*Dec)
	d.load(b, dec.alias && (len(b) <= aliasMax || opt&ShareStrings != 0))
	d.opt = opt
	defer d.free()
	p := placeOf(target)
	if target.IsZero() {
		i := dec.do(d, 0, p)
		if !d.failed && d.err == nil && jsonwire.SkipSpace(d.doc, i) == d.n {
			return nil
		}
		target.SetZero()
		if opt&FastErrors == 0 {
			return unmarshalStd(b, v, opt)
		}
		d.load(b, d.alias) // strings may have been unescaped in place
		d.opt = opt
	}
	if !jsonwire.Valid(d.doc, d.n) {
		if opt&FastErrors != 0 {
			return &SyntaxError{int64(jsonscan.Malformed(b))}
		}
		return unmarshalStd(b, v, opt) // which validates before it touches v
	}
	d.merge = true
	dec.do(d, 0, p)
	if d.err != nil && !d.failed && opt&FastErrors == 0 {
		if std := unmarshalStd(b, reflect.New(target.Type()).Interface(), opt); std != nil {
			return std
		}
	}
	return d.err
}

// unmarshalStd asks encoding/json, whose errors are the model.
func unmarshalStd(b []byte, v any, opt Options) error {
	if opt&(UseNumber|RefuseUnknown) == 0 {
		return json.Unmarshal(b, v)
	}
	if err := json.Unmarshal(b, new(json.RawMessage)); err != nil {
		return err // a Decoder would stop before what follows a value
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

// SyntaxError says where a document is malformed when FastErrors are asked for.
type SyntaxError struct {
	Offset int64 // of the byte after which no JSON can follow
}

func (e *SyntaxError) Error() string {
	return "fxjson: malformed JSON at offset " + strconv.FormatInt(e.Offset, 10)
}
