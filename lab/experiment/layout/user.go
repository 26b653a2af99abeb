package layout

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/plan"
)

// user answers questions about the user's sources.
type user struct {
	s     *plan.Subject
	found map[*ir.Type]place
}

// place is where a struct type is declared.
type place struct {
	file string // absolute path of the file
	why  string // why its fields cannot be moved; "" if they can
}

func newUser(s *plan.Subject) *user {
	return &user{s: s, found: map[*ir.Type]place{}}
}

// fixed says why the fields of t cannot be moved, or returns "" if they can.
func (u *user) fixed(t *ir.Type) string { return u.place(t).why }

// place finds the declaration of a named struct type. It keeps the answer, since several structs
// may contain the same type, and each search parses a file.
func (u *user) place(t *ir.Type) place {
	if p, ok := u.found[t]; ok {
		return p
	}
	p := u.locate(t)
	u.found[t] = p
	return p
}

func (u *user) locate(t *ir.Type) place {
	dir := u.s.DirOf(t.Name.Pkg)
	switch {
	case dir == "":
		return place{why: "it belongs to package " + t.Name.Pkg}
	case u.s.Work.Mirror != "":
		return place{why: "its module lies in the module cache"}
	}
	file := filepath.Join(dir, filepath.Base(t.Pos.File))
	src, err := os.ReadFile(file)
	if err != nil {
		return place{why: "its source is not to be found"}
	}
	head, err := parser.ParseFile(token.NewFileSet(), file, src, parser.PackageClauseOnly|parser.ParseComments)
	if err == nil && ast.IsGenerated(head) {
		return place{why: "its source is generated: change what it is made from"}
	}
	if _, _, err := Reorder(file, src, t.Name.Name, identity(len(t.Fields))); err != nil {
		return place{why: "it is not declared as a struct at package level"}
	}
	for _, f := range t.Fields {
		if positional(f.Tag) {
			return place{why: "its struct tags have a codec write the fields by their place: " + f.Tag}
		}
	}
	return place{file: file}
}

// mostFiles bounds the number of files in the search for literals. Literals in further files are
// not found. They may keep the reordered package from compiling; the report then says so.
const mostFiles = 5_000

// unkeyed searches the user's modules for composite literals without field names whose type has
// fields that would move. It skips folders such as vendor and testdata, and stops after mostFiles
// Go files.
func (u *user) unkeyed(moved []*Struct) []Literal {
	names := map[string]bool{}
	for _, s := range moved {
		names[s.Type.Name.Name] = true
	}
	var out []Literal
	files := 0
	for _, root := range u.s.Work.Use {
		_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error { // a file that cannot be read is not compiled either
			switch base := filepath.Base(name); {
			case err != nil:
				return nil
			case d.IsDir() && name != root && (base == "vendor" || base == "testdata" || base == "node_modules" ||
				strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")):
				return fs.SkipDir
			case d.IsDir() || filepath.Ext(name) != ".go":
				return nil
			}
			if files++; files > mostFiles {
				return fs.SkipAll
			}
			src, err := os.ReadFile(name)
			if err != nil {
				return nil
			}
			show := name
			if rel, err := filepath.Rel(u.s.Pkg.Module.Dir, name); err == nil && filepath.IsLocal(rel) {
				show = filepath.ToSlash(rel)
			}
			for _, l := range Unkeyed(name, src, names) {
				l.File, l.path = show, name
				out = append(out, l)
			}
			return nil
		})
	}
	order := func(a, b Literal) int { return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line) }
	slices.SortFunc(out, order)
	return slices.CompactFunc(out, func(a, b Literal) bool { return order(a, b) == 0 })
}

// wire says which codecs' bytes change with the order of fields.
func (u *user) wire() []string {
	numbers := "ZMY native, protobuf and others that number fields by struct tags write the same bytes as before"
	if plan.Derived(u.s) {
		numbers = "ZMY field numbers that are derived (zmy gen -derive) follow the order of declaration: write struct tags before you " +
			"move fields, or messages change their meaning"
	}
	return []string{"JSON, CBOR and MessagePack write members in the order of the fields: readers go by names and do not notice, but the " +
		"bytes differ, and with them hashes, signatures, ETags and golden files", numbers}
}
