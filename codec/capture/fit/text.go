package fit

import (
	"encoding/json"
	"math/bits"
	"reflect"
	"strings"
)

// JSON learns a JSON document as one of the subject name. If t is not nil, the document is what
// encoding/json would read into a t: the names of its fields are kept, and members without a field
// are only counted. Without a type, the keys of objects are content, as keys of maps are, unless
// Limits.Names has them or every path is public. If name is "", the type names the subject. It reports whether the text is valid JSON.
func (l *Learner) JSON(name string, text []byte, t reflect.Type) bool {
	if !l.Valid(text) {
		l.Fit.Skipped.Failed++
		return false
	}
	if name == "" && t != nil {
		name = typeName(t)
	}
	if n := l.subject(name); n != nil {
		l.json(n, &scan{text: string(text)}, t)
	}
	return true
}

// scan reads JSON that is known to be valid.
type scan struct {
	text string
	at   int
}

// next skips white space and returns the next byte.
func (s *scan) next() byte {
	for s.text[s.at] <= ' ' {
		s.at++
	}
	return s.text[s.at]
}

// token returns a literal or a number.
func (s *scan) token() string {
	from := s.at
	for ; s.at < len(s.text) && s.text[s.at] > ' '; s.at++ {
		switch s.text[s.at] {
		case ',', ']', '}', ':':
			return s.text[from:s.at]
		}
	}
	return s.text[from:s.at]
}

// string returns a string without its quotes and escapes.
func (s *scan) string() string {
	from, plain := s.at, true
	for s.at++; s.text[s.at] != '"'; s.at++ {
		if s.text[s.at] == '\\' {
			plain = false
			s.at++
		}
	}
	s.at++
	if plain {
		return s.text[from+1 : s.at-1]
	}
	var out string
	if json.Unmarshal([]byte(s.text[from:s.at]), &out) != nil {
		return "" // cannot happen: the document is valid
	}
	return out
}

// skip skips a value.
func (s *scan) skip() {
	depth := 0
	for {
		switch c := s.next(); c {
		case '{', '[':
			depth++
			s.at++
		case '}', ']':
			depth--
			s.at++
		case ',', ':':
			s.at++
		case '"':
			s.string()
		default:
			s.token()
		}
		if depth == 0 {
			return
		}
	}
}

// json learns one value.
func (l *Learner) json(n *Node, s *scan, t reflect.Type) {
	c := s.next()
	from := s.at
	if !l.enter(n) {
		s.skip()
		return
	}
	if t != nil {
		t = pointed(t)
	}
	if t != nil && takesOwn(t) {
		t = nil // the type reads its own form, whose names it does not tell
	}
	switch {
	case c == '"':
		l.text(n, s.string())
	case c == '[' || c == '{':
		if !l.deep(n) {
			s.skip()
			return
		}
		defer l.leave()
		if c == '[' {
			l.array(n, s, t)
		} else {
			l.members(n, s, t)
		}
	case c == 'n':
		s.token()
		n.Null++
	case c == 't' || c == 'f':
		n.flag(s.token() == "true")
	default:
		s.token()
		l.spelled(n, s.text[from:s.at])
	}
}

func (l *Learner) array(n *Node, s *scan, t reflect.Type) {
	if n.List == nil {
		n.List = new(List)
	}
	list := n.List
	if t != nil && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) {
		t = t.Elem()
	} else {
		t = nil
	}
	s.at++
	size := 0
	for ; s.next() != ']'; size++ {
		if s.text[s.at] == ',' {
			s.at++
			s.next()
		}
		var elem *Node
		if l.looksAt(size) {
			elem = l.node(&list.Elem, n.public.step("[]"))
		}
		if elem == nil {
			s.skip()
			continue
		}
		l.json(elem, s, t)
	}
	s.at++
	list.N++
	l.count(&list.Length, lengthBin(size))
}

// looksAt reports whether element i of a list of unknown length is looked at: the first half of
// MaxElements, then every second one, from twice as many on every fourth one, and so on.
func (l *Learner) looksAt(i int) bool {
	half := max(1, l.limit.MaxElements/2)
	return i < half || i&(1<<bits.Len(uint(i/half))-1) == 0
}

// members learns an object. It decides for each name whether it is a member's or a key of a map.
func (l *Learner) members(n *Node, s *scan, t reflect.Type) {
	o := n.object()
	isStruct := t != nil && t.Kind() == reflect.Struct
	var elem reflect.Type
	if t != nil && t.Kind() == reflect.Map && t.Elem().Kind() != reflect.Interface { // else it may be a record of any
		elem = t.Elem()
	}
	all := !isStruct && elem == nil && n.public != nil && n.public.all // every name is kept
	var seen nodes
	var e entries
	keys, named := 0, 0
	s.at++
	for s.next() != '}' {
		if s.text[s.at] == ',' {
			s.at++
			s.next()
		}
		name := s.string()
		s.next()
		s.at++
		s.next()
		var to *Node
		var id uint64
		in := elem
		switch {
		case isStruct:
			to, in = l.fieldNamed(n, t, name)
		case all || elem == nil && l.names[name]:
			to = l.member(n, name, -1)
			named++
		default:
			if e.m = l.mapOf(o); e.m != nil && l.looksAt(keys) {
				to, id = l.key(n, &e, name)
			}
			keys++
		}
		entry := o.Map != nil && to == o.Map.Elem
		switch {
		case to == nil, !entry && seen.has(to): // a repeated member is not learned
			s.skip()
		case entry:
			l.element(&e, to, id, func() { l.json(to, s, in) })
		default:
			l.json(to, s, in)
		}
	}
	s.at++
	if isStruct {
		return
	}
	if keys > 0 || named == 0 && len(o.Members) == 0 && !all {
		if e.m = l.mapOf(o); e.m != nil {
			l.end(&e, keys)
		}
	}
	if keys == 0 || named > 0 {
		l.count(&o.Size, lengthBin(named))
	}
}

// nodes is a set of nodes. Most sets are small.
type nodes struct {
	few  [16]*Node
	n    int
	many map[*Node]bool
}

// has reports whether the set has x, and adds it.
func (s *nodes) has(x *Node) bool {
	for _, y := range s.few[:s.n] {
		if x == y {
			return true
		}
	}
	if s.n < len(s.few) {
		s.few[s.n] = x
		s.n++
		return false
	}
	if s.many == nil {
		s.many = map[*Node]bool{}
	}
	was := s.many[x]
	s.many[x] = true
	return was
}

// fieldNamed returns the node and type of the field of t that encoding/json would choose for a name.
// It returns nil if there is none.
func (l *Learner) fieldNamed(n *Node, t reflect.Type, name string) (*Node, reflect.Type) {
	fields := fieldsOf(t)
	for i := range fields {
		if fields[i].name == name {
			return l.member(n, name, i), l.through(&fields[i])
		}
	}
	for i := range fields {
		if strings.EqualFold(fields[i].name, name) {
			return l.member(n, fields[i].name, i), l.through(&fields[i])
		}
	}
	n.Object.Unknown++
	return nil, nil
}

func (l *Learner) through(f *field) reflect.Type {
	if f.quoted {
		return nil
	}
	return f.typ
}
