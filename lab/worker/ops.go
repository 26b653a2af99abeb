package worker

import (
	"fmt"
	"time"
)

// The timed loops. Each goes once over the given indices. Inside are only the codec, an index and
// an error check.

// encodeLoop gives mode fresh no buffer, and every other mode its previous result.
func (b *bench[N]) encodeLoop(e Encoder[N]) timed[N] {
	enc, vals := e.New(), b.vals
	fresh := e.Mode == "fresh"
	var dst, last []byte
	return timed[N]{out: func() []byte { return last }, loop: func(order []int32) error {
		var out []byte
		for _, i := range order {
			var err error
			out, err = enc(dst, &vals[i])
			if err != nil {
				return fmt.Errorf("encode %s of value %d: %w", e.Mode, i, err)
			}
			if !fresh {
				dst = out[:0]
			}
		}
		last = out
		return nil
	}}
}

// decodeLoop zeroes the target before each operation, unless the mode reuses it. The target is
// allocated once, since the caller, not the codec, decides whether it is on the stack or the heap.
func (b *bench[N]) decodeLoop(d Decoder[N]) (timed[N], error) {
	in, err := b.input(&d)
	if err != nil {
		return timed[N]{}, err
	}
	dec, target := d.New(), new(N)
	return timed[N]{got: func() *N { return target }, loop: func(order []int32) error {
		for _, i := range order {
			if !d.Reuse {
				var zero N
				*target = zero
			}
			if err := dec(in[i], target); err != nil {
				return fmt.Errorf("decode %s of value %d: %w", d.Mode, i, err)
			}
		}
		return nil
	}}, nil
}

func (b *bench[N]) accessLoop(get func([]byte) (string, error)) (timed[N], error) {
	in, err := b.read()
	if err != nil {
		return timed[N]{}, err
	}
	length, last := 0, ""
	return timed[N]{text: func() string { return last }, loop: func(order []int32) error {
		var s string
		for _, i := range order {
			var err error
			s, err = get(in[i])
			if err != nil {
				return fmt.Errorf("access of value %d: %w", i, err)
			}
			length += len(s)
		}
		last = s
		return nil
	}}, nil
}

// fullAccess returns a function that decodes a whole message into target and returns its leaf, for
// codecs without an accessor. It returns nil if there is no leaf, or if N is not the subject's
// type.
func (b *bench[N]) fullAccess() (get func([]byte) (string, error), target *N) {
	if b.leaf == nil {
		return nil, nil
	}
	dec := b.codec.Decoders[0].New()
	target = new(N)
	return func(in []byte) (string, error) {
		var zero N
		*target = zero
		if err := dec(in, target); err != nil {
			return "", err
		}
		return b.leaf(target), nil
	}, target
}

// stopwatch adds up wall time and CPU time.
type stopwatch struct {
	wall, cpu time.Duration
	t0        time.Time
	c0        time.Duration
}

func (w *stopwatch) start() { w.c0, w.t0 = cpuTime(), time.Now() }

func (w *stopwatch) stop() {
	w.wall += time.Since(w.t0)
	w.cpu += cpuTime() - w.c0
}

// repeat runs n operations over the units, again and again; the last unit may be cut. stops lists
// numbers of operations in ascending order. After each of these it calls at with the index of the
// last operation's value.
func repeat(loop func([]int32) error, units [][]int32, n int, stops []int, at func(i int32)) error {
	done := 0
	for u := 0; done < n; u = (u + 1) % len(units) {
		unit := units[u]
		unit = unit[:min(len(unit), n-done)]
		for len(unit) > 0 {
			k := len(unit)
			if len(stops) > 0 {
				k = min(k, stops[0]-done)
			}
			if err := loop(unit[:k]); err != nil {
				return err
			}
			done += k
			if len(stops) > 0 && stops[0] == done {
				at(unit[k-1])
				stops = stops[1:]
			}
			unit = unit[k:]
		}
	}
	return nil
}

// units returns the indices that a batch goes over. If block is the number of all values, these are
// all passes of the order, beginning with number from. For a smaller block it is one unit: block
// number from of the order. All workers of a run have the same order, so the same block and from
// give the same values in each.
func (b *bench[N]) units(n, block, from int) [][]int32 {
	all := len(b.vals)
	if block <= 0 {
		block = max(1, min(n, all))
	}
	if block != all {
		unit := make([]int32, block)
		for i := range unit {
			unit[i] = b.order[(from*block+i)%len(b.order)]
		}
		return [][]int32{unit}
	}
	passes := len(b.order) / all
	out := make([][]int32, passes)
	for i := range out {
		k := (from + i) % passes
		out[i] = b.order[k*all : (k+1)*all]
	}
	return out
}

// calibrate warms the loop up and finds how many operations take about target.
func (b *bench[N]) calibrate(op, mode string, target time.Duration) (*Calibrate, error) {
	loop, err := b.loop(op, mode)
	if err != nil {
		return nil, err
	}
	n, took := 1, time.Duration(0)
	for {
		t0 := time.Now()
		if err := repeat(loop, b.units(n, 0, 0), n, nil, nil); err != nil {
			return nil, err
		}
		if took = time.Since(t0); took >= target/2 || n >= 1<<30 {
			break
		}
		n = min(n*10, max(n*2, int(float64(n)*float64(target)/float64(max(took, 1)))))
	}
	ns := float64(max(took, 1).Nanoseconds()) / float64(n)
	return &Calibrate{N: passes(float64(target.Nanoseconds())/ns, len(b.vals)), Ns: ns}, nil
}

// passes rounds n to whole passes over the values, if n is at least half a pass. Provisional
// figures may use less.
func passes(n float64, values int) int {
	if n >= float64(values)/2 {
		return max(1, int(n/float64(values)+0.5)) * values
	}
	return max(1, int(n))
}

// first times the first call of encode, and then of decode, in this process.
func (b *bench[N]) first() ([]First, error) {
	if b.codec.Primed {
		return nil, nil
	}
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
