package compat

import (
	"fmt"
	"strconv"
	"strings"
)

// probe is a document that both sides read, and how it differs from one that a side wrote.
type probe struct {
	how  string // "name in upper case"
	path string
	tree *node  // nil if the document is not made of a tree
	head string // text before and after the tree
	tail string
	doc  []byte // the document itself
	into []byte // document that the variable was read from before
}

func (p *probe) render() []byte {
	if p.tree == nil {
		return p.doc
	}
	return append(append([]byte(p.head), p.tree.text()...), p.tail...)
}

// mostPaths bounds the places of one type that are mutated.
const mostPaths = 400

// spot is a place in a document: the objects and arrays around it, from the outside, and which child
// of each leads on.
type spot struct {
	path  string
	chain []*node
	at    []int
	leaf  *node
}

// spots lists the places of a document, each path once.
func spots(root *node, n *namer, seen map[string]bool) (out []spot) {
	var walk func(x *node, path string, chain []*node, at []int)
	walk = func(x *node, path string, chain []*node, at []int) {
		key := path + "\x00" + kindOf(x)
		if !seen[key] && len(seen) < mostPaths {
			seen[key] = true
			out = append(out, spot{path, append([]*node(nil), chain...), append([]int(nil), at...), x})
		}
		for i, k := range x.kids {
			p := element(path)
			if x.kind == '{' {
				p = n.member(path, x.name(i))
			}
			walk(k, p, append(chain, x), append(at, i))
		}
	}
	walk(root, "", nil, nil)
	return out
}

// around returns a document in which the given value is at the spot. A lean document has nothing
// else; else the document is a copy of the whole one. change may alter the object or array around
// the spot, of which the spot is child i.
func (s *spot) around(lean bool, value *node, change func(parent *node, i int)) *node {
	cur := value
	for d := len(s.chain) - 1; d >= 0; d-- {
		var parent *node
		i := s.at[d]
		if lean {
			parent = &node{kind: s.chain[d].kind, kids: []*node{cur}}
			if parent.kind == '{' {
				parent.names = []string{s.chain[d].names[i]}
			}
			i = 0
		} else {
			c := *s.chain[d]
			c.names, c.kids = append([]string(nil), c.names...), append([]*node(nil), c.kids...)
			c.kids[i] = cur
			parent = &c
		}
		if d == len(s.chain)-1 && change != nil {
			change(parent, i)
		}
		cur = parent
	}
	return cur
}

// mutation changes one spot. value gives another value, or change alters the object around it.
type mutation struct {
	how    string
	raw    string                         // text in place of the value
	kinds  string                         // first letters of kindOf for which it makes sense; "" for all
	change func(parent *node, i int) bool // returns false if it does not fit
	inside func(x *node) *node            // replaces the value by a changed one, nil if it does not fit
	needs  func(x *node) bool
}

var wrongKinds = []mutation{
	{how: "null", raw: "null"},
	{how: "true", raw: "true"},
	{how: "a string", raw: `"str"`},
	{how: "an empty string", raw: `""`},
	{how: "a number", raw: "7"},
	{how: "an object", raw: "{}"},
	{how: "an array", raw: "[]"},
	{how: "an array of null", raw: "[null]"},
	{how: "-0", raw: "-0", kinds: "n"},
	{how: "1.0", raw: "1.0", kinds: "n"},
	{how: "1.5", raw: "1.5", kinds: "n"},
	{how: "1e2", raw: "1e2", kinds: "n"},
	{how: "1E+2", raw: "1E+2", kinds: "n"},
	{how: "1e400", raw: "1e400", kinds: "n"},
	{how: "300", raw: "300", kinds: "n"},
	{how: "a negative number", raw: "-1", kinds: "n"},
	{how: "2^53+1", raw: "9007199254740993", kinds: "n"},
	{how: "2^63", raw: "9223372036854775808", kinds: "n"},
	{how: "2^64", raw: "18446744073709551616", kinds: "n"},
	{how: "a number of 400 digits", raw: "1" + strings.Repeat("0", 399), kinds: "n"},
	{how: "a number that begins with 0", raw: "01", kinds: "n"},
	{how: "a number with a plus", raw: "+1", kinds: "n"},
	{how: "NaN", raw: "NaN", kinds: "n"},
	{how: "a number as a string", raw: `"7"`, kinds: "ns"},
	{how: "a number with blanks as a string", raw: `" 7 "`, kinds: "ns"},
	{how: "a number in hexadecimal as a string", raw: `"0x7"`, kinds: "ns"},
	{how: "a number with a plus as a string", raw: `"+7"`, kinds: "ns"},
	{how: "null as a string", raw: `"null"`, kinds: "ns"},
	{how: "true as a string", raw: `"true"`, kinds: "nst"},
	{how: "a string in a string", raw: `"\"str\""`, kinds: "s"},
	{how: "invalid UTF-8", raw: "\"a\xffb\"", kinds: "s"},
	{how: "a lone surrogate", raw: `"\ud800"`, kinds: "s"},
	{how: "two surrogates in the wrong order", raw: `"\udc00\ud800"`, kinds: "s"},
	{how: "a control character in a string", raw: "\"a\x01b\"", kinds: "s"},
	{how: "a line break in a string", raw: "\"a\nb\"", kinds: "s"},
	{how: "an unknown escape sequence", raw: `"\x41"`, kinds: "s"},
	{how: "a string in single quotes", raw: `'str'`, kinds: "s"},
	{how: "a time with a one-digit hour", raw: `"2024-05-01T1:02:03Z"`, kinds: "s"},
	{how: "a time with a comma", raw: `"2024-05-01T01:02:03,5Z"`, kinds: "s"},
	{how: "a time in small letters", raw: `"2024-05-01t01:02:03z"`, kinds: "s"},
	{how: "a time with a zone of 24 hours", raw: `"2024-05-01T01:02:03+24:00"`, kinds: "s"},
	{how: "a duration", raw: `"1h2m3s"`, kinds: "ns"},
	{how: "base64 with a line break", raw: `"AQID\r\nBAUG"`, kinds: "s"},
	{how: "base64 without padding", raw: `"AQ"`, kinds: "s"},
	{how: "base64 of the URL alphabet", raw: `"_-8="`, kinds: "s"},
	{how: "an array of numbers", raw: "[1,2,3]", kinds: "sa["},
	{how: "an array of 40 numbers", raw: "[" + strings.Repeat("1,", 39) + "1]", kinds: "sa["},
}

