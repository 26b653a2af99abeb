package follow_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/longtest"
	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/contender/codecs/own"
	"github.com/zmylab/zmy/lab/contender/table"
	"github.com/zmylab/zmy/lab/follow"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

const subject = `package shop

import "time"

// Order is what the shop keeps.
type Order struct {
	ID     string
	Items  []Item
	Placed time.Time
}

// Item is a line of an Order.
type Item struct {
	Sku   string
	Price float64
	Qty   int
}
`

const generic = `package shop

// Page is one page of many.
type Page[T any] struct {
	Rows []T
	Next string
}
`

// scratch is a user's module, beside a clone of this repository as the steps ask for one.
type scratch struct {
	t    *testing.T
	dir  string
	env  []string
	size int // of the message that follow makes, 0 for any
}

func newScratch(t *testing.T) *scratch {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	top := t.TempDir()
	s := &scratch{t: t, dir: filepath.Join(top, "shop")}
	bin := filepath.Join(top, "bin")
	s.env = append(os.Environ(), "GOFLAGS=", "TZ=UTC", "GOBIN="+bin, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	if err := os.Mkdir(s.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(root, filepath.Join(top, "zmy")); err != nil {
		t.Fatal(err)
	}
	s.write("go.mod", "module example.org/shop\n\ngo 1.26.0\n")
	s.write("order.go", subject)
	s.write("page.go", generic)
	return s
}

func (s *scratch) write(name, text string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(filepath.Join(s.dir, name)), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scratch) remove(names ...string) {
	s.t.Helper()
	for _, name := range names {
		if err := os.Remove(filepath.Join(s.dir, name)); err != nil {
			s.t.Fatal(err)
		}
	}
}

// follow does what the steps say and carries a value there and back by their calls.
func (s *scratch) follow(ctx context.Context, steps []run.Step, typ, value string) {
	s.t.Helper()
	before, after := steps, []run.Step(nil)
	if i := slices.IndexFunc(steps, func(x run.Step) bool { return x.Kind == run.StepCalls }); i >= 0 {
		before, after = steps[:i], steps[i:]
	}
	if err := follow.Steps(ctx, s.dir, s.env, before); err != nil {
		s.t.Error(err)
		return
	}
	calls, ok := follow.ReadCalls(steps)
	if !ok {
		s.t.Errorf("no calls: %+v", steps)
		return
	}
	src := calls.Source("shop", "roundTrip", typ)
	if !strings.Contains(src, `"encoding/json"`) && calls.Marshal == "json.Marshal(v)" && len(calls.Imports) == 0 {
		s.t.Errorf("the calls name no package: %s", src)
	}
	s.write("calls_test.go", src)
	s.write("trip_test.go", `package shop

import (
	"fmt"
	"testing"
`+imports(value)+`)

func TestTrip(t *testing.T) {
	v := `+value+`
	back, b, err := roundTrip(v)
	if err != nil || len(b) == 0 || fmt.Sprintf("%+v", v) != fmt.Sprintf("%+v", back) {
		t.Fatalf("%v: %q: %+v became %+v", err, b, v, back)
	}
	if size := `+strconv.Itoa(s.size)+`; size != 0 && size != len(b) {
		t.Fatalf("%d bytes, measured were %d: %q", len(b), size, b)
	}
}
`)
	if err := follow.Steps(ctx, s.dir, s.env, after); err != nil {
		s.t.Error(err)
		return
	}
	cmd := exec.CommandContext(ctx, "go", "test", ".")
	cmd.Dir, cmd.Env = s.dir, s.env
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Errorf("go test: %v\n%s", err, out)
	}
}

// imports are the import specs of the packages that value names.
func imports(value string) (specs string) {
	for pkg, path := range map[string]string{"big": "math/big", "json": "encoding/json", "time": "time", "netip": "net/netip",
		"model": "example.org/shop/model"} {
		if strings.Contains(value, pkg+".") {
			specs += "\t\"" + path + "\"\n"
		}
	}
	return specs
}

const order = `Order{ID: "a", Items: []Item{{"x", 1.5, 3}, {"y", 0.1, 7}}}`

// TestAdvice follows the steps of every codec, to the letter, in a module of its own: they
// compile and carry a value. Codecs whose code is written by hand say so and give none.
func TestAdvice(t *testing.T) {
	longtest.Only(t, "fetches modules and builds a program for each codec")
	followed := 0
	for _, info := range table.All() {
		if info.Adopt == nil || info.Native {
			continue
		}
		c := &run.Contender{Name: info.Name, Family: info.Family, Modules: info.Modules, Adopt: info.Adopt, Status: run.StatusMeasured}
		r := &run.Run{Contenders: []*run.Contender{c},
			Subject: run.Subject{Package: "example.org/shop", Type: "Order", Name: "shop.Order", File: "order.go", Derived: true}}
		steps := stats.Steps(r, info.Name)
		if info.Adopt.Manual != "" {
			if _, ok := follow.ReadCalls(steps); ok {
				t.Errorf("%s: calls that need code written by hand", info.Name)
			}
			continue
		}
		followed++
		t.Run(info.Name, func(t *testing.T) {
			newScratch(t).follow(t.Context(), steps, "Order", order)
		})
	}
	if followed < 12 {
		t.Errorf("%d codecs followed", followed)
	}
}

// TestAdviceOfOwn follows the steps for a codec of the user's, which lies in a folder, replaces
// another module by a folder and is not called as its path ends.
func TestAdviceOfOwn(t *testing.T) {
	s := newScratch(t)
	for name, text := range map[string]string{
		"go.mod": "module example.org/my.codec\n\ngo 1.24\n\nrequire example.org/dep v0.0.0\n\nreplace example.org/dep => ./dep\n",
		"codec.go": "package mine\n\nimport \"example.org/dep\"\n\nfunc Marshal(v any) ([]byte, error) { return dep.Marshal(v) }\n\n" +
			"func Unmarshal(b []byte, v any) error { return dep.Unmarshal(b, v) }\n",
		"dep/go.mod": "module example.org/dep\n\ngo 1.24\n",
		"dep/dep.go": "package dep\n\nimport \"encoding/json\"\n\nvar Marshal, Unmarshal = json.Marshal, json.Unmarshal\n",
	} {
		s.write(filepath.Join("..", "a folder", "mycodec", name), text)
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOPROXY", "off")
	s.env = append(s.env, "GOWORK=off", "GOPROXY=off")
	info, err := own.Load(t.Context(), filepath.Join(s.dir, "..", "a folder", "mycodec"), nil)
	if err != nil {
		t.Fatal(err)
	}
	r := &run.Run{Contenders: []*run.Contender{{Name: info.Name, Adopt: info.Adopt, Status: run.StatusMeasured}},
		Subject: run.Subject{Package: "example.org/shop", Module: "example.org/shop", Type: "Order", Name: "shop.Order", File: "order.go"}}
	s.follow(t.Context(), stats.Steps(r, info.Name), "Order", order)
	r.Subject.Module = "example.org/my.codec"
	if steps := stats.Steps(r, info.Name); len(steps) != 1 || steps[0].Kind != run.StepCalls {
		t.Errorf("a codec of the module itself: %+v", steps)
	}
}

// TestAdviceOfRuns follows what runs of the lab advise for types whose code cannot be a
// method beside them: of another module, an alias of one, and an instance of a generic type.
func TestAdviceOfRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and measures programs")
	}
	for _, c := range []struct{ name, pkg, typ, value string }{
		{"own", ".", "Order", order},
		{"instance", ".", "Page[Item]", `Page[Item]{Rows: []Item{{"x", 1.5, 3}}, Next: "n"}`},
		{"foreign", "golang.org/x/mod/module", "Version", `OwnVersion{Path: "a/b", Version: "v1"}`},
		{"alias", ".", "Place", `Place{Filename: "a.go", Offset: 3, Line: 7, Column: 2}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "instance" || c.name == "alias" {
				longtest.Only(t, "measures two codecs, and follows the steps of both")
			}
			s := newScratch(t)
			typ := c.typ
			if c.name == "foreign" {
				typ = "Own" + c.typ
				s.write("version.go", "package shop\n\nconst Version = 1\n")
				version, err := exec.Command("go", "list", "-m", "-f", "{{.Version}}", "golang.org/x/mod").Output()
				get := run.Step{Kind: run.StepShell, Code: "go get " + c.pkg + "@" + string(version)}
				if err := errors.Join(err, follow.Steps(t.Context(), s.dir, s.env, []run.Step{get})); err != nil {
					t.Fatal(err)
				}
			}
			if c.name == "alias" {
				s.write("place.go", "package shop\n\nimport \"go/token\"\n\ntype Place = token.Position\n")
			}
			root, _ := filepath.Abs("../..")
			r, err := lab.Run(t.Context(), lab.Options{Dir: s.dir, Package: c.pkg, Type: c.typ, Codecs: []string{"fxjson", "zmy"}, Seed: 1,
				Values: 8,
				Budget: time.Second, Runtime: root, Table: table.All(), Out: filepath.Join(t.TempDir(), "out"), Env: []string{"GOWORK=off"}}, quiet{t})
			if err != nil {
				t.Fatal(err)
			}
			for _, codec := range []string{"fxjson", "zmy"} {
				t.Run(codec, func(t *testing.T) {
					sub := *s
					sub.t = t
					sub.follow(t.Context(), stats.Steps(r, codec), typ, c.value)
				})
			}
		})
	}
}

// quiet is a lab.UI that logs notes.
type quiet struct{ t *testing.T }

func (q quiet) Note(text string)                          { q.t.Log(text) }
func (quiet) Doing(string)                                {}
func (quiet) Say(string)                                  {}
func (quiet) First(*run.Contender, []*run.Cell)           {}
func (quiet) Rounds(string, time.Duration, time.Duration) {}
