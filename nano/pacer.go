package nano

import (
	"sync/atomic"
	"time"
)

// pacer admits one call per interval, and as many at once as fit in a tenth of a second: the
// generic cell rate algorithm, as one word without a lock.
type pacer struct {
	epoch time.Time    // differences from it are monotonic: clocks that jump do not matter
	due   atomic.Int64 // when the next call is due, since epoch
}

func newPacer() *pacer { return &pacer{epoch: time.Now()} }

const pacerBurst = 100 * time.Millisecond

func (p *pacer) take(interval time.Duration) bool {
	for {
		now, due := int64(time.Since(p.epoch)), p.due.Load()
		if due-now > int64(max(pacerBurst-interval, 0)) {
			return false
		}
		if p.due.CompareAndSwap(due, max(due, now)+int64(interval)) {
			return true
		}
	}
}
