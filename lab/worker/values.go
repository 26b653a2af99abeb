package worker

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/zmylab/zmy/lab/values"
)

// values makes the values and sets the codec up.
func (b *bench[T, N]) values(q *Request) (*Values, error) {
	origin, source, err := b.makeValues(q)
	if err != nil {
		return nil, err
	}
	asked := q.N
	grown := ""
	if q.Grow > 0 {
		if origin, grown, err = grow(origin, q.Grow); err != nil {
			return nil, err
		}
		asked = min(asked, len(origin)) // those that cannot grow were left out
	}
	if err := b.load(origin, q.Seed); err != nil {
		return nil, err
	}
	if err := b.respellAll(q.Input, q.Seed); err != nil {
		return nil, fmt.Errorf("input %s: %w", q.Input, err)
	}
	return &Values{N: len(origin), Source: source, Capped: len(origin) < asked, Procs: runtime.GOMAXPROCS(0), Grown: grown}, nil
}

// makeValues takes them from a file of JSON documents, from the package's own
// sample function, or from the names and types of the fields.
func (b *bench[T, N]) makeValues(q *Request) ([]T, string, error) {
	opt := values.Options{Seed: q.Seed, N: q.N, MaxBytes: q.Cap}
	switch {
	case q.Sample != "":
		data, err := os.ReadFile(q.Sample)
		if err != nil {
			return nil, "", err
		}
		vals, err := values.FromSamples[T](data)
		if err != nil {
			return nil, "", fmt.Errorf("sample %s: %w", q.Sample, err)
		}
		return values.Fill(opt, func(i uint64) T { return vals[i%uint64(len(vals))] }), "file " + filepath.Base(q.Sample), nil
	case b.subject.Sample != nil:
		return values.Sampled(opt, b.subject.Sample), "func " + b.subject.SampleName, nil
	}
	vals, err := values.Values[T](opt)
	return vals, "field names and types", err
}

// describe sums the values up. It is not part of values, since it wakes
// encoding/json up, whose first call is measured.
func (b *bench[T, N]) describe() *Describe {
	d := &Describe{Digest: digest(b.origin), Untested: values.Untested(b.origin)}
	for i := range b.origin {
		out, err := json.Marshal(&b.origin[i])
		if err != nil {
			d.JSON = nil
			break
		}
		d.JSON = append(d.JSON, float64(len(out)))
	}
	return d
}
