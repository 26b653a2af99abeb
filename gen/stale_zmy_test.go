package gen_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/cli"
)

// TestStaleZMY answers which changes of types the compiler notices in generated code of the
// native format, and which it leaves to the fingerprint (TestStaleZMYRuns). A struct that can
// be written down is compared as a whole, other packages' too, with its func, chan and
// interface fields. One of another package with unexported fields is compared field by field,
// so that a new field and another number pass; and no method is asked for.
func TestStaleZMY(t *testing.T) {
	if testing.Short() {
		t.Skip("builds packages")
	}
	const model = `package model

import (
	"unsafe"

	"example.org/stale/dep"
)

type Order struct {
	ID   string      ` + "`zmy:\"0\"`" + `
	Addr dep.Address ` + "`zmy:\"1\"`" + `
	Lock Locked      ` + "`zmy:\"2\"`" + `
	Far  dep.Far     ` + "`zmy:\"3\"`" + `
}

type Locked struct {
	A  int32  ` + "`zmy:\"0\"`" + `
	B  int32  ` + "`zmy:\"1\"`" + `
	cb func() ` + "`zmy:\"-\"`" + `
	ch <-chan map[string]*dep.Address ` + "`zmy:\"-\"`" + `
	in interface {
		Near(a *dep.Address, more ...int) (dep.Address, error)
		hidden(chan<- (<-chan int)) func(unsafe.Pointer) struct{ a, B int }
	} ` + "`zmy:\"-\"`" + `
}
`
	const dep = `package dep

type Address struct {
	Street string ` + "`zmy:\"0\"`" + `
	City   string ` + "`zmy:\"1\"`" + `
}

type Far struct {
	Miles int32 ` + "`zmy:\"0\"`" + `
	hide  int
}
`
	module(t, "stale", map[string]string{"model.go": model})
	writeDep := func(src string) {
		t.Helper()
		writeFile(t, "dep/dep.go", []byte(src))
	}
	writeDep(dep)
	var out bytes.Buffer
	if code := cli.ZMY([]string{"-type=Order"}, &out, &out); code != 0 {
		t.Fatalf("exit %d\n%s", code, &out)
	}
	for _, c := range []struct {
		name          string
		old, new      string
		caught, inDep bool
	}{
		{"nothing", "", "", false, false},
		{"a field more in another package", "\tCity ", "\tZip string `zmy:\"2\"`\n\tCity ", true, true},
		{"another number in another package", `City   string ` + "`zmy:\"1\"", `City   string ` + "`zmy:\"3\"", true, true},
		{"another type beside a func", "B  int32", "B  uint32", true, false},
		{"a field less beside a func", "\tB  int32  `zmy:\"1\"`\n", "", true, false},
		{"a field more beside a func", "\tcb func()", "\tC int32 `zmy:\"2\"`\n\tcb func()", true, false},
		{"numbers exchanged beside a func", "A  int32  `zmy:\"0\"`\n\tB  int32  `zmy:\"1\"`",
			"A  int32  `zmy:\"1\"`\n\tB  int32  `zmy:\"0\"`", true, false},
		{"another func", "\tcb func()", "\tcb func() error", true, false},
		{"another chan", "\tch <-chan", "\tch chan", true, false},
		{"a method more in an interface", "\tin interface {", "\tin interface {\n\t\tFar()", true, false},
		{"an unexported field more in another package", "\tCity ", "\tzip int\n\tCity ", true, true},
		{"another type beside an unexported field of another package", "Miles int32", "Miles int64", true, true},
		{"a field more beside an unexported field of another package", "\thide ", "\tFeet int32 `zmy:\"1\"`\n\thide ", false, true},
		{"methods of its own", "type Locked struct", "func (Locked) AppendZMY(b []byte) ([]byte, error) { return b, nil }\n\nfunc " +
			"(*Locked) UnmarshalZMY([]byte) error { return nil }\n\ntype Locked struct", false, false},
	} {
		src := model
		if c.inDep {
			src = dep
		}
		changed := strings.Replace(src, c.old, c.new, 1)
		if c.old != "" && changed == src {
			t.Fatalf("%s: nothing to change", c.name)
		}
		writeFile(t, "model.go", []byte(model))
		writeDep(dep)
		if c.inDep {
			writeDep(changed)
		} else {
			writeFile(t, "model.go", []byte(changed))
		}
		text, err := exec.Command("go", "build", "./...").CombinedOutput()
		if caught := err != nil; caught != c.caught {
			t.Errorf("%s: noticed %v, want %v\n%s", c.name, caught, c.caught, text)
		}
		if err != nil && !bytes.Contains(text, []byte("changedRunGoGenerate")) {
			t.Errorf("%s: the compiler does not say what to do\n%s", c.name, text)
		}
	}
}

