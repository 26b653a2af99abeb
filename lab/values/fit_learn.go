package values

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
)

// NOTE: learner reads all documents token by token into a tree of heard, one for each path. node
// then turns each heard into the distributions of a Node. Which fit a leaf gets can be decided only
// then, as one odd value among thousands rules a form out.

// Learn learns a fit from documents of valid JSON, as [ReadDocuments] returns them.
func Learn(docs []Document, source string) (*Fit, error) {
	l := &learner{r: rand.New(rand.NewPCG(1, 0x666974))} // "fit"
	root := new(heard)
	for _, d := range docs {
		dec := json.NewDecoder(bytes.NewReader(d.Text))
		dec.UseNumber()
		if err := l.value(dec, root); err != nil {
			return nil, err
		}
	}
	return &Fit{Format: FitFormat, Documents: len(docs), Source: source, Root: root.node()}, nil
}

// mostHeard is the number of observations that are kept at one path. If there are more, a random
// sample is kept.
const mostHeard = 20_000

// heard holds the observations at one path.
type heard struct {
	seen, null, falses, trues int
	numbers                   kept[json.Number]
	strings                   kept[string]
	lists, objects            int
	lengths                   kept[float64]
	elem                      *heard
	members                   map[string]*heard
	order                     []string
	sizes                     kept[float64]
}

// kept is a uniform random sample from n observations (Vitter 1985, algorithm R).
type kept[T any] struct {
	n    int
	list []T
}

func (k *kept[T]) add(r *rand.Rand, x T) {
	k.n++
	if len(k.list) < mostHeard {
		k.list = append(k.list, x)
	} else if i := r.IntN(k.n); i < mostHeard {
		k.list[i] = x
	}
}

type learner struct{ r *rand.Rand }

// value reads one value and records it.
func (l *learner) value(dec *json.Decoder, h *heard) error {
	t, err := dec.Token()
	if err != nil {
		return err
	}
	h.seen++
	switch t := t.(type) {
	case nil:
		h.null++
	case bool:
		if t {
			h.trues++
		} else {
			h.falses++
		}
	case json.Number:
		h.numbers.add(l.r, t)
	case string:
		h.strings.add(l.r, t)
	case json.Delim:
		if t == '[' {
			return l.list(dec, h)
		}
		return l.object(dec, h)
	}
	return nil
}

func (l *learner) list(dec *json.Decoder, h *heard) error {
	if h.elem == nil {
		h.elem = new(heard)
	}
	n := 0
	for ; dec.More(); n++ {
		if err := l.value(dec, h.elem); err != nil {
			return err
		}
	}
	h.lists++
	h.lengths.add(l.r, float64(n))
	_, err := dec.Token()
	return err
}

// object reads an object. Each of its members has a heard of its own, in the order in which names
// first occur, so that drawn documents have their members in that order.
func (l *learner) object(dec *json.Decoder, h *heard) error {
	if h.members == nil {
		h.members = map[string]*heard{}
	}
	n := 0
	here := map[string]bool{}
	for ; dec.More(); n++ {
		t, err := dec.Token()
		if err != nil {
			return err
		}
		name := t.(string)
		m := h.members[name]
		if m == nil {
			m = new(heard)
			h.members[name] = m
			h.order = append(h.order, name)
		}
		if here[name] { // a repeated member is read but not recorded
			m = new(heard)
		}
		here[name] = true
		if err := l.value(dec, m); err != nil {
			return err
		}
	}
	h.objects++
	h.sizes.add(l.r, float64(n))
	_, err := dec.Token()
	return err
}

// node turns the observations into a Node.
func (h *heard) node() *Node {
	n := &Node{Seen: h.seen, Null: h.null, False: h.falses, True: h.trues}
	if h.numbers.n > 0 {
		n.Number = fitNumbers(h.numbers.list)
		n.Number.N = h.numbers.n
	}
	if h.strings.n > 0 {
		n.String = fitStrings(h.strings.list)
		n.String.N = h.strings.n
	}
	if h.lists > 0 {
		n.List = &ListFit{N: h.lists, Length: quantilesOf(h.lengths.list)}
		if h.elem.seen > 0 {
			n.List.Elem = h.elem.node()
		}
	}
	if h.objects > 0 {
		n.Object = h.object()
	}
	return n
}

