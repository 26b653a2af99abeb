package worker

import (
	"fmt"
	"runtime/metrics"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab/fidelity"
)

// keeper knows what was there before the codec ran.
type keeper struct {
	digests []uint64 // of the values
	began   []string // the runtime's settings
	made    Request  // made the values

	last       time.Duration // CPU time of the process when the last batch had been answered
	lastAt     time.Time
	busy, idle time.Duration // CPU time inside of timed batches, and from one batch to the next command
}

// mark remembers the CPU time at the end of a command.
func (k *keeper) mark() { k.last, k.lastAt = cpuTime(), time.Now() }

// A process that waits takes a little CPU time all the same: its runtime looks after itself,
// and waking up for the next command counts too.
const (
	gapWake = 200 * time.Microsecond
	gapPart = 100 // of the time that has passed
)

// sinceLast is the CPU time that the process used since the last batch while it was asked for
// nothing, beyond what any process takes.
func (k *keeper) sinceLast() time.Duration {
	if k.last == 0 {
		return 0
	}
	used := cpuTime() - k.last - gapWake - time.Since(k.lastAt)/gapPart
	k.last = 0
	return max(0, used)
}

// runtimeSettings are the runtime's settings that a timed figure depends on: "GOGC 100".
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

// altered names the settings that differ: "GOGC 100 became GOGC off".
func altered(before, after []string) string {
	var out []string
	for i := range min(len(before), len(after)) {
		if before[i] != after[i] {
			out = append(out, before[i]+" became "+after[i])
		}
	}
	return strings.Join(out, ", ")
}

// mutated names the first value that is no longer what it was made as, or returns "". Only
// the digests of values are kept, so that one whose digest changed is made anew and compared:
// what a value caches in fields that nobody sees is no change.
func (b *bench[T, N]) mutated() string {
	was, i := b.keeper.digests, 0
	for i < len(b.origin) && digestOf(&b.origin[i]) == was[i] {
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
		if digestOf(&anew[i]) != was[i] {
			return "" // they are not made the same way twice
		}
		if diffs := fidelity.Compare(anew[i], b.origin[i], fidelity.Options{}); len(diffs) > 0 {
			return fmt.Sprintf("value %d, %s", i, diffs[0])
		}
		was[i] = digestOf(&b.origin[i])
	}
	return ""
}

// anew makes the first n values once more, all where n is 0. Those that were grown are not.
func (b *bench[T, N]) anew(n int) ([]T, error) {
	ask := b.keeper.made
	if n > 0 {
		ask.N = min(ask.N, n+len(ask.Skip))
	}
	vals, _, err := b.makeValues(&ask)
	return without(vals, ask.Skip), err
}
