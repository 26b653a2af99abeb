package schema

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"time"

	"github.com/zmylab/zmy/wire"
)

// For is Of for the type T.
func For[T any]() (*Schema, error) { return Of(reflect.TypeFor[T]()) }

// Of describes the Go type t, a struct, as the generator sees it: by struct tags
// zmy, or by order of declaration where a struct has none of them. It takes
// time; keep the result. Comments are out of sight: directives count where they
// are the struct tags of blank fields, as in _ struct{} `zmy:"sparse"`; unions,
// named values and what is deprecated are described by the generator only.
func Of(t reflect.Type) (*Schema, error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("schema: a message is a struct, not %v", t)
	}
	d := describer{s: &Schema{}, seen: map[typeKey]uint32{}, time: Time}
	if _, err := d.structType(typeKey{t: t, time: Time}, t); err != nil {
		return nil, fmt.Errorf("schema: %v: %w", t, err)
	}
	if err := d.s.Check(); err != nil {
		return nil, err
	}
	return d.s, nil
}

type typeKey struct {
	t       reflect.Type
	nilable bool
	inline  bool
	json    bool
	time    Kind // form of the times in it
}

type describer struct {
	s    *Schema
	seen map[typeKey]uint32
	time Kind // form of the times in the field at hand
}

// specials are types that are not what reflect says.
var specials = map[reflect.Type]Kind{
	reflect.TypeFor[time.Time]():       Time,
	reflect.TypeFor[time.Duration]():   Duration,
	reflect.TypeFor[big.Int]():         BigInt,
	reflect.TypeFor[big.Float]():       BigFloat,
	reflect.TypeFor[json.RawMessage](): JSON,
	reflect.TypeFor[json.Number]():     String,
}

// ratType has text methods, yet no form: reducing a fraction is not linear.
var ratType = reflect.TypeFor[big.Rat]()

var plain = map[reflect.Kind]Kind{
	reflect.Bool: Bool, reflect.Int8: Int8, reflect.Int16: Int16, reflect.Int32: Int32, reflect.Int64: Int64, reflect.Int: Int64,
	reflect.Uint8: Uint8, reflect.Uint16: Uint16, reflect.Uint32: Uint32, reflect.Uint64: Uint64, reflect.Uint: Uint64, reflect.Uintptr: Uint64,
	reflect.Float32: Float32, reflect.Float64: Float64, reflect.Complex64: Complex64, reflect.Complex128: Complex128, reflect.String: String,
}

// add appends a type to the table before its parts: types may be recursive.
func (d *describer) add(key typeKey, k Kind) uint32 {
	i := uint32(len(d.s.Types))
	d.s.Types = append(d.s.Types, Type{Kind: k})
	d.seen[key] = i
	return i
}

func (d *describer) typ(t reflect.Type) (uint32, error) {
	key := typeKey{t: t, time: d.time}
	if i, ok := d.seen[key]; ok {
		return i, nil
	}
	if k, ok := specials[t]; ok {
		if k == Time {
			k = d.time
		}
		return d.add(key, k), nil
	}
	if t == ratType {
		return 0, fmt.Errorf("%v has no wire type", t)
	}
	if k := d.own(t); k != 0 {
		return d.add(key, k), nil
	}
	if k, ok := plain[t.Kind()]; ok {
		return d.add(key, k), nil
	}
	switch t.Kind() {
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return d.add(key, Any), nil
		}
	case reflect.Slice:
		if t.Elem() == reflect.TypeFor[byte]() {
			return d.add(key, Bytes), nil
		}
		return d.holder(key, List, t.Elem())
	case reflect.Array:
		if t.Len() > 0 && int64(t.Len()) <= 1<<31-1 {
			i, err := d.holder(key, Array, t.Elem())
			d.s.Types[i].Len = uint32(t.Len())
			return i, err
		}
	case reflect.Map:
		i := d.add(key, Map)
		form := d.time
		d.time = Time
		k, err := d.typ(t.Key())
		d.time = form
		if err != nil {
			return i, err
		}
		d.s.Types[i].Key = k
		e, err := d.elem(Map, t.Elem())
		d.s.Types[i].Elem = e
		return i, err
	case reflect.Pointer:
		return d.holder(key, Opt, t.Elem())
	case reflect.Struct:
		return d.structType(key, t)
	}
	return 0, fmt.Errorf("%v has no wire type", t)
}

func (d *describer) holder(key typeKey, k Kind, elem reflect.Type) (uint32, error) {
	i := d.add(key, k)
	e, err := d.elem(k, elem)
	d.s.Types[i].Elem = e
	return i, err
}

// elem describes an element: pointers to dense structs are carried as the structs.
func (d *describer) elem(k Kind, t reflect.Type) (uint32, error) {
	if k == Opt || t.Kind() != reflect.Pointer || !d.isStruct(t.Elem()) {
		return d.typ(t)
	}
	sparse, _, err := directives(t.Elem())
	switch {
	case err != nil:
		return 0, err
	case k == Array, k == Map && t.Elem().NumField() == 0:
		return 0, fmt.Errorf("%s of %v has no wire type", k, t)
	case sparse:
		return d.typ(t)
	}
	return d.typ(t.Elem())
}

// isStruct reports a struct that is carried by its fields.
func (d *describer) isStruct(t reflect.Type) bool {
	_, special := specials[t]
	return t.Kind() == reflect.Struct && !special && t != ratType && d.own(t) == 0
}

// nilable describes a slice or map whose nil and empty differ.
func (d *describer) nilable(t reflect.Type) (uint32, error) {
	key := typeKey{t: t, nilable: true, time: d.time}
	if i, ok := d.seen[key]; ok {
		return i, nil
	}
	i := d.add(key, Opt)
	e, err := d.typ(t)
	d.s.Types[i].Elem = e
	return i, err
}

func isUnknown(t reflect.Type) bool {
	return t.PkgPath() == reflect.TypeFor[wire.Error]().PkgPath() && t.Name() == "Unknown"
}
