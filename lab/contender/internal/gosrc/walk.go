package gosrc

import (
	"reflect"
	"strconv"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/print"
	"github.com/zmylab/zmy/lab/run"
)

// Place is where a type was met: inside the type of a field.
type Place struct {
	Path  string    // of the field: Order.Items[].Price
	Field *ir.Field // nil above the first field
	Type  *ir.Type  // of the field, or the root
}

// Walk visits each type below root once, in the order in which encoding/json
// meets it, until visit returns a reason. Fields whose tag has a name "-" under
// one of the keys, and unexported ones, are passed over. visit's second result
// says whether to go on below the type.
func Walk(root *ir.Type, keys []string, visit func(*ir.Type, Place) (*run.Why, bool)) *run.Why {
	w := &walk{keys: keys, visit: visit, seen: map[*ir.Type]bool{}}
	name := print.TypeExprIn(root, pkgOf(root))
	return w.walk(root, Place{Path: name, Type: root})
}

func pkgOf(t *ir.Type) string {
	if t.Name != nil {
		return t.Name.Pkg
	}
	return ""
}

type walk struct {
	keys  []string
	visit func(*ir.Type, Place) (*run.Why, bool)
	seen  map[*ir.Type]bool
}

func (w *walk) walk(t *ir.Type, at Place) *run.Why {
	if w.seen[t] {
		return nil
	}
	w.seen[t] = true
	why, deeper := w.visit(t, at)
	if why != nil || !deeper {
		return why
	}
	if t.Kind == ir.Struct {
		return w.fields(t, at)
	}
	for _, sub := range []*ir.Type{t.Key, t.Elem} {
		if sub == nil {
			continue
		}
		below := at
		if t.Kind != ir.Pointer {
			below.Path += "[]"
		}
		if why := w.walk(sub, below); why != nil {
			return why
		}
	}
	return nil
}

func (w *walk) fields(t *ir.Type, at Place) *run.Why {
	for _, f := range t.Fields {
		if !w.counts(f) {
			continue
		}
		if why := w.walk(f.Type, Place{Path: at.Path + "." + f.Name, Field: f, Type: f.Type}); why != nil {
			return why
		}
	}
	return nil
}

func (w *walk) counts(f *ir.Field) bool {
	for _, k := range w.keys {
		if reflect.StructTag(f.Tag).Get(k) == "-" {
			return false
		}
	}
	return f.Exported || f.Embedded
}

// Skip is the reason why a codec cannot carry what stands at a place: the field
// with its type as code of package pkg sees it, and where it is declared.
func (at Place) Skip(pkg, reason, next string) *run.Why {
	path := at.Path
	for len(path) > 2 && path[len(path)-2:] == "[]" {
		path = path[:len(path)-2] // the field's own type says the rest
	}
	w := &run.Why{What: "skipped: " + path + " has type " + print.TypeExprIn(at.Type, pkg), Reason: reason, Next: next}
	if at.Field != nil {
		w.Where = where(at.Field.Pos)
	} else {
		w.Where = where(at.Type.Pos)
	}
	return w
}

func where(p ir.Pos) string {
	if p.Line == 0 {
		return p.File
	}
	return p.File + ":" + strconv.Itoa(p.Line)
}
