package zmy_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmycase"
)

// noise is text that does not compress below its size by much.
func noise(n int) string {
	r := rand.New(rand.NewPCG(3, 4))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(' ' + r.IntN(95))
	}
	return string(b)
}

func TestSend(t *testing.T) {
	for _, c := range []struct {
		name     string
		o        zmy.SealOptions
		data     string
		streamed bool
	}{
		{"small", zmy.SealOptions{}, "x", false},
		{"just fits", zmy.SealOptions{}, noise(128<<10 - 24 - 21), false},
		{"just not", zmy.SealOptions{}, noise(128<<10 - 24 - 20), true},
		{"fits by compression", squeezed, strings.Repeat("x", 3<<20), false},
		{"does not fit", squeezed, noise(1 << 20), true},
		{"stream with all", zmy.SealOptions{Compressor: deflate{}, Schema: []byte("s"), Fingerprint: 7, ChunkSize: 1000}, noise(1 << 18), true},
		{"largest", zmy.SealOptions{}, noise(4<<20 - 21), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var pipe bytes.Buffer
			in := []zmycase.SSE{{Data: c.data, Event: "1"}, {Data: c.data, ID: "2"}, {Data: "end"}}
			for i := range in[:2] {
				in[i].Data = in[i].Data[:len(in[i].Data)-1] // room for the other field
			}
			for i := range in {
				streamed, err := c.o.Send(&pipe, &in[i])
				if err != nil || i < 2 && streamed != c.streamed {
					t.Fatalf("value %d: streamed %v, %v", i, streamed, err)
				}
			}
			for i := range in {
				var got zmycase.SSE
				if err := unsqueezed.Receive(&pipe, &got); err != nil || !reflect.DeepEqual(got, in[i]) {
					t.Fatalf("value %d: %v", i, err)
				}
			}
			if err := unsqueezed.Receive(&pipe, &zmycase.SSE{}); err != io.EOF {
				t.Error("end:", err)
			}
		})
	}
}

func TestSendRefuses(t *testing.T) {
	var pipe bytes.Buffer
	_, err := zmy.Send(&pipe, &zmycase.SSE{Data: strings.Repeat("x", 5<<20)})
	if !errors.Is(err, zmy.ErrTooLarge) || pipe.Len() > 0 {
		t.Errorf("%v, %d bytes written", err, pipe.Len())
	}
	broken := errors.New("broken pipe")
	if _, err := zmy.Send(iotestWriter{broken}, &zmycase.SSE{}); !errors.Is(err, broken) {
		t.Error(err)
	}
	if _, err := zmy.Send(iotestWriter{broken}, &zmycase.SSE{Data: noise(1 << 18)}); !errors.Is(err, broken) {
		t.Error(err)
	}
}

func TestReceiveRefuses(t *testing.T) {
	msg, _ := zmy.Marshal(&zmycase.SSE{ID: "x"})
	for _, c := range []struct {
		name string
		in   []byte
		code error
	}{
		{"no record", stream(t, zmy.SealOptions{}), zmy.ErrCount},
		{"two records", stream(t, zmy.SealOptions{}, msg, msg), zmy.ErrCount},
		{"cut", stream(t, zmy.SealOptions{}, msg)[:40], zmy.ErrTruncated},
		{"no end", stream(t, zmy.SealOptions{}, msg)[:24+8+len(msg)], zmy.ErrTruncated},
		{"bare", bytes.Repeat(msg, 5), zmy.ErrMagic},
		{"short", []byte("ZMY"), zmy.ErrTruncated},
		{"large", unhex("5a4d5901 0000 0000 0000000000000000 ffffff7f 00000000 00000000"), zmy.ErrTooLarge},
	} {
		if err := zmy.Receive(bytes.NewReader(c.in), &zmycase.SSE{}); !errors.Is(err, c.code) {
			t.Errorf("%s: %v, want %v", c.name, err, c.code)
		}
	}
}

func FuzzReceive(f *testing.F) {
	v := zmycase.SSE{ID: "1", Meta: map[string]string{"a": "b"}}
	for _, o := range []zmy.SealOptions{{}, squeezed, {Marshal: zmy.MarshalOptions{MaxWire: 40}, ChunkSize: 9}} {
		var b bytes.Buffer
		if _, err := o.Send(&b, &v); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var v, again zmycase.SSE
		if unsqueezed.Receive(bytes.NewReader(b), &v) != nil {
			return
		}
		var out bytes.Buffer
		_, err := squeezed.Send(&out, &v)
		if err := errors.Join(err, unsqueezed.Receive(&out, &again)); err != nil || !reflect.DeepEqual(v, again) {
			t.Fatalf("%v: %+v, then %+v", err, v, again)
		}
	})
}

func ExampleSend() {
	var pipe bytes.Buffer
	for _, size := range []int{100, 1_000_000} {
		streamed, err := zmy.Send(&pipe, &zmycase.SSE{Data: strings.Repeat("x", size)})
		fmt.Println("as a stream:", streamed, err)
	}
	for range 2 {
		var v zmycase.SSE
		err := zmy.Receive(&pipe, &v)
		fmt.Println(len(v.Data), err)
	}
	// Output:
	// as a stream: false <nil>
	// as a stream: true <nil>
	// 100 <nil>
	// 1000000 <nil>
}