// deep is a depth of nesting beyond the limit of 10,000 that encoding/json has.
const deep = 10_001

// shapes are mutations that need the value or what is around it.
var shapes = []mutation{
	{how: "name in upper case", change: renamed(strings.ToUpper)},
	{how: "name in lower case", change: renamed(strings.ToLower)},
	{how: "name in title case", change: renamed(func(s string) string { return strings.ToUpper(s[:1]) + s[1:] })},
	{how: "name without underscores and dashes", change: renamed(strings.NewReplacer("_", "", "-", "").Replace)},
	{how: "name with an underscore", change: renamed(func(s string) string { return s[:1] + "_" + s[1:] })},
	{how: "name with the Kelvin sign or the long s", change: renamed(func(s string) string {
		return strings.NewReplacer("k", "\u212a", "s", "\u017f").Replace(s)
	})},
	{how: "name written with escapes", change: func(parent *node, i int) bool {
		s, ok := unquoted(parent.names[i])
		if !ok || s == "" || s[0] >= 0x80 {
			return false
		}
		parent.names[i] = fmt.Sprintf(`"\u%04x%s`, s[0], strconv.Quote(s[1:])[1:])
		return strconv.Quote(s) == `"`+s+`"`
	}},
	{how: "duplicate name", change: func(parent *node, i int) bool {
		parent.names, parent.kids = append(parent.names, parent.names[i]), append(parent.kids, parent.kids[i])
		return true
	}},
	{how: "duplicate name with null", change: func(parent *node, i int) bool {
		parent.names, parent.kids = append(parent.names, parent.names[i]), append(parent.kids, &node{raw: "null"})
		return true
	}},
	{how: "duplicate name in another case", change: func(parent *node, i int) bool {
		s := parent.name(i)
		if strings.ToUpper(s) == s {
			return false
		}
		parent.names, parent.kids = append(parent.names, strconv.Quote(strings.ToUpper(s))), append(parent.kids, &node{raw: "null"})
		return true
	}},
	{how: "unknown member", inside: members(`"zz_unknown"`, `{"a":[1,"b"]}`)},
	{how: "member with an empty name", inside: members(`""`, "1")},
	{how: "name with invalid UTF-8", inside: members("\"a\xff\"", "1")},
	{how: "one element more", inside: func(x *node) *node {
		if x.kind != '[' || len(x.kids) == 0 {
			return nil
		}
		c := x.clone()
		c.kids = append(c.kids, c.kids[0])
		return c
	}},
	{how: "one element less", inside: func(x *node) *node {
		if x.kind != '[' || len(x.kids) < 2 {
			return nil
		}
		return x.drop(len(x.kids) - 1)
	}},
	{how: "a comma at the end", inside: func(x *node) *node {
		if x.kind == 0 || len(x.kids) == 0 {
			return nil
		}
		t := string(x.text())
		return &node{raw: t[:len(t)-1] + "," + t[len(t)-1:]}
	}},
	{how: "white space everywhere", inside: func(x *node) *node {
		if x.kind == 0 || len(x.kids) == 0 {
			return nil
		}
		t := string(x.text())
		return &node{raw: " \t\r\n" + t[:1] + "\n" + t[1:len(t)-1] + " \t" + t[len(t)-1:]}
	}},
	{how: "a null element", inside: func(x *node) *node {
		if x.kind != '[' || len(x.kids) == 0 {
			return nil
		}
		return &node{kind: '[', kids: []*node{x.kids[0], {raw: "null"}}}
	}},
}

