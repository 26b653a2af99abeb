package values

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"

	"github.com/zmylab/zmy/codec/capture/fit"
)

// learned is the subject of a fit that was learned from documents without a type.
const learned = "documents"

// Learn learns a fit from documents of valid JSON, as [ReadDocuments] returns them. The documents are
// the user's own and on their disk, so every path is public: the fit keeps up to 2048 values of each.
func Learn(docs []Document, source string) (*fit.Fit, error) {
	l := fit.NewLearner(fit.Limits{MaxBytes: math.MaxInt, MaxPaths: math.MaxInt, MaxParts: math.MaxInt, MaxElements: math.MaxInt32,
		MaxDepth: 10_000, MaxValues: 2048, Public: map[string][]string{"*": {"*"}}})
	for _, d := range docs {
		if !l.JSON(learned, d.Text, nil) {
			return nil, fmt.Errorf("fit: %s:%d is not valid JSON", d.File, d.Line)
		}
	}
	f := fit.Merge(l.Fit)
	for _, s := range f.Subjects {
		s.Sources = []string{source}
	}
	if len(f.Subjects) == 0 {
		return nil, errors.New("fit: there is no document to learn from")
	}
	return f, nil
}

// ReadFit reads a fit that was saved as JSON. ok is false if the file holds anything else.
func ReadFit(name string) (f *fit.Fit, ok bool, err error) {
	f, err = fit.ReadFile(name)
	var damaged *json.SyntaxError
	switch {
	case err == nil:
		return f, true, nil
	case errors.Is(err, fit.ErrNoFit), !strings.Contains(err.Error(), "fit:"), errors.As(err, &damaged):
		return nil, false, nil // the reader of documents reports errors
	}
	return nil, true, err
}

// SubjectFor returns the subject of f for values of type t, or the only one. Type is the name with
// the path of its package. With "" it returns the only one.
func SubjectFor(f *fit.Fit, typ string) (*fit.Subject, error) {
	if s := f.Subject(typ); s != nil {
		return s, nil
	}
	if len(f.Subjects) == 1 {
		return f.Subjects[0], nil
	}
	var names []string
	for _, s := range f.Subjects {
		names = append(names, s.Name)
	}
	if typ == "" {
		typ = "one subject"
	}
	return nil, fmt.Errorf("fit: it does not hold %s, but %d subjects: %s; name one of these types", typ, len(names),
		strings.Join(names, ", "))
}

// refusedAtMost is the largest share of the values that may be refused. If more are, the fit was
// not learned from documents of this type.
const refusedAtMost = 0.5

// FromFit draws documents from a subject of a fit and unmarshals them with encoding/json. A document
// that T does not read is drawn again, up to eight times, with strings that were seen if the fit has
// any. A part whose type reads only texts of its own form is made as [New] makes it, if the fit holds
// no text of it. If T reads none of the documents the value stays zero and is a Refusal. It is an
// error if more than eight values are refused, and these are more than half of all. Value i depends
// only on (o.Seed, i).
func FromFit[T any](s *fit.Subject, o Options) ([]T, []Refusal, error) {
	var refused []Refusal
	d, shared := fit.NewDrawer(s), newLore()
	shared.own, shared.named = samplersOf(o.Samplers), o.Constants
	d.Own = func(r *rand.Rand, t reflect.Type, name string) ([]byte, bool) {
		return drawOwn(newFiller(r, shared), t, name)
	}
	one := func(i uint64) (v T) {
		for try := uint64(0); ; try++ {
			// A try of value i has a source that no other value uses. So a value does not depend on how
			// often earlier ones were refused.
			doc := d.Document(rand.New(rand.NewPCG(o.Seed, i+try<<40)), reflect.TypeFor[T](), try > 0)
			var fresh T
			err := json.Unmarshal(doc, &fresh)
			if err == nil {
				return fresh
			}
			if try == 8 {
				refused = append(refused, Refusal{fmt.Sprintf("value %d", i), strings.TrimPrefix(err.Error(), "json: ")})
				return v
			}
		}
	}
	vals := Fill(o, one)
	if float64(len(refused)) > refusedAtMost*float64(max(len(vals), 16)) {
		return nil, refused, errors.New("fit: " + reflect.TypeFor[T]().String() + " does not read what is drawn: " + refused[0].Why)
	}
	return vals, refused, nil
}

// drawOwn makes the JSON of a type with its own form.
func drawOwn(f *filler, t reflect.Type, name string) (text []byte, ok bool) {
	defer func() { ok = recover() == nil && ok }() // a method of the user's type
	v := reflect.New(t).Elem()
	f.fill(v, f.hints.of(name, ""))
	if f.err != nil || f.unmade > 0 {
		return nil, false
	}
	text, err := json.Marshal(v.Addr().Interface())
	return text, err == nil
}
