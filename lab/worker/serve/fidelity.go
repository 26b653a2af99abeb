package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/fidelity"
	"github.com/zmylab/zmy/lab/values"
	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/lab/worker/bench"
)

// kindsShown bounds the number of kinds of difference in a grade.
const kindsShown = 8

// fidelity judges every value twice. For the value grade, it compares the decoded value with the
// original. For the contract grade, it compares with what the codec's family promises. This is
//
//   - json: bytes that mean the same as encoding/json's, and the value that
//     encoding/json decodes from its own bytes;
//   - a codec with a schema mapping: the value after that mapping;
//   - any other: the value itself, where its Go type determines it. A change of type
//     inside an interface counts only in the value grade.
func (b *binding[T, N]) fidelity() (*worker.Fidelity, error) {
	if len(b.Codec.Encoders) == 0 || len(b.Codec.Decoders) == 0 {
		return nil, fmt.Errorf("%s has no encoder or no decoder", b.Codec.Name)
	}
	enc, d := b.Codec.Encoders[0].New(), &b.Codec.Decoders[0]
	dec := d.New()
	var inputs [][]byte
	if d.Input != nil {
		in, err := d.Input(b.Vals)
		if err != nil {
			return nil, err
		}
		inputs = in
	}
	var value, contract fidelity.Summary
	back := map[fidelity.Field]bool{}
	for i := range b.Vals {
		out, err := enc(nil, &b.Vals[i])
		if err != nil {
			return failed(i, "encode", err), nil
		}
		in := out
		if inputs != nil {
			in = inputs[i]
		}
		var got N
		if err := dec(in, &got); err != nil {
			return failed(i, "decode", err), nil
		}
		after, err := b.comparable(&got)
		if err != nil {
			return failed(i, "convert back", err), nil
		}
		diffs := fidelity.Compare(b.original(i), after, b.allowed())
		value.Add(diffs)
		fidelity.CameBack(back, b.original(i), after)
		broken, err := b.contract(&b.Vals[i], out, after, diffs)
		if err != nil {
			return failed(i, "contract", err), nil
		}
		contract.Add(broken)
	}
	if text := b.mutated(); text != "" {
		return &worker.Fidelity{Value: grade(&value), Contract: grade(&contract), Changed: text}, nil
	}
	kinds := kindsOf(&value)
	edges, tried, spoilt := b.extremes(&value, &contract)
	b.documents(&contract)
	f := &worker.Fidelity{Value: grade(&value), Contract: grade(&contract), Kinds: kinds, Edges: edges, Tried: tried, Spoilt: spoilt}
	f.Dashed = b.dashed(back)
	f.Contract.Grade = "KEPT"
	if contract.Kinds() > 0 {
		f.Contract.Grade = "BROKEN"
	}
	return f, nil
}

// dashed names the fields that came back although encoding/json leaves them out.
func (b *binding[T, N]) dashed(back map[fidelity.Field]bool) (names []string) {
	for f := range back {
		if !b.carried[f] {
			names = append(names, f.String())
		}
	}
	slices.Sort(names)
	return names
}

// kindsOf returns all kinds of change in s.
func kindsOf(s *fidelity.Summary) (out []string) {
	for _, c := range s.Top(s.Kinds()) {
		out = append(out, kindOf(c.Diff))
	}
	return out
}

// allowed returns the options for comparing a decoded value with the original.
func (b *binding[T, N]) allowed() fidelity.Options {
	if b.carried == nil {
		if b.carried = fidelity.KeptByJSON(b.origin[:min(len(b.origin), keptValues)]); b.carried == nil {
			b.carried = map[fidelity.Field]bool{}
		}
	}
	o := b.Codec.Allowed()
	o.Kept = b.carried
	return o
}

// later returns the options for comparing a decoded value with the original once the codec has been
// judged. Whether an empty list is nil is graded by fidelity alone: it may depend on the memory that
// earlier calls, also in other modes, left in a pool.
func (b *binding[T, N]) later() fidelity.Options {
	o := b.allowed()
	o.EmptyIsNil = true
	return o
}

// alike has the options for comparing two results of one codec that must be equal.
var alike = fidelity.Options{EmptyIsNil: true}

// keptValues is the number of values from which allowed learns what encoding/json carries although
// a struct tag json:"-" leaves it out.
const keptValues = 64

// original returns the value with which decoded value i is compared.
func (b *binding[T, N]) original(i int) any {
	if b.Codec.Compare == nil {
		return b.Vals[i]
	}
	return b.origin[i]
}

