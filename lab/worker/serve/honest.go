package serve

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"time"

	"github.com/zmylab/zmy/lab/fidelity"
	"github.com/zmylab/zmy/lab/worker/anatomy"
	"github.com/zmylab/zmy/lab/worker/bench"
)

// Checks of faults that show only if a codec is called more than once: what calls share, and what
// the codec remembers.

// checkOutput encodes many values in several passes, lets the collector and finalizers run after
// each, and checks that earlier bytes did not change. It also overwrites results, to see whether
// that affects later ones.
func (b *binding[T, N]) checkOutput() error {
	enc := b.Codec.Encoders[0].New()
	var got, copies [][]byte
	var of []int // index of each value
	encode := func() error {
		total := 0
		for _, i := range rand.Perm(len(b.Vals)) { // memory reused in the same order would get the same bytes
			out, err := enc(nil, &b.Vals[i])
			if err != nil {
				return err
			}
			got, copies, of = append(got, out), append(copies, bytes.Clone(out)), append(of, i)
			if total += len(out); total > outputBytes {
				return nil
			}
		}
		return nil
	}
	for range outputPasses {
		if err := encode(); err != nil {
			return err
		}
		finalize()
	}
	for i := range got {
		if !bytes.Equal(got[i], copies[i]) {
			return fmt.Errorf("the bytes of value %d changed when later values were encoded", of[i])
		}
	}
	for i := range min(len(b.Vals), 32) {
		if err := b.apartBytes(enc, i); err != nil {
			return err
		}
	}
	return nil
}

// finalize collects garbage and waits until finalizers have run. The runtime runs them one after
// another on one goroutine.
func finalize() {
	for range 2 {
		done := make(chan struct{})
		runtime.SetFinalizer(&sentinel{}, func(*sentinel) { close(done) })
		runtime.GC()
		select {
		case <-done:
		case <-time.After(finalizeMost):
		}
	}
}

// sentinel has a finalizer. It is too large for the runtime to allocate it together with other tiny
// objects.
type sentinel struct{ _ [64]byte }

// finalizeMost bounds the wait, since a finalizer of the codec may block.
const finalizeMost = 200 * time.Millisecond

// checkOutput makes outputPasses passes, each over all values or outputBytes bytes of messages.
const (
	outputPasses = 3
	outputBytes  = 8 << 20
)

// apartBytes encodes a value twice and overwrites the first result up to its capacity. The second
// result must not change, and the value must then still be encoded to a message that decodes to the
// same value.
func (b *binding[T, N]) apartBytes(enc func([]byte, *N) ([]byte, error), i int) error {
	x, err := enc(nil, &b.Vals[i])
	if err != nil {
		return err
	}
	y, err := enc(nil, &b.Vals[i])
	if err != nil {
		return err
	}
	want := bytes.Clone(y)
	for k := range x[:cap(x)] {
		x[:cap(x)][k] ^= 0xff
	}
	if !bytes.Equal(y, want) {
		return fmt.Errorf("value %d was encoded twice to the same memory", i)
	}
	if b.Codec.Decoders[0].Input != nil {
		return nil
	}
	z, err := enc(nil, &b.Vals[i])
	if err != nil {
		return err
	}
	dec := b.Codec.Decoders[0].New()
	if err := b.sameValue(dec, want, dec, bytes.Clone(z)); err != nil {
		return fmt.Errorf("value %d is encoded to something else once its first bytes were written over: %w", i, err)
	}
	return nil
}

