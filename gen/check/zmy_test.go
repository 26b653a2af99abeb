package check

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/load"
	"github.com/zmylab/zmy/internal/zmytype"
)

// zmyPlan plans types of a package made of the given source.
func zmyPlan(t *testing.T, src string, opt ZMYOptions, types ...string) (*ir.ZMYPlan, error) {
	t.Helper()
	dir := t.TempDir()
	core, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"go.mod": "module example.org/in\n\ngo 1.26\n\nrequire github.com/zmylab/zmy v0.0.0\n\nreplace github.com/zmylab/zmy => " + core + "\n",
		"in.go":  "package in\n\n" + src,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	pkg, err := load.Load(t.Context(), load.Config{Dir: dir, Env: append(os.Environ(), "GOWORK=off")}, ".")
	if err != nil {
		t.Fatal(err)
	}
	p, err := pkg.Build(types...)
	if err != nil {
		t.Fatal(err)
	}
	return ZMY(p, opt)
}

func TestZMYProblems(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"chan", "type T struct {\n\tDone chan bool `zmy:\"0\"`\n}",
			`in.go:4:2: field Done: chan bool has no wire type; use struct tag zmy:"-" to leave it out`},
		{"all, sorted", "type T struct {\n\tB func() `zmy:\"0\"`\n\tA chan int `zmy:\"1\"`\n}",
			"in.go:4:2: field B: func() has no wire type; use struct tag zmy:\"-\" to leave it out\nin.go:5:2: field A: chan int has " +
				"no wire type; use struct tag zmy:\"-\" to leave it out"},
		{"root of JSON methods", "type T struct{ cents int64 }\n\nfunc (T) MarshalJSON() ([]byte, error) { return nil, nil }\nfunc " +
			"(*T) UnmarshalJSON([]byte) error { return nil }",
			"in.go:3:6: T: T has no wire type: it has no exported fields; wrap it in a struct with one field, where -derive carries it as JSON: " +
				"a message is a struct, so that later versions can add fields"},
		{"untagged", "type T struct {\n\tA int\n}",
			`in.go:4:2: field A: no struct tag zmy; number it, as in zmy:"0", or use struct tag zmy:"-" to leave it out; -derive ` +
				`numbers structs without such tags`},
		{"half tagged", "type T struct {\n\tA int `zmy:\"0\"`\n\tB int\n}",
			`in.go:5:2: field B: no struct tag zmy; number it, as in zmy:"1", or use struct tag zmy:"-" to leave it out`},
		{"gap", "type T struct {\n\tA int `zmy:\"0\"`\n\tB int `zmy:\"2\"`\n}",
			"in.go:5:2: field B: number 2 stands where 1 is next; number fields from 0 without gaps; the place of one that is gone " +
				"stays: //zmy:reserved 1 and its type"},
		{"twice", "type T struct {\n\tA int `zmy:\"0\"`\n\tB int `zmy:\"0\"`\n}",
			"in.go:5:2: field B: number 0 is also that of field A; give each field a number of its own"},
		{"method", "type T struct {\n\tZMYSchema int `zmy:\"0\"`\n}",
			"in.go:4:2: field ZMYSchema: a generated method has this name; rename it"},
		{"number", "type T struct {\n\tA int `zmy:\"first\"`\n}",
			`in.go:4:2: field A: bad field number "first" in struct tag zmy; numbers start at 0: zmy:"0"`},
		{"option", "type T struct {\n\tA int `zmy:\"0,big\"`\n}",
			`in.go:4:2: field A: struct tag zmy has no option "big"; options are deprecated, inline, nilable, unixnano and zone`},
		{"time option", "type T struct {\n\tA int64 `zmy:\"0,unixnano\"`\n}",
			"in.go:4:2: field A: options zone and unixnano are for times, not for int64; remove it"},
		{"inline", "type T struct {\n\tA int64 `zmy:\"0,inline\"`\n}",
			"in.go:4:2: field A: option inline is for structs, not for int64; remove it"},
		{"inline tails", "type T struct {\n\tA U `zmy:\"0,inline\"`\n}\n\ntype U struct {\n\tS string `zmy:\"0\"`\n}",
			"in.go:4:2: field A: U cannot stand inline: it has fields of variable size; remove option inline"},
		{"half methods", "type T struct {\n\tA U `zmy:\"0\"`\n}\n\ntype U int\n\nfunc (U) AppendZMY(b []byte) ([]byte, error) { return b, nil }",
			"in.go:7:6: U: has AppendZMY, but not UnmarshalZMY; declare it on the pointer too, UnmarshalZMY([]byte) error, or remove the other"},
		{"hook", "type T struct {\n\tA U `zmy:\"0\"`\n}\n\ntype U int\n\nfunc (*U) AfterUnmarshalZMY() error { return nil }",
			"in.go:7:6: U: AfterUnmarshalZMY is called for structs only; check it in the struct around it"},
		{"reserved type", "//zmy:reserved 1 in64\ntype T struct {\n\tA int `zmy:\"0\"`\n}",
			`in.go:4:6: T: directive //zmy:reserved has no type "in64"; write string, int64, time.Time, time.Duration, [16]byte … or ` +
				`[]T, map[K]V, *T, struct, any`},
		{"reserved number", "//zmy:reserved one int\ntype T struct {\n\tA int `zmy:\"0\"`\n}",
			"in.go:4:6: T: bad directive //zmy:reserved one int; write it as in //zmy:reserved 4 string"},
		{"reserved twice", "//zmy:reserved 0 int64\ntype T struct {\n\tA int `zmy:\"0\"`\n}",
			"in.go:5:2: field A: number 0 is also that of a reserved one; give each field a number of its own"},
		{"nilable", "type T struct {\n\tA int64 `zmy:\"0,nilable\"`\n}",
			"in.go:4:2: field A: option nilable is for slices and maps, not for int64; remove it"},
		{"pointer to any", "type T struct {\n\tA *any `zmy:\"0\"`\n}",
			`in.go:4:2: field A: *any has no wire type; drop the pointer: what it points to can be nil itself, or use struct tag ` +
				`zmy:"-" to leave it out`},
		{"float key", "type T struct {\n\tA map[float64]int `zmy:\"0\"`\n}",
			`in.go:4:2: field A: map key float64 has no wire type; use a string, integer, bool or byte array, or use struct tag ` +
				`zmy:"-" to leave it out`},
		{"pointers to empty structs", "type T struct {\n\tA []*struct{} `zmy:\"0\"`\n\tB map[string][]*E `zmy:\"1\"`\n}\n\ntype E struct{}",
			`in.go:4:2: field A: *struct{} has no wire type; a list of empty structs is only a number: use an integer, or use struct ` +
				`tag zmy:"-" to leave it out` + "\n" +
				`in.go:5:2: field B: *E has no wire type; a list of empty structs is only a number: use an integer, or use struct tag ` +
				`zmy:"-" to leave it out`},
		{"empty structs", "type T struct {\n\tA []struct{} `zmy:\"0\"`\n}",
			`in.go:4:2: field A: struct{} has no wire type; a list of empty structs is only a number: use an integer, or use struct ` +
				`tag zmy:"-" to leave it out`},
		{"bottomless", "type L []L\n\ntype T struct {\n\tA L `zmy:\"0\"`\n}",
			"in.go:3:6: L: type contains itself without a struct between: its depth has no limit; put a struct between"},
		{"opaque", "import \"sync\"\n\ntype T struct {\n\tA sync.Mutex `zmy:\"0\"`\n}",
			`in.go:6:2: field A: sync.Mutex has no wire type: it has no exported fields; wrap it in a type of your own with ` +
				`MarshalText and UnmarshalText, or MarshalBinary and UnmarshalBinary, or use struct tag zmy:"-" to leave it out`},
		{"opaque, of one's own", "type T struct {\n\tA []U `zmy:\"0\"`\n}\n\ntype U struct{ a int }\n\nfunc (U) MarshalText() " +
			"([]byte, error) { return nil, nil }",
			`in.go:4:2: field A: U has no wire type: it has no exported fields, and has MarshalText, but not UnmarshalText; give *U ` +
				`MarshalText and UnmarshalText, or MarshalBinary and UnmarshalBinary, or number its fields, or use struct tag zmy:"-" to leave it out`},
		{"all left out", "type T struct {\n\tA U `zmy:\"0\"`\n}\n\ntype U struct {\n\tX int `zmy:\"-\"`\n}",
			`in.go:4:2: field A: U has no wire type: none of its fields is carried; give *U MarshalText and UnmarshalText, or ` +
				`MarshalBinary and UnmarshalBinary, or number its fields, or use struct tag zmy:"-" to leave it out`},
		{"the way from the root", "type T struct {\n\tA map[string][]*U `zmy:\"0\"`\n}\n\ntype U struct {\n\tV struct {\n\t\tC chan " +
			"int `zmy:\"0\"`\n\t} `zmy:\"0\"`\n}",
			`in.go:9:3: field C (T.A[][].V.C): chan int has no wire type; use struct tag zmy:"-" to leave it out`},
		{"the way through a union", "type T struct {\n\tA []U `zmy:\"0\"`\n}\n\n//zmy:union V=1\ntype U interface{ is() }\n\ntype V " +
			"struct {\n\tX int\n}\n\nfunc (V) is() {}",
			`in.go:11:2: field X (T.A[](V).X): no struct tag zmy; number it, as in zmy:"0", or use struct tag zmy:"-" to leave it out; ` +
				`-derive numbers structs without such tags`},
		{"untagged behind reserved", "//zmy:reserved 1 string\ntype T struct {\n\tA int `zmy:\"0\"`\n\tB int\n\tC int\n}",
			"in.go:6:2: field B: no struct tag zmy; number it, as in zmy:\"2\", or use struct tag zmy:\"-\" to leave it out\n" +
				"in.go:7:2: field C: no struct tag zmy; number it, as in zmy:\"3\", or use struct tag zmy:\"-\" to leave it out"},
		{"half methods, the other half", "type T struct {\n\tA U `zmy:\"0\"`\n}\n\ntype U int\n\nfunc (*U) UnmarshalZMY(b []byte) " +
			"error { return nil }",
			"in.go:7:6: U: has UnmarshalZMY, but not AppendZMY; declare it on the pointer too, AppendZMY([]byte) ([]byte, error), or " +
				"remove the other"},
		{"array of pointers", "type T struct {\n\tA [2]*T `zmy:\"0\"`\n}",
			`in.go:4:2: field A: [2]*T has no wire type; use a slice, or use struct tag zmy:"-" to leave it out`},
		{"pointer to pointer", "type T struct {\n\tA **int `zmy:\"0\"`\n}",
			`in.go:4:2: field A: **int has no wire type; drop the pointer: what it points to can be nil itself, or use struct tag ` +
				`zmy:"-" to leave it out`},
		{"empty array", "type T struct {\n\tA [0]int `zmy:\"0\"`\n}",
			`in.go:4:2: field A: [0]int has no wire type: an array has 1 to 2147483647 elements; use struct tag zmy:"-" to leave it out`},
		{"struct of another package", "import \"net/http\"\n\ntype T struct {\n\tA *http.Cookie `zmy:\"0\"`\n}",
			`in.go:6:2: field A: no field of http.Cookie has a struct tag zmy; number them there, or carry what you need of it in a ` +
				`struct of your own, or use struct tag zmy:"-" to leave it out; -derive numbers structs without such tags`},
		{"interface of another package", "import \"fmt\"\n\ntype T struct {\n\tA fmt.Stringer `zmy:\"0\"`\n}",
			`in.go:6:2: field A: fmt.Stringer has no wire type; use an interface of this package with a directive //zmy:union Circle=1 ` +
				`Square=2, which lists its structs, or use struct tag zmy:"-" to leave it out`},
		{"type argument", "type T struct {\n\tA P[chan int] `zmy:\"0\"`\n}\n\ntype P[E any] struct {\n\tV E `zmy:\"0\"`\n}",
			`in.go:8:2: field V (T.A.V): chan int has no wire type; use struct tag zmy:"-" to leave it out`},
		{"big.Rat", "import \"math/big\"\n\ntype T struct {\n\tA *big.Rat `zmy:\"0\"`\n}",
			`in.go:6:2: field A: big.Rat has no wire type; carry numerator and denominator as *big.Int, or use struct tag zmy:"-" to leave it out`},
		{"numbered unknown", "import \"github.com/zmylab/zmy\"\n\ntype T struct {\n\tA int `zmy:\"0\"`\n\tU zmy.Unknown `zmy:\"1\"`\n}",
			"in.go:7:2: field U: a field of type zmy.Unknown has no number; remove the struct tag zmy"},
		{"two unknown", "import \"github.com/zmylab/zmy\"\n\ntype T struct {\n\tA int `zmy:\"0\"`\n\tU, V zmy.Unknown\n}",
			"in.go:7:5: field V: field U is of type zmy.Unknown already; remove one"},
		{"no union", "type T struct {\n\tA U `zmy:\"0\"`\n}\n\ntype U interface{ isU() }",
			`in.go:4:2: field A: U has no wire type; list its structs in a directive //zmy:union Circle=1 Square=2, or use struct tag ` +
				`zmy:"-" to leave it out`},
		{"open union", "type T struct {\n\tA U `zmy:\"0\"`\n}\n\n//zmy:union V=1\ntype U interface{ Is() }\n\ntype V " +
			"struct{}\n\nfunc (V) Is() {}",
			"in.go:8:6: U: a union needs an unexported method, so that no other package adds an arm; add a method such as isU()"},
		{"union arms", "type T struct {\n\tA U `zmy:\"0\"`\n}\n\n//zmy:union V=1 V=2 W=3 X=4 N=5 V=x\ntype U interface{ is() " +
			"}\n\ntype V struct{}\n\nfunc (V) is() {}\n\ntype X struct{}\n\ntype N int\n\nfunc (N) is() {}",
			"in.go:8:6: U: arm N is not a struct with a form of its own; wrap it in a struct\n" +
				"in.go:8:6: U: arm V=2 stands where V=1 does; give each arm a number of its own\n" +
				"in.go:8:6: U: arm X does not implement the interface; give it the methods\n" +
				"in.go:8:6: U: bad arm \"V=x\": numbers are 1 to 65535; write it as in //zmy:union Circle=1 Square=2\n" +
				"in.go:8:6: U: no type W in the package; write it as in //zmy:union Circle=1 Square=2"},
		{"directive", "//zmy:spares\ntype T struct {\n\tA int `zmy:\"0\"`\n}",
			"in.go:4:6: T: unknown directive //zmy:spares; did you mean //zmy:sparse?"},
		{"directive unlike any", "//zmy:packed tight\ntype T struct {\n\tA int `zmy:\"0\"`\n}",
			"in.go:4:6: T: unknown directive //zmy:packed; remove it; there are //zmy:limits, //zmy:lint-ignore, //zmy:reserved, " +
				"//zmy:sentinel, //zmy:sparse, //zmy:union"},
		{"directive with words", "//zmy:sparse please\ntype T struct {\n\tA int `zmy:\"0\"`\n}",
			`in.go:4:6: T: directive //zmy:sparse takes no words, not "please"; write //zmy:sparse`},
		{"directive of a field", "type T struct {\n\t//zmy:sparse\n\tA int `zmy:\"0\"`\n\tB int `zmy:\"1\"` //zmy:lint-ignored x\n}",
			"in.go:5:2: field A: directive //zmy:sparse is for structs; remove it\n" +
				"in.go:6:2: field B: unknown directive //zmy:lint-ignored; did you mean //zmy:lint-ignore?"},
		{"directive of a slice", "type T struct {\n\tA U `zmy:\"0\"`\n}\n\n//zmy:sparse\ntype U []int",
			"in.go:8:6: U: directive //zmy:sparse is for structs; remove it"},
		{"directive of an interface", "type T struct {\n\tA U `zmy:\"0\"`\n}\n\n//zmy:unoin V=1\ntype U interface{ is() }\n\ntype V " +
			"struct{}\n\nfunc (V) is() {}",
			`in.go:4:2: field A: U has no wire type; list its structs in a directive //zmy:union Circle=1 Square=2, or use struct tag ` +
				`zmy:"-" to leave it out` + "\n" +
				"in.go:8:6: U: unknown directive //zmy:unoin; did you mean //zmy:union?"},
		{"directive of a blank field", "type T struct {\n\t_ struct{} `zmy:\"spares\"`\n\tA int `zmy:\"0\"`\n}",
			"in.go:4:2: field _: unknown directive //zmy:spares; did you mean //zmy:sparse?"},
		{"directive elsewhere", "type T struct {\n\t_ string `zmy:\"1\"`\n\tA int `zmy:\"0\"`\n}",
			"in.go:4:2: field _: a directive stands at a blank field of type struct{}, not string; write _ struct{}"},
		{"sparse inline", "type T struct {\n\tA U `zmy:\"0,inline\"`\n}\n\n//zmy:sparse\ntype U struct {\n\tX int `zmy:\"0\"`\n}",
			"in.go:4:2: field A: U cannot stand inline: it is sparse; remove option inline"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := zmyPlan(t, c.src, ZMYOptions{}, "T")
			if err == nil || err.Error() != c.want {
				t.Errorf("\n got %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestZMYLayout(t *testing.T) {
	src := "type T struct {\n\tC string `zmy:\"2\"`\n\tA int32 `zmy:\"0\"`\n\tB bool `zmy:\"1\"`\n\tD []byte `zmy:\"3\"`\n\tskipped int\n}"
	plan, err := zmyPlan(t, src, ZMYOptions{}, "T")
	if err != nil {
		t.Fatal(err)
	}
	z := plan.Roots[0]
	var got []string
	for _, f := range z.Fields {
		got = append(got, f.Field.Name)
	}
	if s := strings.Join(got, " "); s != "A B C D" {
		t.Errorf("fields in order %s", s)
	}
	if z.Scalars != 5 || z.Tails != 2 || z.Fields[1].Offset != 4 || z.Fields[3].Tail != 1 || !z.Skips || !z.Aliases() || z.Cost != 5+2*24 {
		t.Errorf("layout %+v", z)
	}
	if want := []uint32{4, 5, 5 | 1<<14}; len(z.Older) != 3 || z.Older[0] != want[0] || z.Older[1] != want[1] || z.Older[2] != want[2] {
		t.Errorf("older headers %v, want %v", z.Older, want)
	}
	// Names do not count for the fingerprint, types do.
	renamed, err := zmyPlan(t, strings.NewReplacer("\tA", "\tX", "skipped", "other").Replace(src), ZMYOptions{}, "T")
	if err != nil || ir.ZMYFingerprint(renamed.Roots[0]) != ir.ZMYFingerprint(z) {
		t.Errorf("a renamed field changed the fingerprint: %v", err)
	}
	changed, err := zmyPlan(t, strings.Replace(src, "int32", "uint32", 1), ZMYOptions{}, "T")
	if err != nil || ir.ZMYFingerprint(changed.Roots[0]) == ir.ZMYFingerprint(z) {
		t.Errorf("another type left the fingerprint alone: %v", err)
	}
}

func TestZMYDerive(t *testing.T) {
	src := "type T struct {\n\tA int\n\tIn In\n\tb int\n\tC string `zmy:\"-\"`\n\tD bool\n}\n\ntype In struct {\n\tY int " +
		"`zmy:\"1\"`\n\tX int `zmy:\"0\"`\n}"
	plan, err := zmyPlan(t, src, ZMYOptions{Derive: true}, "T")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range plan.Roots[0].Fields {
		got = append(got, f.Field.Name)
	}
	if s := strings.Join(got, " "); s != "A In D" {
		t.Errorf("derived %s", s)
	}
	if in := plan.Roots[0].Fields[1].Type; in.Fields[0].Field.Name != "X" {
		t.Error("a tagged struct inside keeps its own numbers")
	}
}

// Recursion may begin at a pointer, a list or an array of the recursive type.
func TestZMYRecursion(t *testing.T) {
	const node = "type Node struct {\n\tNext *Node `zmy:\"0\"`\n\tKids []*Node `zmy:\"1\"`\n\tTwos [][2]Node `zmy:\"2\"`\n\tBy " +
		"map[string]*Node `zmy:\"3\"`\n\tPtr *[3]Node `zmy:\"4\"`\n}"
	for _, field := range []string{"Node", "*Node", "[]Node", "[]*Node", "[2]Node", "*[3]Node", "[][2]Node", "map[string]*Node",
		"map[string][]*Node"} {
		plan, err := zmyPlan(t, "type T struct {\n\tA "+field+" `zmy:\"0\"`\n}\n\n"+node, ZMYOptions{}, "T")
		if err != nil {
			t.Errorf("%s: %v", field, err)
			continue
		}
		seen := map[*ir.Type]bool{}
		for _, z := range plan.Types {
			if z.Shape == zmytype.ShapeFixed {
				t.Errorf("%s: %v of kind %s is a scalar", field, z.Type.Name, z.Type.Kind)
			}
			if seen[z.Type] {
				t.Errorf("%s: kind %s is planned twice", field, z.Type.Kind)
			}
			seen[z.Type] = true
		}
	}
}

// A struct that holds one which was refused has no problem of its own.
func TestZMYNoFollowUp(t *testing.T) {
	const src = `
type Item struct {
	Done chan bool ` + "`zmy:\"0\"`" + `
}

type Page[T any] struct {
	Items []T  ` + "`zmy:\"0\"`" + `
	First *T   ` + "`zmy:\"1\"`" + `
	Next  string ` + "`zmy:\"2\"`" + `
}

type Late struct {
	Item  Item   ` + "`zmy:\"0\"`" + `
	Title string ` + "`zmy:\"1\"`" + `
}
`
	const want = `in.go:5:2: field Done: chan bool has no wire type; use struct tag zmy:"-" to leave it out`
	for _, roots := range [][]string{{"Item", "Page[Item]"}, {"Item", "Late"}, {"Item", "Late", "Page[Late]"}} {
		if _, err := zmyPlan(t, src, ZMYOptions{}, roots...); err == nil || err.Error() != want {
			t.Errorf("%v\n got %v\nwant %s", roots, err, want)
		}
	}
	// Reached before it is a root of its own, the problem is named by the way to it.
	_, err := zmyPlan(t, src, ZMYOptions{}, "Page[Item]", "Item")
	if err == nil || strings.Contains(err.Error(), "Next") || strings.Count(err.Error(), "\n") > 0 {
		t.Error(err)
	}
}
