package serve

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/fidelity"
	"github.com/zmylab/zmy/lab/values"
	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/lab/worker/bench"
)

// extremes takes values through the codec that the user's type can hold but ordinary values do not
// show. The first is a dense value, with something in every place. If the codec loses part of it,
// the grade counts that like any other loss. The same holds for lengths and numbers that an
// ordinary program may have. If the values are the user's own, such lengths and numbers do not
// count. Of the dense value, only the part counts then that encoding/json writes and reads again.
// The other extremes are returned as edges if they did not come back unchanged. If the codec or the
// type refuses the dense value, the extremes are put into a value of the run.
func (b *binding[T, N]) extremes(value, contract *fidelity.Summary) (edges []worker.Edge, tried int, spoilt string) {
	d := &b.Codec.Decoders[0]
	if b.Codec.Family == "floor" || d.Input != nil {
		return nil, 0, ""
	}
	t := &trial[T, N]{binding: b, enc: b.Codec.Encoders[0].New(), dec: d.New(), value: value, contract: contract}
	t.graded, t.base = map[string]bool{}, map[string]bool{}
	t.next = b.newAftermath(t.enc, t.dec)
	for _, c := range value.Top(value.Kinds()) {
		t.graded[kindOf(c.Diff)] = true
	}
	if dense, err := values.Dense[T](); err == nil && t.dense(&dense) {
		_ = values.Adversarial(t.try)                 // the error is that of Dense, which worked
		if b.owned() || len(b.subject.Samplers) > 0 { // the generator puts no structs into interfaces
			if v := b.richest(values.PlacesBehind[T]); v != nil {
				values.Behind(v, t.try)
			}
		}
	} else if v := b.richest(values.Places[T]); v != nil {
		t.try(&values.Case[T]{Name: "zero", Paths: []string{"."}, Value: new(T)})
		values.Around(v, t.try)
	}
	return t.out, t.tried, t.spoilt
}

// richValues is the number of values among which richest chooses.
const richValues = 16

// richest returns a copy of the value with the most places for extremes, or nil if none has any.
func (b *binding[T, N]) richest(places func(v *T) int) (v *T) {
	vals, err := b.anew(richValues)
	if err != nil {
		return nil
	}
	most := 0
	for i := range vals {
		if n := places(&vals[i]); n > most {
			v, most = &vals[i], n
		}
	}
	return v
}

// trial takes extreme values through one codec.
type trial[T, N any] struct {
	*binding[T, N]
	enc             func([]byte, *N) ([]byte, error)
	dec             func([]byte, *N) error
	value, contract *fidelity.Summary
	graded          map[string]bool // kinds of change that count in the grade
	base            map[string]bool // kinds of change that the value shows even without the extreme
	out             []worker.Edge
	tried           int
	next            *aftermath[T, N]
	spoilt          string // how a sound value went wrong after one was refused
}

// passed is a value that went through the codec.
type passed[N any] struct {
	v     *N // as the codec takes it
	wire  []byte
	after any // what came back, in the form that fidelity compares
	diffs []fidelity.Diff
}

// pass takes one value through the codec. A panic is an error.
func (t *trial[T, N]) pass(c *T) (*passed[N], error) {
	p := &passed[N]{v: new(N)}
	err := bench.Try(func() (err error) {
		if *p.v, err = t.one(c); err != nil {
			return err
		}
		p.wire, err = t.enc(nil, p.v)
		return err
	})
	if err != nil {
		return nil, err
	}
	if p.after, err = t.decoded(t.dec, p.wire); err != nil {
		return nil, err
	}
	var before any = *c
	if t.Codec.Compare == nil {
		before = *p.v
	}
	p.diffs = fidelity.Compare(before, p.after, t.allowed())
	return p, nil
}

