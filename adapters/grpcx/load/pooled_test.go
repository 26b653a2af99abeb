//go:build !race

package load

import (
	"testing"

	"google.golang.org/grpc/mem"
)

// TestPooled holds codecs to what is said of them: what is pooled takes no memory when it is used
// again. Under the race detector pools lose some on purpose.
func TestPooled(t *testing.T) {
	for _, c := range []struct {
		codec              string
		marshal, unmarshal float64 // allocations at most, of a message of 64 KB in records; negative: not held
	}{
		{"vtprotobuf", 3, 1800}, // a string for each record
		{"flatbuffers", 3, 0},
		{"zmy", 3, 1},
		{"zmy-view", 3, 0},
		{"protobuf", 3, -1},
		{"raw", 2, 0},
	} {
		f, err := formOf(c.codec)
		if err != nil {
			t.Fatal(err)
		}
		s, err := f.sources(64_000, false)
		if err != nil {
			t.Fatal(err)
		}
		w := wireCodec(f)
		if got := testing.AllocsPerRun(50, func() {
			b, err := w.Marshal(s.sent[0])
			if err != nil {
				t.Error(err)
			}
			b.Free()
		}); got > c.marshal {
			t.Errorf("%s: marshal allocates %g times, want %g at most", c.codec, got, c.marshal)
		}
		b, err := w.Marshal(s.sent[0])
		if err != nil {
			t.Fatal(err)
		}
		message := mem.BufferSlice{mem.SliceBuffer(b.Materialize())}
		b.Free()
		if got := testing.AllocsPerRun(50, func() {
			target := f.target()
			if err := w.Unmarshal(message, target); err != nil {
				t.Error(err)
			}
			f.release(target)
		}); c.unmarshal >= 0 && got > c.unmarshal {
			t.Errorf("%s: unmarshal allocates %g times, want %g at most", c.codec, got, c.unmarshal)
		}
	}
}
