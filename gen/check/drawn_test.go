package check

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/load"
	"github.com/zmylab/zmy/internal/zmymodel"
	"github.com/zmylab/zmy/internal/zmytype"
	"github.com/zmylab/zmy/wire"
)

var (
	drawnSeed  = flag.Uint64("seed", 5, "of the types that TestDrawnPlans draws")
	drawnTypes = flag.Int("types", 500, "types to draw")
)

// TestDrawnPlans draws types, and holds the generator, reflection, package schema and the
// model of the format to one opinion of each: whether it is carried, in which form and places,
// at which cost; or why it is refused, with the same words.
func TestDrawnPlans(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	d := &drawing{r: rand.New(rand.NewPCG(*drawnSeed, 3))}
	for range *drawnTypes {
		d.draw()
	}
	dir := d.write(t)
	model, err := zmymodel.Parse(strings.NewReader(d.model.String()))
	if err != nil {
		t.Fatal(err)
	}
	reflected := planned(t, dir)
	pkg, err := load.Load(t.Context(), load.Config{Dir: dir, Env: append(os.Environ(), "GOWORK=off")}, ".")
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for i, typ := range d.types {
		p, err := pkg.Build(typ.name)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := ZMY(p, ZMYOptions{})
		if typ.bad != "" {
			refused++
			typ.refused(t, err, &reflected[i])
		} else if err != nil || reflected[i].Msg != "" {
			t.Errorf("%s is refused: %v; reflection says %+v\n%s", typ.name, err, reflected[i], typ.source)
		} else {
			typ.same(t, plan.Roots[0], &reflected[i], model[typ.name])
		}
	}
	if refused < len(d.types)/8 || refused > len(d.types)/2 {
		t.Errorf("%d of %d are refused", refused, len(d.types))
	}
}

// reflectedPlan is what the program of testdata/plans.txt says of a type.
type reflectedPlan struct {
	Text, Schema                  string
	Fingerprint                   uint64
	Cost, SchemaCost              int64
	Memory, Scalars, Tails        int
	Older                         []uint32
	Skips                         bool
	Path, Msg, Hint, SchemaHasMsg string
}

