package serve

import (
	"fmt"
	"runtime/metrics"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab/fidelity"
	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/lab/worker/anatomy"
	"github.com/zmylab/zmy/lab/worker/bench"
)

// keeper holds the state of the values and the process before the codec ran, and CPU times since.
type keeper struct {
	digests []uint64       // digests of the values
	began   []string       // the runtime's settings
	made    worker.Request // the request that made the values

	last       time.Duration // CPU time of the process when the last batch had been answered
	lastAt     time.Time
	busy, idle time.Duration // CPU time inside timed batches, and between a batch and the next command
}

// mark records the CPU time at the end of a command.
func (k *keeper) mark() { k.last, k.lastAt = bench.CPUTime(), time.Now() }

// Even an idle process takes a little CPU time, for the runtime's own work and for waking up for
// the next command. Such time is allowed.
const (
	gapWake = 200 * time.Microsecond
	gapPart = 100 // allowed: this fraction (1/gapPart) of the time that has passed
)

// sinceLast returns the CPU time that the process used while idle since the last batch, beyond what
// any idle process may take.
func (k *keeper) sinceLast() time.Duration {
	if k.last == 0 {
		return 0
	}
	used := bench.CPUTime() - k.last - gapWake - time.Since(k.lastAt)/gapPart
	k.last = 0
	return max(0, used)
}

// runtimeSettings lists the runtime's settings on which times depend: "GOGC 100".
func runtimeSettings() []string {
	read := []metrics.Sample{{Name: "/gc/gogc:percent"}, {Name: "/gc/gomemlimit:bytes"}, {Name: "/sched/gomaxprocs:threads"}}
	metrics.Read(read)
	var out []string
	for i, name := range []string{"GOGC", "GOMEMLIMIT", "GOMAXPROCS"} {
		if read[i].Value.Kind() == metrics.KindUint64 {
			text := fmt.Sprint(read[i].Value.Uint64())
			if name == "GOGC" && read[i].Value.Uint64() > 1<<31 {
				text = "off"
			}
			out = append(out, name+" "+text)
		}
	}
	return out
}

// altered lists the settings that differ: "GOGC 100 became GOGC off".
func altered(before, after []string) string {
	var out []string
	for i := range min(len(before), len(after)) {
		if before[i] != after[i] {
			out = append(out, before[i]+" became "+after[i])
		}
	}
	return strings.Join(out, ", ")
}

// mutated describes the first value that is no longer as it was made, or returns "". Only digests
// of the values are kept. So if a digest has changed, the value is made anew and compared. A value
// that only caches something in hidden fields counts as unchanged.
func (b *binding[T, N]) mutated() string {
	was, i := b.keeper.digests, 0
	for i < len(b.origin) && anatomy.DigestOf(&b.origin[i]) == was[i] {
		i++
	}
	if i == len(b.origin) {
		return ""
	}
	anew, err := b.anew(0)
	if err != nil || len(anew) != len(b.origin) || b.keeper.made.Grow > 0 {
		return ""
	}
	for ; i < len(b.origin); i++ {
		if anatomy.DigestOf(&anew[i]) != was[i] {
			return "" // the values cannot be made the same way twice
		}
		if diffs := fidelity.Compare(anew[i], b.origin[i], fidelity.Options{}); len(diffs) > 0 {
			return fmt.Sprintf("value %d, %s", i, diffs[0])
		}
		was[i] = anatomy.DigestOf(&b.origin[i]) // so that the next call need not make the values anew
	}
	return ""
}

// anew makes the first n values again, or all if n is 0. It does not grow them.
func (b *binding[T, N]) anew(n int) ([]T, error) {
	ask := b.keeper.made
	if n > 0 {
		ask.N = min(ask.N, n+len(ask.Skip))
	}
	vals, _, err := b.makeValues(&ask)
	return without(vals, ask.Skip), err
}
