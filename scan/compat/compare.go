package compat

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/zmylab/zmy/scan/compat/side"
)

// comparison is the work on one type.
type comparison struct {
	a, b   *proc
	judge  judge
	forms  []string            // forms in which values are marshalled
	docs   [][]byte            // captured documents
	values []int               // values that both sides have
	probes []*probe            // sound documents
	wrong  []*probe            // mutated ones
	base   map[string][]string // pins that a sound document needs, by path
	doing  func(string)

	groups   map[[4]string]*group
	left     map[[4]string]*group // what differs with all pins set
	unstable map[[2]string]bool   // place and reason of values for which the first side differs from itself
	tried    int                  // calls compared; none of writing if no side wrote a value, and so of reading
	wrote    int                  // values that a side wrote
	asked    int                  // documents that both sides were given
	taken    bool                 // a side read one of them
	untested []Untested
	pins     []string // options that are set on the second side: those found so far
}

// group holds the differences of one class at one path.
type group struct {
	verdict
	count   int
	example example
	pins    []string // the least options that restore the first side's result; nil if there are none
	least   []string // a least set of options under which nothing in the example differs
	own     []string // those of least without which this very difference comes back
	looked  bool     // its pins were searched for
}

// example is the call that shows a difference.
type example struct {
	item  side.Item
	probe *probe
	name  string // what is special about the value: "slice nil at Items"
	size  int
	pins  []string // options that were set on the second side when it was found

	before side.Outcome // of the first side
	after  side.Outcome // of the second side
}

// NOTE: everything is compared in rounds. After each round the options that restore what differed
// are set on the second side, and the next round shows what was hidden: a value that one side refuses
// shows only its first difference. A document that is wrong in one place shows what also differs
// without the mistake, so the options that are needed without it are found first.

// mostRounds bounds the rounds.
const mostRounds = 6

// run compares values, then documents as the sides write them, then wrong ones.
func (c *comparison) run(ctx context.Context) error {
	c.groups, c.unstable, c.base = map[[4]string]*group{}, map[[2]string]bool{}, map[string][]string{}
	if err := c.meet(ctx); err != nil {
		return err
	}
	if err := c.rounds(ctx, c.marshal); err != nil {
		return err
	}
	if err := c.prepare(ctx); err != nil {
		return err
	}
	sound, wrong := c.probes, c.wrong
	if err := c.rounds(ctx, func(ctx context.Context, first bool) error { return c.unmarshal(ctx, sound, first) }); err != nil {
		return err
	}
	for _, g := range c.groups {
		if g.op == OpUnmarshal {
			c.base[g.path] = append(c.base[g.path], g.least...)
		}
	}
	if err := c.rounds(ctx, func(ctx context.Context, first bool) error { return c.unmarshal(ctx, wrong, first) }); err != nil {
		return err
	}
	if c.taken {
		c.tried += c.asked
	} else if c.asked > 0 {
		c.untested = append(c.untested, Untested{Where: ".", Why: fmt.Sprintf("no side reads any of %s", count(c.asked, "document"))})
	}
	for k, g := range c.groups {
		if g.op == OpUnmarshal && !g.example.probe.sound() && c.explained(g) {
			delete(c.groups, k)
		}
	}
	if err := c.confirm(ctx); err != nil {
		return err
	}
	return c.verify(ctx)
}

// verify compares everything once more, with all options set that were found. What still differs has
// none of them as its remedy.
func (c *comparison) verify(ctx context.Context) error {
	c.pins = nil
	for _, g := range c.groups {
		c.pins = append(c.pins, g.pins...)
	}
	slices.Sort(c.pins)
	if c.pins = slices.Compact(c.pins); len(c.pins) == 0 {
		return nil
	}
	return c.leave(ctx)
}

// leave compares everything once more, with the options that are set. It notes what still differs.
func (c *comparison) leave(ctx context.Context) error {
	found := c.groups
	c.groups = map[[4]string]*group{}
	if err := c.marshal(ctx, false); err != nil {
		return err
	}
	if err := c.unmarshal(ctx, append(slices.Clip(c.probes), c.wrong...), false); err != nil {
		return err
	}
	if err := c.confirm(ctx); err != nil {
		return err
	}
	c.left, c.groups = c.groups, found
	for k, g := range c.left {
		if known := c.groups[k]; known == nil || len(known.pins) > 0 {
			c.groups[k] = g
		}
	}
	return nil
}

