package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/zmylab/zmy/codec/capture/fit"
	"github.com/zmylab/zmy/lab/values"
	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/lab/worker/anatomy"
	"github.com/zmylab/zmy/lab/worker/bench"
)

// values makes the values and sets up the codec.
func (b *binding[T, N]) values(q *worker.Request) (*worker.Values, error) {
	b.keeper.made = *q
	origin, from, err := b.makeValues(q)
	if err != nil {
		return nil, err
	}
	skipped, _ := slices.BinarySearch(q.Skip, q.N)
	asked := q.N - skipped
	if origin = without(origin, q.Skip); len(origin) == 0 {
		return nil, errors.New("encoding/json carries none of the values")
	}
	if q.Grow > 0 {
		if origin, from.Grown, err = anatomy.Grow(origin, q.Grow); err != nil {
			return nil, err
		}
		asked = min(asked, len(origin)) // values that cannot grow were left out
	}
	if err := b.load(origin, q.Seed); err != nil {
		return nil, err
	}
	if err := b.RespellAll(q.Input, q.Seed); err != nil {
		return nil, fmt.Errorf("input %s: %w", q.Input, err)
	}
	from.N, from.Capped, from.Procs = len(origin), len(origin) < asked, runtime.GOMAXPROCS(0)
	return from, nil
}

// describe describes the values. The command is separate from CmdValues, since it calls
// encoding/json, whose first call is timed.
func (b *binding[T, N]) describe() *worker.Describe {
	d := &worker.Describe{Digest: anatomy.DigestOfAll(b.keeper.digests), Untested: b.untested()}
	d.Alike = len(b.keeper.digests) > 1 && len(slices.Compact(slices.Sorted(slices.Values(b.keeper.digests)))) == 1
	for _, f := range b.Codec.LeavesOut {
		d.LeavesOut = append(d.LeavesOut, f.String())
	}
	for i := range b.origin {
		out, err := carry(&b.origin[i])
		if err != nil {
			d.Refused = append(d.Refused, worker.Refused{Value: i, Why: strings.TrimPrefix(err.Error(), "json: ")})
			continue
		}
		d.JSON = append(d.JSON, float64(len(out)))
	}
	return d
}

// untested names the places that hold no data in any of the values that are graded: the values of
// the run and the dense value. The dense value has data where those of the run may have null, such
// as in sql.NullTime.
func (b *binding[T, N]) untested() []string {
	graded := b.origin
	if dense, err := values.Dense[T](); err == nil {
		if _, err := carry(&dense); err == nil {
			graded = append(slices.Clip(graded), dense)
		}
	}
	return values.Untested(graded)
}

// carry marshals a value with encoding/json and unmarshals it again. It returns the error of
// either, and also a panic as an error.
func carry[T any](v *T) (out []byte, err error) {
	err = bench.Try(func() error {
		if out, err = json.Marshal(v); err != nil {
			return err
		}
		return json.Unmarshal(out, new(T))
	})
	return out, err
}

// without returns all values except those at the given indices, which must be ascending. Without
// indices it returns all itself, not a copy.
func without[T any](all []T, places []int) []T {
	if len(places) == 0 {
		return all
	}
	out := make([]T, 0, len(all))
	for i := range all {
		if _, found := slices.BinarySearch(places, i); !found {
			out = append(out, all[i])
		}
	}
	return out
}

// refusedShown bounds the refusals that are sent to the coordinator.
const refusedShown = 20

// makeValues makes values from captured documents or a fit of them, with the package's own sample
// function, or from the names and types of fields.
func (b *binding[T, N]) makeValues(q *worker.Request) ([]T, *worker.Values, error) {
	opt := values.Options{Seed: q.Seed, N: q.N, MaxBytes: q.Cap, Samplers: b.subject.Samplers, Constants: b.subject.Constants}
	switch {
	case q.Sample != "":
		vals, from, err := sampled[T](q.Sample, opt)
		if err != nil {
			return nil, nil, fmt.Errorf("-sample %s: %w", filepath.Base(q.Sample), err)
		}
		from.Refused = from.Refused[:min(len(from.Refused), refusedShown)]
		return vals, from, nil
	case b.subject.Sample != nil:
		return values.Sampled(opt, b.subject.Sample), &worker.Values{Source: "func " + b.subject.SampleName}, nil
	}
	vals, err := values.Values[T](opt)
	from := &worker.Values{Source: "field names and types"}
	if n := len(opt.Constants); n > 0 {
		from.Source += fmt.Sprintf(", and declared constants of %d type%s", n, map[bool]string{false: "s"}[n == 1])
	}
	if names := values.Used[T](opt.Samplers); len(names) > 0 {
		from.Source += fmt.Sprintf(", and %d sample functions for types of fields", len(names))
	}
	return vals, from, err
}

// sampled takes values from captured documents, in order and repeated as needed, or draws them from
// a saved fit.
func sampled[T any](name string, opt values.Options) ([]T, *worker.Values, error) {
	f, ok, err := values.ReadFit(name)
	if err != nil {
		return nil, nil, err
	}
	if ok {
		return fitted[T](f, opt)
	}
	s, err := values.FromDocuments[T](name, opt.N)
	if err != nil {
		return nil, nil, err
	}
	vals := values.Fill(opt, func(i uint64) T { return s.Values[i%uint64(len(s.Values))] })
	source := fmt.Sprintf("file %s: %s", filepath.Base(name), counted(len(s.Values), s.Documents, len(vals)))
	return vals, &worker.Values{Source: source, Documents: s.Documents, Refused: s.Refused, Unknown: s.Unknown}, nil
}

// fitted draws values from the subject of a fit that is the type, or the only one.
func fitted[T any](f *fit.Fit, opt values.Options) ([]T, *worker.Values, error) {
	t := reflect.TypeFor[T]()
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	s, err := values.SubjectFor(f, t.PkgPath()+"."+t.Name())
	if err != nil {
		return nil, nil, err
	}
	source := s.Name
	if len(s.Sources) > 0 {
		source = strings.Join(s.Sources, " and ")
	}
	vals, refused, err := values.FromFit[T](s, opt)
	return vals, &worker.Values{Source: "a fit of " + plural(int(s.Documents)) + " of " + source, Documents: int(s.Documents),
		Refused: refused}, err
}

// counted says how many of the documents became values.
func counted(used, documents, values int) string {
	switch {
	case used < documents && used == values:
		return fmt.Sprintf("the first %d of %d documents", used, documents)
	case used == 1 && values > 1:
		return "1 document, repeated"
	case used < values:
		return plural(used) + ", in order and repeated"
	}
	return plural(used)
}

func plural(documents int) string {
	if documents == 1 {
		return "1 document"
	}
	return fmt.Sprintf("%d documents", documents)
}