// renamed returns a change of the name of a member.
func renamed(to func(string) string) func(*node, int) bool {
	return func(parent *node, i int) bool {
		s := parent.name(i)
		if s == "" || s[0] >= 0x80 {
			return false
		}
		t := to(s)
		parent.names[i] = strconv.Quote(t)
		return t != s
	}
}

// members returns a mutation of objects that adds a member.
func members(name, value string) func(*node) *node {
	return func(x *node) *node {
		if x.kind != '{' {
			return nil
		}
		c := x.clone()
		c.names, c.kids = append(c.names, name), append(c.kids, &node{raw: value})
		return c
	}
}

// mutated lists documents that differ from a document in one place each. lean says of a path whether
// a document with nothing else is read by the first side.
func mutated(root *node, n *namer, seen map[string]bool, lean func(path string) bool) (out []*probe) {
	for _, s := range spots(root, n, seen) {
		thin := lean(s.path)
		add := func(how string, value *node, change func(*node, int)) {
			out = append(out, &probe{how: how, path: s.path, tree: s.around(thin, value, change)})
		}
		for i := range wrongKinds {
			m := &wrongKinds[i]
			if (m.kinds == "" || strings.Contains(m.kinds, kindOf(s.leaf)[:1])) && m.raw != s.leaf.raw {
				add(m.how, &node{raw: m.raw}, nil)
			}
		}
		for i := range shapes {
			m := &shapes[i]
			if m.inside != nil {
				if x := m.inside(s.leaf); x != nil {
					add(m.how, x, nil)
				}
				continue
			}
			if len(s.chain) == 0 || s.chain[len(s.chain)-1].kind != '{' {
				continue
			}
			fits := false
			tree := s.around(thin, s.leaf, func(parent *node, i int) { fits = m.change(parent, i) })
			if fits {
				out = append(out, &probe{how: m.how, path: s.path, tree: tree})
			}
		}
	}
	return out
}

// lean lists, for each path of a document, the document that has nothing else.
func leanest(root *node, n *namer, seen map[string]bool) (out []*probe) {
	for _, s := range spots(root, n, seen) {
		out = append(out, &probe{how: "", path: s.path, tree: s.around(true, s.leaf, nil)})
	}
	return out
}

// whole lists changes of a document as a whole.
func whole(root *node) (out []*probe) {
	text := string(root.text())
	add := func(how, doc string) { out = append(out, &probe{how: how, doc: []byte(doc)}) }
	add("nothing", "")
	add("white space only", " \n")
	add("null", "null")
	add("a document and more", text+" x")
	add("two documents", text+" "+text)
	add("a document and a bracket", text+"}")
	add("a document in white space", " \t\r\n"+text+"\n")
	add("a form feed before the document", "\f"+text)
	add("a byte order mark before the document", "\ufeff"+text)
	add("a document that ends early", text[:len(text)-1])
	add("half a document", text[:len(text)/2])
	add("a NUL after the document", text+"\x00")
	add("a comment", "/* c */"+text)
	nested := strings.Repeat("[", deep) + strings.Repeat("]", deep)
	if root.kind == '{' {
		add("an unknown member nested deeper than 10,000", `{"zz_unknown":`+nested+"}")
	}
	add("an array nested deeper than 10,000", nested)
	return out
}

// again lists documents that are read into a variable which was read from root before.
func again(root *node, n *namer) (out []*probe) {
	into := root.text()
	for _, s := range spots(root, n, map[string]bool{}) {
		add := func(how string, value *node) {
			out = append(out, &probe{how: how + " into a used variable", path: s.path, tree: s.around(true, value, nil), into: into})
		}
		add("null", &node{raw: "null"})
		switch s.leaf.kind {
		case '{':
			add("an empty object", &node{raw: "{}"})
			add("an object with another member", &node{raw: `{"zz_other":null}`})
			for i := range s.leaf.kids {
				add("an object with one of the members", &node{kind: '{', names: s.leaf.names[i : i+1], kids: s.leaf.kids[i : i+1]})
				break
			}
		case '[':
			add("an empty array", &node{raw: "[]"})
			if len(s.leaf.kids) > 0 {
				add("a shorter array", &node{kind: '[', kids: s.leaf.kids[:1]})
				if s.leaf.kids[0].kind == '{' {
					add("an array of empty objects", &node{raw: "[{},{},{}]"})
				}
				add("an array of null", &node{raw: "[null]"})
			}
		}
	}
	return out
}
