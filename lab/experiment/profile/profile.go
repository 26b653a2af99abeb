// Package profile is the experiment that shows where the time and the memory of each contender go:
// flame graphs, the difference to the baseline by kind of work, hot spots with advice, and an
// execution trace around the slowest call.
//
// A sample is a stack of functions. It counts towards one kind of work, which makes codecs
// comparable that share no function. Hot spots are kinds of work with a share above a limit. Each
// kind has its advice, which is shown with the function that causes most of the work.
//
// NOTE, the map: profile.go is the experiment, tree.go makes flame graphs of samples, kinds.go
// sorts samples by kind of work, advice.go knows what helps, tables.go writes the findings.
package profile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/pprof/profile"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

// Experiment profiles the contenders.
type Experiment struct{}

// About describes the experiment.
func (Experiment) About() experiment.About {
	return experiment.About{Name: "profile", Short: "where time and memory go: flame graphs, hot spots, a trace of the slowest call"}
}

// codecProfile is what was observed of one contender.
type codecProfile struct {
	name  string
	ops   []*opProfile
	worst *worker.Worst
	trace string // file of the trace
}

// opProfile is one operation of a contender. Times are in ns per operation, heap in bytes per
// operation.
type opProfile struct {
	op      string
	samples int
	total   float64
	cpu     []stack
	heap    []stack
	kinds   map[string]float64
	top     map[string]string // by kind of work: the function that causes most of it
	hooks   map[string]string // by kind of work: the user's own method in which more than half of it is spent
}

