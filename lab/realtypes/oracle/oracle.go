// Package oracle is the judge that is built into a subject's module. It runs that module's
// generated code on documents and generated values, and compares the results with encoding/json's
// and with the values themselves. It shares only lab/values and lab/fidelity with the lab's
// workers.
//
// Its source is compiled outside of this repository. So it imports only the standard library,
// lab/values and lab/fidelity.
package oracle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/fidelity"
	"github.com/zmylab/zmy/lab/values"
)

// Codec is a pair of functions that call a codec as a program would.
type Codec[T any] struct {
	Marshal   func(*T) ([]byte, error)
	Unmarshal func([]byte, *T) error
}

// Subject is the type to judge.
type Subject[T any] struct {
	Documents string // file with one JSON document per line
	// Plain returns the value as a type without generated methods, for encoding/json.
	Plain func(*T) any
	JSON  *Codec[T] // must do what encoding/json does; nil: not judged
	ZMY   *Codec[T] // must keep the value; nil: not judged
	// LeavesOut are the fields that ZMY's code declares not to carry, in fidelity.Field's notation.
	LeavesOut []string

	left fidelity.Options // LeavesOut as an option of fidelity
}

// Report is what was found.
type Report struct {
	// Broken says why encoding/json cannot read, write and read the documents again, or is "".
	Broken string `json:"broken,omitempty"`
	// Kept says that every value of the documents survives a round trip by encoding/json.
	Kept      bool    `json:"kept"`
	Lossy     bool    `json:"lossy"`     // some value of the documents loses information in that round trip
	Documents float64 `json:"documents"` // median size of the documents' values as JSON, bytes
	Generated float64 `json:"generated"` // median size of generated values as JSON, bytes
	Mean      float64 `json:"mean"`      // mean size of generated values
	Largest   float64 `json:"largest"`   // size of the largest generated value
	Made      int     `json:"made"`      // generated values that encoding/json writes
	Dropped   int     `json:"dropped"`   // generated values that it does not write or read
	Why       string  `json:"why,omitempty"`
	JSON      Found   `json:"json"`
	ZMY       Found   `json:"zmy"`
}

// Found is what was found about one codec.
type Found struct {
	Checks int      `json:"checks"`
	Wrong  []string `json:"wrong,omitempty"` // the first few differences
	// Sample says that a value from the documents is among the wrong ones.
	Sample bool `json:"sample,omitempty"`
	// Lossy says that some value changed, even if encoding/json changes it in the same way.
	Lossy bool `json:"lossy,omitempty"`
	// Left are the first few places where the codec leaves out what encoding/json keeps, as the
	// codec declares.
	Left []string `json:"left,omitempty"`
}

const (
	generated = 200 // number of values that are generated
	shown     = 5   // differences that are reported at most

	damage = "0123456789 eE+-.,:[]{}\"\\ntfaz\x00\xff" // damaged copies get one of these bytes
)

func (f *Found) differs(sample bool, format string, args ...any) {
	f.Sample = f.Sample || sample
	if len(f.Wrong) < shown {
		f.Wrong = append(f.Wrong, fmt.Sprintf(format, args...))
	}
}

