package jsoniterx_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	jsoniter "github.com/json-iterator/go"

	"github.com/zmylab/zmy/adapters/jsoniterx"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/codectest"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
	"github.com/zmylab/zmy/examples/sensor"
	"github.com/zmylab/zmy/examples/sse"
	"github.com/zmylab/zmy/examples/user"
)

func values() []any {
	r := rand.New(rand.NewPCG(7, 7))
	return []any{orderlite.SampleOrder(r), sse.SampleSSEEvent(r), sensor.SampleSensorData(r), user.SampleUser(r), "text <&>", []string{"a", ""}, map[string]int{"b": 1, "a": 2}}
}

func TestConformance(t *testing.T) {
	codectest.Run(t, jsoniterx.Codec{}, codectest.Values(values()...)...)
}

// The bytes are those of encoding/json, whichever method writes them.
func TestBytes(t *testing.T) {
	for _, v := range values() {
		want, err := json.Marshal(plainOf(v))
		if err != nil {
			t.Fatal(err)
		}
		for name, f := range map[string]func(any) ([]byte, error){
			"Marshal":       jsoniterx.Codec{}.Marshal,
			"MarshalStable": jsoniterx.Codec{}.MarshalStable,
			"AppendMarshal": func(v any) ([]byte, error) { return jsoniterx.Codec{}.AppendMarshal(nil, v) },
		} {
			if got, err := f(plainOf(v)); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s of %T: %s, %v; want %s", name, v, got, err, want)
			}
		}
	}
}

// plainOf is v without the methods of its type, if that is a struct.
func plainOf(v any) any {
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

func TestClasses(t *testing.T) {
	c := jsoniterx.Codec{}
	second := func(_ []byte, err error) error { return err }
	for _, k := range []struct {
		err  error
		want codec.Class
	}{
		{second(c.Marshal(make(chan int))), codec.ClassUnsupported},
		{second(c.AppendMarshal(nil, make(chan int))), codec.ClassUnsupported},
		{c.Unmarshal([]byte(`"x"`), new(int)), codec.ClassType},
		{c.Unmarshal([]byte("1 1"), new(int)), codec.ClassSyntax},
		{c.Unmarshal([]byte("{"), new(any)), codec.ClassSyntax},
		{c.Unmarshal(nil, new(string)), codec.ClassSyntax},
		{c.Unmarshal([]byte("1"), nil), codec.ClassType},
		{c.Unmarshal([]byte("1"), 7), codec.ClassType},
	} {
		if got := codec.ClassOf(k.err); got != k.want {
			t.Errorf("%v, want %v: %v", got, k.want, k.err)
		}
	}
}

// TestConfigurations: another configuration writes and reads in its own way; what is stable is so in any.
func TestConfigurations(t *testing.T) {
	m := map[string]float64{"b": 0.1234567891, "a": 1, "c": 2}
	fastest := jsoniterx.Codec{API: jsoniter.ConfigFastest}
	for name, f := range map[string]func(any) ([]byte, error){
		"Marshal": fastest.Marshal, "AppendMarshal": func(v any) ([]byte, error) { return fastest.AppendMarshal(nil, v) },
	} {
		if b, err := f(m["b"]); string(b) != "0.123457" || err != nil {
			t.Errorf("%s by ConfigFastest: %s, %v", name, b, err)
		}
	}
	if b, err := fastest.MarshalStable(m); string(b) != `{"a":1,"b":0.1234567891,"c":2}` || err != nil {
		t.Errorf("stable: %s, %v", b, err)
	}
	strict := jsoniterx.Codec{API: jsoniter.Config{DisallowUnknownFields: true}.Froze()}
	if err := strict.Unmarshal([]byte(`{"x":1}`), new(struct{ A int })); codec.ClassOf(err) != codec.ClassType {
		t.Errorf("an unknown member: %v", err)
	}
	codectest.Run(t, fastest, codectest.Values("text <&>", []string{"a", ""}, map[string]int{"b": 1})...)
}

// TestAppendOwns: what was appended to is the caller's alone, and what was there stays where there is an error.
func TestAppendOwns(t *testing.T) {
	dst := append(make([]byte, 0, 100), "dst "...)
	out, err := jsoniterx.Codec{}.AppendMarshal(dst, "one")
	if err != nil || string(out) != `dst "one"` || &out[0] != &dst[0] {
		t.Fatalf("%s, %v", out, err)
	}
	for range 100 { // the library's pool must not have it
		if _, err := (jsoniterx.Codec{}).Marshal("another"); err != nil {
			t.Fatal(err)
		}
	}
	if string(out) != `dst "one"` {
		t.Errorf("another message stands in the caller's memory: %s", out)
	}
	if out, err = (jsoniterx.Codec{}).AppendMarshal(dst, math.NaN()); codec.ClassOf(err) != codec.ClassUnsupported || string(out) != "dst " {
		t.Errorf("%s, %v", out, err)
	}
}

func Example() {
	codecs := codec.NewRegistry(jsoniterx.Codec{}, codec.Gob{})
	c, mediaType, err := codecs.Negotiate("application/json")
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := c.Marshal(map[string]int{"answer": 42})
	fmt.Printf("%s %s %s %v\n", c.Name(), mediaType, b, err)
	// Output:
	// jsoniter application/json {"answer":42} <nil>
}

func BenchmarkAppend(b *testing.B) {
	v := orderlite.SampleOrder(rand.New(rand.NewPCG(1, 1)))
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if dst, err = codec.Append(jsoniterx.Codec{}, dst[:0], &v); err != nil {
			b.Fatal(err)
		}
	}
}
