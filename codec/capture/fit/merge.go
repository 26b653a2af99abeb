package fit

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// Merge adds up fits. The result is the same in any order and grouping, and shares nothing with the
// fits.
func Merge(fits ...*Fit) *Fit {
	out := &Fit{Format: Format}
	for _, f := range fits {
		out.merge(f)
	}
	return out
}

func (f *Fit) merge(o *Fit) {
	f.Skipped.add(&o.Skipped)
	for _, s := range o.Subjects {
		to := f.Subject(s.Name)
		if to == nil {
			to = &Subject{Name: s.Name}
			f.Subjects = append(f.Subjects, to)
		}
		to.Documents = sum(&to.Documents, s.Documents)
		to.Sources = slices.Compact(slices.Sorted(slices.Values(append(slices.Clip(to.Sources), s.Sources...))))
		mergeNode(&to.Root, s.Root)
	}
	slices.SortFunc(f.Subjects, func(a, b *Subject) int { return strings.Compare(a.Name, b.Name) })
}

func (s *Skipped) add(o *Skipped) {
	s.Busy, s.Failed, s.Full = sum(&s.Busy, o.Busy), sum(&s.Failed, o.Failed), sum(&s.Full, o.Full)
	s.Deep, s.Beyond = sum(&s.Deep, o.Deep), sum(&s.Beyond, o.Beyond)
}

func mergeNode(at **Node, o *Node) {
	if o == nil {
		return
	}
	if *at == nil {
		*at = new(Node)
	}
	n := *at
	n.Seen, n.Null, n.Opaque = sum(&n.Seen, o.Seen), sum(&n.Null, o.Null), sum(&n.Opaque, o.Opaque)
	n.False, n.True = sum(&n.False, o.False), sum(&n.True, o.True)
	mergeNumber(&n.Number, o.Number)
	mergeString(&n.String, o.String)
	mergeSketch(&n.Distinct, o.Distinct)
	if o.List != nil {
		if n.List == nil {
			n.List = new(List)
		}
		n.List.N = sum(&n.List.N, o.List.N)
		n.List.Length.merge(o.List.Length)
		mergeNode(&n.List.Elem, o.List.Elem)
	}
	if o.Object != nil {
		if n.Object == nil {
			n.Object = new(Object)
		}
		n.Object.merge(o.Object)
	}
}

func (n *Object) merge(o *Object) {
	n.N, n.Unknown = sum(&n.N, o.N), sum(&n.Unknown, o.Unknown)
	n.Size.merge(o.Size)
	places := map[string]int{}
	for i := range n.Members {
		places[n.Members[i].Name] = i
	}
	for _, m := range o.Members {
		i, ok := places[m.Name]
		if !ok {
			i = len(n.Members)
			n.Members = append(n.Members, Member{Name: m.Name, At: m.At})
			places[m.Name] = i
		}
		n.Members[i].At = min(n.Members[i].At, m.At)
		mergeNode(&n.Members[i].Node, m.Node)
	}
	n.sorted()
	if o.Map != nil {
		if n.Map == nil {
			n.Map = new(Map)
		}
		n.Map.N = sum(&n.Map.N, o.Map.N)
		n.Map.Size.merge(o.Map.Size)
		mergeString(&n.Map.Keys, o.Map.Keys)
		mergeSketch(&n.Map.Distinct, o.Map.Distinct)
		mergeSketch(&n.Map.Sets, o.Map.Sets)
		mergeSketch(&n.Map.Kinds, o.Map.Kinds)
		mergeNode(&n.Map.Elem, o.Map.Elem)
	}
}

func mergeNumber(at **Number, o *Number) {
	if o == nil {
		return
	}
	if *at == nil {
		*at = new(Number)
	}
	n := *at
	n.N, n.Negative = sum(&n.N, o.N), sum(&n.Negative, o.Negative)
	n.Bits.merge(o.Bits)
	n.Exponent.merge(o.Exponent)
	n.Decimals.merge(o.Decimals)
	mergeValues(&n.Values, o.Values)
}

func mergeString(at **String, o *String) {
	if o == nil {
		return
	}
	if *at == nil {
		*at = &String{Classes: map[string]*Strings{}}
	}
	n := *at
	n.N, n.Base64 = sum(&n.N, o.N), sum(&n.Base64, o.Base64)
	for class, c := range o.Classes {
		to := n.Classes[class]
		if to == nil {
			to = new(Strings)
			n.Classes[class] = to
		}
		to.N = sum(&to.N, c.N)
		to.Length.merge(c.Length)
		to.Chars.add(&c.Chars)
		to.Steps.merge(c.Steps)
		mergeNumber(&to.Numbers, c.Numbers)
		if c.Times == nil {
			continue
		}
		if to.Times == nil {
			to.Times = &Times{From: math.MaxInt, To: math.MinInt}
		}
		to.Times.Digits.merge(c.Times.Digits)
		to.Times.Offset = sum(&to.Times.Offset, c.Times.Offset)
		to.Times.From, to.Times.To = min(to.Times.From, c.Times.From), max(to.Times.To, c.Times.To)
	}
	mergeValues(&n.Values, o.Values)
}

func mergeValues(at **Values, o *Values) {
	switch {
	case o == nil:
	case *at == nil:
		o.prune()
		*at = &Values{most: o.most, under: o.under, count: maps.Clone(o.count)}
	default:
		(*at).merge(o)
	}
}

func mergeSketch(at **Sketch, o *Sketch) {
	if o == nil {
		return
	}
	if *at == nil {
		*at = new(Sketch)
	}
	(*at).few = max((*at).few, o.few)
	for i, r := range o.rank {
		(*at).rank[i] = max((*at).rank[i], r)
	}
}

func (h *Hist) merge(o Hist) {
	for _, b := range o {
		h.plus(b.At, b.N, nil)
	}
}

func (c *Chars) add(o *Chars) {
	a, b := c.all(), o.all()
	for i := range a {
		*a[i] = sum(a[i], *b[i])
	}
}

func (c *Chars) all() [14]*uint64 {
	return [...]*uint64{&c.Lower, &c.Upper, &c.Digit, &c.Space, &c.Other, &c.Quote, &c.Slash, &c.Line,
		&c.Control, &c.HTML, &c.Two, &c.Three, &c.Four, &c.Invalid}
}
