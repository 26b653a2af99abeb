package msgpackx_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/zmylab/zmy/adapters/msgpackx"
	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/codectest"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
	"github.com/zmylab/zmy/examples/sensor"
	"github.com/zmylab/zmy/examples/session"
	"github.com/zmylab/zmy/examples/sse"
)

func values() []any {
	r := rand.New(rand.NewPCG(7, 7))
	o := orderlite.SampleOrder(r)
	o.Timestamp = o.Timestamp.In(time.Local) // as it comes back
	return []any{o, sse.SampleSSEEvent(r), sensor.SampleSensorData(r), 70_000, "text", []string{"a", ""}}
}

func TestConformance(t *testing.T) {
	for _, c := range []msgpackx.Codec{{}, {Arrays: true}, {Tag: "json"}} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) { codectest.Run(t, c, codectest.Values(values()...)...) })
	}
}

// The bytes are the library's own.
func TestBytes(t *testing.T) {
	for _, v := range values() {
		var want bytes.Buffer
		e := msgpack.NewEncoder(&want)
		e.UseCompactInts(true)
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
		got, err := codec.Append(msgpackx.Codec{}, []byte("x"), v)
		if o, ok := v.(orderlite.Order); ok && len(o.Metadata) > 1 { // a map has no order
			if err != nil || len(got) != want.Len()+1 {
				t.Errorf("%T: %v", v, err)
			}
			continue
		}
		if err != nil || string(got) != "x"+want.String() {
			t.Errorf("%T: %q, %v; want %q", v, got, err, want.Bytes())
		}
	}
}

func TestOptions(t *testing.T) {
	type point struct {
		X int `json:"across"`
		Y int `json:"down"`
	}
	for _, k := range []struct {
		c    msgpackx.Codec
		want string
	}{
		{msgpackx.Codec{}, "\x82\xa1X\x01\xa1Y\x02"},
		{msgpackx.Codec{Tag: "json"}, "\x82\xa6across\x01\xa4down\x02"},
		{msgpackx.Codec{Arrays: true}, "\x92\x01\x02"},
	} {
		b, err := k.c.Marshal(point{1, 2})
		if err != nil || string(b) != k.want {
			t.Errorf("%+v: %q, %v; want %q", k.c, b, err, k.want)
		}
		var p point
		if err := k.c.Unmarshal(b, &p); err != nil || p != (point{1, 2}) {
			t.Errorf("%+v: %+v, %v", k.c, p, err)
		}
	}
}

func TestClasses(t *testing.T) {
	c := msgpackx.Codec{}
	second := func(_ []byte, err error) error { return err }
	for _, k := range []struct {
		err  error
		want codec.Class
	}{
		{second(c.Marshal(make(chan int))), codec.ClassUnsupported},
		{c.Unmarshal([]byte("\xa1x"), new(int)), codec.ClassType},
		{c.Unmarshal([]byte("\x01\x01"), new(int)), codec.ClassSyntax},
		{c.Unmarshal([]byte("\xa5x"), new(string)), codec.ClassSyntax},
		{c.Unmarshal(nil, new(string)), codec.ClassSyntax},
		{c.Unmarshal([]byte("\xc1"), new(any)), codec.ClassSyntax},
		{c.Unmarshal([]byte("\x01"), nil), codec.ClassType},
		{c.Unmarshal([]byte("\x01"), 7), codec.ClassType},
	} {
		if got := codec.ClassOf(k.err); got != k.want {
			t.Errorf("%v, want %v: %v", got, k.want, k.err)
		}
	}
	if err := c.Unmarshal([]byte("\xa5x"), new(string)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v, want io.ErrUnexpectedEOF", err)
	}
}

// FuzzUnmarshal: bytes from anywhere are refused or become a value that is written
// and read again as itself.
func FuzzUnmarshal(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 1))
	codectest.Fuzz[sse.SSEEvent](f, msgpackx.Codec{}, orderlite.SampleOrder(r), sse.SampleSSEEvent(r), session.SampleUserSession(r))
}

func Example() {
	codecs := codec.NewRegistry(codec.FXJSON{}, msgpackx.Codec{})
	c, mediaType, err := codecs.Negotiate("application/msgpack, application/json;q=0.5")
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := c.Marshal(map[string]int{"answer": 42})
	fmt.Printf("%s %x %v\n", mediaType, b, err)
	// Output:
	// application/msgpack 81a6616e737765722a <nil>
}

func BenchmarkAppend(b *testing.B) {
	v := orderlite.SampleOrder(rand.New(rand.NewPCG(1, 1)))
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if dst, err = codec.Append(msgpackx.Codec{}, dst[:0], &v); err != nil {
			b.Fatal(err)
		}
	}
}
