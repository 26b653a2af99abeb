package worker

import (
	"bytes"
	"fmt"
	"math/rand/v2"
)

// bench is one codec with the values that it works on.
type bench[N any] struct {
	codec Contender[N]
	leaf  func(*N) string          // returns the string that op access reads, or is nil
	get   func() (Accessor, error) // makes the accessor of codec.Get; its New is nil if there is none

	vals      []N     // the values as the codec takes them
	order     []int32 // indices into vals: several whole passes, each shuffled
	wire      [][]byte
	respelled [][]byte            // input of decoders in place of wire; nil means wire itself
	inputs    map[string][][]byte // inputs of decoders in sealed memory, by name; "" is for wire or respelled
	seals     []*sealed
	cells     []*cell[N]
}

// cell is one op in one mode.
type cell[N any] struct {
	Mode
	fresh  bool                         // the result of a call stays valid after later calls
	own    bool                         // the decoder reads other bytes than the encoder writes
	reuse  bool                         // the decoder gets its last value as target
	open   func() (timed[N], error)     // makes the timed loop
	batch  timed[N]                     // the loop, made at first use
	pair   [2]func(order []int32) error // two more loops, for two goroutines
	best   float64                      // CPU ns per call in the quickest batch that went over all values
	cost   float64                      // ns that it took to judge one call
	budget float64                      // ns that judging the calls of a batch may take
}

// timed is a loop over values, with access to the result of its last call.
type timed[N any] struct {
	loop func(order []int32) error
	out  func() []byte // of an encoder
	got  func() *N     // of a decoder
	text func() string // of an accessor
}

// indices is the approximate number of indices that the loops go over: several passes in different
// orders, so that a branch predictor cannot learn them.
const indices = 4096

// load sets the values and sets the codec up. It takes back the memory in which earlier values were
// sealed.
func (b *bench[N]) load(vals []N, seed uint64) error {
	for _, s := range b.seals {
		s.free()
	}
	*b = bench[N]{codec: b.codec, leaf: b.leaf, get: b.get, vals: vals}
	b.shuffle(seed)
	if b.codec.Setup == nil {
		return nil
	}
	if err := b.codec.Setup(vals); err != nil {
		return fmt.Errorf("set-up: %w", err)
	}
	return nil
}

func (b *bench[N]) shuffle(seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0x6f72646572)) // "order"
	b.order = b.order[:0]
	for len(b.order) == 0 || len(b.order)+len(b.vals) <= indices {
		for _, i := range r.Perm(len(b.vals)) {
			b.order = append(b.order, int32(i))
		}
	}
}

// encoded returns the output of the first encoder for every value. It encodes once.
func (b *bench[N]) encoded() ([][]byte, error) {
	if b.wire != nil {
		return b.wire, nil
	}
	enc := b.codec.Encoders[0].New()
	wire := make([][]byte, len(b.vals))
	for i := range b.vals {
		out, err := enc(nil, &b.vals[i])
		if err != nil {
			return nil, fmt.Errorf("encode value %d: %w", i, err)
		}
		wire[i] = bytes.Clone(out) // other checks find an encoder that reuses its memory
	}
	b.wire = wire
	return wire, nil
}

// input returns the input of decoder d for each value, in sealed memory.
func (b *bench[N]) input(d *Decoder[N]) ([][]byte, error) {
	if d.Input != nil {
		return b.sealOnce("own "+d.Mode, func() ([][]byte, error) { return d.Input(b.vals) })
	}
	return b.read()
}

// read returns the default input of decoders and accessors, in sealed memory: the output of the
// first encoder, respelled if the request asked for that.
func (b *bench[N]) read() ([][]byte, error) {
	return b.sealOnce("", func() ([][]byte, error) {
		if b.respelled != nil {
			return b.respelled, nil
		}
		return b.encoded()
	})
}

func (b *bench[N]) sealOnce(name string, messages func() ([][]byte, error)) ([][]byte, error) {
	if in, ok := b.inputs[name]; ok {
		return in, nil
	}
	wire, err := messages()
	if err != nil {
		return nil, err
	}
	in, s := seal(wire)
	if s != nil {
		b.seals = append(b.seals, s)
	}
	if b.inputs == nil {
		b.inputs = map[string][][]byte{}
	}
	b.inputs[name] = in
	return in, nil
}

// open makes the cells, at the first call.
func (b *bench[N]) open() error {
	if b.cells != nil {
		return nil
	}
	wire, err := b.encoded()
	if err != nil {
		return err
	}
	size, readSize := mean(wire), mean(wire)
	if b.respelled != nil {
		readSize = mean(b.respelled)
	}
	for _, e := range b.codec.Encoders {
		b.cells = append(b.cells, &cell[N]{
			Mode: Mode{Op: "encode", Mode: e.Mode, Wire: size}, fresh: e.Mode == "fresh",
			open: func() (timed[N], error) { return b.encodeLoop(e), nil },
		})
	}
	for _, d := range b.codec.Decoders {
		b.cells = append(b.cells, &cell[N]{
			Mode:  Mode{Op: "decode", Mode: d.Mode, Alias: d.Alias, Wire: readSize},
			fresh: d.Mode == "fresh", own: d.Input != nil, reuse: d.Reuse,
			open: func() (timed[N], error) { return b.decodeLoop(d) },
		})
	}
	if b.get != nil {
		get, err := b.get()
		if err != nil {
			return err
		}
		if get.New != nil {
			b.codec.Accessors = append(b.codec.Accessors, get)
		}
	}
	for _, a := range b.codec.Accessors {
		b.cells = append(b.cells, &cell[N]{
			Mode: Mode{Op: "access", Mode: a.Mode, Alias: a.Alias, Wire: readSize},
			open: func() (timed[N], error) { return b.accessLoop(a.New()) },
		})
	}
	if full, target := b.fullAccess(); len(b.codec.Accessors) == 0 && full != nil {
		b.cells = append(b.cells, &cell[N]{
			Mode: Mode{Op: "access", Mode: "full", Wire: readSize},
			open: func() (timed[N], error) {
				t, err := b.accessLoop(full)
				t.text, t.got = nil, func() *N { return target } // judged by the whole value
				return t, err
			},
		})
	}
	return nil
}

// cell returns the cell for one op in one mode, with its loop.
func (b *bench[N]) cell(op, mode string) (*cell[N], error) {
	if err := b.open(); err != nil {
		return nil, err
	}
	for _, c := range b.cells {
		if c.Op != op || c.Mode.Mode != mode {
			continue
		}
		if c.batch.loop == nil {
			batch, err := c.open()
			if err != nil {
				return nil, err
			}
			c.batch = batch
		}
		return c, nil
	}
	return nil, fmt.Errorf("%s has no op %s in mode %s", b.codec.Name, op, mode)
}

// loop returns the timed loop of one cell.
func (b *bench[N]) loop(op, mode string) (func(order []int32) error, error) {
	c, err := b.cell(op, mode)
	if err != nil {
		return nil, err
	}
	return c.batch.loop, nil
}

func mean(wire [][]byte) float64 {
	sum := 0
	for _, w := range wire {
		sum += len(w)
	}
	return float64(sum) / float64(max(1, len(wire)))
}
