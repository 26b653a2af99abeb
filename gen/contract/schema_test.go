package contract_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/contract"
	"github.com/zmylab/zmy/gen/internal/drawn"
	"github.com/zmylab/zmy/gen/load"
)

var (
	values = flag.Int("values", 20_000, "documents that TestSchema validates, of drawn types and of the examples")
	types  = flag.Int("types", 60, "drawn types of TestSchema")
	seed   = flag.Uint64("seed", 1, "of the drawn types and values")
)

// program is a program that draws values of types and validates what they are written as.
type program struct {
	dir     string
	imports []string
	body    string
	n       int
	ts      map[string]string // declarations by file
}

// summary is what the program prints.
type summary struct {
	Accepted, Unwritable, Mutants, Rejected, Documents int
	Failures                                           []string
}

func newProgram(t *testing.T) *program {
	t.Helper()
	p := &program{dir: oracleModule(t), ts: map[string]string{}}
	text, err := os.ReadFile("testdata/oracle/schema.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	write(t, p.dir, "main.go", string(text))
	return p
}

// add adds types of a package, which the program imports as pkg. It imports nothing if path is "".
func (p *program) add(t *testing.T, dir, path, pkg string, exprs ...string) {
	t.Helper()
	loaded, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	qualifier := ""
	if path != "" {
		p.imports = append(p.imports, fmt.Sprintf("%s %q", pkg, path))
		qualifier = pkg + "."
	}
	record, err := gen.RecordJSON(loaded, exprs)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := contract.Parse(record.Text()); err != nil {
		t.Errorf("%v\n%s", err, record.Text())
	}
	p.body += enumsOf(loaded.Path, record)
	ts := one(t, loaded, exprs, "ts-types")
	p.ts[pkg] = ts
	for _, expr := range exprs {
		_, c, err := gen.JSONContract(loaded, []string{expr})
		if err != nil {
			t.Fatal(err)
		}
		name := ""
		if f := c.Roots[0]; f.Type != nil && !f.Maybe && strings.Contains(ts, " "+f.Type.Name+" ") {
			name = pkg + "." + f.Type.Name
			if f.Null {
				name += " | null"
			}
		}
		p.n++
		goType := expr
		if path != "" {
			goType = strings.ReplaceAll(expr, "[", "["+qualifier)
		}
		p.body += fmt.Sprintf("\troots = append(roots, root{%q, reflect.TypeFor[%s%s](), %q, %q})\n", pkg+"."+expr, qualifier, goType,
			one(t, loaded, []string{expr}, "jsonschema"), name)
	}
}

// one generates the one file of a language.
func one(t *testing.T, p *load.Pkg, exprs []string, lang string) string {
	t.Helper()
	files, err := gen.Lang(p, exprs, gen.LangOptions{Lang: lang})
	if err != nil {
		t.Fatal(err)
	}
	return string(files[0].Src)
}

// run builds and runs the program.
func (p *program) run(t *testing.T, args ...string) (sum summary) {
	t.Helper()
	write(t, p.dir, "roots.go", "package main\n\nimport (\n\t\"reflect\"\n\t"+strings.Join(p.imports, "\n\t")+"\n)\n\nvar roots []root\n\n"+
		"func init() {\n"+p.body+"}\n")
	if out, err := goCommand(t, p.dir, "build", "-o", "program", "."); err != nil {
		t.Fatalf("%v\n%.3000s", err, out)
	}
	cmd := exec.Command("./program", args...)
	cmd.Dir = p.dir
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%.3000s", err, out)
	}
	if err := json.Unmarshal(out, &sum); err != nil {
		t.Fatalf("%v\n%.3000s", err, out)
	}
	for _, f := range sum.Failures {
		t.Errorf("%.2000s", f)
	}
	t.Logf("%d documents of %d types accepted; %d values have no JSON; %d of %d wrong documents rejected", sum.Accepted, p.n,
		sum.Unwritable, sum.Rejected, sum.Mutants)
	return sum
}

