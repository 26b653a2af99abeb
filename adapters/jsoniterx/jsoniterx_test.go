package jsoniterx_test

import (
	"fmt"
	"math"
	"testing"

	jsoniter "github.com/json-iterator/go"

	"github.com/zmylab/zmy/adapters/jsoniterx"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/codectest"
	"github.com/zmylab/zmy/internal/adapt/jsontest"
)

// TestJSON: the promises of a codec, the bytes of encoding/json, and errors by their classes.
func TestJSON(t *testing.T) { jsontest.Run(t, jsoniterx.Codec{}) }

// TestConfigurations: another configuration writes and reads in its own way; what is stable is so
// in any.
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

// TestAppendOwns: what was appended to is the caller's alone, and what was there stays where there
// is an error.
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
	if out, err = (jsoniterx.Codec{}).AppendMarshal(dst, math.NaN()); codec.ClassOf(err) != codec.ClassUnsupported ||
		string(out) != "dst " {
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

func BenchmarkAppend(b *testing.B) { jsontest.BenchmarkAppend(b, jsoniterx.Codec{}) }
