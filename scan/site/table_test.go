package site

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/zmylab/zmy/internal/longtest"
	"github.com/zmylab/zmy/lab/contender/table"
)

// TestTable compares the rows with the packages that they are about, where a module of this repository
// requires them: each function exists, and the value's parameter or result is there.
func TestTable(t *testing.T) {
	form := regexp.MustCompile(`^[A-Za-z0-9_.]+([:~][0-9r]|[=%][0-9])$`)
	var paths []string
	for _, r := range rows {
		paths = append(paths, r.path)
		for _, f := range strings.Fields(r.marshal + " " + r.unmarshal) {
			if !form.MatchString(f) {
				t.Errorf("%s: %s is not of the form Func:N, Func~N, Func:r, Func~r, Func=N or Func%%N", r.path, f)
			}
		}
	}
	slices.Sort(paths)
	looked, missing := compareRows(t, "../..", slices.Compact(paths))
	if looked < 40 {
		t.Errorf("only %d packages could be looked at; missing: %q", looked, missing)
	}
}

// compareRows compares the rows with those packages that the module in dir finds.
func compareRows(t *testing.T, dir string, paths []string) (looked int, missing []string) {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{Context: t.Context(), Dir: dir,
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedSyntax | packages.NeedImports | packages.NeedDeps |
			packages.NeedFiles,
		ParseFile: func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
			f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
			if f != nil {
				dropBodies(f)
			}
			return f, err
		}}, paths...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pkgs {
		if len(p.GoFiles) == 0 || p.Types == nil {
			missing = append(missing, p.PkgPath)
			continue
		}
		looked++
		for _, r := range rows {
			if r.path != p.PkgPath {
				continue
			}
			for _, f := range strings.Fields(r.marshal + " " + r.unmarshal) {
				if err := holds(p.Types, f); err != "" {
					t.Errorf("%s: %s: %s", r.path, f, err)
				}
			}
		}
	}
	return looked, missing
}

// TestTableModules compares the rows with packages that no module of this repository requires.
func TestTableModules(t *testing.T) {
	longtest.Only(t, "fetches two dozen modules")
	dir := t.TempDir()
	run(t, dir, "go", "mod", "init", "example.org/kinds")
	for _, m := range []string{
		"github.com/mailru/easyjson@v0.9.0", "github.com/pquerna/ffjson@v0.0.0-20190930134022-aa0246cd15f7",
		"github.com/vmihailenco/msgpack/v4@v4.3.13",
		"github.com/shamaton/msgpack/v2@v2.4.0", "github.com/shamaton/msgpack/v3@v3.1.0",
		"github.com/hashicorp/go-msgpack/v2@v2.1.5", "gopkg.in/yaml.v2@v2.4.0", "sigs.k8s.io/yaml@v1.6.0",
		"github.com/BurntSushi/toml@v1.6.0", "go.mongodb.org/mongo-driver@v1.17.4", "github.com/gofiber/fiber/v2@v2.52.12",
		"github.com/gofiber/fiber/v3@v3.1.0", "github.com/go-chi/render@v1.0.3", "github.com/unrolled/render@v1.7.0",
		"github.com/emicklei/go-restful/v3@v3.13.0", "k8s.io/apimachinery@v0.35.0", "github.com/ghodss/yaml@v1.0.0",
	} {
		get := exec.CommandContext(t.Context(), "go", "get", m)
		get.Dir, get.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
		if out, err := get.CombinedOutput(); err != nil {
			t.Logf("%s: not looked at: %s", m, out)
		}
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	var paths []string
	for _, r := range rows {
		paths = append(paths, r.path)
	}
	slices.Sort(paths)
	looked, missing := compareRows(t, dir, slices.Compact(paths))
	t.Logf("%d packages looked at; not there: %q", looked, missing)
	if looked < 20 {
		t.Errorf("only %d packages could be looked at", looked)
	}
}

func run(t *testing.T, dir string, command ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, out)
	}
	return string(out)
}

// holds says what is wrong with f, or "".
func holds(p *types.Package, f string) string {
	i := strings.IndexAny(f, ":=~%")
	name, value, result := f[:i], f[i+1:], f[i] == '='
	typ, method, isMethod := strings.Cut(name, ".")
	obj := p.Scope().Lookup(typ)
	if obj == nil {
		return "the package has no " + typ
	}
	if isMethod {
		obj, _, _ = types.LookupFieldOrMethod(types.NewPointer(obj.Type()), true, p, method)
		if types.IsInterface(p.Scope().Lookup(typ).Type()) {
			obj, _, _ = types.LookupFieldOrMethod(p.Scope().Lookup(typ).Type(), true, p, method)
		}
	}
	if obj == nil {
		return "does not exist"
	}
	fn, ok := obj.Type().Underlying().(*types.Signature)
	if !ok {
		return "is no function"
	}
	if value == "r" {
		return ""
	}
	tuple := fn.Params()
	if result {
		tuple = fn.Results()
	}
	n := int(value[0] - '0')
	if f[i] == '%' {
		if n >= fn.TypeParams().Len() {
			return "has too few type parameters: " + fn.String()
		}
		return ""
	}
	if n >= tuple.Len() {
		return "has too few parameters: " + fn.String()
	}
	switch u := tuple.At(n).Type().Underlying().(type) {
	case *types.Interface, *types.Pointer:
	case *types.Slice: // of RawMessage and the like
		return "the value is a slice: " + fn.String()
	case *types.Basic:
		return "the value has a basic type: " + u.String()
	}
	return ""
}

// TestCodecs holds that each codec is one of the lab's, or an import path.
func TestCodecs(t *testing.T) {
	lab := map[string]bool{}
	for _, c := range table.All() {
		lab[c.Name] = true
	}
	for _, r := range rows {
		if !lab[r.codec] && !strings.Contains(r.codec, "/") {
			t.Errorf("%s: the lab has no codec %s", r.path, r.codec)
		}
	}
	for _, g := range generatedMethods {
		if !lab[g.codec] {
			t.Errorf("%s: the lab has no codec %s", g.name, g.codec)
		}
	}
}
