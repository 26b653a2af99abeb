package worker

import (
	"encoding/json"
	"fmt"

	"github.com/zmylab/zmy/lab/fidelity"
	"github.com/zmylab/zmy/lab/values"
)

// Outcomes of taking an extreme value through a codec.
const (
	EdgeNormalised = "normalised"
	EdgeLost       = "lost"    // it came back as something else, and nobody was told
	EdgeRefused    = "refused" // an error
)

// extremes takes values through the codec that a user's type may hold and its ordinary values
// do not show. The first one has something in every place: what is lost of it belongs to the
// grade like any other loss. Of the others it returns those that did not come back as they
// were.
func (b *bench[T, N]) extremes(value, contract *fidelity.Summary) (out []Edge, tried int) {
	d := &b.codec.Decoders[0]
	if b.codec.Family == "floor" || d.Input != nil {
		return nil, 0
	}
	cases, err := values.Adversarial[T]()
	if err != nil {
		return nil, 0 // the generator cannot make this type
	}
	enc, dec := b.codec.Encoders[0].New(), d.New()
	usual := map[string]bool{}
	for _, c := range value.Top(value.Kinds()) {
		usual[kindOf(c.Diff)] = true
	}
	for i := range cases {
		c := &cases[i]
		v, wire, after, err := b.extreme(enc, dec, &c.Value)
		if err != nil {
			if i == 0 {
				return nil, 0 // it refuses what the generator makes of this type, so extremes of it tell nothing
			}
			out = append(out, Edge{Name: c.Name, Path: c.Path, Result: EdgeRefused, After: err.Error()})
			continue
		}
		diffs := fidelity.Compare(b.originOf(&c.Value, v), after, b.allowed())
		if i == 0 {
			for _, x := range diffs {
				usual[kindOf(x)] = true
			}
			if b.owned() {
				v, wire, after, diffs = b.spelt(enc, dec, &c.Value)
			}
			if v != nil {
				b.plain(value, contract, v, wire, after, diffs)
			}
			continue
		}
		if e, ok := edgeOf(c.Name, c.Path, diffs, usual); ok {
			out = append(out, e)
		}
	}
	return out, len(cases) - 1
}

// owned reports values that come of documents or of a function of the user's package: they,
// and not the generator, say what the type holds.
func (b *bench[T, N]) owned() bool { return b.keeper.made.Sample != "" || b.subject.Sample != nil }

// spelt takes through the codec what encoding/json reads of c after it has written c. The
// generator makes values that no document gives, such as a pointer to a list that is null, and
// a user's own values are not judged by those. v is nil without an answer.
func (b *bench[T, N]) spelt(enc func([]byte, *N) ([]byte, error), dec func([]byte, *N) error, c *T) (v *N, wire []byte, after any, diffs []fidelity.Diff) {
	read := new(T)
	text, err := carry(c)
	if err != nil || json.Unmarshal(text, read) != nil {
		return nil, nil, nil, nil
	}
	if v, wire, after, err = b.extreme(enc, dec, read); err != nil {
		return nil, nil, nil, nil
	}
	return v, wire, after, fidelity.Compare(b.originOf(read, v), after, b.allowed())
}

// plain adds the loss of the value that has something in every place.
func (b *bench[T, N]) plain(value, contract *fidelity.Summary, v *N, wire []byte, after any, diffs []fidelity.Diff) {
	broken, err := b.contract(v, wire, after, diffs)
	if err != nil {
		return
	}
	if lost := lossy(diffs); len(lost) > 0 {
		value.Add(lost)
	}
	contract.Add(broken)
}

// extreme takes one value through the codec. A panic is an error.
func (b *bench[T, N]) extreme(enc func([]byte, *N) ([]byte, error), dec func([]byte, *N) error, c *T) (v *N, wire []byte, after any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	n, err := b.one(c)
	if err != nil {
		return nil, nil, nil, err
	}
	if wire, err = enc(nil, &n); err != nil {
		return nil, nil, nil, err
	}
	var got N
	if err = dec(wire, &got); err != nil {
		return nil, nil, nil, err
	}
	after, err = b.comparable(&got)
	return &n, wire, after, err
}

// originOf is what the decoded form of a value is compared with.
func (b *bench[T, N]) originOf(c *T, v *N) any {
	if b.codec.Compare == nil {
		return *v
	}
	return *c
}

// edgeOf says what became of an extreme value, beside changes that ordinary ones show too.
func edgeOf(name, path string, diffs []fidelity.Diff, usual map[string]bool) (Edge, bool) {
	e := Edge{Name: name, Path: path}
	for _, d := range diffs {
		if usual[kindOf(d)] {
			continue
		}
		result := EdgeNormalised
		if d.Kind == fidelity.Lossy {
			result = EdgeLost
		}
		if e.Result == "" || e.Result == EdgeNormalised && result == EdgeLost {
			e.Result, e.Path, e.Before, e.After = result, d.Path, d.Before, d.After
		}
	}
	return e, e.Result != ""
}
