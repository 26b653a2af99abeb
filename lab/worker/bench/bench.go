// Package bench holds a codec and its values, in the type that the codec takes. It times the
// codec's calls, and knows neither the subject nor how results are judged.
//
// NOTE, the map: bench.go holds inputs and cells; ops.go has the timed loops, scaling.go the same
// on two goroutines, sizes.go the sizes of messages; task.go makes the work of one request for
// experiments; meter.go measures what the process spends, cpu_*.go its CPU time; sealed*.go gives
// decoders read-only memory; respell.go writes JSON in other spellings; try.go survives panics.
package bench

import (
	"bytes"
	"fmt"
	"math/rand/v2"

	"github.com/zmylab/zmy/lab/worker"
)

// Bench is one codec with the values that it works on.
type Bench[N any] struct {
	Codec worker.Contender[N]
	Leaf  func(*N) string                 // returns the string that op access reads, or is nil
	Get   func() (worker.Accessor, error) // makes the accessor of codec.Get; its New is nil if there is none

	Vals      []N     // the values as the codec takes them
	Order     []int32 // indices into vals: several whole passes, each shuffled
	Wire      [][]byte
	Respelled [][]byte            // input of decoders in place of wire; nil means wire itself
	inputs    map[string][][]byte // inputs of decoders in sealed memory, by name; "" is for wire or respelled
	seals     []*sealed
	Cells     []*Cell[N]
}

// Cell is one op in one mode.
type Cell[N any] struct {
	worker.Mode
	Fresh  bool                         // the result of a call stays valid after later calls
	own    bool                         // the decoder reads other bytes than the encoder writes
	Reuse  bool                         // the decoder gets its last value as target
	open   func() (timed[N], error)     // makes the timed loop
	Batch  timed[N]                     // the loop, made at first use
	pair   [2]func(order []int32) error // two more loops, for two goroutines
	Best   float64                      // CPU ns per call in the quickest batch that went over all values
	Cost   float64                      // ns that it took to judge one call
	Budget float64                      // ns that judging the calls of a batch may take
}

// timed is a loop over values, with access to the result of its last call. Repeat ends a loop after
// each call that is to be judged, so that this call is the last one of its loop.
type timed[N any] struct {
	Loop func(order []int32) error
	Out  func() []byte // of an encoder
	Got  func() *N     // of a decoder
	Text func() string // of an accessor
}

// indices is the approximate number of indices that the loops go over: several passes in different
// orders, so that a branch predictor cannot learn them.
const indices = 4096

// Load sets the values and sets the codec up. It gives back the sealed memory that held the
// messages of earlier values.
func (b *Bench[N]) Load(vals []N, seed uint64) error {
	for _, s := range b.seals {
		s.free()
	}
	*b = Bench[N]{Codec: b.Codec, Leaf: b.Leaf, Get: b.Get, Vals: vals}
	b.shuffle(seed)
	if b.Codec.Setup == nil {
		return nil
	}
	if err := b.Codec.Setup(vals); err != nil {
		return fmt.Errorf("set-up: %w", err)
	}
	return nil
}

func (b *Bench[N]) shuffle(seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0x6f72646572)) // "order"
	b.Order = b.Order[:0]
	for len(b.Order) == 0 || len(b.Order)+len(b.Vals) <= indices {
		for _, i := range r.Perm(len(b.Vals)) {
			b.Order = append(b.Order, int32(i))
		}
	}
}

// Encoded returns the output of the first encoder for every value. It encodes at the first call
// only.
func (b *Bench[N]) Encoded() ([][]byte, error) {
	if b.Wire != nil {
		return b.Wire, nil
	}
	enc := b.Codec.Encoders[0].New()
	wire := make([][]byte, len(b.Vals))
	for i := range b.Vals {
		out, err := enc(nil, &b.Vals[i])
		if err != nil {
			return nil, fmt.Errorf("encode value %d: %w", i, err)
		}
		wire[i] = bytes.Clone(out) // other checks find an encoder that reuses its memory
	}
	b.Wire = wire
	return wire, nil
}

