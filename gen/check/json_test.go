package check

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/load"
	"github.com/zmylab/zmy/gen/print"
)

// build loads a package example.org/m from its files, and describes a type.
func build(t *testing.T, files map[string]string, expr string) *ir.Package {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.org/m\n\ngo 1.24\n")
	for name, src := range files {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		write(t, dir, name, src)
	}
	p, err := load.Load(context.Background(), load.Config{Dir: dir, Env: append(os.Environ(), "GOWORK=off")}, ".")
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Build(expr)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

const kitchen = `package m

import (
	"encoding/json"
	"math/big"
	"time"
	"unsafe"
)

type Bad struct {
	Done  chan bool
	Fn    func()  ` + "`json:\"fn\"`" + `
	Skip  func()  ` + "`json:\"-\"`" + `
	quiet chan int
	Deep  []Inner
	Keys  map[float64]string
	Keyed map[Inner]string
	Z     complex128
	P     *unsafe.Pointer
	Price string   ` + "`fxjson:\"decimals=2\"`" + `
	Cost  float64  ` + "`fxjson:\"decimals=99\"`" + `
	Sum   float64  ` + "`fxjson:\"places=2\"`" + `
	Count []int    ` + "`fxjson:\"intern\"`" + `
	Self  SelfMade
	Half  HalfMade
	Again map[string]Inner
}

type Inner struct{ C chan int }

type SelfMade struct{ C chan int }

func (SelfMade) MarshalJSON() ([]byte, error)  { return nil, nil }
func (*SelfMade) UnmarshalJSON([]byte) error   { return nil }

type HalfMade struct{ C chan int }

func (HalfMade) MarshalJSON() ([]byte, error) { return nil, nil }

type Zero struct {
	Plain  int              ` + "`json:\",omitempty\"`" + `
	Int    int              ` + "`json:\",omitzero,omitempty\"`" + `
	Time   time.Time        ` + "`json:\",omitzero\"`" + `
	Ptr    *time.Time       ` + "`json:\",omitzero\"`" + `
	Addr   ByAddr           ` + "`json:\",omitzero\"`" + `
	PAddr  *ByAddr          ` + "`json:\",omitzero\"`" + `
	Iface  Zeroer           ` + "`json:\",omitzero\"`" + `
	Any    any              ` + "`json:\",omitzero\"`" + `
	Num    json.Number      ` + "`json:\",string\"`" + `
	Dur    *time.Duration   ` + "`json:\",string\"`" + `
	Big    *big.Int         ` + "`json:\",string\"`" + `
	Floats []*[2]float32    ` + "`fxjson:\"decimals=3\"`" + `
}

type ByAddr struct{ X int }

func (*ByAddr) IsZero() bool { return true }

type Zeroer interface{ IsZero() bool }

type Texts struct {
	A map[Text]int
	B map[time.Duration]bool
	C map[uint8]bool
	D map[time.Time]bool
	E map[json.Number]bool
}

type Text struct{ s string }

func (Text) MarshalText() ([]byte, error)  { return nil, nil }
func (*Text) UnmarshalText([]byte) error   { return nil }
`

func TestJSONProblems(t *testing.T) {
	_, err := JSON(build(t, map[string]string{"m.go": kitchen}, "Bad"))
	const want = `m.go:11:2: Bad.Done: chan bool has no JSON form; use struct tag ` + "`json:\"-\"`" + ` to skip it
m.go:12:2: Bad.Fn: func() has no JSON form
m.go:16:2: Bad.Keys: map key float64 has no JSON form; use a string or integer key
m.go:17:2: Bad.Keyed: map key Inner has no JSON form
m.go:18:2: Bad.Z: complex128 has no JSON form
m.go:19:2: Bad.P: unsafe.Pointer has no JSON form
m.go:20:2: Bad.Price: struct tag fxjson option decimals is for floats, not for string; remove
m.go:21:2: Bad.Cost: bad struct tag fxjson option "decimals=99"; N is 0 to 15
m.go:22:2: Bad.Sum: struct tag fxjson has no option "places=2"; the options are decimals=N, inline, intern, required and unknown
m.go:23:2: Bad.Count: struct tag fxjson option intern is for strings and what holds some, not for []int; remove
m.go:29:20: Bad.Deep[].C: chan int has no JSON form
m.go:36:23: Bad.Half.C: chan int has no JSON form`
	if err == nil {
		t.Fatal("no problems")
	}
	got := strings.Split(err.Error(), "\n")
	for i, line := range strings.Split(want, "\n") {
		if i >= len(got) || !strings.HasPrefix(got[i], line) {
			t.Fatalf("line %d: want %s\ngot\n%s", i+1, line, err)
		}
	}
	if len(got) != strings.Count(want, "\n")+1 {
		t.Errorf("more problems than wanted:\n%s", err)
	}
}

func TestJSONOptions(t *testing.T) {
	p := build(t, map[string]string{"m.go": kitchen}, "Zero")
	plan, err := JSON(p)
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]*ir.JSONField{}
	for _, f := range plan.Struct(p.Roots[0]).Fields {
		fields[f.Name] = f
	}
	for _, c := range []struct {
		name         string
		empty, quote bool
		zero         ir.JSONZero
		decimals     int
	}{
		{"Plain", true, false, ir.ZeroNone, -1},
		{"Int", true, false, ir.ZeroCompare, -1},
		{"Time", false, false, ir.ZeroMethod, -1},
		{"Ptr", false, false, ir.ZeroNilMethod, -1},
		{"Addr", false, false, ir.ZeroAddr, -1},
		{"PAddr", false, false, ir.ZeroNilMethod, -1},
		{"Iface", false, false, ir.ZeroNilMethod, -1},
		{"Any", false, false, ir.ZeroCompare, -1},
		{"Num", false, true, ir.ZeroNone, -1},
		{"Dur", false, true, ir.ZeroNone, -1},
		{"Big", false, false, ir.ZeroNone, -1},
		{"Floats", false, false, ir.ZeroNone, 3},
	} {
		f := fields[c.name]
		if f.OmitEmpty != c.empty || f.Quoted != c.quote || f.Zero != c.zero || f.OmitZero != (c.zero != ir.ZeroNone) ||
			f.Decimals != c.decimals {
			t.Errorf("%+v, want %+v", f, c)
		}
	}
	for i := 1; i < len(plan.Types); i++ {
		if plan.Types[i-1].ID >= plan.Types[i].ID {
			t.Error("types are out of order")
		}
	}
}