// staleModel is what TestStaleZMYRuns changes. Plain, Numbered and Two need struct tags only;
// Derived needs -derive and Shape a union.
const staleModel = `package model

import (
	"fmt"

	"example.org/staleruns/dep"
)

type Plain struct {
	A    int32     ` + "`zmy:\"0\"`" + `
	Part Part      ` + "`zmy:\"1\"`" + `
	Foot *dep.Foot ` + "`zmy:\"2\"`" + `
	Two  *Two      ` + "`zmy:\"3\"`" + `
	Keep string    ` + "`zmy:\"-\"`" + `
}

type Two struct {
	Name  string   ` + "`zmy:\"0\"`" + `
	Foot  dep.Foot ` + "`zmy:\"1\"`" + `
	Plain *Plain   ` + "`zmy:\"2\"`" + `
}

type Part struct {
	Low  int32 ` + "`zmy:\"0\"`" + `
	High int32 ` + "`zmy:\"1\"`" + `
}

type Derived struct {
	Box dep.Box
	N   int
}

type Drawing struct {
	Shape Shape ` + "`zmy:\"0\"`" + `
}

//zmy:union Circle=1
type Shape interface{ isShape() }

type Circle struct {
	R int32 ` + "`zmy:\"0\"`" + `
}

func (*Circle) isShape() {}

var (
	plain   = Plain{A: 1, Part: Part{2, 3}, Foot: dep.NewFoot(4, 5),
		Two: &Two{Name: "x", Foot: *dep.NewFoot(6, 7), Plain: &Plain{A: 8}}, Keep: "kept"}
	derived = Derived{dep.NewBox(4, 5), 6}
	drawing = Drawing{&Circle{R: 7}}
)

var _ = fmt.Sprint
`

const staleDep = `package dep

import "fmt"

type Foot struct {
	X    int32 ` + "`zmy:\"0\"`" + `
	Y    int32 ` + "`zmy:\"1\"`" + `
	hide int
}

func NewFoot(x, y int32) *Foot { return &Foot{X: x, Y: y} }

type Box struct {
	W, H int32
	hide int
}

func NewBox(w, h int32) Box { return Box{W: w, H: h} }

var _ = fmt.Sprint
`

// staleMain is a function of the package that tells how each type fares.
const staleMain = `package model

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/zmylab/zmy"
)

type message interface {
	zmy.Marshaler
	zmy.Unmarshaler
	zmy.Fingerprinter
	zmy.Describer
}

func tell(name string, v, back message, view func([]byte) error) {
	_, err := v.AppendZMY(nil)
	fmt.Print(name, ": ")
	if errors.Is(err, zmy.ErrStale) {
		fmt.Print("stale; ")
		for _, err := range []error{back.UnmarshalZMY(nil), view(nil)} {
			if !errors.Is(err, zmy.ErrStale) {
				fmt.Print("but not ", err)
			}
		}
		if v.ZMYFingerprint() != 0 || v.ZMYSchema() != "" {
			fmt.Print("but described")
		}
	} else if view(nil) == nil || v.ZMYFingerprint() == 0 || v.ZMYSchema() == "" {
		fmt.Print("not described")
	}
	b, err := zmy.Marshal(v)
	failed := zmy.Unmarshal(b, back)
	if errors.Is(err, zmy.ErrStale) && errors.Is(failed, zmy.ErrStale) {
		fmt.Println("refused")
		return
	}
	again, _ := zmy.Marshal(back)
	sealed, err := zmy.Seal(v)
	fmt.Printf("%x %v %v %v %v\n", b, failed, bytes.Equal(again, b), err, zmy.Unseal(sealed, back))
}

func Main() {
	tell("Plain", &plain, &Plain{}, func(b []byte) error { _, err := ViewPlain(b); return err })
	tell("Two", plain.Two, &Two{}, func(b []byte) error { return VerifyTwo(b) })
	tell("Derived", &derived, &Derived{}, func(b []byte) error { _, err := ViewDerivedLazy(b); return err })
	tell("Drawing", &drawing, &Drawing{}, func(b []byte) error { _, err := ViewDrawing(b); return err })
	fmt.Println(zmy.Stale())
}
`

