package compat

import (
	"context"
	"slices"

	"github.com/zmylab/zmy/scan/compat/side"
)

// reduce makes the examples smaller: one of each class and set of options, as long as it shows the
// same difference. A value loses fields, elements and characters; a document loses members and
// elements.
func (c *comparison) reduce(ctx context.Context) error {
	c.doing("reducing the examples")
	best := map[[3]string]*group{}
	for _, g := range c.groups {
		k := [3]string{g.op, g.class, titled(g.pins)}
		if b := best[k]; b == nil || g.example.size < b.example.size ||
			g.example.size == b.example.size && slices.Compare(key(g), key(b)) < 0 {
			best[k] = g
		}
	}
	for _, g := range best {
		var err error
		if g.example.probe == nil {
			err = c.reduceValue(ctx, g)
		} else if g.example.probe.tree != nil {
			err = c.reduceDocument(ctx, g)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// mostSteps bounds the steps of one reduction. Each step makes one value smaller.
const mostSteps = 60

// reduceValue cuts parts off a value, the largest first.
func (c *comparison) reduceValue(ctx context.Context, g *group) error {
	e := &g.example
	for range mostSteps {
		now := e.item
		now.List, now.Full = true, true
		got, err := c.a.ask(ctx, []side.Item{now})
		if err != nil {
			return err
		}
		// Cuts that all hold are made together, if that holds as well: first all of them, then the
		// first half, and so on.
		cuts := got[0].Places
		kept, err := c.trial(ctx, g, singly(cuts))
		if err != nil {
			return err
		}
		var good []string
		for i, ok := range kept {
			if ok {
				good = append(good, cuts[i])
			}
		}
		if len(good) == 0 {
			return nil
		}
		var sets [][]string
		for n := len(good); n > 1; n /= 2 {
			sets = append(sets, backward(good[:n]))
		}
		sets = append(sets, good[:1])
		if kept, err = c.trial(ctx, g, sets); err != nil {
			return err
		}
		i := slices.Index(kept, true)
		if i < 0 {
			return nil
		}
		if err := c.take(ctx, g, append(slices.Clone(e.item.Cuts), sets[i]...)); err != nil {
			return err
		}
	}
	return nil
}

func singly(all []string) (out [][]string) {
	for _, s := range all {
		out = append(out, []string{s})
	}
	return out
}

// backward returns cuts in the order in which none moves the place of a later one: parts are listed
// before their own parts, and elements by number.
func backward(cuts []string) []string {
	out := slices.Clone(cuts)
	slices.Reverse(out)
	return out
}

// trial reports for each list of further cuts whether the example still shows its difference.
func (c *comparison) trial(ctx context.Context, g *group, sets [][]string) ([]bool, error) {
	items := make([]side.Item, len(sets))
	for i, cuts := range sets {
		items[i] = g.example.item
		items[i].Cuts, items[i].Full = append(slices.Clone(items[i].Cuts), cuts...), true
	}
	x, y, err := both(ctx, c.a, c.b, items, pinned(items, g.example.pins))
	if err != nil {
		return nil, err
	}
	out := make([]bool, len(sets))
	for i := range sets {
		out[i] = c.showsExactly(g, &x[i], &y[i])
	}
	return out, nil
}

// showsExactly reports whether two outcomes have the very difference of a group.
func (c *comparison) showsExactly(g *group, x, y *side.Outcome) bool {
	return !x.Unstable && slices.ContainsFunc(c.verdicts(&g.example, x, y), func(v verdict) bool { return v.key() == g.key() })
}

// take makes the cuts part of the example.
func (c *comparison) take(ctx context.Context, g *group, cuts []string) error {
	e := &g.example
	e.item.Cuts, e.item.Full = cuts, true
	x, y, err := both(ctx, c.a, c.b, []side.Item{e.item}, pinned([]side.Item{e.item}, e.pins))
	if err != nil {
		return err
	}
	c.settle(g, &x[0], &y[0])
	return nil
}

// settle notes the outcomes of a smaller example.
func (c *comparison) settle(g *group, x, y *side.Outcome) {
	e := &g.example
	e.before, e.after, e.size = *x, *y, x.Len+y.Len
	if e.probe != nil {
		e.size = len(e.item.Doc) + len(e.item.Into)
	}
	for _, v := range c.verdicts(e, x, y) {
		if v.key() == g.key() {
			g.verdict = v
		}
	}
}

// reduceDocument removes members and elements from a document.
func (c *comparison) reduceDocument(ctx context.Context, g *group) error {
	e := &g.example
	for range mostSteps {
		var trees []*node
		smaller(e.probe.tree, func(t *node) { trees = append(trees, t) })
		if len(trees) == 0 {
			return nil
		}
		probes := make([]*probe, len(trees))
		for i, t := range trees {
			p := *e.probe
			p.tree = t
			probes[i] = &p
		}
		items := reads(probes)
		for i := range items {
			items[i].Full = true
		}
		x, y, err := both(ctx, c.a, c.b, items, pinned(items, e.pins))
		if err != nil {
			return err
		}
		found := false
		for i := range items {
			if c.showsExactly(g, &x[i], &y[i]) {
				e.probe, e.item, found = probes[i], items[i], true
				c.settle(g, &x[i], &y[i])
				break
			}
		}
		if !found {
			return nil
		}
	}
	return nil
}

// mostSmaller bounds the documents that smaller makes.
const mostSmaller = 200

// smaller calls with with documents that lack one member or element each.
func smaller(t *node, with func(*node)) {
	n := 0
	var walk func(x *node, put func(*node) *node)
	walk = func(x *node, put func(*node) *node) {
		for i := range x.kids {
			if n++; n > mostSmaller {
				return
			}
			with(put(x.drop(i)))
		}
		for i, k := range x.kids {
			walk(k, func(y *node) *node {
				c := *x
				c.kids = append([]*node(nil), x.kids...)
				c.kids[i] = y
				return put(&c)
			})
		}
	}
	walk(t, func(y *node) *node { return y })
}
