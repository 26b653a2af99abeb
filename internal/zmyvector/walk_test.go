package zmyvector

import (
	"testing"

	"github.com/zmylab/zmy"
)

// Each verified vector's view shows all fields; hostile ones do no harm.
func TestWalk(t *testing.T) {
	calls := 0
	eachVector(t, func(v *Vector) {
		r, ok := Find(v.Reader)
		if !ok {
			return
		}
		b := v.Bytes()
		if view, err := r.View(b, zmy.UnmarshalOptions{MaxWire: 1 << 20}); err == nil {
			calls += Walk(view)
		}
		if view, err := r.Lazy(b); err == nil {
			calls += Walk(view)
		}
	})
	if calls < 10_000 {
		t.Errorf("only %d accessors were called", calls)
	}
}
