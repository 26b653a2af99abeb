package profile

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
)

// stack is one sample. frames goes from the codec's first function to the function that was
// running; value is its time or bytes, per operation. Names contain the whole path of their
// package: the report shortens them, and chooses colours by the path.
type stack struct {
	frames []string
	value  float64
	full   []string // all frames as the profile has them, the root first
}

// workerPrefix is the prefix of the lab's own functions, in lab/worker and the packages below it.
// frames cuts these and their callers off.
const workerPrefix = contender.LabPath + "/worker"

// stacks returns the samples of a profile. The value of each is the profile's value number index,
// times scale.
func stacks(p *profile.Profile, index int, scale float64) []stack {
	var out []stack
	for _, s := range p.Sample {
		if s.Value[index] == 0 {
			continue
		}
		var full []string
		for _, l := range slices.Backward(s.Location) {
			for _, line := range slices.Backward(l.Line) { // inlined functions come first
				if line.Function != nil {
					full = append(full, line.Function.Name)
				}
			}
		}
		if i := slices.Index(full, "runtime.asyncPreempt"); i > 0 {
			full = full[:i] // the frames from here on belong to a forced yield of the goroutine
		}
		out = append(out, stack{frames: frames(full), full: full, value: float64(s.Value[index]) * scale})
	}
	return out
}

// The roots of the samples that no call of the codec caused.
const (
	collector  = "garbage collector"
	background = "Go runtime"
)

// frames cuts a stack down to the functions below the lab's loop. A stack without that loop belongs
// to the runtime's own goroutines, and gets one of the roots above.
func frames(full []string) (out []string) {
	loop := -1 // the innermost of the lab's own functions
	for i, f := range full {
		if strings.HasPrefix(f, workerPrefix) {
			loop = i
		}
	}
	switch {
	case loop >= 0:
	case slices.ContainsFunc(full, isCollector):
		out = []string{collector}
	case len(full) > 0:
		out = []string{background}
	}
	for _, f := range full[loop+1:] {
		out = append(out, readable(f))
	}
	return out
}

// readable removes the linker's escape for dots in the last element of a package's path.
func readable(name string) string { return strings.ReplaceAll(name, "%2e", ".") }

// Short shortens a function's name. It keeps only the last element of the package's path and drops
// type arguments: json.(*encodeState).marshal.
func Short(name string) string {
	pkg, rest := parts(name)
	if pkg == "" {
		return name
	}
	if majorVersion.MatchString(pkg) {
		pkg = path.Dir(pkg)
	}
	return readable(path.Base(pkg)) + "." + strings.ReplaceAll(rest, "[...]", "")
}

// majorVersion matches the path of a package whose last element is a version and no name.
var majorVersion = regexp.MustCompile(`/v[0-9]+$`)

// cut is the share of the whole below which the report leaves a frame out.
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

// prune drops frames narrower than least, and sorts the others by width. In a differential graph
// the larger of the two widths counts, so that frames that only the base has are kept.
func prune(f *run.Frame, least float64) {
	f.Calls = slices.DeleteFunc(f.Calls, func(c *run.Frame) bool { return max(c.Value, c.Value-c.Delta) < least })
	slices.SortStableFunc(f.Calls, func(a, b *run.Frame) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), strings.Compare(a.Name, b.Name))
	})
	for _, c := range f.Calls {
		prune(c, least)
	}
}

// byKind reduces each stack to its kind of work and, below that, the function that ran. So codecs
// can be compared even if they have no function in common.
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

// difference sets the deltas of f against base. Frames that only base has are added to f with width
// 0.
func difference(f, base *run.Frame) {
	f.Delta = f.Value - base.Value
	called := func(f *run.Frame, name string) *run.Frame {
		return experiment.First(f.Calls, func(c *run.Frame) bool { return c.Name == name })
	}
	for _, b := range base.Calls {
		if called(f, b.Name) == nil {
			f.Calls = append(f.Calls, &run.Frame{Name: b.Name})
		}
	}
	for _, c := range f.Calls {
		difference(c, cmp.Or(called(base, c.Name), &run.Frame{}))
	}
}