// contract returns the differences by which value v breaks the family's contract.
func (b *binding[T, N]) contract(v *N, out []byte, after any, diffs []fidelity.Diff) ([]fidelity.Diff, error) {
	if b.Codec.Mapped != nil {
		want, err := b.Codec.Mapped(v)
		if err != nil {
			return nil, err
		}
		return lossy(fidelity.Compare(want, after, fidelity.Options{})), nil
	}
	if b.Codec.Family == "json" {
		if ref, err := json.Marshal(v); err == nil {
			return jsonContract[N](ref, out, after), nil
		}
	}
	var broken []fidelity.Diff
	for _, d := range lossy(diffs) {
		if !retyped(d) {
			broken = append(broken, d)
		}
	}
	return broken, nil
}

// jsonContract compares bytes and decoded value with those of encoding/json.
func jsonContract[N any](ref, out []byte, after any) []fidelity.Diff {
	if same, path := fidelity.SameJSON(ref, out); !same {
		return []fidelity.Diff{{Path: path, Pattern: path, Before: shortFrom(ref, out), After: shortFrom(out, ref),
			Kind: fidelity.Lossy, Cause: "document"}}
	}
	var want N
	if json.Unmarshal(ref, &want) != nil {
		return nil // encoding/json itself does not read the type back
	}
	if _, ok := after.(N); !ok {
		return nil
	}
	return lossy(fidelity.Compare(want, after, fidelity.Options{}))
}

// shortFrom shortens a. The result begins shortly before the first byte that differs from other.
func shortFrom(a, other []byte) string {
	const before = 16
	from := 0
	for from < min(len(a), len(other)) && a[from] == other[from] {
		from++
	}
	if from <= 2*before {
		return short(a)
	}
	from -= before
	for from < len(a) && a[from]&0xC0 == 0x80 { // do not begin inside a rune
		from++
	}
	return "…" + short(a[from:])
}

func lossy(diffs []fidelity.Diff) []fidelity.Diff {
	var out []fidelity.Diff
	for _, d := range diffs {
		if d.Kind == fidelity.Lossy {
			out = append(out, d)
		}
	}
	return out
}

// retyped reports a change of type inside an interface, such as `int → string`.
func retyped(d fidelity.Diff) bool {
	before, after, ok := strings.Cut(d.Cause, " → ")
	plain := func(s string) bool { return s == "nil" || s == "empty" || s == "pointer" }
	return ok && !plain(before) && !plain(after)
}

// failed returns the grades of a codec that cannot carry value i.
func failed(i int, op string, err error) *worker.Fidelity {
	d := []worker.Diff{{Path: fmt.Sprintf("value %d", i), Before: op, After: err.Error(), Kind: fidelity.Lossy, Count: 1}}
	return &worker.Fidelity{Contract: worker.Grade{Grade: "BROKEN", Diffs: d}, Value: worker.Grade{Grade: "FAILS", Diffs: d}}
}

func grade(s *fidelity.Summary) worker.Grade {
	g := worker.Grade{Grade: s.Grade()}
	for _, c := range s.Top(kindsShown) {
		g.Diffs = append(g.Diffs, worker.Diff{Path: c.Path, Before: c.Before, After: c.After, Kind: c.Kind, Count: c.Count})
	}
	return g
}

// short shortens a document for a report.
func short(b []byte) string {
	const most = 60
	if len(b) > most {
		return string(b[:most]) + "…"
	}
	return string(b)
}

// documents compares a JSON library with encoding/json on the captured documents themselves. Other
// programs wrote them, so they may contain names in another case, repeated members, or null in any
// place. No library writes these, and each reads them in its own way.
func (b *binding[T, N]) documents(contract *fidelity.Summary) {
	name, d := b.keeper.made.Sample, &b.Codec.Decoders[0]
	if b.Codec.Family != "json" || name == "" || d.Input != nil || reflect.TypeFor[T]() != reflect.TypeFor[N]() {
		return
	}
	if _, fit, err := values.ReadFit(name); fit || err != nil {
		return
	}
	docs, _, err := values.ReadDocuments(name, values.ReadsArrays(reflect.TypeFor[T]()))
	if err != nil {
		return // making the values from the file has reported this already
	}
	dec := d.New()
	for _, doc := range docs[:min(len(docs), len(b.Vals))] {
		contract.Add(readAlike(dec, doc))
	}
}

// readAlike returns the differences between what dec and encoding/json read from a document.
func readAlike[N any](dec func([]byte, *N) error, doc values.Document) []fidelity.Diff {
	var want, got N
	if json.Unmarshal(doc.Text, &want) != nil {
		return nil
	}
	where := fmt.Sprintf("%s:%d", doc.File, doc.Line)
	if err := bench.Try(func() error { return dec(bytes.Clone(doc.Text), &got) }); err != nil {
		return []fidelity.Diff{{Path: where, Pattern: "document", Before: "read by encoding/json", After: err.Error(),
			Kind: fidelity.Lossy, Cause: "refused"}}
	}
	diffs := lossy(fidelity.Compare(want, got, fidelity.Options{}))
	for i := range diffs {
		diffs[i].Path = where + " " + diffs[i].Path
	}
	return diffs
}
