package cborx_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"

	"github.com/zmylab/zmy/adapters/cborx"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/codectest"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
	"github.com/zmylab/zmy/examples/sensor"
	"github.com/zmylab/zmy/examples/session"
	"github.com/zmylab/zmy/examples/sse"
	"github.com/zmylab/zmy/examples/user"
)

func values() []any {
	r := rand.New(rand.NewPCG(7, 7))
	return []any{orderlite.SampleOrder(r), sse.SampleSSEEvent(r), sensor.SampleSensorData(r), user.SampleUser(r),
		70_000, "text", []string{"a", ""}}
}

func TestConformance(t *testing.T) {
	codectest.Run(t, cborx.Codec{}, codectest.Values(values()...)...)
	enc, dec := cborx.EncOptions(), cborx.DecOptions()
	enc.Sort = cbor.SortLengthFirst
	dec.DupMapKey = cbor.DupMapKeyEnforcedAPF
	c, err := cborx.New(enc, dec)
	if err != nil {
		t.Fatal(err)
	}
	codectest.Run(t, c, codectest.Values(values()...)...)
}

func TestNewRefusesOptions(t *testing.T) {
	if _, err := cborx.New(cbor.EncOptions{Sort: 99}, cborx.DecOptions()); err == nil {
		t.Error("an unknown order is taken")
	}
}

// Equal maps have equal bytes, in the order of RFC 8949, section 4.2.1.
func TestStable(t *testing.T) {
	b, err := cborx.Codec{}.MarshalStable(map[string]int{"b": 2, "a": 1, "aa": 3})
	if want := "a3616101616202626161 03"; err != nil || fmt.Sprintf("%x", b) != strings.ReplaceAll(want, " ", "") {
		t.Errorf("%x, %v; want %s", b, err, want)
	}
}

func TestClasses(t *testing.T) {
	c := cborx.Codec{}
	second := func(_ []byte, err error) error { return err }
	for _, k := range []struct {
		err  error
		want codec.Class
	}{
		{second(c.Marshal(make(chan int))), codec.ClassUnsupported},
		{second(c.AppendMarshal(nil, make(chan int))), codec.ClassUnsupported},
		{c.Unmarshal([]byte("\x61x"), new(int)), codec.ClassType},
		{c.Unmarshal([]byte("\x01\x01"), new(int)), codec.ClassSyntax},
		{c.Unmarshal([]byte("\x65x"), new(string)), codec.ClassSyntax},
		{c.Unmarshal([]byte("\x61\xff"), new(string)), codec.ClassSyntax},
		{c.Unmarshal(nil, new(string)), codec.ClassSyntax},
		{c.Unmarshal([]byte("\x9a\x7f\xff\xff\xff"), new(any)), codec.ClassLimit},
		{c.Unmarshal(bytes.Repeat([]byte("\x81"), 100), new(any)), codec.ClassLimit},
		{c.Unmarshal([]byte("\x01"), nil), codec.ClassType},
		{c.Unmarshal([]byte("\x01"), 7), codec.ClassType},
	} {
		if got := codec.ClassOf(k.err); got != k.want {
			t.Errorf("%v, want %v: %v", got, k.want, k.err)
		}
	}
	if err := c.Unmarshal([]byte("\x65x"), new(string)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v, want io.ErrUnexpectedEOF", err)
	}
}

// FuzzUnmarshal: bytes from anywhere are refused or become a value that is written
// and read again as itself.
func FuzzUnmarshal(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 1))
	codectest.Fuzz[sse.SSEEvent](f, cborx.Codec{}, orderlite.SampleOrder(r), sse.SampleSSEEvent(r), session.SampleUserSession(r))
}

func Example() {
	codecs := codec.NewRegistry(codec.FXJSON{}, cborx.Codec{})
	c, mediaType, err := codecs.Negotiate("application/cbor, application/json;q=0.5")
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := c.Marshal(map[string]int{"answer": 42})
	fmt.Printf("%s %x %v\n", mediaType, b, err)
	// Output:
	// application/cbor a166616e73776572182a <nil>
}

func BenchmarkAppend(b *testing.B) {
	v := orderlite.SampleOrder(rand.New(rand.NewPCG(1, 1)))
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if dst, err = codec.Append(cborx.Codec{}, dst[:0], &v); err != nil {
			b.Fatal(err)
		}
	}
}
