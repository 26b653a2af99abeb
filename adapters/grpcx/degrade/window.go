package degrade

import (
	"time"

	"github.com/zmylab/zmy/internal/openloop"
)

// classes are the upper bounds of message sizes in bytes; a last class has no bound.
var classes = [...]int{1 << 10, 8 << 10, 64 << 10}

// Classes is the number of classes of message sizes: up to 1 KiB, up to 8 KiB, up to
// 64 KiB, and larger.
const Classes = len(classes) + 1

// Class returns the class of a message of size bytes.
func Class(size int) int {
	for i, bound := range classes {
		if size <= bound {
			return i
		}
	}
	return Classes - 1
}

// tally counts calls.
type tally struct {
	n, failed int
	times     openloop.Histogram
	shadows   [Classes]shadow
}

// shadow counts calls whose work both codecs have done.
type shadow struct {
	n, failed         int // failed: the fallback
	primary, fallback time.Duration
}

func (t *tally) add(s Sample) {
	t.n++
	if s.Failed {
		t.failed++
	}
	t.times.Record(int64(s.Took))
	if s.Shadow {
		c := &t.shadows[Class(s.Size)]
		c.n++
		c.primary += s.Took
		c.fallback += s.ShadowTook
		if s.ShadowFailed {
			c.failed++
		}
	}
}

func (t *tally) reset() {
	t.times.Reset()
	*t = tally{times: t.times}
}

func (t *tally) merge(o *tally) {
	t.n += o.n
	t.failed += o.failed
	t.times.Add(&o.times)
	for i, s := range o.shadows {
		c := &t.shadows[i]
		c.n += s.n
		c.failed += s.failed
		c.primary += s.primary
		c.fallback += s.fallback
	}
}

func (t *tally) p99() time.Duration { return time.Duration(t.times.Quantile(0.99)) }

func (t *tally) failures() float64 {
	if t.n == 0 {
		return 0
	}
	return float64(t.failed) / float64(t.n)
}

// window is what happened in the last Slots × Slot, forgotten slot by slot.
type window struct {
	slot  time.Duration
	ring  []*tally
	at    int64         // number of the slot that is filled, counted from time 0
	until time.Duration // its end
	total *tally        // scratch
}

func newWindow(slots int, slot time.Duration) *window {
	w := &window{slot: slot, until: slot, total: new(tally)}
	for range slots {
		w.ring = append(w.ring, new(tally))
	}
	return w
}

// advance forgets what is older than the window.
func (w *window) advance(now time.Duration) {
	if now < w.until {
		return
	}
	at := int64(now / w.slot)
	w.until = time.Duration(at+1) * w.slot
	for range min(max(at-w.at, 0), int64(len(w.ring))) {
		w.at++
		w.current().reset()
	}
	if at > w.at { // a pause longer than the window, which is empty now
		w.at = at
		w.current().reset()
	}
}

func (w *window) current() *tally { return w.ring[w.at%int64(len(w.ring))] }

// sum returns all of it; the result is valid until the next call.
func (w *window) sum() *tally {
	w.total.reset()
	for _, t := range w.ring {
		w.total.merge(t)
	}
	return w.total
}

func (w *window) clear() {
	for _, t := range w.ring {
		t.reset()
	}
}
