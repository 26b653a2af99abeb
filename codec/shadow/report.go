package shadow

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/shadow/diff"
)

// Kinds of findings in addition to those of package diff.
const (
	Error      diff.Kind = "error"      // one codec fails, the other does not
	Panic      diff.Kind = "panic"      // the candidate panics
	Unreadable diff.Kind = "unreadable" // the candidate's bytes cannot be read
)

// Finding is a difference between incumbent and candidate. Before is the value of the baseline,
// After that of the candidate.
type Finding struct {
	Op string `json:"op"` // marshal | unmarshal
	diff.Difference
	Shared bool `json:"shared,omitempty"` // the incumbent changes the value too, so readers see nothing new
}

// Report is what a shadow has found so far. It can be written as JSON.
type Report struct {
	Incumbent string    `json:"incumbent"`
	Candidate string    `json:"candidate"`
	Share     float64   `json:"share"`
	Marshal   Operation `json:"marshal"`
	Unmarshal Operation `json:"unmarshal"`
	Findings  []Counted `json:"findings"` // most frequent first
	// Uncounted is the number of findings beyond Options.MaxPaths.
	Uncounted uint64 `json:"uncounted,omitempty"`
	Waiting   int    `json:"waiting,omitempty"` // trials in the queue
	Running   int    `json:"running,omitempty"` // workers of the queue at work
	// Oldest is how long the oldest running trial has taken so far. If it is minutes, the candidate
	// hangs and blocks that worker.
	Oldest time.Duration `json:"oldest_ns,omitempty"`
}

// Clean reports whether there were trials and all findings are Shared.
func (r Report) Clean() bool {
	return r.Marshal.Trials+r.Unmarshal.Trials > 0 && r.Uncounted == 0 &&
		!slices.ContainsFunc(r.Findings, func(c Counted) bool { return !c.Shared })
}

// Operation has the counts of one operation.
type Operation struct {
	Trials    uint64 `json:"trials"`
	Different uint64 `json:"different"`           // trials with findings that are not shared
	Truncated uint64 `json:"truncated,omitempty"` // comparisons that a limit cut short
	// OtherBytes counts trials with different bytes although both codecs have the same format; the
	// values may be equal.
	OtherBytes uint64 `json:"other_bytes,omitempty"`
	Panics     uint64 `json:"panics,omitempty"`
	Errors     uint64 `json:"errors,omitempty"`  // trials in which only one codec failed
	Skipped    uint64 `json:"skipped,omitempty"` // not tried: too long, a target that was not zero, an input that was refused
	Dropped    uint64 `json:"dropped,omitempty"` // not tried: the queue was full
	// Incumbent and Candidate are the total costs of the same operations. Measured is the number of
	// these operations.
	Measured  uint64 `json:"measured"`
	Incumbent Cost   `json:"incumbent"`
	Candidate Cost   `json:"candidate"`
}

// Cost is a sum over operations. If the formats differ, the candidate's cost of unmarshal includes
// marshaling the message that it then reads.
type Cost struct {
	Bytes    uint64        `json:"bytes"`
	Duration time.Duration `json:"duration_ns"`
}

// Counted is a finding, and the number of trials that had it at the same pattern of paths. Finding
// is the first of them.
type Counted struct {
	Count uint64 `json:"count"`
	Finding
}

// cost is the cost of one operation.
type cost struct {
	bytes int
	took  time.Duration
}

func (c *cost) add(bytes int, took time.Duration) {
	c.bytes = max(c.bytes, 0) + bytes
	c.took += took
}

// unused is the cost of a candidate that was not called.
var unused = cost{bytes: -1}

// outcome is what one trial found.
type outcome struct {
	op                   codec.Op
	incumbent, candidate cost
	found                []Finding
	skipped              bool
	truncated            bool
	otherBytes           bool
}

// find adds a finding, unless the trial already has one of the same kind and pattern, for instance
// from another element of a slice.
func (o *outcome) find(f Finding) {
	f.Op = o.op.String()
	for i := range o.found {
		if o.found[i].Pattern == f.Pattern && o.found[i].Kind == f.Kind {
			return
		}
	}
	o.found = append(o.found, f)
}

// findings has the sums of all outcomes.
type findings struct {
	max int

	mu        sync.Mutex // taken on sampled operations only
	ops       [codec.NumOps]Operation
	counted   map[key]*Counted
	uncounted uint64
}

// key identifies findings that are counted together.
type key struct {
	op, pattern string
	kind        diff.Kind
	shared      bool
}

func (f *findings) init(limit int) {
	f.max, f.counted = limit, map[key]*Counted{}
}

func (f *findings) skip(op codec.Op) {
	f.mu.Lock()
	f.ops[op].Skipped++
	f.mu.Unlock()
}

func (f *findings) drop(op codec.Op) {
	f.mu.Lock()
	f.ops[op].Dropped++
	f.mu.Unlock()
}

func (f *findings) record(o *outcome) {
	f.mu.Lock()
	defer f.mu.Unlock()
	op := &f.ops[o.op]
	if o.skipped {
		op.Skipped++
		return
	}
	op.Trials++
	if o.truncated {
		op.Truncated++
	}
	if o.otherBytes {
		op.OtherBytes++
	}
	if o.candidate.bytes >= 0 {
		op.Measured++
		op.Incumbent.add(o.incumbent)
		op.Candidate.add(o.candidate)
	}
	different := false
	for i := range o.found {
		f.count(&o.found[i], op)
		different = different || !o.found[i].Shared
	}
	if different {
		op.Different++
	}
}

func (c *Cost) add(one cost) {
	c.Bytes += uint64(one.bytes)
	c.Duration += one.took
}

func (f *findings) count(x *Finding, op *Operation) {
	switch x.Kind {
	case Panic:
		op.Panics++
	case Error:
		op.Errors++
	}
	k := key{x.Op, x.Pattern, x.Kind, x.Shared}
	c, ok := f.counted[k]
	switch {
	case ok:
		c.Count++
	case len(f.counted) < f.max:
		f.counted[k] = &Counted{1, *x}
	default:
		f.uncounted++
	}
}

// Report returns the findings so far.
func (c *Codec) Report() Report {
	r := Report{Incumbent: c.Name(), Candidate: c.candidate.Name(), Share: c.Share()}
	r.Waiting, r.Running, r.Oldest = c.queue.state()
	f := &c.findings
	f.mu.Lock()
	defer f.mu.Unlock()
	r.Marshal, r.Unmarshal, r.Uncounted = f.ops[codec.OpMarshal], f.ops[codec.OpUnmarshal], f.uncounted
	r.Findings = make([]Counted, 0, len(f.counted))
	for _, c := range f.counted {
		r.Findings = append(r.Findings, *c)
	}
	slices.SortFunc(r.Findings, func(a, b Counted) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Pattern, b.Pattern),
			strings.Compare(a.Op, b.Op), strings.Compare(string(a.Kind), string(b.Kind)))
	})
	return r
}

// Reset forgets all findings. Call it after the candidate was repaired.
func (t *trials) Reset() {
	f := &t.findings
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ops, f.counted, f.uncounted = [codec.NumOps]Operation{}, map[key]*Counted{}, 0
}
