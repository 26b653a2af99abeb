package gen_test

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/cli"
	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/load"
)

// leaves are types that others are made of, those without a form too.
var leaves = []string{"bool", "int32", "uint8", "string", "[]byte", "time.Time", "time.Duration", "any", "json.RawMessage",
	"json.Number", "struct{}", "Empty",
	"Pair", "Thin", "Named", "Label", "Upper", "Degrees", "Quantity", "Doors", "big.Int", "big.Float", "big.Rat", "[300]byte",
	"chan int", "func()", "Opener"}

// formsOf are all types of at most the given depth over the leaves.
func formsOf(depth int) []string {
	if depth == 0 {
		return leaves
	}
	inner := formsOf(depth - 1)
	out := append([]string(nil), inner...)
	for _, e := range inner[len(inner)-len(leaves)*pow(4, depth-1):] { // those of that depth
		out = append(out, "[]"+e, "*"+e, "[2]"+e, "map[string]"+e)
	}
	return out
}

func pow(b, n int) int {
	p := 1
	for range n {
		p *= b
	}
	return p
}

// formField is a type of a field, and the options of its struct tag.
type formField struct{ typ, opts string }

// TestForms holds generated code, reflection and schema.Of to one opinion about every
// type of a field up to depth two: whether it is carried, by which bytes, and that its
// values come back.
func TestForms(t *testing.T) {
	var fields []formField
	for _, e := range formsOf(2) {
		fields = append(fields, formField{e, ""})
		if strings.HasPrefix(e, "[]") || strings.HasPrefix(e, "map[") {
			fields = append(fields, formField{e, ",nilable"})
		}
	}
	testForms(t, fields, false)
}

// TestFormsDerived does the same for fields without struct tags, whose numbers are
// derived: what encoding/json reads back comes back here too. Reflection leaves them to
// generated code.
func TestFormsDerived(t *testing.T) {
	leaves := []string{"int32", "any", "json.RawMessage", "struct{}", "Empty", "Pair", "Thin", "Label", "Degrees", "big.Int",
		"big.Rat", "func()", "Opener", "error",
		"Quantity", "Blocks", "Doors", "Range", "Hidden", "Opaque", "map[Label]int32", "map[float64]bool", "*Quantity", "[0]int32",
		"**int32", "Fixed"}
	var fields []formField
	for _, e := range leaves {
		fields = append(fields, formField{e, ""}, formField{"[]" + e, ""}, formField{"*" + e, ""}, formField{"[2]" + e, ""},
			formField{"map[string]" + e, ""},
			formField{"[]*" + e, ""}, formField{"*[]" + e, ""}, formField{"map[string]*" + e, ""}, formField{"[2]*" + e, ""})
	}
	testForms(t, fields, true)
}

func testForms(t *testing.T, fields []formField, derive bool) {
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
	writeFile(t, "go.mod", []byte("module example.org/forms\n\ngo 1.26\n\nrequire github.com/zmylab/zmy v0.0.0\n\nreplace "+
		"github.com/zmylab/zmy => "+core+"\n"))
	writeFile(t, "main.go", readFile(t, filepath.Join(core, "gen", "testdata", "forms.txt")))
	writeFile(t, "fill.go", readFile(t, filepath.Join(core, "gen", "internal", "drawn", "testdata", "program", "fill.go")))
	tag := func(number, opts string) string {
		if derive {
			return ""
		}
		return "`zmy:\"" + number + opts + "\"`"
	}
	refused := refusedForms(t, fields, derive, tag)
	if n := len(fields); len(refused) < n/30 || len(refused) > n/3 {
		t.Errorf("%d of %d are refused", len(refused), n)
	}
	var src, list strings.Builder
	src.WriteString(formHead)
	var all, carried []string
	for i, f := range fields {
		if refused[i] {
			fmt.Fprintf(&src, "\ntype R%d struct {\n\tF %s %s\n}\n", i, f.typ, tag("0", f.opts))
			fmt.Fprintf(&list, "\t{%q, nil, new(R%d)},\n", f.typ+f.opts, i)
		} else {
			carried = append(carried, f.typ+" "+tag("N", f.opts))
		}
	}
	for i := 0; len(carried) > 0; i++ {
		n := min(30, len(carried))
		var body strings.Builder
		for j, f := range carried[:n] {
			fmt.Fprintf(&body, "\tF%d %s\n", j, strings.Replace(f, "\"N", fmt.Sprintf("\"%d", j), 1))
		}
		body.WriteString("\tLast int32 " + tag(fmt.Sprint(n), "") + "\n") // none is without fields
		fmt.Fprintf(&src, "\ntype G%d struct {\n%s}\n\ntype S%d struct {\n%s}\n", i, &body, i, &body)
		fmt.Fprintf(&list, "\t{%q, new(G%d), new(S%d)},\n", body.String(), i, i)
		all = append(all, fmt.Sprintf("G%d", i))
		carried = carried[n:]
	}
	fmt.Fprintf(&src, "\nconst derived = %v\n\nvar forms = []form{\n%s}\n", derive, &list)
	writeFile(t, "types.go", []byte(src.String()))
	args := []string{"-type=" + strings.Join(all, ","), "-output=gen_zmy.go"}
	if derive {
		args = append(args, "-derive")
	}
	var out bytes.Buffer
	if code := cli.ZMY(args, &out, &out); code != 0 {
		t.Fatalf("exit %d\n%s", code, &out)
	}
	if got, err := exec.Command("go", "run", "-gcflags=-l", ".").CombinedOutput(); err != nil || !bytes.HasSuffix(got, []byte("same\n")) {
		t.Errorf("%v\n%s", err, got)
	}
}

const formHead = "package main\n\nimport (\n\t\"encoding/json\"\n\t\"math/big\"\n\t\"time\"\n)\n\nvar (\n\t_ json.Number\n\t_ " +
	"time.Time\n\t_ big.Int\n)\n"

// refusedForms are the fields that the generator refuses, by their index.
func refusedForms(t *testing.T, fields []formField, derive bool, tag func(number, opts string) string) map[int]bool {
	t.Helper()
	var src strings.Builder
	src.WriteString(formHead + "\nconst derived = false\n\nvar forms []form\n")
	lines := map[int]int{} // of fields
	var m []gen.Messages   // one each: a type that was refused has no second problem
	for i, f := range fields {
		fmt.Fprintf(&src, "\ntype P%d struct {\n\tF %s %s\n\tLast int32 %s\n}\n", i, f.typ, tag("0", f.opts), tag("1", ""))
		lines[strings.Count(src.String(), "\n")-2] = i
		m = append(m, gen.Messages{Types: []string{fmt.Sprintf("P%d", i)}, Derive: derive})
	}
	writeFile(t, "types.go", []byte(src.String()))
	p, err := load.Load(t.Context(), load.Config{}, ".")
	if err != nil {
		t.Fatal(err)
	}
	_, err = gen.Plans(p, nil, m...)
	var problems ir.Problems
	if !errors.As(err, &problems) {
		t.Fatal(err)
	}
	out := map[int]bool{}
	for _, problem := range problems {
		i, ok := lines[problem.Pos.Line]
		if !ok {
			t.Errorf("no field at %v", problem)
		}
		out[i] = true
	}
	return out
}
