package sonicx_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/bytedance/sonic"

	"github.com/zmylab/zmy/adapters/sonicx"
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
	codectest.Run(t, sonicx.Codec{}, codectest.Values(values()...)...)
}

// The bytes are those of encoding/json, whichever method writes them.
func TestBytes(t *testing.T) {
	for _, v := range values() {
		want, err := json.Marshal(plainOf(v))
		if err != nil {
			t.Fatal(err)
		}
		for name, f := range map[string]func(any) ([]byte, error){
			"Marshal":       sonicx.Codec{}.Marshal,
			"MarshalStable": sonicx.Codec{}.MarshalStable,
			"AppendMarshal": func(v any) ([]byte, error) { return sonicx.Codec{}.AppendMarshal(nil, v) },
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
	c := sonicx.Codec{}
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
	c := sonicx.Codec{API: sonic.ConfigDefault}
	for name, f := range map[string]func(any) ([]byte, error){
		"Marshal": c.Marshal, "AppendMarshal": func(v any) ([]byte, error) { return c.AppendMarshal([]byte{}, v) },
	} {
		if b, err := f("tea & cups"); string(b) != `"tea & cups"` || err != nil {
			t.Errorf("%s by ConfigDefault: %s, %v", name, b, err)
		}
	}
	if b, err := c.MarshalStable(map[string]string{"b": "&", "a": ""}); string(b) != `{"a":"","b":"\u0026"}` || err != nil {
		t.Errorf("stable: %s, %v", b, err)
	}
	var s string
	if err := c.Unmarshal([]byte("\"a\tb\""), &s); err != nil || s != "a\tb" {
		t.Errorf("a tab in a string, which this configuration reads: %q, %v", s, err)
	}
	if b, err := c.AppendMarshal([]byte("dst"), make(chan int)); string(b) != "dst" || codec.ClassOf(err) != codec.ClassUnsupported {
		t.Errorf("%s, %v", b, err)
	}
	codectest.Run(t, c, codectest.Values("text <&>", []string{"a", ""}, map[string]int{"b": 1})...)
}

func Example() {
	codecs := codec.NewRegistry(sonicx.Codec{}, codec.Gob{})
	c, mediaType, err := codecs.Negotiate("application/json")
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := c.Marshal(map[string]int{"answer": 42})
	fmt.Printf("%s %s %s %v\n", c.Name(), mediaType, b, err)
	// Output:
	// sonic application/json {"answer":42} <nil>
}

func BenchmarkAppend(b *testing.B) {
	v := orderlite.SampleOrder(rand.New(rand.NewPCG(1, 1)))
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if dst, err = codec.Append(sonicx.Codec{}, dst[:0], &v); err != nil {
			b.Fatal(err)
		}
	}
}
