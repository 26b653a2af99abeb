// Package profile reads pprof profiles and divides them among the sites of a code base.
//
// NOTE, the map: profile.go has the form in which a profile is used, and makes it from pprof's;
// read.go reads files and URLs; refuse.go says what is wrong with a profile; names.go takes the names of
// functions apart; codecs.go has the packages that are codecs; attribute.go divides samples among
// sites, match.go finds the site of one stack; weight.go adds samples up.
package profile

import (
	"fmt"
	"strings"
	"time"

	"github.com/google/pprof/profile"
)

// Kind says what the samples of a profile count.
type Kind string

// Kinds.
const (
	CPU   Kind = "cpu"   // CPU time, in nanoseconds
	Alloc Kind = "alloc" // bytes allocated since the program began
)

// Profile is a profile with one kind of values.
type Profile struct {
	Source   string // file or URL
	Kind     Kind
	Samples  []Sample
	Total    Weight
	Duration time.Duration // 0 if it is not known
	Taken    time.Time     // zero if it is not known
	Nameless float64       // share of the samples that have no function's name
	Notes    []string      // assumptions that a reader must know
}

// Sample is one stack, and how often it was seen.
type Sample struct {
	Stack []Frame // innermost first, with a frame for each inlined call
	N     float64 // number of samples that were taken
	Value float64 // nanoseconds or bytes that they stand for
}

// Frame is a call on a stack.
type Frame struct {
	Func string // as the linker spells it: "example.org/shop/store.(*DB).Load.func1"
	File string
	Line int
}

// defaultPeriod is the time between two samples of Go's profiler, for profiles that do not say it.
const defaultPeriod = 10 * time.Millisecond

// convert makes a Profile of pprof's form. It refuses a profile that has no values of the kind.
func convert(p *profile.Profile, source string, kind Kind) (*Profile, error) {
	if kind == Alloc {
		return convertAlloc(p, source)
	}
	out := &Profile{Source: source, Kind: CPU, Duration: time.Duration(p.DurationNanos)}
	if p.TimeNanos > 0 {
		out.Taken = time.Unix(0, p.TimeNanos).UTC()
	}
	count, cpu := typeOf(p, "samples", "count"), typeOf(p, "cpu", "nanoseconds")
	if count < 0 && cpu < 0 {
		return nil, wrongKind(p, source, kind)
	}
	period := float64(p.Period)
	if p.PeriodType == nil || p.PeriodType.Unit != "nanoseconds" || period <= 0 {
		period = float64(defaultPeriod)
		out.Notes = append(out.Notes, fmt.Sprintf("%s does not say how often it was sampled: 100 times a second of CPU time is assumed, "+
			"which is the default of Go", source))
	}
	for _, s := range p.Sample {
		n, ns := at(s, count), at(s, cpu)
		if cpu < 0 {
			ns = n * period
		}
		if count < 0 || n <= 0 {
			n = ns / period
		}
		out.add(s, n, ns)
	}
	return out, nil
}

// convertAlloc makes a Profile of bytes allocated. A heap profile has estimates of all allocations,
// not the number of samples they rest on. That number follows from the sampling rate: an object of n
// bytes is sampled with probability 1-exp(-n/rate), see runtime/pprof.
func convertAlloc(p *profile.Profile, source string) (*Profile, error) {
	objects, space := typeOf(p, "alloc_objects", "count"), typeOf(p, "alloc_space", "bytes")
	if space < 0 {
		return nil, wrongKind(p, source, Alloc)
	}
	out := &Profile{Source: source, Kind: Alloc}
	rate := float64(p.Period)
	if p.PeriodType == nil || p.PeriodType.Unit != "bytes" || rate <= 0 {
		rate = 512 << 10
	}
	for _, s := range p.Sample {
		bytes, n := at(s, space), at(s, objects)
		if bytes <= 0 {
			continue
		}
		out.add(s, sampled(n, bytes, rate), bytes)
	}
	return out, nil
}

// typeOf returns the index of a sample type, or -1. Parca and Pyroscope spell the same types as Go
// does.
func typeOf(p *profile.Profile, name, unit string) int {
	for i, t := range p.SampleType {
		if t.Type == name && t.Unit == unit {
			return i
		}
	}
	return -1
}

func at(s *profile.Sample, i int) float64 {
	if i < 0 || i >= len(s.Value) {
		return 0
	}
	return float64(s.Value[i])
}

// add adds a sample, unless it stands for nothing.
func (p *Profile) add(s *profile.Sample, n, value float64) {
	if n <= 0 || value <= 0 {
		return
	}
	x := Sample{Stack: stackOf(s), N: n, Value: value}
	if len(x.Stack) == 0 {
		p.Nameless += n
	}
	p.Total.add(n, value)
	p.Samples = append(p.Samples, x)
}

// stackOf returns the frames of a sample that have names.
func stackOf(s *profile.Sample) []Frame {
	var out []Frame
	for _, l := range s.Location {
		for _, line := range l.Line {
			if f := line.Function; f != nil && f.Name != "" {
				out = append(out, Frame{f.Name, strings.ReplaceAll(f.Filename, `\`, "/"), int(line.Line)})
			}
		}
	}
	return out
}
