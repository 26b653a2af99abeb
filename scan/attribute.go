package scan

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/scan/predict"
	"github.com/zmylab/zmy/scan/profile"
	"github.com/zmylab/zmy/scan/site"
)

// place is a site with one of its values, and what profiles have for it. Of serialization elsewhere, site
// is nil and other is set.
type place struct {
	site  *site.Site
	value *site.Value
	other *profile.Elsewhere
	cpu   *profile.Place // nil for other
	work  profile.Weight
	alloc profile.Weight

	of  subject
	alt string // codec to suggest, "" if there is none
	why string // why there is no codec, or no type to measure
}

// join makes the places from the CPU profile, with what they allocate from the heap profile. Without one, the
// samples of the CPU profile in which memory was allocated stand for it.
func (s *scanner) join() {
	allocs := map[profile.Key]profile.Weight{}
	others := map[string]profile.Weight{}
	if s.heap != nil {
		for _, p := range s.heap.Places {
			allocs[p.Key] = p.Work()
		}
		for _, e := range s.heap.Elsewhere {
			others[e.Where+e.Name+e.Format] = e.Work
		}
	}
	types := namer{s.code.Program.Modules}
	for _, p := range s.cpu.Places {
		x := &place{site: p.Site, value: p.Value, cpu: p, work: p.Work(), alloc: p.Malloc}
		if s.heap != nil {
			x.alloc = allocs[p.Key]
		}
		if x.alt, x.why = alternative(p.Site.Kind); x.alt != "" && p.Value != nil {
			x.of, x.why = types.subjectOf(p.Value.Type)
		}
		if x.work.Sum > 0 {
			s.places = append(s.places, x)
		}
	}
	for _, e := range s.cpu.Elsewhere {
		x := &place{other: e, work: e.Work}
		if s.heap != nil {
			x.alloc = others[e.Where+e.Name+e.Format]
		}
		s.places = append(s.places, x)
	}
	s.res.Collector = s.cpu.Collector.Sum / s.cpu.Profile.Total.Sum
	by := "the allocations of " + s.res.CPU.Name + ", since there is no heap profile (-heap is more exact)"
	if s.heap != nil {
		by = "the bytes allocated in " + s.res.Heap.Name
	}
	s.res.Notes = append(s.res.Notes, fmt.Sprintf("the garbage collector took %.1f%% of CPU; it is divided by %s", 100*s.res.Collector, by))
	if s.res.CPU.Samples < profile.MinSamples {
		s.res.Refused = fmt.Sprintf("%s has %.0f samples, and a prediction needs %d: profile for longer, or merge profiles by "+
			"go tool pprof -proto A B > merged.pprof", s.res.CPU.Name, s.res.CPU.Samples, profile.MinSamples)
		s.res.Warnings = append(s.res.Warnings, s.res.Refused)
	}
}

// input returns the input of a prediction for places.
func (s *scanner) input(places []*place) predict.Input {
	in := predict.Input{Total: s.cpu.Profile.Total, Collector: s.cpu.Collector, Alloc: s.cpu.Malloc, Seed: s.o.Lab.Seed}
	if s.heap != nil {
		in.Alloc = s.heap.Profile.Total
	}
	for _, p := range places {
		in.Places = append(in.Places, predict.Place{Work: p.work, Alloc: p.alloc, Ratio: -1})
	}
	return in
}

// describe returns a site with one of its values, nil if the type is unknown. The place of a value that comes
// through wrappers is the outermost call: that is where its type is chosen.
func describe(x *site.Site, v *site.Value) *Site {
	out := &Site{File: x.Pos.Filename, Line: x.Pos.Line, Func: x.Func, Package: x.Package, Direction: string(x.Kind.Direction),
		Codec: x.Kind.Codec, Format: x.Kind.Format, Why: x.Why, Generated: x.Generated}
	arg := "?"
	switch {
	case v != nil:
		out.Type, out.Why = v.Name, ""
		arg = shortType(v.Name)
	case len(x.Values) > 1:
		out.Why = fmt.Sprintf("one of %d types, which the profile does not tell apart", len(x.Values))
	}
	if v != nil && len(v.Via) > 0 {
		first := v.Via[0]
		out.File, out.Line, out.Func = first.Pos.Filename, first.Pos.Line, first.Func
		for _, c := range append(v.Via[1:len(v.Via):len(v.Via)], x.Call) {
			out.Via = append(out.Via, fmt.Sprintf("%s:%d", c.Pos.Filename, c.Pos.Line))
		}
	}
	out.Call = callName(x.Kind, arg)
	return out
}

// callName spells a call: "json.Unmarshal(*model.Device)", "json.Encoder.Encode(Order)", and for a method of
// the value itself "(*model.Device).MarshalVT".
func callName(k *site.Kind, arg string) string {
	name := k.Func
	if method := strings.LastIndex(name, ")."); method >= 0 {
		recv := strings.TrimLeft(name[:method], "(*")
		if k.Value == site.Receiver {
			return "(" + arg + ")" + name[method+1:]
		}
		return lastElement(recv) + "." + name[method+2:] + "(" + arg + ")"
	}
	return lastElement(name) + "(" + arg + ")"
}

// lastElement returns a name without the folders of its import path.
func lastElement(s string) string { return s[strings.LastIndexByte(s, '/')+1:] }

// shortType returns a type with package names in place of paths: "map[string]*model.Device".
func shortType(s string) string {
	var out strings.Builder
	word := 0
	for i, r := range s {
		if strings.ContainsRune("*[](){}, ;", r) {
			out.WriteString(lastElement(s[word:i]))
			out.WriteRune(r)
			word = i + 1
		}
	}
	out.WriteString(lastElement(s[word:]))
	return out.String()
}

// elsewhere returns serialization that no site called, with its shares.
func elsewhere(e *profile.Elsewhere, f predict.Saving) Other {
	x := Other{Where: e.Where, Name: e.Name, Format: e.Format, CPU: f.CPU, GC: f.GC}
	if e.At.Func != "" {
		x.At = fmt.Sprintf("%s, line %d", e.At.Func, e.At.Line)
	}
	return x
}

// frameOf returns a flame graph as the report draws it.
func frameOf(n *profile.Node) *run.Frame {
	f := &run.Frame{Name: n.Name, Value: n.Value}
	for _, c := range n.Calls {
		f.Calls = append(f.Calls, frameOf(c))
	}
	return f
}