// Objects are maps if they have more than leastKeys different keys in all, and each object has few
// of them: on average at most mostPresence of all keys.
const (
	leastKeys    = 24
	mostPresence = 0.25
)

// object returns the fit of the objects at one path. In a map, a key says nothing about its
// element, so one Node describes the elements of all keys. Size describes the number of entries.
func (h *heard) object() *ObjectFit {
	o := &ObjectFit{N: h.objects}
	members := 0
	for _, m := range h.members {
		members += m.seen
	}
	if distinct := len(h.members); distinct <= leastKeys || float64(members) > mostPresence*float64(distinct)*float64(h.objects) {
		for _, name := range h.order {
			o.Members = append(o.Members, Member{name, h.members[name].node()})
		}
		return o
	}
	all, r := new(heard), rand.New(rand.NewPCG(2, 0x666974))
	var keys kept[string]
	for _, name := range h.order {
		for range h.members[name].seen {
			keys.add(r, name)
		}
		all.merge(r, h.members[name])
	}
	o.Keys, o.Size, o.Elem = fitStrings(keys.list), quantilesOf(h.sizes.list), all.node()
	return o
}

// merge adds the observations of o.
func (h *heard) merge(r *rand.Rand, o *heard) {
	h.seen, h.null, h.falses, h.trues = h.seen+o.seen, h.null+o.null, h.falses+o.falses, h.trues+o.trues
	h.lists, h.objects = h.lists+o.lists, h.objects+o.objects
	h.numbers.merge(r, &o.numbers)
	h.strings.merge(r, &o.strings)
	h.lengths.merge(r, &o.lengths)
	h.sizes.merge(r, &o.sizes)
	if o.elem != nil {
		if h.elem == nil {
			h.elem = new(heard)
		}
		h.elem.merge(r, o.elem)
	}
	if o.members == nil {
		return
	}
	if h.members == nil {
		h.members = map[string]*heard{}
	}
	for _, name := range o.order {
		if h.members[name] == nil {
			h.members[name] = new(heard)
			h.order = append(h.order, name)
		}
		h.members[name].merge(r, o.members[name])
	}
}

// merge adds the sample o, and counts all observations that o stands for.
func (k *kept[T]) merge(r *rand.Rand, o *kept[T]) {
	for _, x := range o.list {
		k.add(r, x)
	}
	k.n += o.n - len(o.list)
}

// IsMap reports whether the objects are maps, not struct-like.
func (o *ObjectFit) IsMap() bool { return o.Keys != nil }

// Presence returns the share of objects that have member m, null or not.
func (o *ObjectFit) Presence(m Member) float64 { return float64(m.Node.Seen) / float64(o.N) }

// Walk calls f for the node and every path below: Items[].Price, Attrs[*]. If f returns false, Walk
// does not go deeper there. presence is the share of the surrounding objects that have the member.
func (n *Node) Walk(path string, f func(path string, n *Node, presence float64) bool) {
	n.walk(path, 1, f)
}

func (n *Node) walk(path string, presence float64, f func(string, *Node, float64) bool) {
	if n == nil || !f(strings.TrimPrefix(path, "."), n, presence) {
		return
	}
	if n.List != nil {
		n.List.Elem.walk(path+"[]", 1, f)
	}
	if o := n.Object; o != nil {
		for _, m := range o.Members {
			m.Node.walk(path+"."+m.Name, o.Presence(m), f)
		}
		o.Elem.walk(path+"[*]", 1, f)
	}
}

// kinds names the kinds of values at a node.
func (n *Node) kinds() []string {
	var out []string
	add := func(ok bool, kind string) {
		if ok {
			out = append(out, kind)
		}
	}
	add(n.False+n.True > 0, "bool")
	add(n.Number != nil, "number")
	add(n.String != nil, "string")
	add(n.List != nil, "list")
	add(n.Object != nil && !n.Object.IsMap(), "object")
	add(n.Object != nil && n.Object.IsMap(), "map")
	add(n.Null == n.Seen, "null")
	return slices.Clip(out)
}
