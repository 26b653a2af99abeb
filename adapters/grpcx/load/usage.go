package load

import (
	"math"
	"runtime"
	"runtime/metrics"
	"time"
)

// Usage is what a process has used since it began, or between two such moments.
type Usage struct {
	CPU         time.Duration `json:"cpu_ns,omitempty"` // user and system; 0 where the system does not tell
	Objects     uint64        `json:"objects"`          // allocated
	Bytes       uint64        `json:"bytes"`            // allocated
	Collections uint64        `json:"collections"`
	RSS         int64         `json:"rss,omitempty"`         // bytes of memory in use, 0 where the system does not tell
	Voluntary   int64         `json:"voluntary,omitempty"`   // context switches, by waiting
	Involuntary int64         `json:"involuntary,omitempty"` // and by having to
	Goroutines  int           `json:"goroutines"`
	Go          string        `json:"go,omitempty"` // the version, of a process
	Delays      *Delays       `json:"delays,omitempty"`
}

// Delays are how long goroutines have waited, ready to run, until they ran: the runtime's
// histogram.
type Delays struct {
	Bounds []float64 `json:"bounds"` // seconds, one more than counts; the outermost are left out where they are infinite
	Counts []uint64  `json:"counts"`
}

const (
	objectsMetric = "/gc/heap/allocs:objects"
	bytesMetric   = "/gc/heap/allocs:bytes"
	cyclesMetric  = "/gc/cycles/total:gc-cycles"
	delaysMetric  = "/sched/latencies:seconds"
)

// ThisProcess is the usage of this process so far.
func ThisProcess() Usage {
	samples := []metrics.Sample{{Name: objectsMetric}, {Name: bytesMetric}, {Name: cyclesMetric}, {Name: delaysMetric}}
	metrics.Read(samples)
	u := Usage{RSS: residentBytes(), Goroutines: runtime.NumGoroutine(), Go: runtime.Version()}
	u.CPU, u.Voluntary, u.Involuntary = processTime()
	for _, s := range samples[:3] {
		if s.Value.Kind() != metrics.KindUint64 {
			continue // a runtime without it
		}
		switch v := s.Value.Uint64(); s.Name {
		case objectsMetric:
			u.Objects = v
		case bytesMetric:
			u.Bytes = v
		case cyclesMetric:
			u.Collections = v
		}
	}
	if v := samples[3].Value; v.Kind() == metrics.KindFloat64Histogram {
		h := v.Float64Histogram()
		u.Delays = &Delays{Bounds: finite(h.Buckets), Counts: h.Counts}
	}
	return u
}

// finite replaces infinities, which JSON cannot spell.
func finite(bounds []float64) []float64 {
	out := append([]float64(nil), bounds...)
	for i, b := range out {
		if math.IsInf(b, 0) {
			out[i] = math.Copysign(math.MaxFloat64, b)
		}
	}
	return out
}

// Since is what was used since an earlier moment. RSS and goroutines stay those of the later one.
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

// N is how often a goroutine became ready and then ran, as far as the runtime has counted: one in
// eight.
func (d *Delays) N() (n uint64) {
	if d == nil {
		return 0
	}
	for _, c := range d.Counts {
		n += c
	}
	return n
}

// Quantile is the delay at or below which a share q of all delays lies: the upper end of the
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

// Mean is the mean delay, each taken as the middle of its bucket.
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

// seconds is the upper bound of a bucket, the lower one of the last, which has no end.
func seconds(low, high float64) time.Duration {
	if high > 1e6 {
		high = low
	}
	return time.Duration(max(high, 0) * 1e9)
}