// explained reports whether a wrong document differs for the same reasons as one without the
// mistake.
func (c *comparison) explained(g *group) bool {
	base := c.base[g.path]
	if g.example.probe.tree == nil || g.example.probe.into != nil {
		base = append(slices.Clip(base), c.base[""]...)
	}
	if len(g.pins) == 0 {
		return false
	}
	g.pins = slices.DeleteFunc(g.pins, func(p string) bool { return slices.Contains(base, p) })
	return len(g.pins) == 0
}

// rounds compares by one function until nothing new differs.
func (c *comparison) rounds(ctx context.Context, compare func(ctx context.Context, first bool) error) error {
	c.pins = nil
	for round := range mostRounds {
		before := len(c.groups)
		if err := compare(ctx, round == 0); err != nil {
			return err
		}
		if len(c.groups) == before || len(c.b.listed.Pins) == 0 {
			return nil
		}
		if found, err := c.findPins(ctx); err != nil || !found {
			return err
		}
	}
	return nil
}

// meet starts both sides, the first one first, and finds the values that they share.
func (c *comparison) meet(ctx context.Context) error {
	c.doing("making values")
	if err := c.a.start(ctx); err != nil {
		return sideError(c.a, err)
	}
	for _, x := range c.a.listed.Cases {
		c.a.taken = append(c.a.taken, x.Taken)
	}
	if c.b.shared {
		c.b.taken = c.a.taken
	}
	if err := c.b.start(ctx); err != nil {
		return sideError(c.b, err)
	}
	a, b := c.a.listed, c.b.listed
	c.judge.namer = newNamer(append(slices.Clone(a.Names), b.Names...))
	for _, place := range a.Untested {
		c.untested = append(c.untested, Untested{Where: place, Why: "nothing is known that could be put there"})
	}
	if !a.Dense {
		c.untested = append(c.untested, Untested{Where: ".", Why: "extreme values cannot be made: " + a.Why})
	}
	if a.Shape != b.Shape {
		c.untested = append(c.untested, Untested{Where: ".",
			Why: "the type is declared otherwise on the two sides, so only documents were compared, not values"})
		return nil
	}
	differ := 0
	for i := range min(len(a.Sums), len(b.Sums)) {
		if a.Sums[i] == b.Sums[i] {
			c.values = append(c.values, i)
		} else {
			differ++
		}
	}
	if n := differ + max(len(a.Sums), len(b.Sums)) - min(len(a.Sums), len(b.Sums)); n > 0 {
		c.untested = append(c.untested, Untested{Where: ".", Why: fmt.Sprintf("%d values came out differently in the two processes", n)})
	}
	return nil
}

// what says what is special about a value.
func (c *comparison) what(value int) string {
	l := c.a.listed
	n := value - l.Drawn
	if l.Dense {
		if n == 0 {
			return "a value with everything filled in"
		}
		n--
	}
	if n < 0 || n >= len(l.Cases) {
		return "a drawn value"
	}
	return l.Cases[n].Name + " at " + l.Cases[n].Where
}

// mostFull bounds the differing values of which the bytes are compared.
const mostFull = 4000

// marshal compares what both sides write for each value.
func (c *comparison) marshal(ctx context.Context, first bool) error {
	c.doing(fmt.Sprintf("writing %d values", len(c.values)))
	var items []side.Item
	for _, form := range c.forms {
		for _, i := range c.values {
			if form == side.Pointer || i < 16 || i >= c.a.listed.Drawn && i < c.a.listed.Drawn+3 {
				items = append(items, side.Item{Value: i, Form: form})
			}
		}
	}
	x, y, err := both(ctx, c.a, c.b, items, pinned(items, c.pins))
	if err != nil {
		return err
	}
	if first {
		if c.wrote = answered(x, y); c.wrote > 0 {
			c.tried += len(items)
		} else if len(items) > 0 {
			c.untested = append(c.untested, Untested{Where: ".",
				Why: fmt.Sprintf("no side writes any of %s: %s", count(len(items), "value"), firstLine(x[0].Err))})
		}
	}
	var differ []side.Item
	for i := range items {
		switch {
		case x[i].Unstable:
			c.unstable[[2]string{c.what(items[i].Value), "it is written differently from call to call, by the first side alone"}] = true
		case len(c.judge.marshalled(&x[i], &y[i], false)) > 0 && len(differ) < mostFull:
			items[i].Full = true
			differ = append(differ, items[i])
		}
	}
	for len(differ) > 0 {
		n := min(len(differ), batch)
		if err := c.explain(ctx, differ[:n]); err != nil {
			return err
		}
		differ = differ[n:]
	}
	return nil
}

