package sse_test

import (
	"fmt"
	"reflect"
	"sort"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zmylab/zmy/sse"
)

// tally notes what metrics are told. How many events one batch holds is the scheduler's choice, so
// events that are dropped, or written with the same lag, are summed.
type tally struct {
	mu      sync.Mutex
	log     []string
	dropped int
	written map[time.Duration]int // events by lag
}

func (l *tally) add(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.log = append(l.log, fmt.Sprintf(format, args...))
}

func (l *tally) metrics() sse.Metrics {
	return sse.Metrics{
		Publish:    func(bytes int, _ time.Duration, err error) { l.add("publish %d %v", bytes, err) },
		Connect:    func() { l.add("connect") },
		Refuse:     func(why sse.Reason) { l.add("refuse %s", why) },
		Disconnect: func(why sse.Reason, open time.Duration) { l.add("disconnect %s %v", why, open) },
		Write: func(events, _ int, lag time.Duration) {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.written[lag] += events
		},
		Drop: func(events int) {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.dropped += events
		},
		Replay: func(events int, broker bool) { l.add("replay %d %v", events, broker) },
		Reset:  func(why sse.ResetReason) { l.add("reset %s", why) },
	}
}

// since returns what was told since it was last asked, in alphabetical order.
func (l *tally) since() string {
	synctest.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	out := l.log
	if l.dropped > 0 {
		out = append(out, fmt.Sprintf("drop %d", l.dropped))
	}
	for lag, events := range l.written {
		if events > 0 {
			out = append(out, fmt.Sprintf("write %d %v", events, lag))
		}
	}
	l.log, l.dropped = nil, 0
	clear(l.written)
	sort.Strings(out)
	return strings.Join(out, ", ")
}

func TestMetrics(t *testing.T) {
	log := &tally{written: map[time.Duration]int{}}
	expect := func(t *testing.T, want string) {
		t.Helper()
		if got := log.since(); got != want {
			t.Errorf("told %q, want %q", got, want)
		}
	}
	bubble(t, func(t *testing.T, h *sse.Hub, _ *sse.Memory) {
		v := watch(t, h, "", "a")
		expect(t, "connect")
		ids := publish(t, h, "a", "one", "three")
		expect(t, "publish 3 <nil>, publish 5 <nil>, write 2 0s")
		over := watch(t, h, "", "a")
		_ = over.ended()
		expect(t, "refuse busy")
		v.stall()
		publish(t, h, "a", "x")
		synctest.Wait()
		publish(t, h, "a", "1", "2", "3", "4")
		time.Sleep(2 * time.Second)
		v.read()
		expect(t, "drop 2, publish 1 <nil>, publish 1 <nil>, publish 1 <nil>, publish 1 <nil>, publish 1 <nil>, write 3 2s")
		v.leave()
		expect(t, "disconnect client 2s")
		again := watch(t, h, ids[0].String(), "a")
		expect(t, "connect, replay 6 true, write 6 2s")
		again.leave()
		expect(t, "disconnect client 0s")
		reset := watch(t, h, "x", "a")
		expect(t, "connect, reset unknown")
		reset.leave()
	}, sse.WithMetrics(log.metrics()), sse.WithMaxConnections(1, 0), sse.WithQueue(2, 1<<20),
		sse.WithSlowPolicy(sse.DropOldest), sse.WithRecent(1, 1<<20, 0))
	if n := reflect.TypeFor[sse.Metrics]().NumField(); n != 8 {
		t.Errorf("Metrics has %d functions: try those that are new", n)
	}
}
