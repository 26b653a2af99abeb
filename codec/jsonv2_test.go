//go:build goexperiment.jsonv2

package codec_test

import (
	"encoding/json/jsontext"
	"testing"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/codectest"
)

func TestJSONv2Conformance(t *testing.T) {
	whole := values()[:2] // none of their slices is nil: [] comes back empty
	codectest.Run(t, codec.JSONv2{}, codectest.Values(whole...)...)
	codectest.Run(t, codec.JSONv2{Options: jsontext.WithIndent("  ")}, codectest.Values(whole...)...)
}

func TestJSONv2Rules(t *testing.T) {
	c := codec.JSONv2{}
	b, err := c.MarshalStable(struct {
		L []int
		M map[string]int
	}{M: map[string]int{"b": 1, "a": 2}})
	if want := `{"L":[],"M":{"a":2,"b":1}}`; err != nil || string(b) != want {
		t.Errorf("%s, %v; want %s", b, err, want)
	}
	second := func(_ []byte, err error) error { return err }
	for _, k := range []struct {
		err  error
		want codec.Class
	}{
		{second(c.Marshal(make(chan int))), codec.ClassUnsupported},
		{c.Unmarshal([]byte(`{"a":1,"a":2}`), new(map[string]int)), codec.ClassSyntax},
		{c.Unmarshal([]byte(`{`), new(any)), codec.ClassSyntax},
		{c.Unmarshal(nil, new(any)), codec.ClassSyntax},
		{c.Unmarshal([]byte(`1 1`), new(int)), codec.ClassSyntax},
		{c.Unmarshal([]byte(`"x"`), new(int)), codec.ClassType},
		{c.Unmarshal([]byte(`1`), nil), codec.ClassType},
		{c.Unmarshal([]byte(`1`), 7), codec.ClassType},
	} {
		if got := codec.ClassOf(k.err); got != k.want {
			t.Errorf("%v, want %v: %v", got, k.want, k.err)
		}
	}
}
