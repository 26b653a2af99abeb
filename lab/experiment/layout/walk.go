package layout

import (
	"fmt"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
)

// walkSource returns a Go file for the subject's package. Its function zzWalk goes over a list of
// values and reads every field that can be reached without following a pointer.
func walkSource(pkg, path string, root *ir.Type) []byte {
	w := &walker{path: path}
	w.visit(root, "v", 0)
	if w.b.Len() == 0 {
		w.b.WriteString("\t\t_ = v\n")
	}
	return fmt.Appendf(nil, "package %s\n\nfunc zzWalk(list []ZZSubject) (sum uint64) {\n\tfor i := range list {\n\t\tv := "+
		"&list[i]\n%s\t}\n\treturn sum\n}\n", pkg, w.b.String())
}

type walker struct {
	path string // import path of the package that the file belongs to
	b    strings.Builder
}

// deepestWalk bounds the nesting of structs and arrays.
const deepestWalk = 16

// visit emits code that reads one value; x is the expression for it.
func (w *walker) visit(t *ir.Type, x string, depth int) {
	add := func(format string, args ...any) { fmt.Fprintf(&w.b, "\t\t"+format+"\n", args...) }
	switch k := t.Kind; {
	case k == ir.Bool:
		add("if %s {\n\t\t\tsum++\n\t\t}", x)
	case k.IsInt(), k.IsUint(), k.IsFloat():
		add("sum += uint64(%s)", x)
	case k == ir.String, k == ir.Bytes, k == ir.Slice, k == ir.Map, k == ir.RawJSON, k == ir.Number:
		add("sum += uint64(len(%s))", x)
	case k == ir.Pointer, k == ir.Any, k == ir.Interface, k == ir.Chan, k == ir.Func, k == ir.Unsafe:
		add("if %s != nil {\n\t\t\tsum++\n\t\t}", x)
	case k == ir.Time:
		add("sum += uint64(%s.Nanosecond())", x)
	case k == ir.Array && t.Len > 0 && depth < deepestWalk:
		w.visit(t.Elem, x+"[0]", depth+1)
	case k == ir.Struct && depth < deepestWalk:
		for _, f := range t.Fields {
			if f.Name != "_" && (f.Exported || f.Pkg == w.path) {
				w.visit(f.Type, x+"."+f.Name, depth+1)
			}
		}
	}
}
