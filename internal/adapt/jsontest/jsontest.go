// Package jsontest tests codecs that promise to write the bytes of encoding/json.
package jsontest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/codectest"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
	"github.com/zmylab/zmy/examples/sensor"
	"github.com/zmylab/zmy/examples/sse"
	"github.com/zmylab/zmy/examples/user"
)

// Run checks that c keeps the promises of package codec, that each of its methods writes the bytes
// of encoding/json, and that its errors have the classes of the standard codec's errors.
func Run(t *testing.T, c codec.Codec) {
	t.Helper()
	codectest.Run(t, c, codectest.Values(values()...)...)
	for _, err := range append(bytesDiffer(c), classesDiffer(c)...) {
		t.Error(err)
	}
}

// BenchmarkAppend appends an order to a buffer that is large enough.
func BenchmarkAppend(b *testing.B, c codec.Codec) {
	v := orderlite.SampleOrder(rand.New(rand.NewPCG(1, 1)))
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if dst, err = codec.Append(c, dst[:0], &v); err != nil {
			b.Fatal(err)
		}
	}
}

func values() []any {
	r := rand.New(rand.NewPCG(7, 7))
	return []any{orderlite.SampleOrder(r), sse.SampleSSEEvent(r), sensor.SampleSensorData(r), user.SampleUser(r), "text <&>",
		[]string{"a", ""}, map[string]int{"b": 1, "a": 2}}
}

func bytesDiffer(c codec.Codec) (found []error) {
	for _, v := range values() {
		v = plain(v)
		want, err := json.Marshal(v)
		if err != nil {
			return append(found, err)
		}
		for _, way := range []struct {
			name string
			f    func() ([]byte, error)
		}{
			{"Marshal", func() ([]byte, error) { return c.Marshal(v) }},
			{"MarshalStable", func() ([]byte, error) { return codec.MarshalStable(c, v) }},
			{"AppendMarshal", func() ([]byte, error) { return codec.Append(c, nil, v) }},
		} {
			if got, err := way.f(); err != nil || !bytes.Equal(got, want) {
				found = append(found, fmt.Errorf("%s of %T: %s, %v; want %s", way.name, v, got, err, want))
			}
		}
	}
	return found
}

// plain returns a struct as a type without methods, since libraries would call these. It returns
// any other value unchanged.
func plain(v any) any {
	t := reflect.TypeOf(v)
	if t.Kind() != reflect.Struct {
		return v
	}
	fields := make([]reflect.StructField, t.NumField())
	for i := range fields {
		fields[i] = t.Field(i)
	}
	return reflect.ValueOf(v).Convert(reflect.StructOf(fields)).Interface()
}

func classesDiffer(c codec.Codec) (found []error) {
	second := func(_ []byte, err error) error { return err }
	for _, k := range []struct {
		name string
		err  error
		want codec.Class
	}{
		{"marshal a channel", second(c.Marshal(make(chan int))), codec.ClassUnsupported},
		{"append a channel", second(codec.Append(c, nil, make(chan int))), codec.ClassUnsupported},
		{"a string for an int", c.Unmarshal([]byte(`"x"`), new(int)), codec.ClassType},
		{"two values", c.Unmarshal([]byte("1 1"), new(int)), codec.ClassSyntax},
		{"no end", c.Unmarshal([]byte("{"), new(any)), codec.ClassSyntax},
		{"nothing", c.Unmarshal(nil, new(string)), codec.ClassSyntax},
		{"into nil", c.Unmarshal([]byte("1"), nil), codec.ClassType},
		{"into no pointer", c.Unmarshal([]byte("1"), 7), codec.ClassType},
	} {
		if got := codec.ClassOf(k.err); got != k.want {
			found = append(found, fmt.Errorf("%s: an error of class %v, want %v: %w", k.name, got, k.want, k.err))
		}
	}
	return found
}