// everything adds drawn types, the shop of the edits and the examples.
func (p *program) everything(t *testing.T) {
	t.Helper()
	m := drawn.Draw(*seed, *types, drawn.Options{})
	for name, src := range m.Files() {
		write(t, p.dir, name, strings.ReplaceAll(src, "example.org/drawn/dep", "example.org/oracle/dep"))
	}
	p.add(t, p.dir, "", "drawn", m.Roots()...)
	for _, c := range goldens {
		src, err := os.ReadFile(filepath.Join("testdata/golden", c.name, "in.go"))
		if err != nil {
			t.Fatal(err)
		}
		write(t, p.dir, c.name+"/in.go", string(src))
		p.add(t, filepath.Join(p.dir, c.name), "example.org/oracle/"+c.name, c.name, c.types...)
	}
	for _, e := range []string{"order.Order", "twitter.Search", "citm.Catalog", "user.User", "session.UserSession", "sensor.SensorData",
		"event16.Event", "canada.Map"} {
		pkg, typ, _ := strings.Cut(e, ".")
		p.add(t, filepath.Join("../../examples", pkg), "github.com/zmylab/zmy/examples/"+pkg, pkg, typ)
	}
}

// TestSchema validates what encoding/json and fxjson write, with a validator of JSON Schema that is
// not ours, and documents that encoding/json refuses.
func TestSchema(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	p := newProgram(t)
	p.everything(t)
	sum := p.run(t, fmt.Sprint("-values=", *values), fmt.Sprint("-seed=", *seed))
	// A schema allows anything where MarshalJSON writes, though reading may be by fields and so refuse.
	// The share of such members depends on the draw: 7% to 11% of the wrong documents.
	if sum.Accepted < *values/2 || sum.Mutants < *values/20 || sum.Rejected*5 < sum.Mutants*4 {
		t.Errorf("too few: %+v", sum)
	}
}

// TestTypeScript compiles the declarations of the same types with tsc --strict, with documents
// that are assigned to them.
func TestTypeScript(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("needs %s", tool)
		}
	}
	p := newProgram(t)
	p.everything(t)
	p.run(t, fmt.Sprint("-values=", 8*p.n), "-literals=8", fmt.Sprint("-seed=", *seed))
	literals, err := os.ReadFile(filepath.Join(p.dir, "values.ts"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	head := ""
	for _, pkg := range slices.Sorted(maps.Keys(p.ts)) {
		write(t, dir, pkg+".d.ts", p.ts[pkg])
		head += fmt.Sprintf("import type * as %s from \"./%s\";\n", pkg, pkg)
	}
	write(t, dir, "values.ts", head+string(literals)+wrongTS)
	write(t, dir, "package.json", `{"private": true, "devDependencies": {"typescript": "5.9.3"}}`)
	npm := exec.Command("npm", "install", "--no-audit", "--no-fund", "--loglevel=error")
	npm.Dir = dir
	if out, err := npm.CombinedOutput(); err != nil {
		t.Skipf("npm cannot install typescript: %v\n%s", err, out)
	}
	tsc := exec.Command("node_modules/.bin/tsc", "--strict", "--noEmit", "--skipLibCheck", "false", "--target", "es2022", "values.ts")
	tsc.Dir = dir
	if out, err := tsc.CombinedOutput(); err != nil {
		t.Errorf("%v\n%.6000s", err, out)
	}
	t.Logf("%d documents and %d wrong ones compiled", strings.Count(string(literals), "\n"), strings.Count(wrongTS, "@ts-expect-error"))
}

// wrongTS has values that the types forbid: tsc reports each line that has no error.
const wrongTS = `
// @ts-expect-error
export const w1: shop.State = "lost";
// @ts-expect-error
export const w2: shop.Level = 4;
// @ts-expect-error
export const w3: shop.Item = { sku: "a" };
// @ts-expect-error
export const w4: shop.Item = { sku: 1, size: 1 };
// @ts-expect-error
export const w5: shop.Item = { sku: "a", size: null };
// @ts-expect-error
export const w6: shop.Address = { city: "a", zip: "b", country: "c" };
// @ts-expect-error
export const w7: foreign.Tree = [[], 1];
// @ts-expect-error
export const w8: foreign.Index = { a: { b: 1 } };
// @ts-expect-error
export const w9: foreign.Record["text"] = 1;
// @ts-expect-error
export const w10: shop.Order["point"] = [1];
// @ts-expect-error
export const w11: foreign.PageLeaf = { items: null, next: null };
// @ts-expect-error
export const w12: shop.Order["attrs"] = { a: 1 };
`
