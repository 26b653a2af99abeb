//go:build ignore

// Package adapter makes a contender of github.com/hamba/avro/v2, with a schema for the type. Times
// are timestamp-micros, its most precise form. Each goroutine has an API value of its own.
// Otherwise goroutines would share a buffer in the library's codec for uint64, which is an Avro
// fixed of 8 bytes (codec_fixed.go).
package adapter

import (
	"reflect"
	"time"

	"github.com/hamba/avro/v2"

	"github.com/zmylab/zmy/lab/worker"
)

// config makes avro find fields by their Go names, which the schema uses, and bounds what a damaged
// length may allocate.
var config = avro.Config{TagKey: "zmylab", MaxByteSliceSize: limit, MaxSliceAllocSize: limit}

const limit = 64 << 20

// New returns the contender for T, with the text of its schema.
func New[T any](text string) worker.Contender[T] {
	schema, err := avro.ParseWithCache(text, "", &avro.SchemaCache{})
	if err != nil {
		panic(err)
	}
	decode := func() func([]byte, *T) error {
		api := config.Freeze()
		return func(b []byte, v *T) error { return api.Unmarshal(schema, b, v) }
	}
	return worker.Contender[T]{
		Encoders: []worker.Encoder[T]{
			{Mode: "fresh", New: func() func([]byte, *T) ([]byte, error) {
				api := config.Freeze()
				return func(_ []byte, v *T) ([]byte, error) { return api.Marshal(schema, v) }
			}},
			{Mode: "pooled", New: func() func([]byte, *T) ([]byte, error) {
				w := avro.NewWriter(nil, 512, avro.WithWriterConfig(config.Freeze()))
				return func(_ []byte, v *T) ([]byte, error) {
					w.Reset(nil)
					w.Error = nil
					w.WriteVal(schema, v)
					return w.Buffer(), w.Error
				}
			}},
		},
		// There is no mode reused, because decoding an empty array leaves the target's old
		// elements.
		Decoders: []worker.Decoder[T]{{Mode: "fresh", New: decode}},
		Mapped: func(v *T) (any, error) {
			return micros(reflect.ValueOf(v).Elem()).Interface(), nil
		},
	}
}

// micros returns a copy of v as the schema can carry it, with times truncated to microseconds.
func micros(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.Struct:
		if t, ok := v.Interface().(time.Time); ok {
			return reflect.ValueOf(t.Truncate(time.Microsecond))
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(micros(v.Field(i)))
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(micros(v.Elem()))
		}
	case reflect.Slice:
		if !v.IsNil() && v.Type().Elem().Kind() >= reflect.Array {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				out.Index(i).Set(micros(v.Index(i)))
			}
		}
	case reflect.Map:
		if !v.IsNil() {
			out.Set(reflect.MakeMap(v.Type()))
			for it := v.MapRange(); it.Next(); {
				out.SetMapIndex(it.Key(), micros(it.Value()))
			}
		}
	}
	return out
}
