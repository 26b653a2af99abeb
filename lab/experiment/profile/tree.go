package profile

import (
	"path"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/run"
)

// stack is one sample: functions from the first that belongs to the codec to the one
// that ran, and what it stands for, per op. Names have the whole path of their package: the
// report shortens them, and colours them by it.
type stack struct {
	frames []string
	value  float64
	full   []string // as the profile has them, the root first
}

// workerPrefix is where the lab's own frames live: what calls them and they themselves
// are cut off.
const workerPrefix = contender.LabPath + "/worker."

// stacks reads the samples of a profile, the index-th value of each times scale.
func stacks(p *profile.Profile, index int, scale float64) []stack {
	var out []stack
	for _, s := range p.Sample {
		if s.Value[index] == 0 {
			continue
		}
		var full []string
		for _, l := range slices.Backward(s.Location) {
			for _, line := range slices.Backward(l.Line) { // what is inlined comes first
				if line.Function != nil {
					full = append(full, line.Function.Name)
				}
			}
		}
		if i := slices.Index(full, "runtime.asyncPreempt"); i > 0 {
			full = full[:i] // where a goroutine was made to yield says where it was
		}
		out = append(out, stack{frames: frames(full), full: full, value: float64(s.Value[index]) * scale})
	}
	return out
}

// The roots under which stands what no call of the codec led to.
const (
	collector  = "garbage collector"
	background = "Go runtime"
)

// frames cuts a stack down to the codec: what is below the lab's loop. Stacks without
// it are the runtime's own goroutines.
func frames(full []string) []string {
	for i, f := range slices.Backward(full) {
		if strings.HasPrefix(f, workerPrefix) {
			full = full[i+1:]
			break
		}
		if i == 0 {
			root := background
			if slices.ContainsFunc(full, isCollector) {
				root = collector
			}
			return append([]string{root}, readable(full)...)
		}
	}
	return readable(full)
}

// readable are names without the linker's escape for dots in the last element of a path.
func readable(full []string) []string {
	out := make([]string, len(full))
	for i, f := range full {
		out[i] = strings.ReplaceAll(f, "%2e", ".")
	}
	return out
}

// Short spells a function with the last element of its package's path and without type
// arguments: json.(*encodeState).marshal.
func Short(name string) string {
	name = strings.ReplaceAll(name, "[...]", "")
	head, tail := "", name
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		head, tail = name[:i], name[i+1:]
	}
	if pkg, rest, ok := strings.Cut(tail, "."); ok && len(pkg) > 1 && pkg[0] == 'v' && strings.Trim(pkg[1:], "0123456789") == "" {
		tail = path.Base(head) + "." + rest // a major version says nothing
	}
	return strings.ReplaceAll(tail, "%2e", ".")
}

// cut is the share of the whole below which a frame is left out of the report.
const cut = 0.005

// tree makes a flame graph of stacks, the widest calls first.
func tree(name string, list []stack) *run.Frame {
	root := &run.Frame{Name: name}
	for _, s := range list {
		at := root
		at.Value += s.value
		for _, f := range s.frames {
			i := slices.IndexFunc(at.Calls, func(c *run.Frame) bool { return c.Name == f })
			if i < 0 {
				i = len(at.Calls)
				at.Calls = append(at.Calls, &run.Frame{Name: f})
			}
			at = at.Calls[i]
			at.Value += s.value
		}
	}
	return root
}

// prune leaves out what is narrower than the cut of the whole and sorts the rest.
func prune(f *run.Frame, least float64) {
	f.Calls = slices.DeleteFunc(f.Calls, func(c *run.Frame) bool { return max(c.Value, c.Value-c.Delta) < least })
	slices.SortStableFunc(f.Calls, func(a, b *run.Frame) int {
		switch {
		case a.Value > b.Value:
			return -1
		case a.Value < b.Value:
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
	for _, c := range f.Calls {
		prune(c, least)
	}
}

// byKind regroups stacks: kind of work, then the function that ran. Two codecs that
// share no function of their own can be compared that way.
func byKind(list []stack) []stack {
	out := make([]stack, len(list))
	for i, s := range list {
		out[i] = stack{frames: []string{kindOf(s.full), "?"}, value: s.value}
		if n := len(s.frames); n > 0 {
			out[i].frames[1] = s.frames[n-1]
		}
	}
	return out
}

// difference sets the deltas of f against base; what only base has is added, with no
// width of its own.
func difference(f, base *run.Frame) {
	f.Delta = f.Value - base.Value
	for _, b := range base.Calls {
		if !slices.ContainsFunc(f.Calls, func(c *run.Frame) bool { return c.Name == b.Name }) {
			f.Calls = append(f.Calls, &run.Frame{Name: b.Name})
		}
	}
	for _, c := range f.Calls {
		i := slices.IndexFunc(base.Calls, func(b *run.Frame) bool { return b.Name == c.Name })
		if i < 0 {
			difference(c, &run.Frame{})
		} else {
			difference(c, base.Calls[i])
		}
	}
}
