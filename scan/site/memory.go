package site

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"sync"
	"time"
)

// NOTE: go/ssa and VTA hold the whole code base in memory, and VTA cannot be interrupted. While Find
// runs, the garbage collector keeps the heap below a limit, and Find gives up when what is in use
// comes near it. Without that, a large module takes all memory of the machine.

// mostUnknown is the limit if neither the user nor the system gives one.
const mostUnknown = 8 << 30

// errMemory is the cause of the context that bounded returns, if the limit was reached.
var errMemory = errors.New("the limit on memory is reached")

// bounded returns a context that ends with errMemory when the heap in use comes near most bytes, 0
// for the default. The caller must call stop.
func bounded(ctx context.Context, most int64) (bound context.Context, limit int64, stop func()) {
	if most <= 0 {
		most = defaultMemory()
	}
	bound, cancel := context.WithCancelCause(ctx)
	limits.enter(most)
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(50 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				if inUse() > most/10*9 {
					cancel(errMemory)
					return
				}
			}
		}
	}()
	return bound, most, func() {
		close(done)
		cancel(nil)
		limits.leave()
	}
}

// memoryLimit is the limit of the garbage collector, which the process has once.
type memoryLimit struct {
	mu     sync.Mutex
	users  int
	before int64
}

var limits memoryLimit

func (l *memoryLimit) enter(most int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.users++; l.users == 1 {
		l.before = debug.SetMemoryLimit(-1)
	}
	debug.SetMemoryLimit(min(most, debug.SetMemoryLimit(-1)))
}

func (l *memoryLimit) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.users--; l.users == 0 {
		debug.SetMemoryLimit(l.before)
	}
}

// inUse returns the bytes that the last run of the garbage collector could not free.
func inUse() int64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return int64(min(s[0].Value.Uint64(), math.MaxInt64))
}

// defaultMemory returns GOMEMLIMIT if it is set, else three quarters of what the system has free.
func defaultMemory() int64 {
	limits.mu.Lock()
	defer limits.mu.Unlock()
	set := limits.before
	if limits.users == 0 {
		set = debug.SetMemoryLimit(-1)
	}
	if set != math.MaxInt64 {
		return set
	}
	if n := available(os.ReadFile); n > 0 {
		return n / 4 * 3
	}
	return mostUnknown
}

// available returns the bytes that the machine has free, or the limit of the container if that is
// less; 0 if neither is known.
func available(read func(string) ([]byte, error)) (most int64) {
	data, _ := read("/proc/meminfo")
	for line := range bytes.Lines(data) {
		if f := bytes.Fields(line); len(f) > 1 && string(f[0]) == "MemAvailable:" {
			if kib, err := strconv.ParseInt(string(f[1]), 10, 64); err == nil {
				most = kib << 10
			}
		}
	}
	for _, name := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		data, _ := read(name)
		n, err := strconv.ParseInt(string(bytes.TrimSpace(data)), 10, 64)
		if err == nil && n > 0 && (most == 0 || n < most) {
			most = n
		}
	}
	return most
}

// tooLarge returns the error of a step that reached the limit.
func tooLarge(step string, limit int64) error {
	const mib = 1 << 20
	return fmt.Errorf("%s: the packages need more than %d MiB of memory: name fewer packages, such as ./cmd/server, "+
		"leave files out by -tags, or allow more memory by GOMEMLIMIT=%dMiB", step, limit/mib, max(2*limit/mib, 1))
}
