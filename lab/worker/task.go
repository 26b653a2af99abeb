package worker

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// Task is the work of one request of a load.
type Task struct {
	Op     string // encode | decode | trip, see OpTrip
	Encode string // mode of the encoder; "" is the first one
	Decode string // mode of the decoder; "" is the first one
}

// OpTrip encodes a value and decodes it again, as the two ends of a connection do.
const OpTrip = "trip"

// task returns a function that makes the work of one goroutine: a function that is called with the
// index of a value and returns the number of bytes on the wire.
func (b *bench[T, N]) task(t Task) (func() func(i int) (int, error), error) {
	wire, err := b.encoded()
	if err != nil {
		return nil, err
	}
	var e *Encoder[N]
	var d *Decoder[N]
	for i := range b.codec.Encoders {
		if m := b.codec.Encoders[i].Mode; e == nil && (t.Encode == "" || t.Encode == m) {
			e = &b.codec.Encoders[i]
		}
	}
	for i := range b.codec.Decoders {
		if m := b.codec.Decoders[i].Mode; d == nil && (t.Decode == "" || t.Decode == m) {
			d = &b.codec.Decoders[i]
		}
	}
	if e == nil || d == nil {
		return nil, fmt.Errorf("%s has no mode %s %s", b.codec.Name, t.Encode, t.Decode)
	}
	in, err := b.input(d)
	if err != nil {
		return nil, err
	}
	switch t.Op {
	case "encode":
		return func() func(int) (int, error) { return b.encodeOne(e) }, nil
	case "decode":
		return func() func(int) (int, error) {
			dec := b.decodeOne(d)
			return func(i int) (int, error) { return len(in[i]), dec(in[i]) }
		}, nil
	case OpTrip:
		if d.Input != nil {
			wire = in // this decoder does not read what the encoder writes
		}
		return func() func(int) (int, error) {
			enc, dec := b.encodeBytes(e), b.decodeOne(d)
			return func(i int) (int, error) {
				out, err := enc(i)
				if err != nil {
					return 0, err
				}
				if d.Input != nil {
					out = wire[i]
				}
				return len(out), dec(out)
			}
		}, nil
	}
	return nil, fmt.Errorf("there is no op %q", t.Op)
}

// encodeBytes returns a function that encodes value i: in mode fresh into new memory, else into its
// last result.
func (b *bench[T, N]) encodeBytes(e *Encoder[N]) func(i int) ([]byte, error) {
	enc, fresh := e.New(), e.Mode == "fresh"
	var dst []byte
	return func(i int) ([]byte, error) {
		out, err := enc(dst, &b.vals[i])
		if !fresh && err == nil {
			dst = out[:0]
		}
		return out, err
	}
}

func (b *bench[T, N]) encodeOne(e *Encoder[N]) func(i int) (int, error) {
	enc := b.encodeBytes(e)
	return func(i int) (int, error) {
		out, err := enc(i)
		return len(out), err
	}
}

// decodeOne returns a function that decodes a message into its own target, which it zeroes before
// each message unless the mode reuses it.
func (b *bench[T, N]) decodeOne(d *Decoder[N]) func(in []byte) error {
	dec, target := d.New(), new(N)
	return func(in []byte) error {
		if !d.Reuse {
			var zero N
			*target = zero
		}
		return dec(in, target)
	}
}

// Memory is the memory of the process.
type Memory struct {
	Heap     float64 `json:"heap"`               // bytes in use on the heap, garbage included
	Mapped   float64 `json:"mapped"`             // bytes that the runtime has from the system
	Resident float64 `json:"resident,omitempty"` // bytes of the process in physical memory, 0 if unknown
}

func memory() Memory {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return Memory{Heap: float64(m.HeapAlloc), Mapped: float64(m.Sys - m.HeapReleased), Resident: resident()}
}

// resident returns the resident memory as Linux counts it, or 0.
func resident() float64 {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	if f := strings.Fields(string(b)); len(f) > 1 {
		if pages, err := strconv.Atoi(f[1]); err == nil {
			return float64(pages) * float64(os.Getpagesize())
		}
	}
	return 0
}

// Repeat asks for a task n times with nothing around it, for counting instructions.
type Repeat struct {
	Task Task
	N    int
}

// Done says what Repeat has done.
type Done struct {
	N     int     `json:"n"`
	Bytes float64 `json:"bytes"`
	Wall  float64 `json:"wall"` // ns
}

// again does a task n times, over the values in order.
func (b *bench[T, N]) again(a *Repeat) (*Done, error) {
	task, err := b.task(a.Task)
	if err != nil {
		return nil, err
	}
	do, d := task(), &Done{}
	t0 := time.Now()
	for ; d.N < a.N; d.N++ {
		n, err := do(int(b.order[d.N%len(b.order)]))
		if err != nil {
			return nil, err
		}
		d.Bytes += float64(n)
	}
	d.Wall = float64(time.Since(t0))
	return d, nil
}
