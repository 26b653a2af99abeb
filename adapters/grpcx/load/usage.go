package load

import (
	"math"
	"runtime"
	"runtime/metrics"
	"time"
)

// Usage is what a process has used since it began, or in a span of time.
type Usage struct {
	CPU         time.Duration `json:"cpu_ns,omitempty"` // user and system time; 0 if the system does not tell
	Objects     uint64        `json:"objects"`          // allocated
	Bytes       uint64        `json:"bytes"`            // allocated
	Collections uint64        `json:"collections"`
	RSS         int64         `json:"rss,omitempty"`         // resident memory in bytes; 0 if the system does not tell
	Voluntary   int64         `json:"voluntary,omitempty"`   // context switches in which a thread had to wait
	Involuntary int64         `json:"involuntary,omitempty"` // context switches that were forced on a thread
	Goroutines  int           `json:"goroutines"`
	Go          string        `json:"go,omitempty"` // version of Go
	Delays      *Delays       `json:"delays,omitempty"`
}

// Delays is the runtime's histogram of how long goroutines that were ready waited to run.
type Delays struct {
	Bounds []float64 `json:"bounds"` // in seconds, one more than Counts; ±MaxFloat64 in place of infinities
	Counts []uint64  `json:"counts"`
}

// ThisProcess returns the usage of this process so far.
func ThisProcess() Usage {
	samples := []metrics.Sample{{Name: "/gc/heap/allocs:objects"}, {Name: "/gc/heap/allocs:bytes"},
		{Name: "/gc/cycles/total:gc-cycles"}, {Name: "/sched/latencies:seconds"}}
	metrics.Read(samples)
	u := Usage{RSS: residentBytes(), Goroutines: runtime.NumGoroutine(), Go: runtime.Version()}
	u.CPU, u.Voluntary, u.Involuntary = processTime()
	for i, field := range []*uint64{&u.Objects, &u.Bytes, &u.Collections} {
		if v := samples[i].Value; v.Kind() == metrics.KindUint64 { // otherwise this runtime lacks the metric
			*field = v.Uint64()
		}
	}
	if v := samples[3].Value; v.Kind() == metrics.KindFloat64Histogram {
		h := v.Float64Histogram()
		u.Delays = &Delays{Bounds: finite(h.Buckets), Counts: h.Counts}
	}
	return u
}

// finite replaces infinities, which JSON cannot represent, by the largest finite numbers.
func finite(bounds []float64) []float64 {
	out := append([]float64(nil), bounds...)
	for i, b := range out {
		if math.IsInf(b, 0) {
			out[i] = math.Copysign(math.MaxFloat64, b)
		}
	}
	return out
}

// Since returns what was used since before. RSS, Goroutines and Go are those of u.
func (u Usage) Since(before Usage) Usage {
	u.CPU -= before.CPU
	u.Objects -= before.Objects
	u.Bytes -= before.Bytes
	u.Collections -= before.Collections
	u.Voluntary -= before.Voluntary
	u.Involuntary -= before.Involuntary
	u.Delays = u.Delays.since(before.Delays)
	return u
}

func (d *Delays) since(before *Delays) *Delays {
	if d == nil || before == nil || len(d.Counts) != len(before.Counts) {
		return nil
	}
	out := &Delays{Bounds: d.Bounds, Counts: append([]uint64(nil), d.Counts...)}
	for i, n := range before.Counts {
		out.Counts[i] -= n
	}
	return out
}

// N returns the number of delays: how often a goroutine became ready and then ran. The runtime
// counts one in eight.
func (d *Delays) N() (n uint64) {
	if d == nil {
		return 0
	}
	for _, c := range d.Counts {
		n += c
	}
	return n
}

// Quantile returns the delay that a share q of all delays does not exceed: the upper end of the
// runtime's bucket. It is 0 without delays.
func (d *Delays) Quantile(q float64) time.Duration {
	n := d.N()
	if n == 0 {
		return 0
	}
	want, seen := uint64(math.Ceil(q*float64(n))), uint64(0)
	for i, c := range d.Counts {
		if seen += c; seen >= max(want, 1) {
			return seconds(d.Bounds[i], d.Bounds[i+1])
		}
	}
	return 0
}

// Mean returns the mean delay. Each delay counts as the middle of its bucket.
func (d *Delays) Mean() time.Duration {
	n := d.N()
	if n == 0 {
		return 0
	}
	sum := 0.0
	for i, c := range d.Counts {
		if c > 0 {
			low, high := max(d.Bounds[i], 0), d.Bounds[i+1]
			if high > 1e6 {
				high = low
			}
			sum += float64(c) * (low + high) / 2
		}
	}
	return time.Duration(sum / float64(n) * 1e9)
}

// seconds returns the upper bound of a bucket. For the last bucket, which has none, it returns the
// lower bound.
func seconds(low, high float64) time.Duration {
	if high > 1e6 {
		high = low
	}
	return time.Duration(max(high, 0) * 1e9)
}