// planned builds and runs the program in dir.
func planned(t *testing.T, dir string) (out []reflectedPlan) {
	cmd := exec.Command("go", "run", ".")
	cmd.Dir, cmd.Env, cmd.Stderr = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod"), os.Stderr
	text, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func (typ *drawnPlan) same(t *testing.T, z *ir.ZMYType, r *reflectedPlan, m *zmymodel.Type) {
	scalars, tails := m.Sections()
	bad := func(what string, got, want any) {
		t.Errorf("%s: %s is %v, the generator has %v\n%s", typ.name, what, got, want, typ.source)
	}
	check := func(what string, got, want any) {
		if got != want {
			bad(what, got, want)
		}
	}
	check("reflection's text", r.Text, z.Text())
	check("the schema's text", r.Schema, z.Text())
	check("the schema's fingerprint", r.Fingerprint, ir.ZMYFingerprint(z))
	check("reflection's cost", r.Cost, int64(z.Cost))
	check("the model's cost", m.Units(), z.Cost)
	check("the schema's cost", r.SchemaCost, int64(z.Cost-unknowns(z)*wire.SlotCost)) // it does not know fields zmy.Unknown
	check("reflection's memory", r.Memory, z.Memory)
	check("reflection's scalars", r.Scalars, z.Scalars)
	check("the model's scalars", scalars, z.Scalars)
	check("reflection's tails", r.Tails, z.Tails)
	check("the model's tails", tails, z.Tails)
	check("reflection's skips", r.Skips, z.Skips)
	if !slices.Equal(r.Older, z.Older) {
		bad("reflection's older headers", r.Older, z.Older)
	}
}

// unknowns is how many fields of type zmy.Unknown a value holds where it stands.
func unknowns(z *ir.ZMYType) (n int) {
	switch z.Shape {
	case zmytype.ShapeArray:
		return z.Size * unknowns(z.Elem)
	case zmytype.ShapeStruct, zmytype.ShapeSparse:
		for _, f := range z.Fields {
			n += unknowns(f.Type)
		}
		if z.KeepsUnknown() {
			n++
		}
	}
	return n
}

// refused compares the generator's first problem with the one of reflection.
func (typ *drawnPlan) refused(t *testing.T, err error, r *reflectedPlan) {
	var problems ir.Problems
	if !errors.As(err, &problems) {
		t.Errorf("%s: the generator takes it; reflection says %q\n%s", typ.name, r.Msg, typ.source)
		return
	}
	spell := strings.NewReplacer("main.", "", "struct {}", "struct{}", "interface {}", "any").Replace
	said, first := spell(r.Msg), problems[0]
	if prefix, rest, ok := strings.Cut(said, ": "); ok && prefix == first.Path {
		said = rest // a problem of a type that reflection has no place for
	}
	if said != first.Msg || typ.hint && spell(r.Hint) != first.Hint || r.SchemaHasMsg != r.Msg {
		t.Errorf("%s:\n  generator %s; %s\n reflection %s; %s\n     schema %s\n%s", typ.name, first.Msg, first.Hint, said, r.Hint,
			r.SchemaHasMsg, typ.source)
	}
	if first.Path == "field "+typ.bad && r.Path != typ.bad {
		t.Errorf("%s: reflection places it at %q, the generator at %q", typ.name, r.Path, first.Path)
	}
}

// drawing draws types, as Go source and as the model has them.
type drawing struct {
	r      *rand.Rand
	types  []*drawnPlan
	source strings.Builder
	model  strings.Builder
}

// drawnPlan is a drawn struct.
type drawnPlan struct {
	name, source string
	bad          string // the field for which it is refused, "" for none
	hint         bool   // hints of both are the same
}

// spelled is a type as Go and as the model spell it.
type spelled struct{ source, model string }

var drawnLeaves = []spelled{
	{"bool", "bool"}, {"int", "int64"}, {"int8", "int8"}, {"int16", "int16"}, {"rune", "int32"}, {"int64", "int64"},
	{"uint", "uint64"}, {"byte", "uint8"},
	{"uint16", "uint16"}, {"uint32", "uint32"}, {"uint64", "uint64"}, {"uintptr", "uint64"}, {"float32", "float32"}, {"float64", "float64"},
	{"complex64", "complex64"}, {"complex128", "complex128"}, {"string", "string"}, {"[]byte", "bytes"}, {"time.Time", "time"},
	{"time.Duration", "duration"},
	{"json.RawMessage", "bytes:json"}, {"json.Number", "string"}, {"any", "any"}, {"big.Int", "bigint"}, {"big.Float", "bigfloat"},
	{"*big.Int", "?bigint"},
	{"Num", "int32"}, {"Word", "string"}, {"Flag", "bool"}, {"Blob", "bytes"}, {"Label", "text"}, {"Pair", "binary"}, {"Own", "zmy"},
	{"Over", "text"},
	{"Grown", "Grown"}, {"*Label", "?text"}, {"*Num", "?int32"}, {"*[]string", "?[]string"}, {"[300]byte", "[300]uint8"},
	{"[]time.Time", "[]time"},
}

// drawnKeys may be keys of maps.
var drawnKeys = []spelled{{"string", "string"}, {"Word", "string"}, {"int", "int64"}, {"Num", "int32"}, {"uint8", "uint8"},
	{"bool", "bool"}, {"[4]byte", "[4]uint8"}, {"json.Number", "string"}}

// drawnFaults are fields for which a struct is refused; N is the next number.
var drawnFaults = []struct {
	field string
	hint  bool
}{
	{"X chan int `zmy:\"N\"`", true}, {"X func() `zmy:\"N\"`", true}, {"X **int `zmy:\"N\"`", true}, {"X []struct{} `zmy:\"N\"`", true},
	{"X *any `zmy:\"N\"`", true}, {"X map[float64]int `zmy:\"N\"`", true}, {"X map[Label]int `zmy:\"N\"`", true},
	{"X big.Rat `zmy:\"N\"`", true},
	{"X [0]int `zmy:\"N\"`", true}, {"X [2]*T0 `zmy:\"N\"`", true}, {"X Half `zmy:\"N\"`", true}, {"X Hooked `zmy:\"N\"`", true},
	{"X Opaque `zmy:\"N\"`", true},
	{"X Circle `zmy:\"N\"`", true}, {"X int `zmy:\"N,nilable\"`", true}, {"X string `zmy:\"N,zone\"`", true},
	{"X int `zmy:\"N,inline\"`", true},
	{"X Tall `zmy:\"N,inline\"`", true}, {"X int `zmy:\"N,sparse\"`", true}, {"X int `zmy:\"+N\"`", true},
	{"X int `zmy:\"\"`", true}, {"X int `zmy:\"-1\"`", true},
	{"X int `zmy:\"0\"`", true}, {"X int `zmy:\"999\"`", false}, {"X int", true}, {"_ struct{} `zmy:\"spares\"`", false},
	{"_ struct{} `zmy:\"union A=1\"`", true},
	{"_ struct{} `zmy:\"sparse please\"`", true}, {"_ struct{} `zmy:\"reserved N in64\"`", true},
	{"_ struct{} `zmy:\"reserved +N int64\"`", true},
	{"_ struct{} `zmy:\"limits MaxWire=64KiB\"`", true}, {"_ string `zmy:\"reserved N string\"`", true}, {"X zmy.Unknown `zmy:\"N\"`", true},
}

func drawn[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// draw adds a struct.
func (d *drawing) draw() {
	r := d.r
	typ := &drawnPlan{name: fmt.Sprintf("T%d", len(d.types))}
	var fields []string
	var numbered []string // as the model has them
	word := "struct"
	add := func(name, goType, opts, model string) {
		fields = append(fields, fmt.Sprintf("%s %s `zmy:\"%d%s\"`", name, goType, len(numbered), opts))
		numbered = append(numbered, fmt.Sprintf("%d %s %s", len(numbered), name, model))
	}
	for range 1 + r.IntN(8) {
		name := fmt.Sprintf("F%d", len(numbered))
		switch r.IntN(12) {
		case 0:
			add(name, "Spot", ",inline", "inline:Spot")
		case 1:
			form := drawn(r, []string{"zone", "unixnano"})
			s := drawn(r, []spelled{{"time.Time", ""}, {"[]time.Time", "[]"}, {"*time.Time", "?"}, {"[3]time.Time", "[3]"},
				{"map[int][]time.Time", "map[int64][]"}})
			add(name, s.source, ","+form, s.model+"time:"+form)
		case 2:
			s := drawn(r, []spelled{{"string", "string"}, {"[]byte", "bytes"}, {"[3]int", "[3]int64"}, {"time.Time,zone", "[16]uint8"},
				{"map[string]T", "bytes"}})
			fields = append(fields, fmt.Sprintf("_ struct{} `zmy:\"reserved %d %s\"`", len(numbered), s.source))
			numbered = append(numbered, fmt.Sprintf("%d - %s", len(numbered), s.model))
		case 3:
			e := d.expr(2)
			add(name, "[]"+e.source, drawn(r, []string{",nilable", ",nilable,deprecated"}), "?"+list(e))
		default:
			e := d.expr(3)
			add(name, e.source, drawn(r, []string{"", "", ",deprecated"}), e.model)
		}
	}
	extras := []string{"hidden int", "Left string `zmy:\"-\"`", "_ struct{} `zmy:\"limits MaxWire=1000 MaxDepth=9\"`",
		"_ struct{} `zmy:\"lint-ignore X\"`"}
	if r.IntN(3) == 0 {
		fields = append(fields, drawn(r, extras))
	}
	if r.IntN(5) == 0 {
		fields = append(fields, "_ struct{} `zmy:\"sparse\"`")
		word = "sparse"
	}
	keeps := ""
	if r.IntN(5) == 0 {
		fields = append(fields, "more zmy.Unknown")
		keeps = " keeps"
	}
	if len(d.types) > 0 && r.IntN(4) == 0 {
		fault := drawn(r, drawnFaults)
		field := strings.ReplaceAll(fault.field, "N", fmt.Sprint(len(numbered)))
		typ.bad, typ.hint = field[:1], fault.hint
		fields = append(fields, field)
	}
	r.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	typ.source = "type " + typ.name + " struct {\n\t" + strings.Join(fields, "\n\t") + "\n}\n"
	d.source.WriteString("\n" + typ.source)
	fmt.Fprintf(&d.model, "%s %s%s\n%s\n", word, typ.name, keeps, strings.Join(numbered, "\n"))
	d.types = append(d.types, typ)
}

func list(e spelled) string {
	if e.source == "byte" {
		return "bytes"
	}
	return "[]" + e.model
}

// expr draws a type of at most the depth.
func (d *drawing) expr(depth int) spelled {
	if depth == 0 || d.r.IntN(3) == 0 {
		return drawn(d.r, drawnLeaves)
	}
	switch d.r.IntN(6) {
	case 0:
		e := d.expr(depth - 1)
		return spelled{"[]" + e.source, list(e)}
	case 1:
		e, n := d.expr(depth-1), 1+d.r.IntN(4)
		if strings.HasPrefix(e.source, "*T") {
			e = spelled{e.source[1:], e.model[1:]} // an array of pointers to structs is refused
		}
		return spelled{fmt.Sprintf("[%d]%s", n, e.source), fmt.Sprintf("[%d]%s", n, e.model)}
	case 2:
		k, e := drawn(d.r, drawnKeys), d.expr(depth-1)
		return spelled{"map[" + k.source + "]" + e.source, "map[" + k.model + "]" + e.model}
	}
	var whole []string // earlier structs that are carried
	for _, t := range d.types {
		if t.bad == "" {
			whole = append(whole, t.name)
		}
	}
	if len(whole) == 0 {
		return drawnLeaves[0]
	}
	name := whole[len(whole)-1-d.r.IntN(min(5, len(whole)))]
	if d.r.IntN(2) == 0 {
		return spelled{"*" + name, "?" + name}
	}
	return spelled{name, name}
}

const drawnHead = `package main

import (
	"encoding/json"
	"math/big"
	"time"

	"github.com/zmylab/zmy"
)

var (
	_ json.Number
	_ time.Time
	_ big.Int
	_ zmy.Unknown
)

type (
	Num    int32
	Word   string
	Flag   bool
	Blob   []byte
	Circle []Circle
)

type Spot struct {
	X Num  ¬zmy:"0"¬
	Y bool ¬zmy:"1"¬
}

// Tall has a tail.
type Tall struct {
	S string ¬zmy:"0"¬
}

type Label struct{ s string }

func (l Label) MarshalText() ([]byte, error)     { return []byte(l.s), nil }
func (l *Label) UnmarshalText(text []byte) error { l.s = string(text); return nil }

// Over has text methods of its own beside those of what it embeds.
type Over struct {
	Label
	N int
}

func (o Over) AppendText(b []byte) ([]byte, error) { return append(b, o.s...), nil }
func (o *Over) UnmarshalText(text []byte) error    { o.s = string(text); return nil }

// Grown has text methods of what it embeds only.
type Grown struct {
	Label ¬zmy:"0"¬
	N     int ¬zmy:"1"¬
}

type Pair struct{ a, b int }

func (Pair) MarshalBinary() ([]byte, error)     { return nil, nil }
func (*Pair) UnmarshalBinary(data []byte) error { return nil }

type Own []string

func (Own) AppendZMY(b []byte) ([]byte, error) { return b, nil }
func (*Own) UnmarshalZMY(b []byte) error       { return nil }

type Half struct{ A int }

func (Half) AppendZMY(b []byte) ([]byte, error) { return b, nil }

type Hooked int

func (*Hooked) AfterUnmarshalZMY() error { return nil }

type Opaque struct{ n int }
`

// write makes the module of a program with the types. Its path lets it use internal packages.
func (d *drawing) write(t *testing.T) (dir string) {
	core, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile("testdata/plans.txt")
	if err != nil {
		t.Fatal(err)
	}
	d.source.WriteString("\nvar all = []any{\n")
	for _, typ := range d.types {
		d.source.WriteString("\tnew(" + typ.name + "),\n")
	}
	d.source.WriteString("}\n")
	d.model.WriteString("struct Spot\n0 X int32\n1 Y bool\nstruct Grown\n0 Label text\n1 N int64\n")
	dir = t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module github.com/zmylab/zmy/drawn\n\ngo 1.26\n\nrequire github.com/zmylab/zmy v0.0.0\n\nreplace " +
			"github.com/zmylab/zmy => " + core + "\n",
		"types.go": strings.ReplaceAll(drawnHead, "¬", "`") + d.source.String(),
		"main.go":  string(program),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
