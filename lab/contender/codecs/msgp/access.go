package msgp

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
)

// accessor returns arguments that tell the adapter how msgp.Locate finds the leaf: the leaf's path,
// then a key for each field and "" for each first element. It returns "" if there is no leaf.
func accessor(t *contender.Target) string {
	if t.Leaf == "" {
		return ""
	}
	args := fmt.Sprintf(", %q", t.Leaf)
	at := t.Root
	for step := range strings.SplitSeq(t.Leaf, ".") {
		name, elems, _ := strings.Cut(step, "[")
		f := field(at, name)
		if f == nil {
			return ""
		}
		key, _, ok := member(f, t.IR.Path)
		if !ok {
			return ""
		}
		args += fmt.Sprintf(", %q", key)
		at = value(f.Type)
		for range strings.Count(elems, "0]") {
			args += `, ""`
			at = value(at.Elem)
		}
	}
	return args
}

// value follows pointers to the first type that is not a pointer.
func value(t *ir.Type) *ir.Type {
	for t.Kind == ir.Pointer {
		t = t.Elem
	}
	return t
}

func field(t *ir.Type, name string) *ir.Field {
	for _, f := range t.Fields {
		if f.Name == name {
			return f
		}
	}
	return nil
}
