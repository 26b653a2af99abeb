//go:build ignore

// Package adapter makes a contender of github.com/apache/fory/go/fory, in the mode that its
// documentation has for two programs in Go with the same types. All structs of the type, and its
// named unsigned integers as enums, are registered. An instance is not safe for several goroutines,
// so instances are pooled by the library's package threadsafe.
package adapter

import (
	"reflect"
	"sync"
	"time"

	"github.com/apache/fory/go/fory"
	"github.com/apache/fory/go/fory/threadsafe"

	"github.com/zmylab/zmy/lab/worker"
)

// New returns the contender for T. There is no mode reused: lists of a used value keep their length
// if the message has fewer elements.
func New[T any]() worker.Contender[T] {
	return worker.Contender[T]{
		Encoders: []worker.Encoder[T]{
			{Mode: "fresh", New: worker.Stateless(func(_ []byte, v *T) ([]byte, error) { return marshalFory(v) })},
			{Mode: "pooled", New: pooled[T]},
		},
		Decoders: []worker.Decoder[T]{{Mode: "fresh", New: worker.Stateless(unmarshalFory[T])}},
	}
}

// pooled returns an encoder with an instance of its own, whose buffer holds the result until the
// next call.
func pooled[T any]() func([]byte, *T) ([]byte, error) {
	f, err := newFory(reflect.TypeFor[T]())
	return func(_ []byte, v *T) ([]byte, error) {
		if err != nil {
			return nil, err
		}
		return fory.Serialize(f, v)
	}
}

// forys has an instance pool for each type of message.
var forys sync.Map // reflect.Type to *threadsafe.Fory

func marshalFory[T any](v *T) ([]byte, error) {
	f, err := foryFor(reflect.TypeFor[T]())
	if err != nil {
		return nil, err
	}
	return threadsafe.Serialize(f, v)
}

func unmarshalFory[T any](b []byte, v *T) error {
	f, err := foryFor(reflect.TypeFor[T]())
	if err != nil {
		return err
	}
	return threadsafe.Deserialize(f, b, v)
}

// foryFor returns the pool for messages of type t.
func foryFor(t reflect.Type) (*threadsafe.Fory, error) {
	if f, ok := forys.Load(t); ok {
		return f.(*threadsafe.Fory), nil
	}
	if _, err := newFory(t); err != nil {
		return nil, err
	}
	f, _ := forys.LoadOrStore(t, threadsafe.NewWithFactory(func() *fory.Fory {
		f, _ := newFory(t) // has succeeded before
		return f
	}))
	return f.(*threadsafe.Fory), nil
}

// newFory returns an instance for messages of type t. Both ends must have the same types.
func newFory(t reflect.Type) (*fory.Fory, error) {
	f := fory.New(fory.WithXlang(false), fory.WithCompatible(false), fory.WithMaxDepth(1000))
	return f, registerFory(f, t, map[reflect.Type]bool{})
}

// registerFory gives numbers to the types that t refers to, in the order in which they are met.
func registerFory(f *fory.Fory, t reflect.Type, seen map[reflect.Type]bool) error {
	switch t.Kind() {
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if t.PkgPath() == "" || seen[t] {
			return nil
		}
		seen[t] = true
		return f.RegisterEnum(t, uint32(len(seen)))
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return registerFory(f, t.Elem(), seen)
	case reflect.Map:
		if err := registerFory(f, t.Key(), seen); err != nil {
			return err
		}
		return registerFory(f, t.Elem(), seen)
	case reflect.Struct:
		if seen[t] || t == reflect.TypeFor[time.Time]() {
			return nil
		}
		seen[t] = true
		if err := f.RegisterStruct(t, uint32(len(seen))); err != nil {
			return err
		}
		for i := range t.NumField() {
			if field := t.Field(i); field.IsExported() {
				if err := registerFory(f, field.Type, seen); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