// checkInput decodes each value twice, overwrites one input, and compares. It also uses values with
// long strings, since some decoders copy only short ones.
func (b *binding[T, N]) checkInput() error {
	d := &b.Codec.Decoders[0]
	in, err := b.Input(d)
	if err != nil {
		return err
	}
	dec := d.New()
	for _, in := range [][][]byte{in[:min(len(in), 32)], b.longInputs()} {
		for i := range in {
			if err := b.checkOneInput(dec, in[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *binding[T, N]) checkOneInput(dec func([]byte, *N) error, in []byte) error {
	var want, got N
	mine := bytes.Clone(in)
	if err := dec(bytes.Clone(in), &want); err != nil {
		return err
	}
	if err := dec(mine, &got); err != nil {
		return err
	}
	if !bytes.Equal(mine, in) {
		return errors.New("it writes to its input")
	}
	for j := range mine {
		mine[j] ^= 0xff
	}
	w, err := b.comparable(&want)
	if err != nil {
		return cannotTell(err.Error())
	}
	g, err := b.comparable(&got)
	if err != nil {
		return fmt.Errorf("after its input was overwritten the value is broken: %w", err)
	}
	if diffs := fidelity.Compare(w, g, alike); len(diffs) > 0 {
		return fmt.Errorf("%s changed when the input was overwritten", diffs[0].Path)
	}
	return nil
}

// longInputs returns messages of a few values whose strings and bytes were made long. It leaves out
// values that the codec refuses, and returns none for codecs with a type of their own.
func (b *binding[T, N]) longInputs() (out [][]byte) {
	if b.Codec.Decoders[0].Input != nil {
		return nil
	}
	enc, dec := b.Codec.Encoders[0].New(), b.Codec.Decoders[0].New()
	for i, v := range b.copies(8) {
		anatomy.Lengthen(&v, 64<<(i%4))
		w, err := enc(nil, &v)
		if err != nil {
			continue
		}
		if bench.Try(func() error { return dec(bytes.Clone(w), new(N)) }) == nil {
			out = append(out, w)
		}
	}
	return out
}

// copies returns at most n of the values, made anew as the codec takes them, so that they may be
// changed. It returns nil for codecs with a type of their own.
func (b *binding[T, N]) copies(n int) []N {
	if b.convert != nil {
		return nil
	}
	anew, err := b.anew(n)
	if err != nil {
		return nil
	}
	return b.own(anew[:min(len(anew), n)])
}

// checkApart decodes the same bytes twice and changes one of the values wherever it can be changed.
// The other value, the input and values decoded later must not change.
func (b *binding[T, N]) checkApart() error {
	if b.Codec.Compare != nil {
		return cannotTell("the row beside it tells")
	}
	d := &b.Codec.Decoders[0]
	in, err := b.Input(d)
	if err != nil {
		return err
	}
	dec := d.New()
	for i := range min(len(in), 32) {
		if err := apartValues(dec, in[i]); err != nil {
			return fmt.Errorf("value %d: %w", i, err)
		}
	}
	return nil
}

func apartValues[N any](dec func([]byte, *N) error, in []byte) error {
	mine := bytes.Clone(in)
	var x, y, z N
	for _, v := range []*N{&x, &y} {
		if err := dec(mine, v); err != nil {
			return err
		}
	}
	before, own := anatomy.DigestOf(&y), anatomy.DigestOf(&x)
	anatomy.Overrun(&x)
	switch {
	case anatomy.DigestOf(&x) != own:
		return errors.New("an append to one of its lists writes over another part of the same value")
	case anatomy.DigestOf(&y) != before:
		return errors.New("an append to a list of one decoded value shows in another")
	case !bytes.Equal(mine, in):
		return errors.New("an append to a list of a decoded value shows in the input")
	}
	anatomy.Scramble(&x)
	switch {
	case anatomy.DigestOf(&y) != before:
		return errors.New("a change of one decoded value shows in another that was decoded from the same bytes")
	case !bytes.Equal(mine, in):
		return errors.New("a change of a decoded value shows in the input")
	}
	if err := dec(mine, &z); err != nil {
		return err
	}
	if diffs := fidelity.Compare(y, z, alike); len(diffs) > 0 {
		return errors.New("a change of a decoded value shows in one that was decoded later: " + diffs[0].String())
	}
	return nil
}

// checkAgain changes values in place and encodes them again. A codec that recognises a value by its
// address, or by a part of it, would write the old value.
func (b *binding[T, N]) checkAgain() error {
	vals := b.copies(32)
	if len(vals) == 0 || b.Codec.Compare != nil || b.Codec.Decoders[0].Input != nil {
		return cannotTell("the row beside it tells")
	}
	enc, dec := b.Codec.Encoders[0].New(), b.Codec.Decoders[0].New()
	r, tried := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())), 0
	var refused refusals
	for i := range vals {
		known := map[string]bool{}
		for try := range againTries {
			if try > 0 && !anatomy.Perturb(&vals[i], r, anatomy.OnePart) {
				break
			}
			var got N
			out, err := enc(nil, &vals[i])
			if err == nil {
				err = dec(bytes.Clone(out), &got)
			}
			if err != nil {
				if try > 0 && b.takes(&vals[i]) {
					refused.add(i, err)
				}
				break
			}
			for _, d := range fidelity.Compare(vals[i], got, b.later()) {
				if try > 0 && !known[kindOf(d)] {
					return fmt.Errorf("value %d was changed and encoded again: %s", i, d)
				}
				known[kindOf(d)] = true
			}
			tried += min(try, 1)
		}
	}
	if refused.n > tried {
		return fmt.Errorf("value %d is refused once it was changed: %w", refused.k, refused.err)
	}
	if tried == 0 {
		return cannotTell("the values have no plain number or string to change")
	}
	return nil
}

// againTries is how often each value is encoded; it is changed before each time but the first.
const againTries = 5

// checkSpare encodes values whose slices have spare capacity. The codec must not write there, since
// the caller may keep something in it.
func (b *binding[T, N]) checkSpare() error {
	enc := b.Codec.Encoders[0].New()
	vals := b.copies(8)
	for i := range vals {
		rooms := anatomy.Roomy(&vals[i])
		before := make([]any, len(rooms))
		for k, room := range rooms {
			c := reflect.MakeSlice(room.Type(), room.Len(), room.Len())
			reflect.Copy(c, room)
			before[k] = c.Interface()
		}
		if _, err := enc(nil, &vals[i]); err != nil {
			continue // other checks judge the values themselves
		}
		for k, room := range rooms {
			if diffs := fidelity.Compare(before[k], room.Interface(), fidelity.Options{}); len(diffs) > 0 {
				return fmt.Errorf("value %d: it writes behind the last element of a %s: %s", i, room.Type(), fmt.Sprint(diffs[0]))
			}
		}
	}
	return nil
}
