package own

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/plan"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

const (
	mod       = "module example.com/mycodec\n\ngo 1.24\n"
	marshal   = "func Marshal(v any) ([]byte, error) { return nil, nil }\n"
	unmarshal = "func Unmarshal(b []byte, v any) error { return nil }\n"
	typed     = "func Marshal[T any](v *T) ([]byte, error) { return nil, nil }\nfunc Unmarshal[T any](b []byte, v *T) error { return nil }\n"
)

// folder writes files into a folder named mycodec, outside of any workspace.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	t.Setenv("GOWORK", "")
	t.Setenv("GOFLAGS", "-mod=mod")
	dir := filepath.Join(t.TempDir(), "mycodec")
	write(t, dir, files)
	return dir
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLoad: what is taken, and what the errors say.
func TestLoad(t *testing.T) {
	for _, c := range []struct {
		name, src string
		family    string // of what is taken
		want      string // in the error
	}{
		{"any", marshal + unmarshal, "binary", ""},
		{"generic", typed, "binary", ""},
		{"json", marshal + unmarshal + "const Family = \"json\"\n", "json", ""},
		{"append", marshal + unmarshal + "func Append(dst []byte, v interface{}) ([]byte, error) { return dst, nil }\n", "binary", ""},
		{"methods are not functions", marshal + unmarshal + "type T int\nfunc (T) Append() {}\n", "binary", ""},
		{"no Unmarshal", marshal, "", "package example.com/mycodec lacks func Unmarshal(b []byte, v any) error, or func Unmarshal[T " +
			"any](b []byte, v *T) error"},
		{"a type", "type T int\nfunc Marshal(v *T) ([]byte, error) { return nil, nil }\n" + unmarshal, "",
			"codec.go:4:1: func Marshal cannot be called with a type that it does not know; write func Marshal(v any) ([]byte, error), or func"},
		{"a constraint", "func Marshal[T comparable](v *T) ([]byte, error) { return nil, nil }\n" + unmarshal, "",
			"func Marshal cannot be called"},
		{"no error", "func Marshal(v any) []byte { return nil }\n" + unmarshal, "", "func Marshal cannot be called"},
		{"family", marshal + unmarshal + "const Family = \"yaml\"\n", "", `const Family is "yaml": write "json" for`},
		{"taken", marshal + unmarshal + "const Name = \"sonic\"\n", "",
			"there is a codec sonic already; give yours another name by `const Name = \"mysonic\"`"},
		{"all", marshal + unmarshal + "const Name = \"all\"\n", "",
			"-codecs all means every codec; give yours another name by `const Name = \"myall\"`"},
		{"taken in other letters", marshal + unmarshal + "const Name = \"Sonic\"\n", "", "there is a codec Sonic already"},
		{"markup", marshal + unmarshal + "const Name = \"<svg\\fonload=x>\"\n", "", "const Name is no word"},
		{"a sequence for terminals", marshal + unmarshal + "const Name = \"a\\x1b[2J\"\n", "", "const Name is no word"},
		{"a name that cannot be seen", marshal + unmarshal + "const Name = \"sonic\\u200b\"\n", "", "const Name is no word"},
		{"a folder above", marshal + unmarshal + "const Name = \"..\"\n", "", "const Name is no word"},
		{"no word", marshal + unmarshal + "const Name = \"my codec\"\n", "", "const Name is no word"},
		{"an import that is not there", "import _ \"example.com/none\"\n" + marshal + unmarshal, "", "example.com/none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := folder(t, map[string]string{"go.mod": mod, "codec.go": "package mycodec\n\n" + c.src})
			t.Setenv("GOPROXY", "off")
			info, err := Load(t.Context(), dir, []string{"std-json", "sonic"})
			if c.want == "" {
				if err != nil || info.Name != "mycodec" || info.Family != c.family || info.Rankless() != "" || info.Extra {
					t.Errorf("%+v, %v", info, err)
				}
				return
			}
			if err == nil || !strings.HasPrefix(err.Error(), "-contender "+dir+": ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestLoadFolder(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"no module", map[string]string{"codec.go": "package mycodec\n"}, "go mod init"},
		{"package main", map[string]string{"go.mod": mod, "codec.go": "package main\n\nfunc main() {}\n"}, "package main cannot be imported"},
		{"no Go", map[string]string{"go.mod": mod}, "no Go files"},
		{"broken", map[string]string{"go.mod": mod, "codec.go": "package mycodec\n\nfunc {\n"}, "codec.go:3:6"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Load(t.Context(), folder(t, c.files), nil); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v\nwant %s", err, c.want)
			}
		})
	}
	if _, err := Load(t.Context(), filepath.Join(t.TempDir(), "none"), nil); err == nil || !strings.Contains(err.Error(), "no such folder") {
		t.Error(err)
	}
}

