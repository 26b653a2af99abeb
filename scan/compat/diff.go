package compat

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// delta is one place in which two documents differ.
type delta struct {
	path     string // Items[].Attrs
	class    string // "null → []"
	from, to string // the two spellings
	order    bool   // members or whole documents that differ in more than one place
}

const membersMoved = "order of members"

// documents returns the places in which two documents differ, each class once per path.
func documents(a, b []byte, n *namer) []delta {
	x, errA := parseTree(a)
	y, errB := parseTree(b)
	switch {
	case errA != nil && errB != nil:
		return []delta{{class: "other bytes, neither of them JSON", from: clip(a), to: clip(b)}}
	case errB != nil:
		return []delta{{class: "JSON → not JSON", from: clip(a), to: clip(b)}}
	case errA != nil:
		return []delta{{class: "not JSON → JSON", from: clip(a), to: clip(b)}}
	}
	d := &differ{namer: n, seen: map[[2]string]bool{}}
	d.compare(x, y, "")
	if len(d.out) == 0 && !bytes.Equal(a, b) {
		d.add("", "white space", clip(a), clip(b))
	}
	return d.out
}

type differ struct {
	*namer
	out  []delta
	seen map[[2]string]bool
}

func (d *differ) add(path, class, from, to string) {
	if key := [2]string{path, class}; !d.seen[key] {
		d.seen[key] = true
		d.out = append(d.out, delta{path: path, class: class, from: from, to: to})
	}
}

func (d *differ) compare(a, b *node, path string) {
	switch {
	case a.kind == '{' && b.kind == '{':
		d.objects(a, b, path)
	case a.kind == '[' && b.kind == '[':
		for i := range min(len(a.kids), len(b.kids)) {
			d.compare(a.kids[i], b.kids[i], element(path))
		}
		if len(a.kids) != len(b.kids) {
			d.add(path, "other number of elements", clip(a.text()), clip(b.text()))
		}
	case a.kind == 0 && b.kind == 0 && a.raw == b.raw:
	default:
		d.add(path, leafClass(a, b), clip(a.text()), clip(b.text()))
	}
}

// objects compares members by name. A repeated name is compared with the same repetition.
func (d *differ) objects(a, b *node, path string) {
	type named struct {
		name string
		n    int
	}
	index := func(o *node) (map[named]int, []named) {
		at, order, count := map[named]int{}, []named{}, map[string]int{}
		for i := range o.kids {
			k := named{o.name(i), count[o.name(i)]}
			count[k.name]++
			at[k], order = i, append(order, k)
		}
		return at, order
	}
	inA, orderA := index(a)
	inB, orderB := index(b)
	for _, k := range orderA {
		i := inA[k]
		at := d.member(path, k.name)
		j, ok := inB[k]
		if !ok {
			d.add(at, "written → left out"+emptyWord(a.kids[i]), clip(a.kids[i].text()), "")
			continue
		}
		if a.names[i] != b.names[j] {
			d.add(at, "name: "+escapeClass(a.names[i], b.names[j]), a.names[i], b.names[j])
		}
		d.compare(a.kids[i], b.kids[j], at)
	}
	for _, k := range orderB {
		if _, ok := inA[k]; !ok {
			kid := b.kids[inB[k]]
			d.add(d.member(path, k.name), "left out → written"+emptyWord(kid), "", clip(kid.text()))
		}
	}
	common := func(order []named, other map[named]int) (out []named) {
		for _, k := range order {
			if _, ok := other[k]; ok {
				out = append(out, k)
			}
		}
		return out
	}
	if !slices.Equal(common(orderA, inB), common(orderB, inA)) {
		d.add(path, membersMoved, clip(a.text()), clip(b.text()))
	}
}

// emptyWord describes a member that one side leaves out: ": false".
func emptyWord(n *node) string {
	switch {
	case n.kind != 0 && len(n.kids) == 0:
		return ": " + string(n.text())
	case n.kind != 0:
		return ""
	case n.raw == "null", n.raw == "false", n.raw == "0", n.raw == `""`:
		return ": " + n.raw
	}
	if s, ok := unquoted(n.raw); ok && strings.HasPrefix(s, "0001-01-01T") {
		return ": zero time"
	}
	return ""
}

// leafClass names the difference of two values of which not both are objects or both arrays.
func leafClass(a, b *node) string {
	x, y := kindOf(a), kindOf(b)
	if x != y {
		return x + " → " + y
	}
	switch x {
	case "string":
		s, okA := unquoted(a.raw)
		t, okB := unquoted(b.raw)
		if okA && okB && s == t {
			return "string: " + escapeClass(a.raw, b.raw)
		}
		if okA && okB && strings.ReplaceAll(s, "\ufffd", "") == strings.ReplaceAll(t, "\ufffd", "") {
			return "string: replacement of invalid UTF-8"
		}
		return "another string"
	case "number":
		p, okA := new(big.Rat).SetString(a.raw)
		q, okB := new(big.Rat).SetString(b.raw)
		if okA && okB && p.Cmp(q) == 0 && strings.HasPrefix(a.raw, "-") == strings.HasPrefix(b.raw, "-") {
			return "spelling of a number"
		}
		return "another number"
	}
	return x + " → " + y
}

// kindOf names a value for a class: its kind, or the value itself if it is one of few.
func kindOf(n *node) string {
	switch {
	case n.kind != 0 && len(n.kids) == 0:
		return string(n.text())
	case n.kind == '{':
		return "object"
	case n.kind == '[':
		return "array"
	case n.raw == "null":
		return n.raw
	case n.raw == "true", n.raw == "false":
		return "truth value"
	case strings.HasPrefix(n.raw, `"`):
		return "string"
	}
	return "number"
}

// escapeClass says how the spellings of one string differ.
func escapeClass(a, b string) string {
	html := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&", `\u003C`, "<", `\u003E`, ">")
	js := strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029")
	switch {
	case html.Replace(a) == b:
		return `HTML characters escaped → as they are`
	case a == html.Replace(b):
		return `HTML characters as they are → escaped`
	case js.Replace(a) == b:
		return `U+2028, U+2029 escaped → as they are`
	case a == js.Replace(b):
		return `U+2028, U+2029 as they are → escaped`
	case js.Replace(html.Replace(a)) == b:
		return `HTML characters, U+2028, U+2029 escaped → as they are`
	}
	if strings.ReplaceAll(a, `\ufffd`, "\ufffd") == b {
		return `\ufffd → the character itself`
	}
	if a == strings.ReplaceAll(b, `\ufffd`, "\ufffd") {
		return `the character itself → \ufffd`
	}
	return "other escape sequences"
}

// shown is the number of bytes of a value that is kept for an example.
const shown = 160

func clip[T ~string | ~[]byte](text T) string {
	if len(text) <= shown {
		return string(text)
	}
	return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(string(text[:shown]), "\ufffd"), len(text))
}
