// Package proftest makes profiles for tests.
package proftest

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

// Stack is a stack of a profile. Frames are spelled "function file:line", the innermost first. Frames joined
// by " < " are one location: each but the last was inlined into the next.
type Stack struct {
	N      int64 // samples, or objects
	Bytes  int64 // of allocation profiles: of all objects
	Frames []string
}

// Period is the time between two samples of CPU profiles, in ns.
const Period = 10_000_000

// CPU returns a CPU profile as it is stored, compressed. seconds is its duration.
func CPU(t testing.TB, seconds int64, stacks ...Stack) []byte {
	b := builder{p: &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: Period, DurationNanos: seconds * 1e9},
		functions: map[string]*profile.Function{}}
	for _, s := range stacks {
		b.add(s.Frames, s.N, s.N*Period)
	}
	return b.bytes(t)
}

// Heap returns a heap profile as it is stored, compressed.
func Heap(t testing.TB, stacks ...Stack) []byte {
	b := builder{p: &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "alloc_objects", Unit: "count"}, {Type: "alloc_space", Unit: "bytes"},
			{Type: "inuse_objects", Unit: "count"}, {Type: "inuse_space", Unit: "bytes"}},
		PeriodType: &profile.ValueType{Type: "space", Unit: "bytes"}, Period: 512 << 10},
		functions: map[string]*profile.Function{}}
	for _, s := range stacks {
		b.add(s.Frames, s.N, s.Bytes, 0, 0)
	}
	return b.bytes(t)
}

type builder struct {
	p         *profile.Profile
	functions map[string]*profile.Function
}

func (b *builder) bytes(t testing.TB) []byte {
	var out bytes.Buffer
	if err := b.p.CheckValid(); err != nil {
		t.Fatal(err)
	}
	if err := b.p.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func (b *builder) add(frames []string, values ...int64) {
	s := &profile.Sample{Value: values}
	for _, f := range frames {
		l := &profile.Location{ID: uint64(len(b.p.Location) + 1)}
		for part := range strings.SplitSeq(f, " < ") {
			l.Line = append(l.Line, b.line(part))
		}
		b.p.Location, s.Location = append(b.p.Location, l), append(s.Location, l)
	}
	b.p.Sample = append(b.p.Sample, s)
}

func (b *builder) line(spelled string) profile.Line {
	name, at, _ := strings.Cut(spelled, " ")
	file, number, _ := strings.Cut(at, ":")
	line, _ := strconv.ParseInt(number, 10, 64)
	f := b.functions[name+" "+file]
	if f == nil {
		f = &profile.Function{ID: uint64(len(b.p.Function) + 1), Name: name, SystemName: name, Filename: file}
		b.functions[name+" "+file], b.p.Function = f, append(b.p.Function, f)
	}
	return profile.Line{Function: f, Line: line}
}
