package gen_test

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/cli"
)

// sealedModule has a root with the union Event, whose arms are declared in the given order.
func sealedModule(directive string, arms ...string) string {
	src := "package model\n\ntype Log struct {\n\tLast Event\n\tNote string\n}\n\n" + directive + "type Event interface{ isEvent() }\n"
	for _, arm := range arms {
		kind := "struct{ Text string }"
		if name, other, ok := strings.Cut(arm, " "); ok {
			arm, kind = name, other
		}
		src += "\ntype " + arm + " " + kind + "\n\nfunc (" + arm + ") isEvent() {}\n"
	}
	return src
}

// deriveSealed generates, and returns the exit code, what was printed, and the union in zmy.lock.
func deriveSealed(t *testing.T) (code int, out, union string) {
	t.Helper()
	var buf bytes.Buffer
	code = cli.ZMY([]string{"-type=Log", "-derive"}, &buf, &buf)
	text, err := os.ReadFile("zmy.lock")
	if err != nil && code == 0 {
		t.Fatal(err)
	}
	if _, rest, ok := strings.Cut(string(text), "union Event\n"); ok {
		rest, _, _ = strings.Cut(rest, "\n\n")
		union = strings.Join(strings.Fields(rest), " ")
	}
	return code, buf.String(), union
}

// Arms are numbered in the order of their names at first. From then on they keep their numbers, as
// zmy.lock has them: whatever is added, removed, moved or comes back.
func TestSealedEvolution(t *testing.T) {
	module(t, "model", nil)
	for _, c := range []struct {
		name, directive, arms string
		union, says           string
	}{
		{
			"first", "", "Delta Bravo",
			"1 Bravo 2 Delta", "model.go:8:6: note: Event: is a union of the structs that implement it: Bravo=1 Delta=2",
		},
		{"moved", "", "Bravo Delta", "1 Bravo 2 Delta", "Bravo=1 Delta=2"},
		{
			"added", "", "Charlie Bravo Delta Alfa",
			"1 Bravo 2 Delta 3 Alfa 4 Charlie", "Bravo=1 Delta=2 Alfa=3 Charlie=4",
		},
		{"removed", "", "Alfa Charlie Delta", "1 Bravo reserved 2 Delta 3 Alfa 4 Charlie", "Bravo=1 stays reserved"},
		{"still", "", "Alfa Charlie Delta", "1 Bravo reserved 2 Delta 3 Alfa 4 Charlie", "Bravo=1 stays reserved"},
		{
			"last removed", "", "Alfa Delta",
			"1 Bravo reserved 2 Delta 3 Alfa 4 Charlie reserved", "Bravo=1 Charlie=4 stay reserved",
		},
		{
			"renamed", "", "Echo Delta",
			"1 Bravo reserved 2 Delta 3 Alfa reserved 4 Charlie reserved 5 Echo", "Delta=2 Echo=5; Bravo=1 Alfa=3 Charlie=4 stay reserved",
		},
		{
			"back", "", "Echo Delta Bravo Alfa",
			"1 Bravo 2 Delta 3 Alfa 4 Charlie reserved 5 Echo", "Bravo=1 Delta=2 Alfa=3 Echo=5",
		},
		{
			"by hand", "//zmy:union Bravo=1 Delta=2 Alfa=3 Echo=5\n", "Echo Delta Bravo Alfa",
			"1 Bravo 2 Delta 3 Alfa 4 Charlie reserved 5 Echo", "",
		},
	} {
		writeFile(t, "model.go", []byte(sealedModule(c.directive, strings.Fields(c.arms)...)))
		code, out, union := deriveSealed(t)
		if code != 0 || union != c.union || !strings.Contains(out, c.says) {
			t.Fatalf("%s: exit %d, union %q, want %q\n%swant %q", c.name, code, union, c.union, out, c.says)
		}
	}
}

