package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

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

// untested names the places without data in all values that are graded: the values of the run and
// the dense value. The dense value has data where those of the run may have null, such as in
// sql.NullTime.
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

// without returns all values except those at the given indices, which must be ascending.
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
