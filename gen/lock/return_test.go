package lock_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/lock"
	"github.com/zmylab/zmy/schema"
)

// forms are types of a field, with the options of its struct tag, and how a directive
// //zmy:reserved spells them.
var forms = []struct{ typ, opts, words string }{
	{"bool", "", "bool"}, {"int8", "", "int8"}, {"uint8", "", "uint8"}, {"int32", "", "int32"}, {"float32", "", "float32"},
	{"int64", "", "int64"},
	{"Color", "", "int64"}, {"Shade", "", "int64"}, {"float64", "", "float64"}, {"time.Duration", "", "time.Duration"},
	{"time.Time", "", "time.Time"}, {"time.Time", ",zone", "time.Time,zone"}, {"time.Time", ",unixnano", "time.Time,unixnano"},
	{"[4]uint8", "", "[4]uint8"}, {"[2]int16", "", "[2]int16"}, {"[3]string", "", "[3]string"}, {"Point", ",inline", "[8]byte"},
	{"Point", "", "struct"}, {"Named", "", "struct"}, {"*Point", "", "*struct"}, {"[]Point", "", "[]struct"}, {"[]Named", "", "[]struct"},
	{"string", "", "string"}, {"*string", "", "*string"}, {"[]byte", "", "[]byte"}, {"[]byte", ",nilable", "*[]byte"},
	{"json.RawMessage", "", "json.RawMessage"},
	{"[]int32", "", "[]int32"}, {"[]uint32", "", "[]uint32"}, {"[]string", "", "[]string"}, {"map[string]int32", "", "map[string]int32"},
	{"map[int8]int32", "", "map[int8]int32"}, {"map[string]Point", "", "map[string]struct"}, {"any", "", "any"},
	{"Shape", "", "any"}, {"*big.Int", "", "*big.Int"},
}

const formTypes = `package in

import (
	"encoding/json"
	"math/big"
	"time"
)

var (
	_ json.RawMessage
	_ big.Int
	_ time.Time
)

type Color int

const Red Color = 1

type Shade int

const Dark Shade = 2

type Point struct {
	X int32 ` + "`zmy:\"0\"`" + `
	Y int32 ` + "`zmy:\"1\"`" + `
}

type Named struct {
	Name string ` + "`zmy:\"0\"`" + `
}

//zmy:union Point=1
type Shape interface{ isShape() }

func (Point) isShape() {}

`

// formSource declares a struct for each form, which has a field for each form that it
// may become. form says what the field is; -1 reserves its number instead.
func formSource(form func(i, j int) int) string {
	var s strings.Builder
	s.WriteString(formTypes)
	for i, from := range forms {
		var reserved, fields strings.Builder
		for j := range forms {
			if n := form(i, j); n < 0 {
				fmt.Fprintf(&reserved, "//zmy:reserved %d %s\n", j, from.words)
			} else {
				fmt.Fprintf(&fields, "\tF%d %s `zmy:\"%d%s\"`\n", j, forms[n].typ, j, forms[n].opts)
			}
		}
		fmt.Fprintf(&s, "%stype T%d struct {\n%s\tLast int32 `zmy:\"%d\"`\n}\n\n", &reserved, i, &fields, len(forms))
	}
	return s.String()
}

// A number that was reserved and is given to a field of its old name again is judged
// as if it had never been reserved: by the type that it had.
func TestReturnedNumbers(t *testing.T) {
	if testing.Short() {
		t.Skip("loads many packages")
	}
	mod := t.TempDir()
	write := func(name, src string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(mod, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(mod, name), []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.org/cases\n\ngo 1.25\n")
	write("in/in.go", formSource(func(i, _ int) int { return i }))
	first := locked(t, mod, "in", nil).Next
	write("in/in.go", formSource(func(_, _ int) int { return -1 }))
	reserved := locked(t, mod, "in", first)
	for _, c := range reserved.Changes {
		if c.Severity() > schema.Safe {
			t.Errorf("reserving as advised: %s %s: %s", c.Code, c.Path, c.Detail)
		}
	}
	breaks := func(old *lock.File) map[string]bool {
		out := map[string]bool{}
		for _, c := range locked(t, mod, "in", old).Changes {
			if c.Severity() == schema.Breaking {
				path, _, _ := strings.Cut(c.Path, "[")
				out[path] = true
			}
		}
		return out
	}
	write("in/in.go", formSource(func(_, j int) int { return j }))
	direct, returned := breaks(first), breaks(reserved.Next)
	for i, f := range forms {
		for j, g := range forms {
			name := fmt.Sprintf("T%d.F%d", i, j)
			if direct[name] != returned[name] {
				t.Errorf("%s%s to %s%s: breaks %v, by way of a reservation %v", f.typ, f.opts, g.typ, g.opts, direct[name], returned[name])
			}
			if same := i == j || f.words == "int64" && g.words == "int64"; direct[name] == same {
				t.Errorf("%s%s to %s%s: breaks %v", f.typ, f.opts, g.typ, g.opts, direct[name])
			}
		}
	}
}
