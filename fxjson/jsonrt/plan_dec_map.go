package jsonrt

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strconv"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// mapDecoder returns a decoder that adds the members of an object to a map.
func mapDecoder(t reflect.Type) func(*Dec, int, place) int {
	if t.Key() == stringType && planner.fs == nil {
		switch t.Elem() {
		case stringType:
			return func(d *Dec, i int, p place) int { return DecodeStringMap(d, i, at[map[string]string](p)) }
		case anyType:
			return func(d *Dec, i int, p place) int { return DecodeAnyMap(d, i, at[map[string]any](p)) }
		}
	}
	read, raw := keyReader(t.Key())
	if read == nil && jsonwire.StdV2 { // version 2 refuses the members one by one
		read = func(string, reflect.Value) (error, bool) {
			return &json.UnmarshalTypeError{Value: "string", Type: t.Key()}, false
		}
	}
	elem := elemDecoder(t.Elem())
	return func(d *Dec, i int, p place) int {
		i = jsonwire.SkipSpace(d.doc, i)
		v := value(t, p)
		if jsonwire.Load8(d.doc, i) != '{' || read == nil { // without read, no key can be set
			if jsonwire.IsNull(d.doc, i) {
				v.SetZero()
				return i + 4
			}
			return d.wrong(i, t)
		}
		if !d.enter() {
			return d.fail()
		}
		if v.IsNil() {
			v.Set(reflect.MakeMap(t))
		}
		i = jsonwire.SkipSpace(d.doc, i+1)
		if jsonwire.Load8(d.doc, i) == '}' {
			d.depth--
			return i + 1
		}
		key, x := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
		to := placeOf(x)
		for more := true; more; {
			var name string
			start, offset := jsonwire.SkipSpace(d.doc, i), d.keyOffset(i)
			if raw && jsonwire.Load8(d.doc, start) == '"' {
				if e := jsonwire.SkipString(d.doc, start); e >= 0 {
					name = string(d.doc[start:e]) // before escapes are undone in place
				}
				_, i = d.key(i)
			} else {
				name, i = d.key(i)
			}
			x.SetZero()
			i = elem.do(d, i, to)
			if d.failed {
				return d.n
			}
			key.SetZero()
			err, fatal := read(name, key)
			switch {
			case err == nil:
				v.SetMapIndex(key, x)
			case fatal && !jsonwire.StdV2:
				return d.abort(err)
			case !d.merge:
				return d.fail()
			case d.err == nil:
				d.err = keyError(err, offset)
			}
			i, more = d.next(i, '}')
		}
		return i
	}
}

// keyReader returns the function that sets a key of type t from a member's name, nil if there is
// none. Its second result says whether an error ends the decoding. raw says that read takes the
// name as a literal, with quotes and escapes.
func keyReader(t reflect.Type) (read func(string, reflect.Value) (error, bool), raw bool) {
	k, ptr := t.Kind(), reflect.PointerTo(t)
	wrong := func(s string) (error, bool) {
		return &json.UnmarshalTypeError{Value: "number " + s, Type: t}, false
	}
	switch {
	case ptr.Implements(untextType) && ptr.Implements(unmarshalerType) && !jsonwire.StdV2: // version 1 prefers UnmarshalJSON
		return func(s string, v reflect.Value) (error, bool) {
			return v.Addr().Interface().(json.Unmarshaler).UnmarshalJSON([]byte(s)), true
		}, true
	case ptr.Implements(untextType):
		return func(s string, v reflect.Value) (error, bool) {
			return v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(s)), true
		}, false
	case k == reflect.String:
		return func(s string, v reflect.Value) (error, bool) {
			v.SetString(s)
			return nil, false
		}, false
	case reflect.Int <= k && k <= reflect.Int64:
		return func(s string, v reflect.Value) (error, bool) {
			x, err := strconv.ParseInt(s, 10, 64)
			if err != nil || t.OverflowInt(x) {
				return wrong(s)
			}
			v.SetInt(x)
			return nil, false
		}, false
	case reflect.Uint <= k && k <= reflect.Uintptr:
		return func(s string, v reflect.Value) (error, bool) {
			x, err := strconv.ParseUint(s, 10, 64)
			if err != nil || t.OverflowUint(x) {
				return wrong(s)
			}
			v.SetUint(x)
			return nil, false
		}, false
	}
	return nil, false
}
