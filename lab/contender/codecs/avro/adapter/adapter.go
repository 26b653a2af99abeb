//go:build ignore

// Package adapter binds github.com/hamba/avro/v2 by a schema for the type. Times
// are timestamp-micros, the finest that it knows. Each goroutine has an API of its
// own: the codec of uint64, Avro's fixed of eight bytes, keeps a buffer that users
// of one API would share (codec_fixed.go).
package adapter

import (
	"reflect"
	"time"

	"github.com/hamba/avro/v2"

	"github.com/zmylab/zmy/lab/worker"
)

// config lets fields be found by their Go names, which stand in the schema, and
// bounds what a damaged length may allocate.
var config = avro.Config{TagKey: "zmylab", MaxByteSliceSize: limit, MaxSliceAllocSize: limit}

const limit = 64 << 20

// New binds T by its schema.
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
		Name:   "avro",
		Family: "binary",
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
		// No mode reused: an empty array leaves what the target held.
		Decoders: []worker.Decoder[T]{{Mode: "fresh", New: decode}},
		Mapped: func(v *T) (any, error) {
			return micros(reflect.ValueOf(v).Elem()).Interface(), nil
		},
	}
}

// micros is a copy of v as the schema carries it: times in whole microseconds.
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
