package sonicx_test

import (
	"fmt"
	"testing"

	"github.com/bytedance/sonic"

	"github.com/zmylab/zmy/adapters/sonicx"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/codectest"
	"github.com/zmylab/zmy/internal/adapt/jsontest"
)

// TestJSON: the promises of a codec, the bytes of encoding/json, and errors by their classes.
func TestJSON(t *testing.T) { jsontest.Run(t, sonicx.Codec{}) }

// TestConfigurations: another configuration writes and reads in its own way; what is stable is so
// in any.
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

func BenchmarkAppend(b *testing.B) { jsontest.BenchmarkAppend(b, sonicx.Codec{}) }