// TestMeasured builds the worker of a codec that lies outside of this repository,
// in a module with a requirement of its own, on a type of another module, and asks
// what it does to the values.
func TestMeasured(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	dir := folder(t, map[string]string{
		"go.mod": mod + "\nrequire example.com/dep v0.0.0\n\nreplace example.com/dep => ../dep\n",
		"codec.go": `package mycodec

import (
	"bytes"
	"encoding/gob"

	"example.com/dep"
)

func Marshal[T any](v *T) ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte(dep.Version)
	err := gob.NewEncoder(&b).Encode(v)
	return b.Bytes(), err
}

func Unmarshal(b []byte, v any) error {
	if len(b) == 0 || b[0] != dep.Version {
		return dep.ErrVersion
	}
	return gob.NewDecoder(bytes.NewReader(b[1:])).Decode(v)
}
`})
	write(t, filepath.Dir(dir), map[string]string{
		"dep/go.mod":   "module example.com/dep\n\ngo 1.24\n",
		"dep/dep.go":   "package dep\n\nimport \"errors\"\n\nconst Version = 7\n\nvar ErrVersion = errors.New(\"another version\")\n",
		"app/go.mod":   "module example.com/app\n\ngo 1.24\n",
		"app/point.go": "package main\n\ntype point struct {\n\tX, Y int\n\tName string\n}\n\nfunc main() {}\n",
	})
	info, err := Load(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := plan.Resolve(t.Context(), plan.Options{Dir: filepath.Join(filepath.Dir(dir), "app"), Package: ".", Type: "point"})
	if err != nil {
		t.Fatal(err)
	}
	target := &contender.Target{IR: s.IR, Root: s.Root, Expr: s.Expr}
	if why := info.Plan(target); why != nil {
		t.Fatalf("%+v", why)
	}
	w, err := harness.New(t.Context(), harness.Config{Subject: s, Sources: os.DirFS("../../.."), TempDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	built, err := w.Build(t.Context(), info, target)
	if err != nil {
		t.Fatal(err)
	}
	p, err := built.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if _, err := p.Do(t.Context(), worker.Request{Cmd: worker.CmdValues, Seed: 1, N: 16}, 0); err != nil {
		t.Fatal(err)
	}
	a, err := p.Do(t.Context(), worker.Request{Cmd: worker.CmdFidelity}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if f := a.Fidelity; f.Contract.Grade != run.Kept || f.Value.Grade != run.Lossless {
		t.Errorf("%+v", f)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// TestCycle: a codec that needs the package of the type is refused with what to do.
func TestCycle(t *testing.T) {
	c := &codec{pkg: &pkg{ImportPath: "example.com/app/codec", Dir: "codec", Deps: []string{"example.com/app/model"}}}
	target := &contender.Target{}
	s, err := plan.Resolve(t.Context(), plan.Options{Dir: "../../../../examples/sse", Package: ".", Type: "SSEEvent"})
	if err != nil {
		t.Fatal(err)
	}
	target.IR, target.Root = s.IR, s.Root
	if why := c.plan(target); why != nil {
		t.Errorf("%+v", why)
	}
	c.pkg.Deps = append(c.pkg.Deps, target.IR.Path)
	if why := c.plan(target); why == nil || !strings.Contains(why.Next, "as any") {
		t.Errorf("%+v", why)
	}
}
