package worker

import (
	"errors"
	"fmt"

	"github.com/zmylab/zmy/lab/fidelity"
)

// binding is a codec on its bench, bound to the subject. T is the subject and N the type that the
// codec encodes; they differ only in native rows.
type binding[T, N any] struct {
	bench[N]
	subject Subject[T]
	convert func(*T) (N, error) // nil if N is T

	origin      []T // the values
	heap        heap
	keeper      keeper // state of the values and the process before the codec ran
	proof       proof  // results of timed calls
	spoilt      string // how a sound message was decoded wrongly after a damaged one
	stands      standing[N]
	carried     map[fidelity.Field]bool // result of fidelity.KeptByJSON; nil until it is needed
	experiments rigs[N]
}

func newBinding[T, N any](s Subject[T], c Contender[N], convert func(*T) (N, error)) *binding[T, N] {
	b := &binding[T, N]{subject: s, convert: convert}
	b.codec, b.get = c, b.getter
	b.leaf, _ = any(s.Leaf).(func(*N) string)
	return b
}

// load sets the values and sets the codec up.
func (b *binding[T, N]) load(origin []T, seed uint64) error {
	if len(origin) == 0 {
		return errors.New("no values")
	}
	b.origin, b.proof, b.stands, b.experiments = origin, proof{}, standing[N]{}, rigs[N]{bench: &b.bench}
	b.keeper = keeper{digests: digests(origin), began: runtimeSettings(), made: b.keeper.made}
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
	return b.bench.load(vals, seed)
}

// own returns vals as the codec takes them if N is T, else nil.
func (b *binding[T, N]) own(vals []T) []N {
	out, _ := any(vals).([]N)
	return out
}