// Main judges a type and writes the report as JSON to standard output.
func Main[T any](s Subject[T]) {
	r, err := s.judge()
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(r)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (s *Subject[T]) judge() (*Report, error) {
	text, err := os.ReadFile(s.Documents)
	if err != nil {
		return nil, err
	}
	r := &Report{Kept: true}
	s.left = fidelity.Options{LeftOut: fieldsOf(reflect.TypeFor[T](), s.LeavesOut)}
	docs := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	var sizes []float64
	for i, doc := range docs {
		var v, again T
		out, err := s.trip(doc, &v, &again)
		if err != nil {
			r.Broken, r.Kept = fmt.Sprintf("document %d: %v", i+1, err), false
			continue
		}
		sizes = append(sizes, float64(len(out)))
		diffs := fidelity.Compare(v, again, fidelity.Options{})
		r.Kept = r.Kept && len(diffs) == 0
		r.Lossy = r.Lossy || fidelity.Grade(diffs) == fidelity.GradeLossy
		s.hold(r, fmt.Sprintf("document %d", i+1), true, &v)
		s.read(r, fmt.Sprintf("document %d", i+1), doc)
	}
	r.Documents = median(sizes)
	s.generate(r)
	return r, nil
}

// trip reads a document into v, writes v, and reads the result into again.
func (s *Subject[T]) trip(doc []byte, v, again *T) ([]byte, error) {
	if err := json.Unmarshal(doc, s.Plain(v)); err != nil {
		return nil, err
	}
	out, err := json.Marshal(s.Plain(v))
	if err != nil {
		return nil, err
	}
	return out, json.Unmarshal(out, s.Plain(again))
}

// generate judges generated values, and values that are meant to break codecs.
func (s *Subject[T]) generate(r *Report) {
	m, err := values.New[T](1)
	if err != nil {
		r.Why = err.Error()
		return
	}
	var sizes []float64
	for i := range generated {
		v, err := m.Next()
		if err != nil {
			r.Why = err.Error()
			return
		}
		out, err := guarded(func() ([]byte, error) { return json.Marshal(s.Plain(&v)) })
		if err == nil {
			_, err = guarded(func() ([]byte, error) { return nil, json.Unmarshal(out, s.Plain(new(T))) })
		}
		if err != nil {
			r.Dropped, r.Why = r.Dropped+1, err.Error()
			continue
		}
		sizes = append(sizes, float64(len(out)))
		s.hold(r, fmt.Sprintf("generated %d", i), false, &v)
		if i < 20 {
			s.read(r, fmt.Sprintf("generated %d", i), out)
		}
	}
	r.Made, r.Generated, r.Largest = len(sizes), median(sizes), largest(sizes)
	r.Mean = mean(sizes)
	if v, err := values.Dense[T](); err == nil && s.JSON != nil {
		s.json(&r.JSON, "dense", false, &v)
		_ = values.Adversarial(func(c *values.Case[T]) bool { // Dense, checked above, is its only source of errors
			s.json(&r.JSON, c.Name+" at "+c.Where(), false, c.Value)
			return true
		})
	}
}

// hold judges a value with both codecs.
func (s *Subject[T]) hold(r *Report, name string, sample bool, v *T) {
	if s.JSON != nil {
		s.json(&r.JSON, name, sample, v)
	}
	if s.ZMY != nil {
		s.zmy(&r.ZMY, name, sample, v)
	}
}

// json compares the bytes that the generated code writes with encoding/json's.
func (s *Subject[T]) json(f *Found, name string, sample bool, v *T) {
	f.Checks++
	// Guarded, since methods of the type may panic on a zero value.
	want, wantErr := guarded(func() ([]byte, error) { return json.Marshal(s.Plain(v)) })
	got, gotErr := guarded(func() ([]byte, error) { return s.JSON.Marshal(v) })
	switch {
	case (wantErr == nil) != (gotErr == nil):
		f.differs(sample, "%s: marshal: error %v, encoding/json %v", name, gotErr, wantErr)
	case wantErr == nil && !bytes.Equal(want, got):
		f.differs(sample, "%s: marshal: %s", name, apart(got, want))
	}
}

// read compares what the generated code reads with what encoding/json reads, from a document and
// from truncated and damaged copies of it.
func (s *Subject[T]) read(r *Report, name string, doc []byte) {
	if s.JSON == nil {
		return
	}
	s.readOne(&r.JSON, name, doc)
	rng := rand.New(rand.NewPCG(1, uint64(len(doc))))
	for range 40 {
		mine := bytes.Clone(doc)
		if rng.IntN(2) == 0 {
			mine = mine[:rng.IntN(len(mine))]
		} else {
			mine[rng.IntN(len(mine))] = damage[rng.IntN(len(damage))]
		}
		s.readOne(&r.JSON, name+", damaged", mine)
	}
}

func (s *Subject[T]) readOne(f *Found, name string, doc []byte) {
	f.Checks++
	var want, got T
	_, wantErr := guarded(func() ([]byte, error) { return nil, json.Unmarshal(doc, s.Plain(&want)) })
	_, gotErr := guarded(func() ([]byte, error) { return nil, s.JSON.Unmarshal(bytes.Clone(doc), &got) })
	switch {
	case (wantErr == nil) != (gotErr == nil):
		f.differs(false, "%s: unmarshal: error %v, encoding/json %v; input %.200q", name, gotErr, wantErr, doc)
	case wantErr == nil && !reflect.DeepEqual(want, got):
		diffs := fidelity.Compare(want, got, fidelity.Options{})
		if len(diffs) > 0 {
			f.differs(false, "%s: unmarshal: encoding/json's value differs: %s", name, diffs[0])
		}
	}
}

// zmy checks the round trip of a value through the native format.
func (s *Subject[T]) zmy(f *Found, name string, sample bool, v *T) {
	f.Checks++
	out, err := guarded(func() ([]byte, error) { return s.ZMY.Marshal(v) })
	if err != nil {
		f.differs(sample, "%s: marshal: %v", name, err)
		return
	}
	var got T
	if _, err := guarded(func() ([]byte, error) { return nil, s.ZMY.Unmarshal(out, &got) }); err != nil {
		f.differs(sample, "%s: unmarshal: %v", name, err)
		return
	}
	lost := s.lossy(*v, got)
	f.Lossy = f.Lossy || len(lost) > 0
	if len(lost) == 0 && len(s.LeavesOut) == 0 {
		return
	}
	var kept T
	_, err = guarded(func() ([]byte, error) {
		text, err := json.Marshal(s.Plain(v))
		if err != nil {
			return nil, err
		}
		return nil, json.Unmarshal(text, s.Plain(&kept))
	})
	if err == nil {
		lost = s.own(lost, *v, kept, got)
		s.leaves(f, name, kept, got)
	}
	if len(lost) > 0 {
		f.differs(sample, "%s: %s", name, lost[0])
	}
}

// lossy lists all losses, except for fields that the codec leaves out.
func (s *Subject[T]) lossy(before, after T) (out []fidelity.Diff) {
	opt := s.left
	opt.Every = true
	for _, d := range fidelity.Compare(before, after, opt) {
		if d.Kind == fidelity.Lossy {
			out = append(out, d)
		}
	}
	return out
}

// own removes the losses that encoding/json has in the same way; kept is what encoding/json made of
// v.
func (s *Subject[T]) own(lost []fidelity.Diff, v, kept, got T) []fidelity.Diff {
	same := map[string]bool{}
	for _, d := range s.lossy(v, kept) {
		same[d.Path] = true
	}
	for _, d := range s.lossy(kept, got) {
		delete(same, d.Path)
	}
	return slices.DeleteFunc(lost, func(d fidelity.Diff) bool { return same[d.Path] })
}

// leaves records the first place of a value where the codec leaves out what encoding/json keeps. A
// place that changes only in form does not count, such as an empty list that becomes nil.
func (s *Subject[T]) leaves(f *Found, name string, kept, got T) {
	if len(s.LeavesOut) == 0 || len(f.Left) >= shown {
		return
	}
	all := fidelity.Compare(kept, got, fidelity.Options{Every: true})
	for _, d := range fidelity.Compare(kept, got, s.left) {
		if d.Cause == "left out" && slices.ContainsFunc(all, func(x fidelity.Diff) bool {
			return x.Kind == fidelity.Lossy && strings.HasPrefix(x.Path, d.Path)
		}) {
			f.Left = append(f.Left, fmt.Sprintf("%s: %s", name, d))
			return
		}
	}
}

// fieldsOf finds the fields with these names in t and in the types that it contains.
func fieldsOf(t reflect.Type, names []string) map[fidelity.Field]bool {
	out, seen := map[fidelity.Field]bool{}, map[reflect.Type]bool{}
	var visit func(t reflect.Type)
	visit = func(t reflect.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		switch t.Kind() {
		case reflect.Map:
			visit(t.Key())
			visit(t.Elem())
		case reflect.Pointer, reflect.Slice, reflect.Array:
			visit(t.Elem())
		case reflect.Struct:
			for i := range t.NumField() {
				if f := (fidelity.Field{Type: t, Name: t.Field(i).Name}); slices.Contains(names, f.String()) {
					out[f] = true
				}
				visit(t.Field(i).Type)
			}
		}
	}
	visit(t)
	return out
}

func guarded(call func() ([]byte, error)) (out []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return call()
}

// apart shows where two texts begin to differ.
func apart(got, want []byte) string {
	i := 0
	for i < min(len(got), len(want)) && got[i] == want[i] {
		i++
	}
	from := max(0, i-30)
	part := func(b []byte) []byte { return b[min(from, len(b)):min(i+40, len(b))] }
	return fmt.Sprintf("at byte %d: …%s… where encoding/json has …%s…", i, part(got), part(want))
}

func median(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(x))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, n := range x {
		sum += n
	}
	return math.Round(sum / float64(max(1, len(x))))
}

func largest(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	return slices.Max(x)
}