// answered counts the calls that at least one side did not refuse.
func answered(x, y []side.Outcome) (n int) {
	for i := range x {
		if x[i].OK() || y[i].OK() {
			n++
		}
	}
	return n
}

// explain groups the differences of marshalled values.
func (c *comparison) explain(ctx context.Context, items []side.Item) error {
	x, y, err := both(ctx, c.a, c.b, items, pinned(items, c.pins))
	if err != nil {
		return err
	}
	for i := range items {
		if x[i].Unstable {
			c.unstable[[2]string{c.what(items[i].Value), "it is written differently from call to call, by the first side alone"}] = true
			continue
		}
		for _, v := range c.judge.marshalled(&x[i], &y[i], true) {
			c.put(v, example{item: items[i], name: c.what(items[i].Value), size: x[i].Len + y[i].Len, pins: c.pins,
				before: x[i], after: y[i]})
		}
	}
	return nil
}

func pinned(items []side.Item, pins []string) []side.Item {
	if len(pins) == 0 {
		return items
	}
	out := slices.Clone(items)
	for i := range out {
		out[i].Pins = pins
	}
	return out
}

// put adds a difference to its group.
func (c *comparison) put(v verdict, e example) {
	g := c.groups[v.key()]
	if g == nil {
		g = &group{verdict: v, example: e}
		c.groups[v.key()] = g
	}
	g.count++
	if e.size < g.example.size {
		g.verdict, g.example = v, e
	}
}

// Sound documents.
const (
	asWritten   = "as it is written"
	fromOutside = "a captured document"
	byFirst     = "what the first side writes"
	bySecond    = "what the second side writes"
)

// sound reports whether a document was not made wrong.
func (p *probe) sound() bool {
	return slices.Contains([]string{asWritten, fromOutside, byFirst, bySecond}, p.how)
}

const (
	mostProbes    = 30_000 // documents that both sides read
	mostOriginals = 40     // documents that are mutated
	mostDocument  = 64 << 10
)

// prepare makes the documents that both sides read: what each of them writes, the captured ones, and
// mutated ones.
func (c *comparison) prepare(ctx context.Context) error {
	c.doing("making documents")
	seen := map[string]bool{}
	addDoc := func(how string, doc []byte) {
		if len(doc) <= mostDocument && !seen[string(doc)] {
			seen[string(doc)] = true
			c.probes = append(c.probes, &probe{how: how, doc: bytes.Clone(doc)})
		}
	}
	for _, d := range c.docs {
		addDoc(fromOutside, d)
	}
	originals := slices.Clone(c.docs)
	for _, p := range []*proc{c.a, c.b} {
		all := c.values
		if len(all) == 0 { // the types differ: each side has values of its own
			for i := range p.listed.Sums {
				all = append(all, i)
			}
		}
		var items []side.Item
		for _, i := range all {
			if i < p.listed.Drawn+200 {
				items = append(items, side.Item{Value: i, Full: true})
			}
		}
		for len(items) > 0 {
			n := min(len(items), 100)
			got, err := p.ask(ctx, items[:n])
			if err != nil {
				return err
			}
			for k := range got {
				if !got[k].OK() {
					continue
				}
				addDoc(map[bool]string{true: byFirst, false: bySecond}[p == c.a], got[k].Out)
				if v := items[k].Value; p == c.a && len(originals) < mostOriginals && (v < 8 || v == p.listed.Drawn) {
					originals = append(originals, bytes.Clone(got[k].Out))
				}
			}
			items = items[n:]
		}
	}
	return c.mutate(ctx, originals)
}

