package rust

import (
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
)

// names chooses the names of a module.
type names struct {
	taken map[string]bool
	types map[*ir.Type]string
	views map[*ir.Type]string
}

// newNames returns the names of an empty module. The names that generated code uses for other
// things, such as Option, are taken.
func newNames() *names {
	n := &names{map[string]bool{}, map[*ir.Type]string{}, map[*ir.Type]string{}}
	for _, name := range strings.Fields("Self Option Some None Ok Err Default Box String Vec BTreeSet rt zmy") {
		n.taken[name] = true
	}
	return n
}

// fresh returns and reserves a name that is not taken: want, or want with a number.
func (n *names) fresh(want string) string {
	name := ir.Fresh(want, "", func(name string) bool { return n.taken[name] })
	n.taken[name] = true
	return name
}

// name returns the name of a struct or union.
func (g *gen) name(t *ir.ZMYType) string {
	if g.names.types[t.Type] == "" {
		g.names.types[t.Type] = g.names.fresh(spelling.Word(t.Type))
	}
	return g.names.types[t.Type]
}

// view returns the name of the view of a struct or union.
func (g *gen) view(t *ir.ZMYType) string {
	if g.names.views[t.Type] == "" {
		g.names.views[t.Type] = g.names.fresh(g.name(t) + "View")
	}
	return g.names.views[t.Type]
}

// spelling makes names of types: Item, PageItem for Page[Item].
var spelling = ir.Spelling{
	Base:  func(t *ir.Type) string { return title(t.Said()) },
	Bytes: "Bytes", Slice: "Slice{}", Array: "Array{n}{}", Map: "Map{key}{}", Pointer: "Ptr{}",
}

// title turns a Go name into the name of a Rust type, without underscores.
func title(s string) string {
	var out strings.Builder
	for part := range strings.SplitSeq(s, "_") {
		out.WriteString(ir.Title(part))
	}
	if out.Len() == 0 {
		return "Type"
	}
	return out.String()
}

// keywords are the reserved words of Rust that can be used as names with r#.
var keywords = strings.Fields(`abstract as async await become box break const continue do dyn else enum extern false final fn for
	gen if impl in let loop macro match mod move mut override priv pub ref return static struct trait true try type typeof unsafe
	unsized use virtual where while yield`)

// isPath reports whether s is a reserved word that r# does not turn into a name.
func isPath(s string) bool { return s == "self" || s == "super" || s == "crate" }

// fieldNames returns the names of a struct's fields by index, "" for reserved fields, and the name
// of the field for unknown parts.
func fieldNames(t *ir.ZMYType) (list []string, unknown string) {
	taken := map[string]bool{}
	fresh := func(want string) string {
		if isPath(want) || strings.Trim(want, "_") == "" {
			want += "_"
		}
		name := ir.Fresh(want, "_", func(name string) bool { return taken[name] })
		taken[name] = true
		if slices.Contains(keywords, name) {
			return "r#" + name
		}
		return name
	}
	for _, f := range t.Fields {
		if f.Field == nil {
			list = append(list, "")
		} else {
			list = append(list, fresh(ir.Snake(f.Field.Name)))
		}
	}
	if t.Unknown != nil {
		unknown = fresh(ir.Snake(t.Unknown.Name))
	}
	return list, unknown
}

// isName reports whether a module can have the name s without r#.
func isName(s string) bool {
	for i, r := range s {
		if r != '_' && (r < 'a' || r > 'z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != "" && s != "_" && !slices.Contains(keywords, s) && !isPath(s)
}
