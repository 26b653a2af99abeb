package jsonrt

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"time"
	"unsafe"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// DecodeString reads a string into *v.
func DecodeString[T ~string](d *Dec, i int, v *T) int {
	if jsonwire.Load8(d.doc, i) != '"' {
		if i = jsonwire.SkipSpace(d.doc, i); jsonwire.Load8(d.doc, i) != '"' {
			return null[T](d, i)
		}
	}
	s, i := d.text(i)
	if !d.failed {
		*v = T(s)
	}
	return i
}

// DecodeBool reads true or false into *v.
func DecodeBool[T ~bool](d *Dec, i int, v *T) int {
	i = jsonwire.SkipSpace(d.doc, i)
	x, e := jsonwire.ParseBool(d.doc, i)
	if e < 0 {
		return null[T](d, i)
	}
	*v = T(x)
	return e
}

// DecodeInt reads an integer that a T can hold into *v.
func DecodeInt[T Signed](d *Dec, i int, v *T) int {
	i = jsonwire.SkipSpace(d.doc, i)
	x, e := jsonwire.ParseInt(d.doc, i)
	if e < 0 || int64(T(x)) != x {
		return null[T](d, i)
	}
	*v = T(x)
	return e
}

// DecodeUint reads an integer that a T can hold into *v.
func DecodeUint[T Unsigned](d *Dec, i int, v *T) int {
	i = jsonwire.SkipSpace(d.doc, i)
	x, e := jsonwire.ParseUint(d.doc, i)
	if e < 0 || uint64(T(x)) != x {
		return null[T](d, i)
	}
	*v = T(x)
	return e
}

// DecodeFloat reads a number into *v, rounded to the nearest T.
func DecodeFloat[T Float](d *Dec, i int, v *T) int {
	i = jsonwire.SkipSpace(d.doc, i)
	if unsafe.Sizeof(*v) == 4 {
		x, e := jsonwire.ParseFloat32(d.doc, i)
		if e < 0 {
			return noFloat(d, i, v)
		}
		*v = T(x)
		return e
	}
	x, e := jsonwire.ParseFloat64(d.doc, i)
	if e < 0 {
		return noFloat(d, i, v)
	}
	*v = T(x)
	return e
}

// noFloat handles a value at i that is no number, or a number that a T cannot hold. For the latter,
// version 2 of encoding/json stores a value in addition to the error; see largest.
func noFloat[T Float](d *Dec, i int, v *T) int {
	if jsonwire.StdV2 && d.merge && jsonwire.SkipNumber(d.doc, i) > 0 {
		x := largest(d, i)
		if jsonwire.StdV2Early && unsafe.Sizeof(*v) == 4 {
			x = math.Copysign(math.MaxFloat32, x)
		}
		*v = T(x)
	}
	return null[T](d, i)
}

// DecodeTime reads an RFC 3339 time into *v.
func DecodeTime(d *Dec, i int, v *time.Time) int {
	i = jsonwire.SkipSpace(d.doc, i)
	if jsonwire.Load8(d.doc, i) == '"' {
		if t, e := jsonwire.ParseTime(d.doc, i+1); e > 0 {
			*v = t
			return e
		}
	}
	if jsonwire.StdV2 { // version 2 accepts more times than UnmarshalJSON of time.Time
		return d.std(i, v)
	}
	return DecodeUnmarshaler(d, i, v)
}

// DecodeBytes reads a string of base64, or an array of numbers, into *v. null sets *v to nil.
func DecodeBytes[T ~[]E, E ~byte](d *Dec, i int, v *T) int {
	i = jsonwire.SkipSpace(d.doc, i)
	switch jsonwire.Load8(d.doc, i) {
	case '[':
		return DecodeSlice(d, i, v, DecodeUint)
	case 'n':
		if jsonwire.IsNull(d.doc, i) {
			*v = nil
			return i + 4
		}
	}
	if jsonwire.Load8(d.doc, i) != '"' {
		return mismatch[T](d, i)
	}
	start := i
	e, nonASCII := jsonwire.ScanString(d.doc, i+1)
	src := d.doc[i+1 : e]
	i = e + 1
	if jsonwire.Load8(d.doc, e) != '"' || nonASCII { // escapes, or no base64 at all
		if src, i = jsonwire.AppendUnescaped(nil, d.doc, start); i < 0 {
			return d.fail()
		}
	}
	if old, ok := any(*v).([]byte); ok && jsonwire.StdV2 { // version 2 reuses the memory of *v, and never stores nil
		out, err := base64.StdEncoding.AppendDecode(old[:0], src)
		if err != nil {
			return d.refuse(start, typeError(err, "string", reflect.TypeFor[T](), start, i))
		}
		if out == nil {
			out = []byte{}
		}
		*v = fromBytes[T](out)
		return i
	}
	out := make([]byte, base64.StdEncoding.DecodedLen(len(src)))
	n, err := base64.StdEncoding.Decode(out, src)
	if err != nil {
		return d.refuse(start, typeError(err, "string", reflect.TypeFor[T](), start, i))
	}
	*v = fromBytes[T](out[:n])
	return i
}

// DecodeRaw checks the grammar of the value at i and copies its JSON to *v.
func DecodeRaw[T ~[]byte](d *Dec, i int, v *T) int {
	i = jsonwire.SkipSpace(d.doc, i)
	e := d.Skip(i)
	if !d.failed {
		*v = append((*v)[:0], d.doc[i:e]...)
	}
	return e
}

// DecodeNumber reads a number, or a string that holds one, into *v.
func DecodeNumber(d *Dec, i int, v *json.Number) int {
	i = jsonwire.SkipSpace(d.doc, i)
	if jsonwire.Load8(d.doc, i) == '"' {
		s, e := jsonwire.AppendUnescaped(nil, d.doc, i) // a copy, since an error quotes the literal
		if e < 0 {
			return d.fail()
		}
		if !validNumber(string(s)) {
			err := fmt.Errorf("json: invalid number literal, trying to unmarshal %q into Number", d.doc[i:e])
			return d.raised(e, typeError(err, "string", numberType, 0, 0))
		}
		*v = json.Number(s)
		return e
	}
	e := jsonwire.SkipNumber(d.doc, i)
	if e < 0 {
		return null[json.Number](d, i)
	}
	*v = json.Number(d.str(i, e))
	return e
}

// stdError handles the error err that encoding/json found in the value doc[i:e]. If encoding/json
// stops at that error, the decoding stops too; otherwise it goes on after the value. To find out,
// stdError has encoding/json decode an object with the members V and W into the struct probe: V
// takes the value, and W, to which wentOn points, is set if encoding/json went on.
func (d *Dec) stdError(i, e int, err error, probe any, wentOn *bool) int {
	if !d.merge {
		return d.fail()
	}
	doc := append(append([]byte(`{"V":`), d.doc[i:e]...), `,"W":true}`...)
	if unmarshalStd(doc, probe, d.opt) != nil && !*wentOn {
		return d.abort(err)
	}
	if d.err == nil {
		if te, ok := err.(*json.UnmarshalTypeError); ok && te.Offset > 0 { // te names the struct with field V
			te.Struct, te.Field, te.Offset = "", "", te.Offset+int64(i-len(`{"V":`))
		}
		d.err = err
	}
	return e
}