// TestStaleZMYRuns changes types in ways that the compiler does not notice, and runs code that
// was generated before: methods say that they are stale, and zmy.Marshal writes by reflection what
// code generated anew writes, or says so too where reflection does not see all of a type.
func TestStaleZMYRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	module(t, "staleruns", map[string]string{
		"model.go": staleModel, "main.go": staleMain, "cmd/main.go": "package main\n\nimport model " +
			"\"example.org/staleruns\"\n\nfunc main() { model.Main() }\n",
		"dep/dep.go": staleDep,
	})
	// Roots of their own files, so that each has code of its own, beside those that it contains.
	generate := func(t *testing.T) {
		t.Helper()
		os.Remove("zmy.lock") // which refuses to change what it has recorded
		for _, args := range [][]string{{"-type=Plain"}, {"-type=Two"}, {"-type=Drawing"}, {"-derive", "-type=Derived"}} {
			var out bytes.Buffer
			if code := cli.ZMY(args, &out, &out); code != 0 {
				t.Fatalf("%v: exit %d\n%s", args, code, &out)
			}
		}
	}
	run := func(t *testing.T) []string {
		t.Helper()
		out, err := exec.Command("go", "run", "./cmd").CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	}
	src := map[string]string{"model.go": staleModel, "dep/dep.go": staleDep}
	own := "\n\nfunc (%s) AppendZMY(b []byte) ([]byte, error) { return append(b, 'x'), nil }\nfunc (*%[1]s) UnmarshalZMY([]byte) " +
		"error { return nil }\n"
	text := "\n\nfunc (%s) MarshalText() ([]byte, error) { return []byte(\"text\"), nil }\nfunc (*%[1]s) UnmarshalText([]byte) " +
		"error { return nil }\n"
	hook := "\n\nfunc (*%s) AfterUnmarshalZMY() error { return nil }\n"
	for file, text := range src {
		writeFile(t, file, []byte(text))
	}
	generate(t)
	made := map[string]string{}
	for _, file := range []string{"plain_zmy.go", "two_zmy.go", "drawing_zmy.go", "derived_zmy.go"} {
		made[file] = string(readFile(t, file))
	}
	type change struct{ file, old, new, add string }
	for _, c := range []struct {
		name    string
		changes []change
		stale   string
	}{
		{"what does not count", []change{{"model.go", "", "", fmt.Sprintf(text, "Part")}, {"dep/dep.go", "hide int", "hide int64", ""}}, ""},
		{"methods, fields exchanged for -derive, a hook of an arm",
			[]change{{"model.go", "", "", fmt.Sprintf(own, "Part") + fmt.Sprintf(hook, "Circle")},
				{"dep/dep.go", "W, H int32", "H, W int32", ""}}, "Plain Two Derived Drawing"},
		{"a hook, a field more for -derive",
			[]change{{"model.go", "", "", fmt.Sprintf(hook, "Part")}, {"dep/dep.go", "W, H int32", "D, W, H int32", ""}}, "Plain Two Derived"},
		{"a field more in another package, text methods for -derive",
			[]change{{"dep/dep.go", "\thide int\n}\n\nfunc NewFoot", "\thide int\n\tZ int32 `zmy:\"2\"`\n}\n\nfunc NewFoot",
				fmt.Sprintf(text, "Box")}}, "Plain Two Derived"},
		{"numbers exchanged in another package",
			[]change{{"dep/dep.go", "X    int32 `zmy:\"0\"`\n\tY    int32 `zmy:\"1\"`", "X int32 `zmy:\"1\"`\n\tY int32 `zmy:\"0\"`", ""}},
			"Plain Two"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, files := range []map[string]string{src, made} {
				for file, text := range files {
					writeFile(t, file, []byte(text))
				}
			}
			for _, ch := range c.changes {
				changed := strings.Replace(src[ch.file], ch.old, ch.new, 1) + ch.add
				if changed == src[ch.file] {
					t.Fatal("nothing to change")
				}
				writeFile(t, ch.file, []byte(changed))
			}
			stale := strings.Fields(c.stale)
			got := run(t)
			if want := "[" + strings.Join(prefixed("model.", stale), " ") + "]"; got[4] != want {
				t.Errorf("stale types %s, want %s", got[4], want)
			}
			generate(t)
			fresh := run(t)
			if fresh[4] != "[]" {
				t.Errorf("code generated anew is stale: %s", fresh[4])
			}
			for i, name := range []string{"Plain", "Two", "Derived", "Drawing"} {
				want := fresh[i]
				switch {
				case !slices.Contains(stale, name):
				case i < 2: // reflection stands in
					want = strings.Replace(want, ": ", ": stale; ", 1)
				default:
					want = name + ": stale; refused"
				}
				if got[i] != want {
					t.Errorf("got  %s\nwant %s", got[i], want)
				}
			}
		})
	}
}

func prefixed(prefix string, list []string) (out []string) {
	for _, s := range list {
		out = append(out, prefix+s)
	}
	return out
}
