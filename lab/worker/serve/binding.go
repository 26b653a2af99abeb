package serve

import (
	"errors"
	"fmt"

	"github.com/zmylab/zmy/lab/fidelity"
	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/lab/worker/anatomy"
	"github.com/zmylab/zmy/lab/worker/bench"
	"github.com/zmylab/zmy/lab/worker/experiment"
)

// binding is a codec on its bench, bound to the subject. T is the subject and N the type that the
// codec encodes; they differ only in native rows.
type binding[T, N any] struct {
	bench.Bench[N]
	subject worker.Subject[T]
	convert func(*T) (N, error) // nil if N is T

	origin      []T // the values
	heap        heap
	keeper      keeper // state of the values and the process before the codec ran
	proof       proof  // results of timed calls
	spoilt      string // how a sound message was decoded wrongly after a damaged one
	stands      standing[N]
	carried     map[fidelity.Field]bool // result of fidelity.KeptByJSON; nil until it is needed
	experiments experiment.Bench[N]
}

func newBinding[T, N any](s worker.Subject[T], c worker.Contender[N], convert func(*T) (N, error)) *binding[T, N] {
	b := &binding[T, N]{subject: s, convert: convert}
	b.Codec, b.Get = c, b.getter
	b.Leaf, _ = any(s.Leaf).(func(*N) string)
	return b
}

// load sets the values and sets the codec up.
func (b *binding[T, N]) load(origin []T, seed uint64) error {
	if len(origin) == 0 {
		return errors.New("no values")
	}
	b.origin, b.proof, b.stands, b.experiments = origin, proof{}, standing[N]{}, experiment.Bench[N]{Bench: &b.Bench}
	// The digests are taken before the codec's Setup may see the values, and change them.
	b.keeper = keeper{digests: anatomy.Digests(origin), began: runtimeSettings(), made: b.keeper.made}
	vals := b.own(origin)
	if b.convert != nil {
		vals = make([]N, len(origin))
		for i := range origin {
			n, err := b.convert(&origin[i])
			if err != nil {
				return fmt.Errorf("convert value %d: %w", i, err)
			}
			vals[i] = n
		}
	}
	return b.Bench.Load(vals, seed)
}

// own returns vals as the codec takes them if N is T, else nil.
func (b *binding[T, N]) own(vals []T) []N {
	out, _ := any(vals).([]N)
	return out
}
