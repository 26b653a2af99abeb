package worker

import (
	"fmt"
	"runtime"
	"time"
)

// The timed loops. Each keeps its place in the order of values from one batch
// to the next; nothing but the codec, an index and an error check is inside.

// encodeLoop hands mode fresh no buffer, every other mode its previous result.
func (b *bench[T, N]) encodeLoop(e Encoder[N]) func(int) error {
	enc, vals, order := e.New(), b.vals, b.order
	fresh := e.Mode == "fresh"
	var dst []byte
	at := 0
	return func(n int) error {
		for range n {
			i := order[at]
			if at++; at == len(order) {
				at = 0
			}
			out, err := enc(dst, &vals[i])
			if err != nil {
				return fmt.Errorf("encode %s of value %d: %w", e.Mode, i, err)
			}
			if !fresh {
				dst = out[:0]
			}
		}
		return nil
	}
}

// decodeLoop zeroes the target before each operation unless the mode reuses it.
// The target itself is allocated once for all: whether it lies on the stack or
// the heap is the caller's affair, not the codec's.
func (b *bench[T, N]) decodeLoop(d Decoder[N]) (func(int) error, error) {
	in, err := b.input(&d)
	if err != nil {
		return nil, err
	}
	dec, order, target := d.New(), b.order, new(N)
	at := 0
	return func(n int) error {
		for range n {
			i := order[at]
			if at++; at == len(order) {
				at = 0
			}
			if !d.Reuse {
				var zero N
				*target = zero
			}
			if err := dec(in[i], target); err != nil {
				return fmt.Errorf("decode %s of value %d: %w", d.Mode, i, err)
			}
		}
		return nil
	}, nil
}

func (b *bench[T, N]) accessLoop(get func([]byte) (string, error)) func(int) error {
	in, order := b.wire, b.order
	at, length := 0, 0
	return func(n int) error {
		for range n {
			i := order[at]
			if at++; at == len(order) {
				at = 0
			}
			s, err := get(in[i])
			if err != nil {
				return fmt.Errorf("access of value %d: %w", i, err)
			}
			length += len(s)
		}
		return nil
	}
}

// fullAccess reads the leaf after a full decode, for codecs that can do no
// better. It is nil when there is no leaf, or no value of the subject's type.
func (b *bench[T, N]) fullAccess() func([]byte) (string, error) {
	leaf, ok := any(b.subject.Leaf).(func(*N) string)
	if !ok || leaf == nil {
		return nil
	}
	dec, target := b.codec.Decoders[0].New(), new(N)
	return func(in []byte) (string, error) {
		var zero N
		*target = zero
		if err := dec(in, target); err != nil {
			return "", err
		}
		return leaf(target), nil
	}
}

// run times one batch.
func (b *bench[T, N]) run(op, mode string, n int) (*Batch, error) {
	loop, err := b.loop(op, mode)
	if err != nil {
		return nil, err
	}
	var m0, m1 runtime.MemStats
	runtime.ReadMemStats(&m0)
	c0, t0 := cpuTime(), time.Now()
	err = loop(n)
	wall, c1 := time.Since(t0), cpuTime()
	runtime.ReadMemStats(&m1)
	if err != nil {
		return nil, err
	}
	return &Batch{
		N: n, Wall: float64(wall.Nanoseconds()), CPU: float64((c1 - c0).Nanoseconds()),
		Allocs: float64(m1.Mallocs - m0.Mallocs), Bytes: float64(m1.TotalAlloc - m0.TotalAlloc),
	}, nil
}

// calibrate warms the loop up and finds how many operations take target.
func (b *bench[T, N]) calibrate(op, mode string, target time.Duration) (*Calibrate, error) {
	loop, err := b.loop(op, mode)
	if err != nil {
		return nil, err
	}
	n, took := 1, time.Duration(0)
	for {
		t0 := time.Now()
		if err := loop(n); err != nil {
			return nil, err
		}
		if took = time.Since(t0); took >= target/2 || n >= 1<<30 {
			break
		}
		n = min(n*10, max(n*2, int(float64(n)*float64(target)/float64(max(took, 1)))))
	}
	ns := float64(max(took, 1).Nanoseconds()) / float64(n)
	return &Calibrate{N: Passes(float64(target.Nanoseconds())/ns, len(b.vals)), Ns: ns}, nil
}

// Passes rounds n to whole passes over the values where at least half of one
// fits, so that every batch times the same work.
func Passes(n float64, values int) int {
	if n >= float64(values)/2 {
		return max(1, int(n/float64(values)+0.5)) * values
	}
	return max(1, int(n))
}

// first times the first call of encode, then of decode, in this process.
func (b *bench[T, N]) first() ([]First, error) {
	t0 := time.Now()
	out, err := b.codec.Encoders[0].New()(nil, &b.vals[0])
	took := time.Since(t0)
	if err != nil {
		return nil, fmt.Errorf("encode fresh of value 0: %w", err)
	}
	res := []First{{Op: "encode", Ns: float64(took.Nanoseconds())}}
	d := &b.codec.Decoders[0]
	if d.Input != nil {
		in, err := d.Input(b.vals)
		if err != nil {
			return nil, err
		}
		out = in[0]
	}
	t0 = time.Now()
	err = d.New()(out, new(N))
	took = time.Since(t0)
	if err != nil {
		return nil, fmt.Errorf("decode fresh of value 0: %w", err)
	}
	return append(res, First{Op: "decode", Ns: float64(took.Nanoseconds())}), nil
}
