package protojson

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math"
	"reflect"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
	"github.com/zmylab/zmy/internal/pbreflect"
	"github.com/zmylab/zmy/internal/pbtype"
)

// value reads the value at i into v, which is zero. set is false if it was a name of an enum that is
// passed over.
func (d *decoder) value(p *value, v reflect.Value, i, left int) (next int, set bool, bad *failure) {
	if p.pointer {
		if bad := d.charge(p.size, i); bad != nil {
			return 0, false, bad
		}
		x := reflect.New(p.rt)
		if next, set, bad = d.pointee(p, x.Elem(), i, left); set {
			v.Set(x)
		}
		return next, set, bad
	}
	return d.pointee(p, v, i, left)
}

func (d *decoder) pointee(p *value, v reflect.Value, i, left int) (next int, set bool, bad *failure) {
	switch p.kind {
	case pbtype.Message, pbtype.Group:
		next, bad = d.message(p.message, v, i, left)
	case pbtype.Bool:
		var x bool
		if x, next = jsonwire.ParseBool(d.b, i); next < 0 {
			return 0, false, d.wrong(p, i)
		}
		v.SetBool(x)
	case pbtype.String:
		if d.b[i] != '"' {
			return 0, false, d.wrong(p, i)
		}
		var text []byte
		if text, next, bad = d.string(i); bad == nil {
			v.SetString(string(text))
		}
	case pbtype.Int32, pbtype.Sint32, pbtype.Sfixed32, pbtype.Int64, pbtype.Sint64, pbtype.Sfixed64:
		next, bad = d.int(p, v, i, true)
	case pbtype.Uint32, pbtype.Fixed32, pbtype.Uint64, pbtype.Fixed64:
		next, bad = d.uint(p, v, i)
	case pbtype.Enum:
		return d.enum(p, v, i)
	case pbtype.Float, pbtype.Double:
		next, bad = d.float(p, v, i)
	case pbtype.Bytes:
		next, bad = d.bytes(p, v, i)
	case pbtype.Text, pbtype.Binary:
		next, bad = d.own(p, v, i)
	case pbtype.Timestamp:
		next, bad = d.timestamp(p, v, i)
	case pbtype.Duration:
		next, bad = d.duration(p, v, i)
	case pbtype.DynamicValue, pbtype.DynamicStruct, pbtype.DynamicList:
		next, bad = d.dynamic(p.kind, v, i, left)
	}
	return next, bad == nil, bad
}

// wrong is the error that the value at i is not one of the kind.
func (d *decoder) wrong(p *value, i int) *failure {
	end := jsonwire.Skip(d.b, i, 0)
	if end < 0 {
		return d.syntax(i, "a value")
	}
	return fail(ErrValue, i, fmt.Sprintf("%.100s is no %s", d.b[i:end], p.kind))
}

// enum reads a name or a number of an enum. An enum without names is an int32.
func (d *decoder) enum(p *value, v reflect.Value, i int) (next int, set bool, bad *failure) {
	if p.enum == nil || d.b[i] != '"' {
		next, bad = d.int(p, v, i, p.enum == nil)
		return next, bad == nil, bad
	}
	name, next, bad := d.string(i)
	if bad != nil {
		return 0, false, bad
	}
	n, ok := p.enum.numbers[string(name)]
	if !ok && !d.opt.DiscardUnknown {
		return 0, false, fail(ErrValue, i, fmt.Sprintf("%.100q is no name of %s", name, p.rt))
	}
	v.SetInt(int64(n))
	return next, ok, nil
}

// specials has the floats that are strings.
var specials = map[string]float64{"NaN": math.NaN(), "Infinity": math.Inf(1), "-Infinity": math.Inf(-1)}

func (d *decoder) float(p *value, v reflect.Value, i int) (int, *failure) {
	if d.b[i] != '"' {
		f, next := parseFloat(p.kind, d.b, i)
		if next < 0 {
			return 0, d.wrong(p, i)
		}
		v.SetFloat(f)
		return next, nil
	}
	text, next, bad := d.string(i)
	if bad != nil {
		return 0, bad
	}
	f, ok := specials[string(text)]
	if !ok {
		padded, end := jsonwire.Padded(nil, text), 0
		if f, end = parseFloat(p.kind, padded, 0); end != len(text) {
			return 0, d.wrong(p, i)
		}
	}
	v.SetFloat(f)
	return next, nil
}

func parseFloat(k pbtype.Kind, b []byte, i int) (float64, int) {
	if k == pbtype.Float {
		f, next := jsonwire.ParseFloat32(b, i)
		return float64(f), next
	}
	return jsonwire.ParseFloat64(b, i)
}

// own lets the method of a type of its own read a string. No text and no bytes are the zero value.
func (d *decoder) own(p *value, v reflect.Value, i int) (next int, bad *failure) {
	var content []byte
	switch {
	case p.kind == pbtype.Binary:
		content, next, bad = d.base64(p, i)
	case d.b[i] != '"':
		bad = d.wrong(p, i)
	default:
		content, next, bad = d.string(i)
	}
	if bad == nil && len(content) > 0 {
		x := reflect.New(p.rt)
		if err := pbreflect.Read(p.kind, x.Interface(), content); err != nil {
			return 0, fail(err, i, "")
		}
		v.Set(x.Elem())
	}
	return next, bad
}

// base64 reads the bytes that a string has.
func (d *decoder) base64(p *value, i int) (out []byte, next int, bad *failure) {
	if d.b[i] != '"' {
		return nil, 0, d.wrong(p, i)
	}
	text, next, bad := d.string(i)
	if bad != nil {
		return nil, 0, bad
	}
	enc := base64.StdEncoding
	if bytes.ContainsAny(text, "-_") {
		enc = base64.URLEncoding
	}
	if len(text)%4 != 0 {
		enc = enc.WithPadding(base64.NoPadding)
	}
	out = make([]byte, enc.DecodedLen(len(text)))
	n, err := enc.Decode(out, text)
	if err != nil {
		return nil, 0, d.wrong(p, i)
	}
	return out[:n:n], next, nil
}

func (d *decoder) bytes(p *value, v reflect.Value, i int) (int, *failure) {
	out, next, bad := d.base64(p, i)
	switch n := len(out); {
	case bad != nil:
		return 0, bad
	case p.length == 0:
		v.SetBytes(out)
	case n == p.length:
		reflect.Copy(v, reflect.ValueOf(out))
	case n > 0:
		return 0, fail(ErrValue, i, fmt.Sprintf("%d bytes, %s has %d", n, p.rt, p.length))
	}
	return next, nil
}
