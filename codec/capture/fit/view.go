package fit

import "strings"

// Objects whose names come from JSON are maps if they have more than leastKeys different names in
// all, and each object has few of them: on average at most mostPresence of all names.
const (
	leastKeys    = 24
	mostPresence = 0.25
)

// View returns the objects as they are best understood. If their names were taken from documents and
// look like keys, that is a map: a key says nothing about its element, so one node describes the
// elements of all keys. Otherwise it is o itself.
func (o *Object) View() *Object {
	documents := o.Size.N()
	if documents == 0 || len(o.Members) <= leastKeys {
		return o
	}
	var members uint64
	for _, m := range o.Members {
		members = sum(&members, m.Node.Seen)
	}
	if float64(members) > mostPresence*float64(len(o.Members))*float64(documents) {
		return o
	}
	l := NewLearner(Limits{MaxBytes: 1 << 30, MaxValues: mostKeys})
	all := &Map{N: documents, Size: append(Hist(nil), o.Size...)}
	for _, m := range o.Members {
		if m.Node.Seen == 0 {
			continue
		}
		l.distinct(&all.Distinct, hash(m.Name))
		l.string(&all.Keys, m.Name, true)
		all.Keys.Values.add(m.Name, m.Node.Seen-1)
		mergeNode(&all.Elem, m.Node)
	}
	if o.Map != nil {
		whole := &Object{Map: all}
		whole.merge(&Object{Map: o.Map})
	}
	return &Object{N: o.N, Map: all, Unknown: o.Unknown}
}

// mostKeys is the number of keys that a view keeps.
const mostKeys = 4096

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
	if n.Object == nil {
		return
	}
	o := n.Object.View()
	for _, m := range o.Members {
		m.Node.walk(path+"."+m.Name, o.Presence(m), f)
	}
	if o.Map != nil {
		o.Map.Elem.walk(path+"[*]", 1, f)
	}
}

// Presence returns the share of objects that have member m, null or not.
func (o *Object) Presence(m Member) float64 { return float64(m.Node.Seen) / float64(max(o.N, 1)) }

// AllTimes reports whether all strings are times of RFC 3339.
func (f *String) AllTimes() bool { return len(f.Classes) == 1 && f.Classes[ClassTime] != nil }

// AllBase64 reports whether all strings can be read as base64, and look too random to be words.
func (f *String) AllBase64() bool {
	var c Chars
	for _, class := range f.Classes {
		c.add(&class.Chars)
	}
	return f.Base64 == f.N && c.Upper > 0 && c.Lower > 0 && c.Digit > 0 && c.Upper+c.Lower+c.Digit+c.Other >= 64
}
