package gen_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/cli"
)

var seed = flag.Uint64("seed", 11, "of the types that TestRandomZMY writes")

// TestRandomZMY generates code of the native format for types written at random, and
// lets a program marshal and unmarshal random values: they come back as they were, and
// what is accepted is what would have been written. The types of gen/internal/drawn do
// the same for JSON.
func TestRandomZMY(t *testing.T) {
	w := &typeWriter{r: rand.New(rand.NewPCG(*seed, 8))}
	randomTypes(t, w, "random_zmy.txt", func(types string, out io.Writer) int {
		return cli.ZMY([]string{"-derive", "-type=" + types, "-output=gen_zmy.go"}, out, out)
	})
}

// randomTypes makes a program of the types, the code generated for them, and a
// main function from testdata, and runs it.
func randomTypes(t *testing.T, w *typeWriter, main string, generate func(types string, out io.Writer) int) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	core, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	writeFile(t, "go.mod", []byte("module example.org/random\n\ngo 1.26\n\nrequire github.com/zmylab/zmy v0.0.0\n\nreplace "+
		"github.com/zmylab/zmy => "+core+"\n"))
	src, names := w.declare(40)
	writeFile(t, "types.go", []byte(src))
	var out bytes.Buffer
	if code := generate(strings.Join(names, ","), &out); code != 0 {
		t.Fatalf("exit %d\n%s", code, &out)
	}
	writeFile(t, "main.go", readFile(t, filepath.Join(core, "gen", "testdata", main)))
	writeFile(t, "fill.go", readFile(t, filepath.Join(core, "gen", "internal", "drawn", "testdata", "program", "fill.go")))
	got, err := exec.Command("go", "run", ".").CombinedOutput()
	if err != nil || !bytes.HasSuffix(got, []byte("same\n")) {
		t.Errorf("seed %d: %v\n%s", *seed, err, got)
	}
}

