package compat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// node is a JSON value with its spelling. It keeps what encoding/json's own types lose: the order of
// members, repeated names, and how strings and numbers are written. A leaf of a mutated document may
// hold text that is not JSON.
type node struct {
	raw   string // of a leaf
	names []string
	kids  []*node
	kind  byte // '{', '[', or 0 for a leaf
	space bool // there was white space inside or around it
}

// parseTree reads one JSON document.
func parseTree(doc []byte) (*node, error) {
	if !json.Valid(doc) {
		return nil, fmt.Errorf("not JSON")
	}
	p := &treeParser{in: doc}
	return p.value(), nil
}

// treeParser reads a document that is known to be valid.
type treeParser struct {
	in []byte
	at int
}

func (p *treeParser) blank() (had bool) {
	for p.at < len(p.in) && strings.IndexByte(" \t\r\n", p.in[p.at]) >= 0 {
		p.at++
		had = true
	}
	return had
}

func (p *treeParser) value() *node {
	n := &node{space: p.blank()}
	switch p.in[p.at] {
	case '{', '[':
		n.kind = p.in[p.at]
		p.at++
		for {
			n.space = p.blank() || n.space
			switch c := p.in[p.at]; {
			case c == '}' || c == ']':
				p.at++
				n.space = p.blank() || n.space
				return n
			case c == ',':
				p.at++
				continue
			}
			if n.kind == '{' {
				n.names = append(n.names, p.leaf())
				n.space = p.blank() || n.space
				p.at++ // the colon
			}
			n.kids = append(n.kids, p.value())
		}
	}
	n.raw = p.leaf()
	n.space = p.blank() || n.space
	return n
}

// leaf reads a string, a number or a word.
func (p *treeParser) leaf() string {
	start := p.at
	if p.in[p.at] == '"' {
		for p.at++; p.in[p.at] != '"'; p.at++ {
			if p.in[p.at] == '\\' {
				p.at++
			}
		}
		p.at++
		return string(p.in[start:p.at])
	}
	for p.at < len(p.in) && strings.IndexByte(",]} \t\r\n", p.in[p.at]) < 0 {
		p.at++
	}
	return string(p.in[start:p.at])
}

// text renders the tree without white space.
func (n *node) text() []byte {
	var b bytes.Buffer
	n.render(&b)
	return b.Bytes()
}

func (n *node) render(b *bytes.Buffer) {
	if n.kind == 0 {
		b.WriteString(n.raw)
		return
	}
	b.WriteByte(n.kind)
	for i, k := range n.kids {
		if i > 0 {
			b.WriteByte(',')
		}
		if n.kind == '{' {
			b.WriteString(n.names[i] + ":")
		}
		k.render(b)
	}
	b.WriteByte(n.kind + 2) // '}' and ']' follow two places after '{' and '['
}

// clone returns a copy.
func (n *node) clone() *node {
	c := *n
	c.names, c.kids = append([]string(nil), n.names...), make([]*node, len(n.kids))
	for i, k := range n.kids {
		c.kids[i] = k.clone()
	}
	return &c
}

// size counts the nodes.
func (n *node) size() int {
	total := 1
	for _, k := range n.kids {
		total += k.size()
	}
	return total
}

// drop returns a copy without child i.
func (n *node) drop(i int) *node {
	c := *n
	c.kids = append(append([]*node(nil), n.kids[:i]...), n.kids[i+1:]...)
	if n.kind == '{' {
		c.names = append(append([]string(nil), n.names[:i]...), n.names[i+1:]...)
	}
	return &c
}

// unquoted returns the text of a string's spelling.
func unquoted(raw string) (string, bool) {
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal([]byte(raw), &s) != nil {
		return "", false
	}
	return s, true
}

// name returns the name of child i.
func (n *node) name(i int) string {
	if s, ok := unquoted(n.names[i]); ok {
		return s
	}
	return n.names[i]
}

// namer spells paths. A member that belongs to a map or to an interface is "*", so that values which
// differ in their keys have the same paths.
type namer struct{ known map[string]bool }

func newNamer(names []string) *namer {
	n := &namer{known: map[string]bool{}}
	for _, s := range names {
		n.known[s] = true
	}
	return n
}

func (n *namer) member(path, name string) string {
	if !n.known[name] {
		name = "*"
	}
	if path == "" {
		return name
	}
	return path + "." + name
}

func element(path string) string { return path + "[]" }