func TestJSONMapKeys(t *testing.T) {
	if _, err := JSON(build(t, map[string]string{"m.go": kitchen}, "Texts")); err != nil {
		t.Error(err)
	}
}

// What reflection reaches through foreign unexported types, code may not.
func TestJSONSelectors(t *testing.T) {
	files := map[string]string{
		"m.go": `package m

import "example.org/m/b"

type Fine struct{ b.Outer }

type Pointer struct{ b.Far }

type Hidden struct{ b.Two }

type Unnamed struct{ K b.Kinds }
`,
		"b/b.go": `package b

type Outer struct{ inner }

type inner struct{ Deep }

type Deep struct{ X int }

type Far struct{ *inner }

type left struct{ A int ` + "`json:\"a\"`" + ` }

type right struct{ A int ` + "`json:\"b\"`" + ` }

type Two struct {
	left
	right
}

type Kinds struct{ Kind kind; List []kind }

type kind int
`,
	}
	for _, c := range []struct{ expr, selector, reflect string }{
		{"Fine", "Outer.Deep.X", ""},
		{"Pointer", "", "m.Pointer"}, // cannot be compared with nil
		{"Hidden", "", "m.Hidden"},   // Go promotes neither
		{"Unnamed", "K", "[]b.kind"},
	} {
		p := build(t, files, c.expr)
		plan, err := JSON(p)
		if err != nil {
			t.Errorf("%s: %v", c.expr, err)
			continue
		}
		var reflect []string
		for t := range plan.Reflect {
			reflect = append(reflect, print.TypeExpr(t))
		}
		if got := strings.Join(reflect, " "); got != c.reflect {
			t.Errorf("%s: types for reflection are %s, want %s", c.expr, got, c.reflect)
		}
		if c.selector == "" {
			continue
		}
		if got := plan.Struct(p.Roots[0]).Fields[0].Selector(p.Path); got != c.selector {
			t.Errorf("%s: selector %s, want %s", c.expr, got, c.selector)
		}
	}
}