// typeWriter writes type expressions.
type typeWriter struct {
	r *rand.Rand
	n int // types declared so far
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// field is the type of a field.
func (w *typeWriter) field() string {
	if w.r.IntN(3) == 0 {
		self := fmt.Sprintf("T%d", w.r.IntN(w.n+1)) // perhaps the struct itself
		return pick(w.r, "*string", "*int", "*float64", "*Num", "*big.Int", "*big.Float", "*time.Time", "*[3]int16", "*[2]string",
			"*[40]float64", "*Label", "*Degrees", "*"+self, "*"+self, "[]"+self, "[]*"+self, "map[string]"+self, "map[Num]*"+self,
			"map[string][]*"+self, "[][]"+self, "*[2][]"+self,
			"*[]"+self, "*[]string", "*map[Num]"+self, "*[]byte", "*Blob", "[]*[]"+self, "*json.RawMessage")
	}
	return w.native(3)
}

// native is a type that the native format carries everywhere.
func (w *typeWriter) native(depth int) string {
	if depth == 0 || w.r.IntN(3) == 0 {
		return pick(w.r, "bool", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64",
			"float32", "float64", "string", "string", "[]byte", "[3]byte", "[300]byte", "time.Time", "time.Duration",
			"json.RawMessage", "json.Number", "any", "Num", "Word", "Flag", "Blob", "complex128", "*big.Int",
			"uintptr", "complex64", "big.Int", "big.Float", "Words", "Index", "Label", "Degrees", "Shape", "map[string]struct{}", "Spot")
	}
	switch w.r.IntN(6) {
	case 0:
		return "[]" + w.native(depth-1)
	case 1:
		return fmt.Sprintf("[%d]%s", 1+w.r.IntN(3), w.native(depth-1))
	case 2:
		return "map[" + pick(w.r, "string", "Word", "int", "uint8", "Num", "bool", "[2]byte") + "]" + w.native(depth-1)
	case 3:
		return "struct{ A " + w.native(depth-1) + "; B " + w.native(depth-1) + " }"
	}
	if w.n == 0 {
		return "[]Word"
	}
	t := fmt.Sprintf("T%d", w.r.IntN(w.n))
	if w.r.IntN(3) == 0 {
		return "Page[" + pick(w.r, t, "Word", "[]byte", "*"+t) + "]"
	}
	return t
}

// zmyTag is a struct tag zmy with an option that suits the type.
func (w *typeWriter) zmyTag(number int, typ string) string {
	opts := []string{"", "", ",deprecated"}
	switch {
	case strings.HasPrefix(typ, "[]") || strings.HasPrefix(typ, "map[") || typ == "Words" || typ == "Index":
		opts = append(opts, ",nilable")
	case typ == "Spot":
		opts = append(opts, ",inline", ",inline")
	}
	if typ == "time.Time" || typ == "*time.Time" || typ == "[]time.Time" {
		opts = append(opts, ",zone", ",unixnano")
	}
	return fmt.Sprintf("`zmy:\"%d%s\"`", number, pick(w.r, opts...))
}

// zmyStruct writes a struct with numbers, options and directives.
func (w *typeWriter) zmyStruct(b *strings.Builder, i int) {
	r := w.r
	sparse := r.IntN(4) == 0
	var fields strings.Builder
	n := 0
	add := func(name, typ string) {
		line := name + " " + typ
		if name == "" {
			line = typ
		}
		fmt.Fprintf(&fields, "\t%s %s\n", line, w.zmyTag(n, typ))
		n++
	}
	if i > 0 && r.IntN(3) == 0 {
		add("", pick(r, "", "*")+fmt.Sprintf("T%d", r.IntN(i)))
	}
	for k := range 1 + r.IntN(7) {
		add(fmt.Sprintf("F%d", k), w.field())
	}
	b.WriteString("\n// a message with numbers\n//\n")
	if sparse {
		b.WriteString("//zmy:sparse\n")
	}
	if r.IntN(4) == 0 {
		fmt.Fprintf(b, "//zmy:reserved %d %s\n", n, pick(r, "int64", "string", "[3]byte", "[]int"))
		n++
		add("Last", w.field())
	}
	if r.IntN(3) == 0 {
		fields.WriteString("\tunknown zmy.Unknown\n")
	}
	if r.IntN(4) == 0 { // it takes memory but no bytes of a message
		fmt.Fprintf(&fields, "\tcache [%d]int64 `zmy:\"-\"`\n", 1+r.IntN(200))
	}
	fmt.Fprintf(b, "type T%d struct {\n%s}\n", i, &fields)
}

// declare writes a package of n struct types, and names them.
func (w *typeWriter) declare(n int) (src string, names []string) {
	r := w.r
	var b strings.Builder
	b.WriteString(randomHead)
	for i := range n {
		w.n = i
		if r.IntN(2) == 0 {
			w.zmyStruct(&b, i)
			names = append(names, fmt.Sprintf("T%d", i))
			continue
		}
		fmt.Fprintf(&b, "\ntype T%d struct {\n", i)
		used := map[string]bool{}
		for range 1 + r.IntN(7) {
			name := pick(r, "A", "B", "C", "D", "E", "F", "G", "H", "Ab", "AB")
			line := name + " " + w.field()
			if !used[name] {
				used[name] = true
				b.WriteString("\t" + line + "\n")
			}
		}
		b.WriteString("}\n")
		names = append(names, fmt.Sprintf("T%d", i))
	}
	b.WriteString("\nvar all = []any{")
	for _, name := range names {
		b.WriteString("new(" + name + "), ")
	}
	return b.String() + "}\n", names
}

const randomHead = `package main

import (
	"encoding/json"
	"errors"
	"math/big"
	"reflect"
	"time"

	"github.com/zmylab/zmy"
)

var (
	_ json.Number
	_ time.Time
	_ big.Int
	_ zmy.Unknown
)

type Num int32

type Word string

type Flag bool

type Blob []byte

type Words []Word

type Index map[Word][]int32

// Page is generic.
type Page[E any] struct {
	Items []E
	By    map[string]E
	Next  *Page[E]
}

// Spot can stand inline.
type Spot struct {
	X int32     ` + "`zmy:\"0\"`" + `
	Y bool      ` + "`zmy:\"1\"`" + `
	T time.Time ` + "`zmy:\"2\"`" + `
}

// Label is a text.
type Label struct{ text string }

func (l Label) MarshalText() ([]byte, error) { return []byte(l.text), nil }

func (l *Label) UnmarshalText(b []byte) error {
	l.text = string(b)
	return nil
}

// Degrees marshals itself.
type Degrees int16

func (d Degrees) AppendZMY(b []byte) ([]byte, error) {
	if d == 0 {
		return b, nil
	}
	return append(b, byte(d), byte(d>>8)), nil
}

func (d *Degrees) UnmarshalZMY(b []byte) error {
	if len(b) != 2 || b[0]|b[1] == 0 {
		return errors.New("no degrees")
	}
	*d = Degrees(int16(b[0]) | int16(b[1])<<8)
	return nil
}

// Shape is a union.
//
//zmy:union Circle=1 Group=7
type Shape interface{ isShape() }

type Circle struct{ R float64 }

type Group struct {
	Name  string
	Parts []Shape
}

func (Circle) isShape() {}
func (*Group) isShape() {}

func init() {
	union = func(_ reflect.Type, depth int) any {
		if depth <= 0 || r.IntN(2) == 0 {
			return Circle{r.NormFloat64()}
		}
		g := new(Group)
		g.Name = word()
		if depth > 1 {
			g.Parts = []Shape{union(nil, depth-1).(Shape)}
		}
		return g
	}
}
`
