package profile

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/zmylab/zmy/scan/site"
)

// Attribution is a profile divided among sites.
type Attribution struct {
	Profile   *Profile
	Places    []*Place     // heaviest first; only those with samples
	Elsewhere []*Elsewhere // codecs at work without a site; heaviest first
	Collector Weight       // the garbage collector, wherever it ran
	Malloc    Weight       // samples in which memory was allocated, wherever; without the collector's
	Known     Weight       // samples with a function of the code base
	Flame     *Node        // all work of codecs, by site and function
}

// Key identifies a place. Value is nil if it is not known which of the site's values it was.
type Key struct {
	Site  *site.Site
	Value *site.Value
}

// Place is what a profile has for one site and value.
type Place struct {
	Key
	Codec  Weight // the codec, and methods of the standard library's types
	Own    Weight // MarshalJSON and similar methods of types, which the codec calls
	Stream Weight // reading the input from a stream, or writing the output to one: no serialization
	Malloc Weight // the part of Codec and Own in which memory was allocated
	Moved  Weight // the part of all that agrees with the source by function only, not by line
}

// Work returns the serialization at the place.
func (p *Place) Work() Weight {
	w := p.Codec
	w.Add(p.Own)
	return w
}

// Callers of codecs that are not sites.
const (
	InDependency = "dependency"
	InStandard   = "standard library"
	InProgram    = "program"
)

// Elsewhere is the work of a codec that no site of the code base called.
type Elsewhere struct {
	Where  string // InDependency …
	Name   string // module, package of the standard library, or function of the program
	Format string
	At     Frame // a call of the codec there
	Work   Weight
}

// Node is a function of a flame graph, with the functions that it called.
type Node struct {
	Name  string
	Value float64
	Calls []*Node
	index map[string]*Node
}

func (n *Node) call(name string) *Node {
	c := n.index[name]
	if c == nil {
		c = &Node{Name: name}
		if n.index == nil {
			n.index = map[string]*Node{}
		}
		n.index[name], n.Calls = c, append(n.Calls, c)
	}
	return c
}

// Attribute divides a profile among sites.
func Attribute(program Program, sites []*site.Site, p *Profile) *Attribution {
	d := &divider{Attribution: &Attribution{Profile: p, Flame: &Node{Name: "serialization"}}, m: newMatcher(&program, sites),
		places: map[Key]*Place{}, others: map[string]*Elsewhere{}}
	for _, s := range p.Samples {
		d.divide(s)
	}
	slices.SortStableFunc(d.Places, func(a, b *Place) int { return cmp.Compare(b.Work().Sum, a.Work().Sum) })
	slices.SortStableFunc(d.Elsewhere, func(a, b *Elsewhere) int { return cmp.Compare(b.Work.Sum, a.Work.Sum) })
	return d.Attribution
}

type divider struct {
	*Attribution
	m      *matcher
	places map[Key]*Place
	others map[string]*Elsewhere
}

func (d *divider) divide(s Sample) {
	if slices.ContainsFunc(s.Stack, d.m.owns) {
		d.Known.add(s.N, s.Value)
	}
	for _, f := range s.Stack {
		if collecting(f.Func) {
			d.Collector.add(s.N, s.Value)
			return
		}
	}
	malloc := slices.ContainsFunc(s.Stack, func(f Frame) bool { return allocating(f.Func) })
	if malloc {
		d.Malloc.add(s.N, s.Value)
	}
	if h, ok := d.m.find(s.Stack); ok {
		d.atSite(s, h, malloc)
	} else {
		d.elsewhere(s)
	}
}

func (d *divider) atSite(s Sample, h hit, malloc bool) {
	k := Key{h.site, h.value}
	p := d.places[k]
	if p == nil {
		p = &Place{Key: k}
		d.places[k], d.Places = p, append(d.Places, p)
	}
	if h.moved {
		p.Moved.add(s.N, s.Value)
	}
	switch d.m.inside(s.Stack[:h.entry]) {
	case stream:
		p.Stream.add(s.N, s.Value)
		return
	case own:
		p.Own.add(s.N, s.Value)
	default:
		p.Codec.add(s.N, s.Value)
	}
	if malloc {
		p.Malloc.add(s.N, s.Value)
	}
	d.draw(h.site.Func, s, h.entry)
}

// draw adds the frames of a sample from a codec's entry inwards to the flame graph.
func (d *divider) draw(caller string, s Sample, entry int) {
	d.Flame.Value += s.Value
	n := d.Flame.call(caller)
	n.Value += s.Value
	for i := entry; i >= 0; i-- {
		n = n.call(s.Stack[i].Func)
		n.Value += s.Value
	}
}

// Work inside a codec.
const (
	codec = iota
	own
	stream
)

// inside tells what a codec does. inner are the frames that its entry called.
func (m *matcher) inside(inner []Frame) int {
	for _, f := range slices.Backward(inner) {
		switch {
		case streaming(f):
			return stream
		case hooks[baseOf(f.Func)] && (m.owns(f) || !standard(pkgOf(f.Func))) && codecOf(f) == "" && !writtenByGenerator(f):
			return own
		}
	}
	return codec
}

// elsewhere adds a sample in which a codec works without a site. Its caller is the innermost function
// outside of the codec that is not of a codec itself.
func (d *divider) elsewhere(s Sample) {
	entry := -1
	for i, f := range s.Stack {
		if codecOf(f) != "" {
			entry = i
		}
	}
	if entry < 0 || d.m.inside(s.Stack[:entry]) == stream {
		return
	}
	e := Elsewhere{Where: InDependency, Name: "unknown", Format: codecOf(s.Stack[entry])}
	if entry+1 < len(s.Stack) {
		e.At = s.Stack[entry+1]
		pkg := pkgOf(e.At.Func)
		module, _ := d.m.program.moduleOf(pkg)
		switch {
		case d.m.owns(e.At):
			e.Where, e.Name = InProgram, plainName(e.At.Func)
		case standard(pkg):
			e.Where, e.Name = InStandard, pkg
		default:
			e.Name = cmp.Or(module, pkg)
		}
	}
	k := e.Where + " " + e.Name + " " + e.Format
	x := d.others[k]
	if x == nil {
		x = &e
		d.others[k], d.Elsewhere = x, append(d.Elsewhere, x)
	}
	x.Work.add(s.N, s.Value)
	d.draw(e.At.Func, s, entry)
}

func itoa(n int) string { return strconv.Itoa(n) }
