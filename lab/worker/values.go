package worker

import (
	"encoding/json"
	"fmt"
	"runtime"

	"github.com/zmylab/zmy/lab/values"
)

// values makes the values and sets the codec up.
func (b *bench[T, N]) values(q *Request) (*Values, error) {
	origin, from, err := b.makeValues(q)
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
	return &Values{N: len(origin), Source: from.source, Documents: from.documents, Refused: from.refused, Unknown: from.unknown, Capped: len(origin) < asked, Procs: runtime.GOMAXPROCS(0), Grown: grown}, nil
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
