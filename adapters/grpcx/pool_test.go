package grpcx

import (
	"testing"

	"google.golang.org/grpc/mem"

	"github.com/zmylab/zmy/codec"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
)

// TestBufferPool: whatever was put in, what comes out has the length that was asked for.
func TestBufferPool(t *testing.T) {
	var p bufferPool
	for _, size := range []int{1, 1024, 1025, 2047, 2048, 2049, 3000, 4095, 4096, 1<<20 - 1, 1 << 20, 1<<20 + 1, 3 << 20} {
		for _, room := range []int{0, 1, 100, 2047, 2048, 3000, 4096, 5000, 1 << 20, 1<<21 - 1, 1 << 21} {
			b := make([]byte, room/2, room)
			p.Put(&b)
		}
		for range 20 {
			b := p.Get(size)
			if len(*b) != size || cap(*b) > max(4<<10, 4*size) {
				t.Fatalf("%d bytes: %d of %d", size, len(*b), cap(*b))
			}
			if size > 1024 && mem.IsBelowBufferPoolingThreshold(cap(*b)) {
				t.Fatalf("%d bytes: a buffer of %d, which gRPC does not give back", size, cap(*b))
			}
		}
	}
}

// around embeds a codec that reads in place, and has an Unmarshal of its own.
type around struct{ codec.ZMY }

func (a around) Unmarshal(b []byte, v any) error { return a.ZMY.Unmarshal(b, v) }

// TestInPlace: what is unmarshalled points into its message only where nobody uses the memory
// again.
func TestInPlace(t *testing.T) {
	small, err := codec.ZMY{}.Marshal(order(1))
	if err != nil {
		t.Fatal(err)
	}
	large, err := codec.ZMY{}.Marshal(order(60))
	if err != nil {
		t.Fatal(err)
	}
	pooled := func(b []byte) mem.BufferSlice { return mem.BufferSlice{mem.NewBuffer(&b, &buffers)} }
	whole := func(b []byte) mem.BufferSlice { return mem.BufferSlice{mem.SliceBuffer(b)} }
	pieces := func(b []byte) mem.BufferSlice { return cut(b, 2) }
	for _, c := range []struct {
		name    string
		codec   codec.Codec
		message []byte
		data    func([]byte) mem.BufferSlice
		inPlace bool
	}{
		{"a small frame", codec.ZMY{}, small, whole, true},
		{"a small frame from a pool", codec.ZMY{}, small, pooled, false},
		{"two small frames", codec.ZMY{}, small, pieces, false},
		{"large", codec.ZMY{}, large, whole, false},
		{"a codec around it", around{}, small, whole, false},
		{"guarded", codec.Guarded(codec.ZMY{}), small, whole, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := make([]byte, len(c.message), 4<<10)
			copy(b, c.message)
			var got orderlite.Order
			if err := Codec(c.codec).Unmarshal(c.data(b), &got); err != nil {
				t.Fatal(err)
			}
			id := string([]byte(got.ID))
			if id != order(1).ID {
				t.Fatalf("ID is %q", id)
			}
			for i := range b {
				b[i] ^= 0xFF
			}
			if inPlace := got.ID != id; inPlace != c.inPlace {
				t.Errorf("in place: %t, want %t", inPlace, c.inPlace)
			}
		})
	}
}

// TestAllocations: of a message, its bytes, what is around them and what its codec makes.
func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector drops what pools hold")
	}
	c := Codec(codec.ZMY{})
	for _, k := range []struct {
		name      string
		v         *orderlite.Order
		marshal   float64
		unmarshal float64 // beyond those of the codec into memory of its own
	}{
		{"small", order(1), 2, -1},
		{"large", order(60), 1, 0},
	} {
		message, err := codec.ZMY{}.Marshal(k.v)
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(200, func() {
			out, err := c.Marshal(k.v)
			if err != nil {
				t.Fatal(err)
			}
			out.Free()
		}); n != k.marshal {
			t.Errorf("%s: %v allocations to marshal, want %v", k.name, n, k.marshal)
		}
		data := mem.BufferSlice{mem.SliceBuffer(message)}
		got := testing.AllocsPerRun(200, func() {
			if err := c.Unmarshal(data, new(orderlite.Order)); err != nil {
				t.Fatal(err)
			}
		})
		own := testing.AllocsPerRun(200, func() {
			if err := (codec.ZMY{}).Unmarshal(message, new(orderlite.Order)); err != nil {
				t.Fatal(err)
			}
		})
		if got != own+k.unmarshal {
			t.Errorf("%s: %v allocations to unmarshal, the codec %v, want %v beyond that", k.name, got, own, k.unmarshal)
		}
	}
}
