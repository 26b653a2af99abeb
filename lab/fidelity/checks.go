package fidelity

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"runtime"
)

// Decode decodes b into v, as a worker's decoders do.
type Decode[N any] func(b []byte, v *N) error

// Encode encodes v, as a worker's encoders of mode fresh do: dst is nil.
type Encode[N any] func(dst []byte, v *N) ([]byte, error)

// View maps a decoded value to what Compare compares; nil takes the value itself.
type View[N any] func(v *N) (any, error)

func (view View[N]) of(v *N) (any, error) {
	if view == nil {
		return *v, nil
	}
	return view(v)
}

// Aliases decodes doc, overwrites the memory it was in, and returns what changed in
// the decoded value: nothing, when the decoder made copies. An error is the decoder's.
func Aliases[N any](doc []byte, decode Decode[N], view View[N]) ([]Diff, error) {
	var want, got N
	if err := decode(bytes.Clone(doc), &want); err != nil {
		return nil, err
	}
	mine := bytes.Clone(doc)
	if err := decode(mine, &got); err != nil {
		return nil, err
	}
	for i := range mine {
		mine[i] ^= 0xFF
	}
	before, err := view.of(&want)
	if err != nil {
		return nil, err
	}
	after, err := view.of(&got)
	if err != nil { // the overwritten memory shows through
		return []Diff{{Path: ".", Pattern: ".", Before: "a value", After: err.Error(), Kind: Lossy, Cause: "aliasing"}}, nil
	}
	return Compare(before, after, Options{}), nil
}

// ReusesOutput encodes all values, one after another, and returns the index of the
// first whose bytes changed when later ones were encoded, or -1.
func ReusesOutput[N any](vals []N, encode Encode[N]) (int, error) {
	outs, copies := make([][]byte, len(vals)), make([][]byte, len(vals))
	for i := range vals {
		out, err := encode(nil, &vals[i])
		if err != nil {
			return -1, err
		}
		outs[i], copies[i] = out, bytes.Clone(out)
	}
	for i := range outs {
		if !bytes.Equal(outs[i], copies[i]) {
			return i, nil
		}
	}
	return -1, nil
}

// Damage bounds what Robustness tries.
type Damage struct {
	Truncations int // at most; 512 when 0. Longer documents are cut at even distances
	Flips       int // documents with one to three flipped bits; 512 when 0
	Seed        uint64
}

// Robust is what came of decoding damaged documents.
type Robust struct {
	Truncations int    // tried
	Accepted    int    // of them decoded without error, as formats without an end mark do
	Flips       int    // tried
	Panics      int    // over both kinds
	First       *Panic // the first panic
	Most        uint64 // bytes allocated for the worst input
	MostFor     []byte // that input
}

// Panic says which input made a decoder panic.
type Panic struct {
	What  string
	Kind  string // "truncation" | "bit flip"
	Input []byte
}

// String gives the input in hex, cut at 64 bytes.
func (p *Panic) String() string {
	text := hex.EncodeToString(p.Input[:min(len(p.Input), 64)])
	if len(p.Input) > 64 {
		text += "…"
	}
	return fmt.Sprintf("panic on a %s, input %s (%d bytes): %s", p.Kind, text, len(p.Input), p.What)
}

// Robustness decodes truncated and bit-flipped copies of doc. Errors are right,
// panics are caught and counted; what cannot be caught (a fatal error of the Go
// runtime, an endless loop) ends the worker, which the harness sees.
func Robustness[N any](doc []byte, decode Decode[N], d Damage) Robust {
	if d.Truncations <= 0 {
		d.Truncations = 512
	}
	if d.Flips <= 0 {
		d.Flips = 512
	}
	var r Robust
	n := min(len(doc), d.Truncations)
	for i := range n {
		cut := i * len(doc) / n
		if try(&r, "truncation", bytes.Clone(doc[:cut:cut]), decode) {
			r.Accepted++
		}
		r.Truncations++
	}
	if len(doc) == 0 {
		return r
	}
	rnd := rand.New(rand.NewPCG(d.Seed, 0x666c6970))
	for range d.Flips {
		mine := bytes.Clone(doc)
		for range 1 + rnd.IntN(3) {
			mine[rnd.IntN(len(mine))] ^= 1 << rnd.IntN(8)
		}
		try(&r, "bit flip", mine, decode)
		r.Flips++
	}
	return r
}

// try decodes one input and reports whether it was accepted.
func try[N any](r *Robust, kind string, input []byte, decode Decode[N]) (accepted bool) {
	given := bytes.Clone(input) // decoders may write into theirs
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	defer func() {
		if p := recover(); p != nil {
			accepted = false
			if r.Panics++; r.First == nil {
				r.First = &Panic{What: fmt.Sprint(p), Kind: kind, Input: given}
			}
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > r.Most {
			r.Most, r.MostFor = n, given
		}
	}()
	return decode(input, new(N)) == nil
}
