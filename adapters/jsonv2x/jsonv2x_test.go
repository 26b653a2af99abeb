package jsonv2x_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/zmylab/zmy/adapters/jsonv2x"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/codectest"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
	"github.com/zmylab/zmy/examples/sse"
	"github.com/zmylab/zmy/examples/user"
)

// values have no nil slices: [] comes back empty.
func values() []any {
	r := rand.New(rand.NewPCG(7, 7))
	return []any{orderlite.SampleOrder(r), sse.SampleSSEEvent(r), user.SampleUser(r), "text <&>",
		[]string{"a", ""}, map[string]int{"b": 1, "a": 2}}
}

func TestConformance(t *testing.T) {
	codectest.Run(t, jsonv2x.Codec{}, codectest.Values(values()...)...)
	codectest.Run(t, jsonv2x.Codec{Options: jsontext.WithIndent("  ")}, codectest.Values(values()...)...)
}

func TestRules(t *testing.T) {
	c := jsonv2x.Codec{}
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
		{second(c.AppendMarshal(nil, make(chan int))), codec.ClassUnsupported},
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

func Example() {
	codecs := codec.NewRegistry(jsonv2x.Codec{}, codec.Gob{})
	c, mediaType, err := codecs.Negotiate("application/json")
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := c.Marshal(map[string][]int{"none": nil})
	fmt.Printf("%s %s %s %v\n", c.Name(), mediaType, b, err)
	// Output:
	// json-v2 application/json {"none":[]} <nil>
}

func BenchmarkAppend(b *testing.B) {
	v := orderlite.SampleOrder(rand.New(rand.NewPCG(1, 1)))
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if dst, err = codec.Append(jsonv2x.Codec{}, dst[:0], &v); err != nil {
			b.Fatal(err)
		}
	}
}
