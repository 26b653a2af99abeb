package jsonrt

import (
	"encoding"
	"encoding/json"
	"reflect"
	"sync"
	"time"

	"github.com/zmylab/zmy/fxjson/internal/jsonwire"
)

// NOTE: Types without generated code use the same functions as types with it. A plan, made by
// reflection when a type is first met, ties these functions together.
//
//	plan.go          the plans' cache, and the table of scalar kinds
//	plan_enc.go      encoders          plan_dec.go      decoders
//	plan_enc_map.go  maps              plan_dec_map.go  maps
//	plan_fields.go   the fields of structs as JSON sees them
//	plan_entry.go    what package fxjson calls
//	place_*.go       memory of a value: a pointer, or a reflect.Value

// encoder and decoder are plans: an encoding or decoding function of the package comment, without
// its type parameter. They are used by pointer, since a recursive type refers to its plan before
// the plan is complete.
type (
	encoder struct {
		do func(e *Enc, b []byte, p place) []byte
	}
	decoder struct {
		do    func(d *Dec, i int, p place) int
		texts *texts // nil if the type holds no strings
		own   bool   // the type has a form that encoding/json does not know
	}
)

// planKey identifies a plan.
type planKey struct {
	t      reflect.Type
	decode bool
	// methods says that a decoder calls the methods UnmarshalJSON and UnmarshalText of the pointer
	// to t.
	methods bool
	// bare says that generated code of t itself asks for the plan, so the plan must not call that
	// code.
	bare bool
	// quoted says that the plan is for fields with the option "string".
	quoted bool
	// fs replaces how some types are marshaled or unmarshaled, nil for none.
	fs *Funcs
}

// plans holds the finished plans by type, in one map for each combination of the other fields of
// planKey.
var plans [16]sync.Map

func (k planKey) known() *sync.Map {
	n := 0
	if k.decode {
		n = 1
	}
	if k.methods {
		n += 2
	}
	if k.bare {
		n += 4
	}
	if k.quoted {
		n += 8
	}
	if k.fs != nil {
		return &k.fs.plans[n]
	}
	return &plans[n]
}

// planner makes one plan at a time. pending holds that plan and its parts until all of them are
// complete.
var planner = struct {
	sync.Mutex
	fs      *Funcs // functions of that plan, nil for none
	pending map[planKey]any
}{pending: map[planKey]any{}}

// plan returns the plan for k; build fills in a new one.
func plan[P any](k planKey, build func(*P, planKey)) *P {
	if p, ok := k.known().Load(k.t); ok {
		return p.(*P)
	}
	planner.Lock()
	defer planner.Unlock()
	planner.fs = k.fs
	p := subplan(k, build)
	planner.fs = nil
	for k, p := range planner.pending {
		k.known().Store(k.t, p)
	}
	clear(planner.pending)
	return p
}

// subplan is plan for a part of the plan that is being made. The planner is locked.
func subplan[P any](k planKey, build func(*P, planKey)) *P {
	k.fs = planner.fs
	if p, ok := k.known().Load(k.t); ok {
		return p.(*P)
	}
	if p, ok := planner.pending[k]; ok {
		return p.(*P)
	}
	p := new(P)
	planner.pending[k] = p
	build(p, k)
	return p
}

func encoderOf(t reflect.Type) *encoder { return plan(planKey{t: t}, buildEncoder) }

func decoderOf(t reflect.Type, methods bool) *decoder {
	return plan(decodeKey(t, methods), buildDecoder)
}

// decodeKey returns the key of a decoder. Version 2 of encoding/json calls methods wherever a value
// is, not only behind pointers.
func decodeKey(t reflect.Type, methods bool) planKey {
	return planKey{t: t, decode: true, methods: methods || jsonwire.StdV2}
}

var (
	marshalerType   = reflect.TypeFor[json.Marshaler]()
	unmarshalerType = reflect.TypeFor[json.Unmarshaler]()
	textType        = reflect.TypeFor[encoding.TextMarshaler]()
	untextType      = reflect.TypeFor[encoding.TextUnmarshaler]()
	zeroerType      = reflect.TypeFor[interface{ IsZero() bool }]()
	timeType        = reflect.TypeFor[time.Time]()
	numberType      = reflect.TypeFor[json.Number]()
	rawType         = reflect.TypeFor[json.RawMessage]()
	stringType      = reflect.TypeFor[string]()
	anyType         = reflect.TypeFor[any]()
	floatType       = reflect.TypeFor[float64]()
)

// scalar holds the functions that encode and decode scalars of one kind.
type scalar struct {
	encode func(e *Enc, b []byte, p place) []byte
	decode func(d *Dec, i int, p place) int
	quoted func(d *Dec, i int, p place) int // negative for unusual spellings, see dec_quoted.go
}

func scalarOf[T any](encode func(*Enc, []byte, *T) []byte, decode, quoted func(*Dec, int, *T) int) scalar {
	return scalar{
		func(e *Enc, b []byte, p place) []byte { return encode(e, b, at[T](p)) },
		func(d *Dec, i int, p place) int { return decode(d, i, at[T](p)) },
		func(d *Dec, i int, p place) int { return quoted(d, i, at[T](p)) },
	}
}

// scalars holds the functions by kind.
var scalars = [...]scalar{
	reflect.Bool:    scalarOf(EncodeBool[bool], DecodeBool[bool], quotedBool[bool]),
	reflect.Int:     scalarOf(EncodeInt[int], DecodeInt[int], quotedInt[int]),
	reflect.Int8:    scalarOf(EncodeInt[int8], DecodeInt[int8], quotedInt[int8]),
	reflect.Int16:   scalarOf(EncodeInt[int16], DecodeInt[int16], quotedInt[int16]),
	reflect.Int32:   scalarOf(EncodeInt[int32], DecodeInt[int32], quotedInt[int32]),
	reflect.Int64:   scalarOf(EncodeInt[int64], DecodeInt[int64], quotedInt[int64]),
	reflect.Uint:    scalarOf(EncodeUint[uint], DecodeUint[uint], quotedUint[uint]),
	reflect.Uint8:   scalarOf(EncodeUint[uint8], DecodeUint[uint8], quotedUint[uint8]),
	reflect.Uint16:  scalarOf(EncodeUint[uint16], DecodeUint[uint16], quotedUint[uint16]),
	reflect.Uint32:  scalarOf(EncodeUint[uint32], DecodeUint[uint32], quotedUint[uint32]),
	reflect.Uint64:  scalarOf(EncodeUint[uint64], DecodeUint[uint64], quotedUint[uint64]),
	reflect.Uintptr: scalarOf(EncodeUint[uintptr], DecodeUint[uintptr], quotedUint[uintptr]),
	reflect.Float32: scalarOf(EncodeFloat[float32], DecodeFloat[float32], quotedFloat[float32]),
	reflect.Float64: scalarOf(EncodeFloat[float64], DecodeFloat[float64], quotedFloat[float64]),
	reflect.String: {
		func(e *Enc, b []byte, p place) []byte { return EncodeString(e, b, at[string](p)) },
		func(d *Dec, i int, p place) int { return DecodeString(d, i, at[string](p)) },
		func(d *Dec, i int, p place) int { return quotedString(d, i, at[string](p)) },
	},
}

func scalarKind(k reflect.Kind) (scalar, bool) {
	if int(k) < len(scalars) && scalars[k].encode != nil {
		return scalars[k], true
	}
	return scalar{}, false
}