// dense grades the dense value. It reports whether the codec accepts it.
func (t *trial[T, N]) dense(c *T) bool {
	p, err := t.pass(c)
	if err != nil {
		if _, refused := carry(c); refused == nil {
			t.add(worker.Edge{Name: "something in every place", Path: ".", Result: worker.EdgeRefused, After: err.Error()})
		}
		return false
	}
	shown := t.graded
	if t.owned() {
		shown = t.base // the user has no such value, so it does not count in the grade
	}
	for _, x := range p.diffs {
		shown[kindOf(x)] = true
	}
	if t.owned() {
		p = t.spelt(c)
	}
	if p != nil {
		t.plain(p)
	}
	return true
}

// try takes a case through the codec, and reports whether the codec accepted it.
func (t *trial[T, N]) try(c *values.Case[T]) bool {
	t.tried++
	p, err := t.pass(c.Value)
	if err != nil {
		t.add(worker.Edge{Name: c.Name, Path: c.Where(), Result: worker.EdgeRefused, After: err.Error()})
		if text := t.next.text(true); text != "" && t.spoilt == "" {
			t.spoilt = fmt.Sprintf("once %s at %s was refused, %s", c.Name, c.Where(), text)
		}
		return false
	}
	switch e, ok := t.edge(c.Name, c.Paths, p.diffs); {
	case ok && e.Result == worker.EdgeLost && c.Plain && !t.owned():
		t.plain(p)
	case ok:
		t.add(e)
	}
	return true
}

// worse orders the outcomes of an extreme value.
var worse = map[string]int{worker.EdgeNormalised: 1, worker.EdgeRefused: 2, worker.EdgeLost: 3}

// add keeps only the worst outcome of each extreme, and the first place that shows it.
func (t *trial[T, N]) add(e worker.Edge) {
	for i, known := range t.out {
		if known.Name == e.Name {
			if worse[e.Result] > worse[known.Result] {
				t.out[i] = e
			}
			return
		}
	}
	t.out = append(t.out, e)
}

// owned reports whether values come from documents or from a function of the user's package. These
// then decide what the type holds, and the generator does not.
func (b *binding[T, N]) owned() bool { return b.keeper.made.Sample != "" || b.subject.Sample != nil }

// spelt takes through the codec the value that encoding/json reads after writing c. The generator
// makes values that no document gives, such as a pointer to a nil list. If the values are the
// user's own, the codec is not judged by such values. spelt returns nil if encoding/json or the
// codec refuses the value.
func (t *trial[T, N]) spelt(c *T) *passed[N] {
	read := new(T)
	text, err := carry(c)
	if err != nil || json.Unmarshal(text, read) != nil {
		return nil
	}
	p, _ := t.pass(read)
	return p
}

// plain adds a value's losses to the grades. It is for values that an ordinary program may have.
func (t *trial[T, N]) plain(p *passed[N]) {
	if lost := lossy(p.diffs); len(lost) > 0 {
		t.value.Add(lost)
		for _, d := range lost {
			t.graded[kindOf(d)] = true
		}
	}
	if broken, err := t.binding.contract(p.v, p.wire, p.after, p.diffs); err == nil {
		t.contract.Add(broken)
	}
}

// edge returns the outcome of an extreme value. It ignores changes that ordinary values show too,
// and changes that the surrounding value shows in other places.
func (t *trial[T, N]) edge(name string, paths []string, diffs []fidelity.Diff) (worker.Edge, bool) {
	e := worker.Edge{Name: name, Path: paths[0]}
	for _, d := range diffs {
		if k := kindOf(d); t.graded[k] || t.base[k] && !within(d.Path, paths) {
			continue
		}
		result := worker.EdgeNormalised
		if d.Kind == fidelity.Lossy {
			result = worker.EdgeLost
		}
		if worse[result] > worse[e.Result] {
			e.Result, e.Path, e.Before, e.After = result, d.Path, d.Before, d.After
		}
	}
	return e, e.Result != ""
}

// within reports whether a path leads into one of places. The whole value does not count as such a
// place.
func within(path string, places []string) bool {
	return slices.ContainsFunc(places, func(p string) bool {
		rest, ok := strings.CutPrefix(path, p)
		return ok && p != "." && (rest == "" || rest[0] == '.' || rest[0] == '[')
	})
}
