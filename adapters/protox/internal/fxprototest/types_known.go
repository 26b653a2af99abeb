package fxprototest

import (
	"time"

	"github.com/zmylab/zmy/fxproto"
)

// Bytes is named.
type Bytes []byte

// Wrappers has every wrapper of protobuf.
type Wrappers struct {
	B   *bool             `proto:"1,wrapper"`
	I32 *int32            `proto:"2,wrapper"`
	I64 *int64            `proto:"3,wrapper"`
	U32 *uint32           `proto:"4,wrapper"`
	U64 *uint64           `proto:"5,wrapper"`
	F32 *float32          `proto:"6,wrapper"`
	F64 *float64          `proto:"7,wrapper"`
	S   *string           `proto:"8,wrapper"`
	Y   []byte            `proto:"9,wrapper"`
	N   *Name             `proto:"10,wrapper"`
	E   *Level            `proto:"11,wrapper"`
	D   *time.Duration    `proto:"12,varint,wrapper"`
	Z   int64             `proto:"13,wrapper"`
	T   string            `proto:"14,wrapper"`
	L   []string          `proto:"15,wrapper"`
	M   map[string]uint32 `proto:"16,val:wrapper"`
	O   *string           `proto:"17,wrapper,oneof:kind"`
	Q   *float64          `proto:"18,wrapper,oneof:kind"`
	G   *int32            `protobuf:"bytes,19,opt,name=g,proto3,wktptr"`
	Yl  []Bytes           `proto:"20,wrapper"`
	Ym  map[int32][]byte  `proto:"21,val:wrapper"`
	F   float32           `proto:"22,wrapper"`

	Unknown fxproto.Unknown
}

// Object is named.
type Object map[string]any

// Dynamic has values of any content.
type Dynamic struct {
	V  any                       `proto:"1"`
	S  map[string]any            `proto:"2"`
	L  []any                     `proto:"3"`
	O  Object                    `proto:"4"`
	LS []map[string]any          `proto:"5"`
	LL [][]any                   `proto:"6"`
	M  map[string]map[string]any `proto:"7"`
	ML map[int32][]any           `proto:"8"`
	A  map[string]any            `proto:"9,oneof:kind"`
	B  []any                     `proto:"10,oneof:kind"`
	In *Dynamic                  `proto:"11"`
	MV map[int32]any             `proto:"12"`

	Unknown fxproto.Unknown
}

// Anys has messages of any type.
type Anys struct {
	V fxproto.Any             `proto:"1"`
	P *fxproto.Any            `proto:"2"`
	L []fxproto.Any           `proto:"3"`
	M map[string]*fxproto.Any `proto:"4"`
	O *fxproto.Any            `proto:"5,oneof:kind"`
	S *string                 `proto:"6,oneof:kind"`
}