// Run profiles one contender after another. Interleaving would gain nothing: a profiler looks at
// one process, and the load of the machine hardly changes the shares within a process.
func (Experiment) Run(ctx context.Context, b *experiment.Bench) (*run.Experiment, error) {
	dir := ""
	if out := b.Options().Out; out != "" {
		dir = filepath.Join(out, "profiles")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	r := &result{subject: b.Subject().Name, dir: dir}
	share := b.Budget() / time.Duration(len(b.Contenders)*(len(experiment.Ops)*2+1))
	each := min(max(share, 200*time.Millisecond), 10*time.Second)
	for _, c := range b.Contenders {
		b.Progress("profiling " + c.Name)
		p := &codecProfile{name: c.Name}
		if err := p.profile(ctx, b, c, dir, each); err != nil {
			if ctx.Err() != nil {
				return r.experiment(), ctx.Err()
			}
			b.Drop(c.Name, err)
			continue
		}
		r.codecs = append(r.codecs, p)
	}
	if len(r.codecs) == 0 {
		return nil, errors.New("no contender could be profiled")
	}
	return r.experiment(), nil
}

// profile profiles one contender in a process of its own.
func (p *codecProfile) profile(ctx context.Context, b *experiment.Bench, c *lab.Built, dir string, each time.Duration) error {
	proc, err := b.Start(ctx, c.Worker, nil)
	if err != nil {
		return err
	}
	defer proc.Close()
	var merged []*profile.Profile
	for _, op := range experiment.Ops {
		if !slices.ContainsFunc(c.Modes, func(m worker.Mode) bool { return m.Op == op && m.Mode == "fresh" && m.Wrong == "" }) {
			continue
		}
		args := worker.ProfileArgs{Op: op, Mode: "fresh", For: each,
			CPU: c.Worker.Scratch(op + ".cpu"), Before: c.Worker.Scratch(op + ".before"), After: c.Worker.Scratch(op + ".after")}
		ran, err := experiment.Ask[worker.Profiled](ctx, proc, worker.CmdProfile, args, 8*each+time.Minute)
		if err != nil {
			return fmt.Errorf("%s: %w", op, err)
		}
		o, cpu, heap, err := read(&args, ran)
		if err != nil {
			return fmt.Errorf("%s: %w", op, err)
		}
		p.ops, merged = append(p.ops, o), append(merged, cpu)
		if err := keep(dir, p.name+"-"+op+".heap.pb.gz", heap); err != nil {
			return err
		}
	}
	if len(merged) == 0 {
		return nil
	}
	all, err := profile.Merge(merged) // a label of each sample names the operation
	if err != nil {
		return err
	}
	if err := keep(dir, p.name+".cpu.pb.gz", all); err != nil {
		return err
	}
	return p.slowest(ctx, c, proc, dir, each)
}

// read parses the profiles that a worker wrote: of CPU time, and of what was allocated.
func read(a *worker.ProfileArgs, ran *worker.Profiled) (o *opProfile, cpu, heap *profile.Profile, err error) {
	if cpu, err = parse(a.CPU); err != nil {
		return nil, nil, nil, err
	}
	if heap, err = allocated(a.Before, a.After); err != nil {
		return nil, nil, nil, err
	}
	o = &opProfile{op: a.Op, kinds: map[string]float64{}, top: map[string]string{}, hooks: map[string]string{}}
	count, nanos := sampleIndex(cpu, "samples"), sampleIndex(cpu, "cpu")
	bytes := sampleIndex(heap, "alloc_space")
	if count < 0 || nanos < 0 || bytes < 0 {
		return nil, nil, nil, errors.New("a profile lacks the kinds of samples that Go's profiles have")
	}
	for _, s := range cpu.Sample {
		o.samples += int(s.Value[count])
	}
	o.cpu = stacks(cpu, nanos, 1/float64(max(ran.Ops, 1)))
	o.heap = stacks(heap, bytes, 1/float64(max(ran.Heap, 1)))
	o.sum()
	return o, cpu, heap, nil
}

// sum adds the samples up by kind of work. It records the function that causes most of each kind,
// since that is what the reader can change. In a stack of the garbage collector no function caused
// the work.
func (o *opProfile) sum() {
	within, yours := map[string]map[string]float64{}, map[string]map[string]float64{}
	for _, s := range o.cpu {
		k := kindOf(s.full)
		o.total += s.value
		o.kinds[k] += s.value
		if within[k] == nil {
			within[k], yours[k] = map[string]float64{}, map[string]float64{}
		}
		if f := asks(s.full); f != "" && k != kindGC {
			within[k][Short(f)] += s.value
		}
		if f := hook(s.full); f != "" {
			yours[k][Short(f)] += s.value
		}
	}
	for k := range within {
		o.top[k], _ = most(within[k])
		if f, v := most(yours[k]); v > o.kinds[k]/2 {
			o.hooks[k] = f
		}
	}
}

// most returns the key with the largest value.
func most(m map[string]float64) (key string, value float64) {
	for k, v := range m {
		if v > value || v == value && k < key {
			key, value = k, v
		}
	}
	return key, value
}

func parse(name string) (*profile.Profile, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return profile.Parse(f)
}

// allocated returns what was allocated between two profiles. Heap profiles count from the start of
// the process, so the difference leaves out what the worker itself allocated before. If the
// profiler's rounding makes a sample's value smaller in the second profile, the difference counts
// as 0.
func allocated(before, after string) (*profile.Profile, error) {
	a, err := parse(before)
	if err != nil {
		return nil, err
	}
	b, err := parse(after)
	if err != nil {
		return nil, err
	}
	a.Scale(-1)
	diff, err := profile.Merge([]*profile.Profile{a, b})
	if err != nil {
		return nil, err
	}
	for _, s := range diff.Sample {
		for i := range s.Value {
			s.Value[i] = max(s.Value[i], 0)
		}
	}
	return diff, nil
}

func sampleIndex(p *profile.Profile, kind string) int {
	return slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == kind })
}

// keep writes a profile to dir, for go tool pprof. It does nothing if dir is "".
func keep(dir, name string, p *profile.Profile) error {
	if dir == "" {
		return nil
	}
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	return errors.Join(p.Write(f), f.Close())
}

// slow returns the operation that takes longest.
func (p *codecProfile) slow() *opProfile {
	return slices.MaxFunc(p.ops, func(a, b *opProfile) int { return cmp.Compare(a.total, b.total) })
}

// slowest traces the slowest call of the operation that takes longest.
func (p *codecProfile) slowest(ctx context.Context, c *lab.Built, proc *experiment.Process, dir string, each time.Duration) error {
	op := p.slow().op
	args := worker.WorstArgs{Op: op, Mode: "fresh", For: each, Trace: c.Worker.Scratch("worst.trace")}
	w, err := experiment.Ask[worker.Worst](ctx, proc, worker.CmdWorst, args, 4*each+time.Minute)
	if err != nil {
		return fmt.Errorf("slowest %s: %w", op, err)
	}
	p.worst = w
	if !w.Traced || dir == "" {
		return nil
	}
	data, err := os.ReadFile(args.Trace)
	if err != nil {
		return err
	}
	p.trace = p.name + "-" + op + ".trace"
	return os.WriteFile(filepath.Join(dir, p.trace), data, 0o644)
}
