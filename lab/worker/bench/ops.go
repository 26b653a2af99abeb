package bench

import (
	"fmt"
	"time"

	"github.com/zmylab/zmy/lab/worker"
)

// Each timed loop goes once over the given indices. It contains only the codec's call, an index and
// an error check.

// encodeLoop gives mode fresh no buffer, and every other mode its previous result.
func (b *Bench[N]) encodeLoop(e worker.Encoder[N]) timed[N] {
	enc, vals := e.New(), b.Vals
	fresh := e.Mode == "fresh"
	var dst, last []byte
	return timed[N]{Out: func() []byte { return last }, Loop: func(order []int32) error {
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
func (b *Bench[N]) decodeLoop(d worker.Decoder[N]) (timed[N], error) {
	in, err := b.Input(&d)
	if err != nil {
		return timed[N]{}, err
	}
	dec, target := d.New(), new(N)
	return timed[N]{Got: func() *N { return target }, Loop: func(order []int32) error {
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

func (b *Bench[N]) accessLoop(get func([]byte) (string, error)) (timed[N], error) {
	in, err := b.Read()
	if err != nil {
		return timed[N]{}, err
	}
	length, last := 0, ""
	return timed[N]{Text: func() string { return last }, Loop: func(order []int32) error {
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
func (b *Bench[N]) fullAccess() (get func([]byte) (string, error), target *N) {
	if b.Leaf == nil {
		return nil, nil
	}
	dec := b.Codec.Decoders[0].New()
	target = new(N)
	return func(in []byte) (string, error) {
		var zero N
		*target = zero
		if err := dec(in, target); err != nil {
			return "", err
		}
		return b.Leaf(target), nil
	}, target
}

// Repeat runs n operations. It gives the units to loop one after another, again and again, and cuts
// the last one short if n requires it. stops lists numbers of operations in ascending order. After
// each of these numbers, Repeat calls at with the index of the last operation's value.
func Repeat(loop func([]int32) error, units [][]int32, n int, stops []int, at func(i int32)) error {
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

// Units returns the units of a batch (see Repeat). If block is the number of all values, these are
// all passes of the order, beginning with pass number from. Otherwise there is one unit: block
// number from of the order. If block is 0, n takes its place, but at most the number of all values.
// All workers of a run have the same order, so the same block and from give the same values in
// each.
func (b *Bench[N]) Units(n, block, from int) [][]int32 {
	all := len(b.Vals)
	if block <= 0 {
		block = max(1, min(n, all))
	}
	if block != all {
		unit := make([]int32, block)
		for i := range unit {
			unit[i] = b.Order[(from*block+i)%len(b.Order)]
		}
		return [][]int32{unit}
	}
	passes := len(b.Order) / all
	out := make([][]int32, passes)
	for i := range out {
		k := (from + i) % passes
		out[i] = b.Order[k*all : (k+1)*all]
	}
	return out
}

// Calibrate warms the loop up and finds how many operations take about target.
func (b *Bench[N]) Calibrate(op, mode string, target time.Duration) (*worker.Calibrate, error) {
	loop, err := b.Loop(op, mode)
	if err != nil {
		return nil, err
	}
	n, took := 1, time.Duration(0)
	for {
		t0 := time.Now()
		if err := Repeat(loop, b.Units(n, 0, 0), n, nil, nil); err != nil {
			return nil, err
		}
		if took = time.Since(t0); took >= target/2 || n >= 1<<30 {
			break
		}
		// An estimate from few calls is rough: they fill caches, and the clock is coarse.
		n = min(n*10, max(n*2, int(float64(n)*float64(target)/float64(max(took, 1)))))
	}
	ns := float64(max(took, 1).Nanoseconds()) / float64(n)
	return &worker.Calibrate{N: passes(float64(target.Nanoseconds())/ns, len(b.Vals)), Ns: ns}, nil
}

// passes rounds n to whole passes over the values. If n is less than half a pass, as it may be for
// provisional figures, passes only drops the fraction. It returns at least 1.
func passes(n float64, values int) int {
	if n >= float64(values)/2 {
		return max(1, int(n/float64(values)+0.5)) * values
	}
	return max(1, int(n))
}

// First times the first call of encode, and then of decode, in this process.
func (b *Bench[N]) First() ([]worker.First, error) {
	if b.Codec.Primed {
		return nil, nil
	}
	d := &b.Codec.Decoders[0]
	in := make([][]byte, 1)
	took := func(op string, call func() error) (worker.First, error) {
		t0 := time.Now()
		err := call()
		ns := float64(time.Since(t0).Nanoseconds())
		if err != nil {
			err = fmt.Errorf("%s fresh of value 0: %w", op, err)
		}
		return worker.First{Op: op, Ns: ns}, err
	}
	encode, err := took("encode", func() (err error) { in[0], err = b.Codec.Encoders[0].New()(nil, &b.Vals[0]); return err })
	if err == nil && d.Input != nil {
		in, err = d.Input(b.Vals)
	}
	if err != nil {
		return nil, err
	}
	decode, err := took("decode", func() error { return d.New()(in[0], new(N)) })
	if err != nil {
		return nil, err
	}
	return []worker.First{encode, decode}, nil
}
