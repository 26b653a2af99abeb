package plan

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
)

// Leaf is the string that operation access reads.
type Leaf struct {
	Path string // Items[0].Sku
	// Body is Go source: the statements of a function of the subject's package, whose parameter v
	// is a pointer to the subject, and which returns the leaf as a string. If a value lacks the
	// leaf (an empty slice, a nil pointer), it returns "".
	Body string
}

// step is one move from a value to a part of it.
type step struct {
	field string // "" for the first element of a slice or array
	typ   *ir.Type
}

// findLeaf finds the first string in depth-first order, or the one at path.
func findLeaf(root *ir.Type, pkg, path string) (*Leaf, error) {
	steps, ok := search(root, pkg, path, nil, map[*ir.Type]bool{})
	if !ok {
		if path != "" {
			return nil, fmt.Errorf("-field %s: no string lies there; write a path such as Items[0].Sku, through fields, "+
				"first elements and pointers", path)
		}
		return nil, nil
	}
	return &Leaf{Path: spell(steps), Body: body(root, steps)}, nil
}

func search(t *ir.Type, pkg, want string, steps []step, open map[*ir.Type]bool) ([]step, bool) {
	if t == nil || open[t] {
		return nil, false
	}
	at := spell(steps)
	if want != "" && !strings.HasPrefix(want, at) {
		return nil, false
	}
	open[t] = true
	defer delete(open, t)
	switch t.Kind {
	case ir.String:
		return steps, len(steps) > 0 && (want == "" || want == at)
	case ir.Pointer:
		return search(t.Elem, pkg, want, steps, open)
	case ir.Slice, ir.Array:
		if t.Kind == ir.Array && t.Len == 0 {
			return nil, false
		}
		return search(t.Elem, pkg, want, append(steps[:len(steps):len(steps)], step{typ: t.Elem}), open)
	case ir.Struct:
		for _, f := range t.Fields {
			if !f.Exported || skipped(f.Tag) {
				continue
			}
			found, ok := search(f.Type, pkg, want, append(steps[:len(steps):len(steps)], step{field: f.Name, typ: f.Type}), open)
			if ok {
				return found, true
			}
		}
	}
	return nil, false
}

// skipped reports whether JSON leaves a field with this tag out; codecs need not carry it.
func skipped(tag string) bool { return strings.Contains(tag, `json:"-"`) }

func spell(steps []step) string {
	var b strings.Builder
	for i, s := range steps {
		switch {
		case s.field == "":
			b.WriteString("[0]")
		case i > 0:
			b.WriteString("." + s.field)
		default:
			b.WriteString(s.field)
		}
	}
	return b.String()
}

// body spells the steps as Go source, with a guard before each one that could panic.
func body(root *ir.Type, steps []step) string {
	var b strings.Builder
	expr, t := "v", root
	deref := func() {
		for t.Kind == ir.Pointer {
			fmt.Fprintf(&b, "\tif %s == nil {\n\t\treturn \"\"\n\t}\n", expr)
			expr, t = "(*"+expr+")", t.Elem
		}
	}
	expr = "(*v)"
	for _, s := range steps {
		deref()
		if s.field != "" {
			expr += "." + s.field
		} else {
			if t.Kind == ir.Slice {
				fmt.Fprintf(&b, "\tif len(%s) == 0 {\n\t\treturn \"\"\n\t}\n", expr)
			}
			expr += "[0]"
		}
		t = s.typ
	}
	deref()
	fmt.Fprintf(&b, "\treturn string(%s)\n", expr)
	return b.String()
}