// Input returns the input of decoder d for each value, in sealed memory.
func (b *Bench[N]) Input(d *worker.Decoder[N]) ([][]byte, error) {
	if d.Input != nil {
		return b.sealOnce("own "+d.Mode, func() ([][]byte, error) { return d.Input(b.Vals) })
	}
	return b.Read()
}

// Read returns the default input of decoders and accessors, in sealed memory: the output of the
// first encoder, respelled if the request asked for that.
func (b *Bench[N]) Read() ([][]byte, error) {
	return b.sealOnce("", func() ([][]byte, error) {
		if b.Respelled != nil {
			return b.Respelled, nil
		}
		return b.Encoded()
	})
}

func (b *Bench[N]) sealOnce(name string, messages func() ([][]byte, error)) ([][]byte, error) {
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

// Open makes the cells, at the first call.
func (b *Bench[N]) Open() error {
	if b.Cells != nil {
		return nil
	}
	wire, err := b.Encoded()
	if err != nil {
		return err
	}
	size, readSize := Mean(wire), Mean(wire)
	if b.Respelled != nil {
		readSize = Mean(b.Respelled)
	}
	for _, e := range b.Codec.Encoders {
		b.Cells = append(b.Cells, &Cell[N]{
			Mode: worker.Mode{Op: "encode", Mode: e.Mode, Wire: size}, Fresh: e.Mode == "fresh",
			open: func() (timed[N], error) { return b.encodeLoop(e), nil },
		})
	}
	for _, d := range b.Codec.Decoders {
		b.Cells = append(b.Cells, &Cell[N]{
			Mode:  worker.Mode{Op: "decode", Mode: d.Mode, Alias: d.Alias, Wire: readSize},
			Fresh: d.Mode == "fresh", own: d.Input != nil, Reuse: d.Reuse,
			open: func() (timed[N], error) { return b.decodeLoop(d) },
		})
	}
	if b.Get != nil {
		get, err := b.Get()
		if err != nil {
			return err
		}
		if get.New != nil {
			b.Codec.Accessors = append(b.Codec.Accessors, get)
		}
	}
	for _, a := range b.Codec.Accessors {
		b.Cells = append(b.Cells, &Cell[N]{
			Mode: worker.Mode{Op: "access", Mode: a.Mode, Alias: a.Alias, Wire: readSize},
			open: func() (timed[N], error) { return b.accessLoop(a.New()) },
		})
	}
	if full, target := b.fullAccess(); len(b.Codec.Accessors) == 0 && full != nil {
		b.Cells = append(b.Cells, &Cell[N]{
			Mode: worker.Mode{Op: "access", Mode: "full", Wire: readSize},
			open: func() (timed[N], error) {
				t, err := b.accessLoop(full)
				t.Text, t.Got = nil, func() *N { return target } // judged by the whole value
				return t, err
			},
		})
	}
	return nil
}

// Cell returns the cell for one op in one mode, with its loop.
func (b *Bench[N]) Cell(op, mode string) (*Cell[N], error) {
	if err := b.Open(); err != nil {
		return nil, err
	}
	for _, c := range b.Cells {
		if c.Op != op || c.Mode.Mode != mode {
			continue
		}
		if c.Batch.Loop == nil {
			batch, err := c.open()
			if err != nil {
				return nil, err
			}
			c.Batch = batch
		}
		return c, nil
	}
	return nil, fmt.Errorf("%s has no op %s in mode %s", b.Codec.Name, op, mode)
}

// Loop returns the timed loop of one cell.
func (b *Bench[N]) Loop(op, mode string) (func(order []int32) error, error) {
	c, err := b.Cell(op, mode)
	if err != nil {
		return nil, err
	}
	return c.Batch.Loop, nil
}

// Mean returns the mean size of messages in bytes, 0 without any.
func Mean(wire [][]byte) float64 {
	sum := 0
	for _, w := range wire {
		sum += len(w)
	}
	return float64(sum) / float64(max(1, len(wire)))
}