// mutate adds mutated documents.
func (c *comparison) mutate(ctx context.Context, originals [][]byte) error {
	var trees []*node
	for _, d := range originals {
		if t, err := parseTree(d); err == nil && len(d) <= 4*mostDocument {
			trees = append(trees, t)
		}
	}
	slices.SortStableFunc(trees, func(a, b *node) int { return cmp.Compare(b.size(), a.size()) })
	lean := map[string]bool{}
	seen := map[string]bool{}
	for _, t := range trees {
		thin := leanest(t, c.judge.namer, seen)
		out, err := c.a.ask(ctx, reads(thin))
		if err != nil {
			return err
		}
		for i, p := range thin {
			if _, known := lean[p.path]; !known || out[i].OK() {
				lean[p.path] = out[i].OK()
			}
		}
	}
	seen = map[string]bool{}
	for _, t := range trees {
		for _, p := range leanest(t, c.judge.namer, seen) {
			if p.how = asWritten; lean[p.path] {
				c.probes = append(c.probes, p)
			}
		}
	}
	seen = map[string]bool{}
	for i, t := range trees {
		c.wrong = append(c.wrong, mutated(t, c.judge.namer, seen, func(path string) bool { return lean[path] })...)
		if i == 0 {
			c.wrong = append(c.wrong, whole(t)...)
			c.wrong = append(c.wrong, again(t, c.judge.namer)...)
		}
	}
	if len(trees) == 0 { // the first side writes nothing
		c.wrong = append(c.wrong, whole(&node{kind: '{'})...)
	}
	if n := len(c.wrong); n > mostProbes {
		c.wrong = c.wrong[:mostProbes]
		c.untested = append(c.untested, Untested{Where: ".", Why: fmt.Sprintf("%d of %d documents were not read: too many", n-mostProbes, n)})
	}
	return nil
}

// reads returns the calls that read probes.
func reads(probes []*probe) []side.Item {
	out := make([]side.Item, len(probes))
	for i, p := range probes {
		out[i] = side.Item{Read: true, Doc: p.render(), Into: p.into}
	}
	return out
}

// unmarshal compares what both sides read from each document.
func (c *comparison) unmarshal(ctx context.Context, probes []*probe, first bool) error {
	c.doing(fmt.Sprintf("reading %d documents", len(probes)))
	if first {
		c.asked += len(probes)
	}
	for at := 0; at < len(probes); at += batch {
		if err := c.read(ctx, probes[at:min(at+batch, len(probes))]); err != nil {
			return err
		}
	}
	return nil
}

func (c *comparison) read(ctx context.Context, some []*probe) error {
	items := reads(some)
	x, y, err := both(ctx, c.a, c.b, items, pinned(items, c.pins))
	if err != nil {
		return err
	}
	c.taken = c.taken || answered(x, y) > 0
	var again []side.Item
	var which []*probe
	for i := range items {
		switch {
		case x[i].Unstable:
			c.unstable[[2]string{cmp.Or(some[i].path, "."), "it is read differently from call to call, by the first side alone"}] = true
		case len(c.judge.unmarshalled(some[i], &x[i], &y[i], false)) > 0:
			items[i].Full = true
			again, which = append(again, items[i]), append(which, some[i])
		}
	}
	if x, y, err = both(ctx, c.a, c.b, again, pinned(again, c.pins)); err != nil {
		return err
	}
	for i := range again {
		for _, v := range c.judge.unmarshalled(which[i], &x[i], &y[i], true) {
			c.put(v, example{item: again[i], probe: which[i], name: which[i].how, pins: c.pins,
				size: len(again[i].Doc) + len(again[i].Into), before: x[i], after: y[i]})
		}
	}
	return nil
}

// verdicts makes the call of an example again and compares the outcomes.
func (c *comparison) verdicts(e *example, x, y *side.Outcome) []verdict {
	if e.probe != nil {
		return c.judge.unmarshalled(e.probe, x, y, true)
	}
	return c.judge.marshalled(x, y, true)
}

// confirm makes the calls of all examples again, in new processes. What the first side does
// differently there depends on the process or on the time.
func (c *comparison) confirm(ctx context.Context) error {
	if len(c.groups) == 0 {
		return nil
	}
	c.doing("making sure of the differences")
	var all []*group
	var items []side.Item
	for _, g := range c.groups {
		all, items = append(all, g), append(items, g.example.item)
		items[len(items)-1].Full = true
	}
	before, err := c.a.ask(ctx, items)
	if err != nil {
		return err
	}
	c.a.close()
	c.b.close()
	after, err := c.a.ask(ctx, items)
	if err != nil {
		return err
	}
	for i, g := range all {
		if before[i].Sum != after[i].Sum || before[i].OK() != after[i].OK() || before[i].Unstable || after[i].Unstable ||
			g.class == otherText && before[i].Err != after[i].Err {
			delete(c.groups, g.key())
			c.unstable[[2]string{cmp.Or(g.path, "."), "not deterministic: the first side gives another result in another process"}] = true
		}
	}
	return nil
}

// sideError describes how a side failed before anything was compared.
func sideError(p *proc, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return &Failure{Side: p.name, What: "makes no values", Reason: firstLine(err.Error()), Output: err.Error()}
}