// A union that is recorded is not given up, and no number of it to another arm.
func TestSealedRefused(t *testing.T) {
	for _, c := range []struct {
		name, src, says string
	}{
		{"no struct", sealedModule("", "Alfa", "Bravo", "Name string"),
			"model.go:8:6: Event: it is no union any more: its type Name is no struct; wrap it in one"},
		{"form of its own", sealedModule("", "Alfa", "Bravo", "Name struct{ text string }") +
			"\nfunc (Name) MarshalText() ([]byte, error) { return nil, nil }\n\nfunc (*Name) UnmarshalText([]byte) error { return nil }\n",
			"its type Name has a form of its own, by its methods"},
		{"open", strings.Replace(sealedModule("", "Alfa", "Bravo"), "isEvent()", "IsEvent()", 1) + "\nfunc (Alfa) IsEvent() {}\n",
			"it is no union any more: a union needs an unexported method"},
		{"nothing", sealedModule(""), "it is no union any more: no type of the package implements it"},
		{"number of another", sealedModule("//zmy:union Alfa=1 Bravo=2 Delta=3\n", "Alfa", "Bravo", "Delta"),
			"TAG_REUSED: Event.Delta: number 3 was Charlie, and is reserved"},
		{"arm renumbered", sealedModule("//zmy:union Alfa=2 Bravo=1\n", "Alfa", "Bravo"), "UNION_ARM_RENUMBERED"},
		{"field of an arm", sealedModule("", "Alfa", "Bravo struct{ Done chan bool }"),
			"field Done (Log.Last(Bravo).Done): chan bool has no wire type"},
	} {
		t.Run(c.name, func(t *testing.T) {
			module(t, "model", nil)
			for _, src := range []string{sealedModule("", "Alfa", "Bravo", "Charlie"), sealedModule("", "Alfa", "Bravo")} {
				writeFile(t, "model.go", []byte(src))
				if code, out, _ := deriveSealed(t); code != 0 {
					t.Fatalf("exit %d\n%s", code, out)
				}
			}
			writeFile(t, "model.go", []byte(c.src))
			code, out, union := deriveSealed(t)
			if code != 1 || !strings.Contains(out, c.says) || union != "1 Alfa 2 Bravo 3 Charlie reserved" {
				t.Errorf("exit %d, union %q\n%swant %q", code, union, out, c.says)
			}
		})
	}
}

// A program without an arm passes it on, and one that has it again reads it.
func TestSealedMessages(t *testing.T) {
	if testing.Short() {
		t.Skip("builds packages")
	}
	const test = `package model

import (
	"bytes"
	"os"
	"testing"

	"github.com/zmylab/zmy"
)

func TestMessage(t *testing.T) {
	first := %s
	b, err := os.ReadFile("message")
	if err != nil {
		if b, err = zmy.Marshal(&Log{Last: first, Note: "n"}); err != nil || os.WriteFile("message", b, 0o644) != nil {
			t.Fatal(err)
		}
	}
	var v Log
	if err := zmy.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	if u, ok := first.(EventUnknown); ok {
		got := v.Last.(EventUnknown)
		if u.Disc != got.Disc || len(got.Raw) == 0 {
			t.Errorf("%%+v", got)
		}
	} else if v.Last != first {
		t.Errorf("%%+v", v)
	}
	if again, err := zmy.Marshal(&v); err != nil || !bytes.Equal(again, b) {
		t.Errorf("%%x, %%v; was %%x", again, err, b)
	}
}
`
	module(t, "model", nil)
	for _, c := range []struct {
		arms []string
		want string
	}{
		{[]string{"Bravo", "Delta"}, `Event(Bravo{Text: "b"})`},
		{[]string{"Delta", "Alfa"}, `Event(EventUnknown{Disc: 1})`},
		{[]string{"Delta", "Alfa", "Bravo"}, `Event(Bravo{Text: "b"})`},
	} {
		writeFile(t, "model.go", []byte(sealedModule("", c.arms...)))
		if code, out, _ := deriveSealed(t); code != 0 {
			t.Fatalf("exit %d\n%s", code, out)
		}
		writeFile(t, "model_test.go", []byte(strings.ReplaceAll(strings.Replace(test, "%s", c.want, 1), "%%", "%")))
		if out, err := exec.Command("go", "test", "./...").CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", c.arms, err, out)
		}
	}
}

// The types that implement an interface may differ between systems: then it is no union.
func TestSealedConstraint(t *testing.T) {
	module(t, "model", map[string]string{
		"model.go": sealedModule("", "Alfa"),
		"delta.go": "//go:build !windows\n\npackage model\n\ntype Delta struct{ N int }\n\nfunc (Delta) isEvent() {}\n",
	})
	const want = "field Last of Log: is left out: Event is an interface, and no union: its type Delta is there for !windows only"
	if code, out, union := deriveSealed(t); code != 0 || union != "" || !strings.Contains(out, want) {
		t.Errorf("exit %d, union %q\n%swant %q", code, union, out, want)
	}
}
