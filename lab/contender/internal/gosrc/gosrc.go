// Package gosrc is what contenders that bring generated code share.
package gosrc

import (
	"io/fs"
	"path"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/run"
)

// Named reports whether t has a name that is not predeclared, so that values of
// its underlying type need a conversion inside other types.
func Named(t *ir.Type) bool { return t.Name != nil && t.Name.Pkg != "" }

// Text reads a folder of adapter sources kept as text: Go files open with a line
// "//go:build ignore", which is dropped, and import the worker by its real path;
// mod.txt is go.mod. Go files and go.sum keep their names.
func Text(fsys fs.FS, dir string) (map[string][]byte, error) {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		b, err := fs.ReadFile(fsys, path.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		name := e.Name()
		switch {
		case name == "mod.txt":
			name = "go.mod"
		case strings.HasSuffix(name, ".go"):
			s := strings.TrimPrefix(string(b), "//go:build ignore\n\n")
			b = []byte(strings.ReplaceAll(s, `"github.com/zmylab/zmy/lab/`, `"`+contender.LabPath+"/"))
		}
		out[name] = b
	}
	return out, nil
}

// Why turns a problem of the source into the reason why a contender is left out.
func Why(p ir.Problem) *run.Why {
	return &run.Why{What: "skipped: " + p.Path + " " + p.Msg, Where: where(p.Pos), Next: p.Hint}
}
