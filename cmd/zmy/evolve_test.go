package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// shop is a module in whose packages messages evolve.
var shop = map[string]string{
	"go.mod":          "module example.org/shop\n\ngo 1.25\n",
	"order/order.go":  "package order\n\ntype Order struct {\n\tID  string `zmy:\"0\"`\n\tQty int32  `zmy:\"1\"`\n}\n",
	"plain/plain.go":  "package plain\n\ntype Plain struct {\n\tB   string\n\tKey string `json:\"-\"`\n\tA   int\n}\n",
	"broken/bad.go":   "package broken\n\ntype Bad struct {\n\tF map[float64]int `zmy:\"0\"`\n}\n",
	"empty/empty.go":  "package empty\n",
	"plain/sub/s.go":  "package sub\n\ntype S struct{ X int }\n",
	"order/README.md": "",
}

// in makes the module in a folder, which becomes the current one, and returns a
// function that runs the command there.
func in(t *testing.T, files map[string]string) func(args string) (code int, stdout, stderr string) {
	t.Helper()
	t.Chdir(writeTree(t, files))
	t.Setenv("GOWORK", "off")
	return func(args string) (int, string, string) {
		t.Helper()
		var stdout, stderr bytes.Buffer
		code := dispatch(t.Context(), &console{&stdout, &stderr}, strings.Fields(args))
		return code, stdout.String(), stderr.String()
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// step is a command and what it says, on either stream, "" for nothing.
type step struct {
	args string
	code int
	says string
}

func follow(t *testing.T, run func(string) (int, string, string), steps ...step) {
	t.Helper()
	for _, s := range steps {
		code, stdout, stderr := run(s.args)
		if said := stdout + stderr; code != s.code || !strings.Contains(said, s.says) || s.says == "" && said != "" {
			t.Fatalf("zmy %s: exit %d, want %d with %q:\n%s", s.args, code, s.code, s.says, said)
		}
	}
}

func TestLockAndBreaking(t *testing.T) {
	run := in(t, shop)
	follow(t, run,
		step{"breaking ./order", 1, "order has no zmy.lock or zmy.proto.lock to compare with; make one with: zmy lock ./order"},
		step{"lock -check ./order", 1, "zmy.lock is not up to date; refresh it with: zmy lock ./order"},
		step{"lock ./order", 0, ""},
		step{"lock -check ./order", 0, ""},
		step{"breaking ./order", 0, ""},
		step{"lock ./empty", 1, "has no struct with struct tags zmy"},
		step{"lock ./broken", 1, "broken/bad.go:4:2: field F: map key float64 has no wire type"},
		step{"lock -fource ./order", 2, "flag provided but not defined: -fource"},
		step{"lock -h", 0, "usage: zmy lock"},
		step{"help breaking", 0, "-against X"},
		step{"breaking -against order/zmy.lock ./order ./plain", 2, "-against FILE is for one package"},
		step{"breaking -against nowhere ./order", 1, "-against nowhere is no file, and git show nowhere:./zmy.lock says"},
		step{"breaking ./nowhere", 1, "nowhere"},
	)
	const v1 = "package order\n\ntype Order struct {\n\tID  string `zmy:\"0\"`\n\tQty int32  `zmy:\"1\"`\n"
	write(t, "order/order.go", v1+"\tAt int64 `zmy:\"2\"`\n}\n")
	before := read(t, "order/zmy.lock")
	follow(t, run,
		step{"breaking ./order", 0, "nothing breaks, but order/zmy.lock is not up to date; record what is new with: zmy lock ./order"},
		step{"breaking -v ./order", 0, "order/order.go:6:2: safe: FIELD_ADDED: Order.At: number 2, int64\n"},
		step{"lock -check ./order", 1, "not up to date"},
		step{"lock ./order", 0, ""},
		step{"breaking ./order", 0, ""},
	)
	write(t, "order/order.go", strings.ReplaceAll(v1, "int32 ", "int64 ")+"}\n")
	const lines = "order/order.go:3:6: FIELD_DELETED: Order.At: number 2 is gone; keep the field, or reserve its number: " +
		"//zmy:reserved 2 int64\n" +
		"order/order.go:5:2: FIELD_TYPE_CHANGED: Order.Qty: int32 became int64; add a field of the new type and deprecate this one\n"
	if code, stdout, stderr := run("breaking ./order"); code != 1 || stdout != lines || stderr != "" {
		t.Errorf("exit %d\n%s%s", code, stdout, stderr)
	}
	after := read(t, "order/zmy.lock")
	follow(t, run,
		step{"lock ./order", 1, lines + "zmy lock: nothing was written; zmy lock -force ./order records these changes"},
		step{"gen -lock -type=Order ./order", 1, lines + "zmy gen: nothing was written"},
	)
	if read(t, "order/zmy.lock") != after {
		t.Error("zmy.lock was written in spite of what breaks")
	}
	if _, err := os.Stat("order/order_zmy.go"); err == nil {
		t.Error("code was written in spite of what breaks")
	}
	write(t, "old.lock", before)
	follow(t, run,
		step{"breaking -against old.lock ./order", 1, "FIELD_TYPE_CHANGED"},
		step{"lock -force ./order", 0, ""},
		step{"breaking ./order", 0, ""},
		step{"breaking -against old.lock ./order", 1, "FIELD_TYPE_CHANGED"},
	)
}

// Instances of generic types are messages where a generated file says so.
func TestLockGeneric(t *testing.T) {
	run := in(t, map[string]string{
		"go.mod": "module example.org/shop\n\ngo 1.25\n",
		"in.go": "package shop\n\ntype Pair[K comparable, V any] struct {\n\tKey K `zmy:\"0\"`\n\tVal V `zmy:\"1\"`\n}\n\ntype " +
			"Page[T any] struct {\n\tItems []T `zmy:\"0\"`\n}\n",
	})
	follow(t, run,
		step{"lock", 1, "has no struct with struct tags zmy"},
		step{"gen -type=Pair[string,int],Page[Pair[int8,bool]]", 0, ""},
		step{"lock", 0, ""},
		step{"breaking", 0, ""},
	)
	if text := read(t, "zmy.lock"); !strings.Contains(text, "struct Pair[string,int] lineage=") ||
		!strings.Contains(text, "\t0 Items []Pair[int8,bool]\n") {
		t.Error(text)
	}
	write(t, "in.go", strings.Replace(read(t, "in.go"), "Val V `zmy:\"1\"`", "Val []V `zmy:\"1\"`", 1))
	follow(t, run,
		step{"breaking", 1, "in.go:5:2: FIELD_SECTION_MOVED: Pair[int8,bool].Val: bool became []bool"},
		step{"breaking", 1, "in.go:5:2: FIELD_SECTION_MOVED: Pair[string,int].Val: int64 became []int64"},
	)
}

// What only warns is recorded, and said.
func TestLockWarns(t *testing.T) {
	run := in(t, shop)
	follow(t, run, step{"lock ./order", 0, ""})
	write(t, "order/order.go", "package order\n\ntype Order struct {\n\tID  string `zmy:\"0\" json:\"id\"`\n\tQty int32  `zmy:\"1\"`\n}\n")
	const says = "order/order.go:4:2: warning: JSON_NAME_CHANGED: Order.ID: \"ID\" became \"id\"; documents of before have the other name\n"
	follow(t, run,
		step{"breaking ./order", 0, says},
		step{"lock -check ./order", 1, "not up to date"},
		step{"lock ./order", 0, says},
		step{"lock ./order", 0, ""},
	)
}

func TestBreakingJSON(t *testing.T) {
	run := in(t, shop)
	follow(t, run, step{"lock ./order", 0, ""})
	code, stdout, _ := run("breaking -format json ./order")
	if code != 0 || stdout != "[]\n" {
		t.Errorf("exit %d, %s", code, stdout)
	}
	write(t, "order/order.go", "package order\n\ntype Order struct {\n\tID string `zmy:\"0\" json:\"id\"`\n\tQty string "+
		"`zmy:\"1\"`\n\tNew bool `zmy:\"2\"`\n}\n")
	code, stdout, _ = run("breaking -format json ./order")
	var got []map[string]any
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || code != 1 || len(got) != 3 {
		t.Fatalf("exit %d, %v\n%s", code, err, stdout)
	}
	want := map[string]any{
		"package": "example.org/shop/order", "file": "order/order.go", "line": 5.0, "col": 2.0, "severity": "breaking",
		"code": "FIELD_SECTION_MOVED",
		"path": "Order.Qty", "detail": "int32 became string", "advice": "add a field of the new type and deprecate this one",
	}
	for k, v := range want {
		if got[0][k] != v {
			t.Errorf("%s is %v, want %v", k, got[0][k], v)
		}
	}
	if got[1]["severity"] != "warning" || got[2]["severity"] != "safe" {
		t.Errorf("%v", got)
	}
}

// Patterns pass over packages without messages, and a revision of git is taken
// from each package's folder.
func TestBreakingAgainstRevision(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	files := map[string]string{}
	for name, text := range shop {
		if !strings.HasPrefix(name, "broken") {
			files[name] = text
		}
	}
	run := in(t, files)
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	follow(t, run,
		step{"breaking ./...", 1, "no zmy.lock or zmy.proto.lock in any of the packages"},
		step{"lock ./empty/...", 0, ""},
		step{"lock ./...", 0, ""},
	)
	if locks, err := filepath.Glob("*/zmy.lock"); err != nil || len(locks) != 1 {
		t.Fatal(locks, err)
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "first")
	write(t, "order/order.go", "package order\n\ntype Order struct {\n\tID string `zmy:\"0\"`\n}\n")
	write(t, "plain/plain.go", "package plain\n\ntype Plain struct {\n\tB string `zmy:\"0\"`\n}\n")
	follow(t, run,
		step{"lock -force ./...", 0, ""},
		step{"breaking ./...", 0, ""},
		step{"breaking -against HEAD ./...", 1, "FIELD_DELETED: Order.Qty"},
		step{"breaking ./plain -against HEAD", 1, "zmy.lock"},
	)
	// Packages that were not recorded at that revision are new, with a record by now or without.
	if err := os.Mkdir("new", 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, "new/new.go", "package new\n\ntype New struct {\n\tA string `zmy:\"0\"`\n}\n")
	write(t, "order/order.go", shop["order/order.go"])
	if err := os.Remove("plain/zmy.lock"); err != nil {
		t.Fatal(err)
	}
	follow(t, run,
		step{"breaking -against HEAD ./...", 0, ""},
		step{"breaking -against HEAD ./plain/... ./new/...", 0, "nothing to compare with: HEAD has no zmy.lock"},
		step{"breaking -against HAED ./...", 1, "-against HAED is no file, and git show HAED:./zmy.lock says"},
	)
}

// What is wrong with a record is told with its folder.
func TestBrokenLock(t *testing.T) {
	run := in(t, shop)
	follow(t, run, step{"lock ./order", 0, ""})
	text := read(t, "order/zmy.lock")
	write(t, "order/zmy.lock", strings.Replace(text, "\nstruct", "\n<<<<<<< HEAD\nstruct", 1))
	line := strings.Count(text[:strings.Index(text, "\nstruct")], "\n") + 2
	conflict := fmt.Sprintf("order/zmy.lock:%d: a merge conflict; keep the lines of both sides", line)
	follow(t, run,
		step{"lock ./order", 1, conflict},
		step{"breaking ./...", 1, conflict},
		step{"lint ./order", 1, conflict},
	)
	write(t, "order/zmy.lock", "# empty\n")
	follow(t, run, step{"breaking ./order", 1, "order/zmy.lock: it has no line"})
	if err := os.Rename("order/zmy.lock", "old.lock"); err != nil {
		t.Fatal(err)
	}
	follow(t, run, step{"breaking -against old.lock ./order", 1, "-against old.lock: zmy.lock: it has no line"})
}

// Numbers that -derive gave stay, whatever happens to the fields.
func TestDerive(t *testing.T) {
	run := in(t, shop)
	follow(t, run, step{"gen -derive -type=Plain ./plain", 0, `plain/plain.go:5:2: note: field Key of Plain: is left out: it has ` +
		`struct tag json:"-"`})
	fields := func() string {
		_, rest, _ := strings.Cut(read(t, "plain/zmy.lock"), "struct Plain lineage=")
		_, rest, _ = strings.Cut(rest, "\n")
		return strings.ReplaceAll(strings.TrimSpace(rest), "\n\t", "; ")
	}
	if got := fields(); got != "0 B string; 1 A int64" {
		t.Errorf("recorded %s", got)
	}
	follow(t, run, step{"gen -derive -check -type=Plain ./plain", 0, ""}, step{"breaking ./plain", 0, ""})
	for _, c := range []struct{ body, want string }{
		{"\tNew  bool\n\tA, B int\n", ""}, // another type under a number
		{"\tNew  bool\n\tA    int\n\tB    string\n", "0 B string; 1 A int64; 2 New bool"},
		{"\tNew  bool\n\tA    int\n\tLast int\n", "0 B string reserved; 1 A int64; 2 New bool; 3 Last int64"},
		{"\tMore []string\n\tLast int\n", "0 B string reserved; 1 A int64 reserved; 2 New bool reserved; 3 Last int64; 4 More []string"},
		{"\tMore []string\n\tLast int\n\tA    int\n", "0 B string reserved; 1 A int64; 2 New bool reserved; 3 Last int64; 4 More []string"},
	} {
		before := fields()
		write(t, "plain/plain.go", "package plain\n\ntype Plain struct {\n"+c.body+"}\n")
		if c.want == "" {
			follow(t, run, step{"gen -derive -type=Plain ./plain", 1, "FIELD_SECTION_MOVED: Plain.B: string became int64"})
			c.want = before
		} else {
			follow(t, run, step{"gen -derive -check -type=Plain ./plain", 1, "is stale"}, step{"gen -derive -type=Plain ./plain", 0, ""},
				step{"gen -derive -check -type=Plain ./plain", 0, ""}, step{"lock -check ./plain", 0, ""}, step{"breaking ./plain", 0, ""})
		}
		if got := fields(); got != c.want {
			t.Errorf("recorded %s\nwant %s", got, c.want)
		}
	}
	// So do those of structs without a name.
	for _, c := range []struct{ body, want string }{
		{"X int; Y string", "0 X int64; 1 Y string"}, {"Z bool; Y string; X int", "0 X int64; 1 Y string; 2 Z bool"},
	} {
		write(t, "plain/plain.go", "package plain\n\ntype Plain struct {\n\tLast int\n\tIn map[string][]struct{ "+c.body+" }\n}\n")
		follow(t, run, step{"gen -derive -type=Plain ./plain", 0, ""}, step{"lock -check ./plain", 0, ""})
		_, got, _ := strings.Cut(read(t, "plain/zmy.lock"), "struct Plain:In lineage=")
		_, got, _ = strings.Cut(got, "\n")
		if got := strings.ReplaceAll(strings.TrimSpace(got), "\n\t", "; "); got != c.want {
			t.Errorf("without a name: %s, want %s", got, c.want)
		}
	}
	text := read(t, "plain/zmy.lock")
	follow(t, run, step{"gen -derive -type=Plain -output=- ./plain", 0, "package plain"})
	write(t, "plain/zmy.lock", strings.Replace(text, "4 More", "3 More", 1))
	follow(t, run, step{"gen -derive -type=Plain ./plain", 1, "number 3 of Plain is given twice"})
}

func TestLint(t *testing.T) {
	run := in(t, shop)
	follow(t, run,
		step{"lint ./order", 1, "no-lock: example.org/shop/order: there is no zmy.lock; run zmy lock\n"},
		step{"lint -rules default,-no-lock ./order ./empty", 0, ""},
		step{"lint -rules nolock ./order", 2, `there is no rule "nolock"`},
		step{"lint ./broken", 1, "broken/bad.go:4:2: field F: map key float64 has no wire type"},
		step{"lint -h", 0, "a time without option zone reads back in UTC (not in default)"},
		step{"lock ./order", 0, ""},
		step{"lint ./order", 0, ""},
		step{"lint -json ./order", 0, "[]\n"},
	)
	write(t, "order/order.go", "package order\n\ntype Order struct {\n\tID  string `zmy:\"0\" json:\"-\"`\n\tQty int32  `zmy:\"1\"`\n}\n")
	follow(t, run, step{"lock ./order", 0, "JSON_NAME_CHANGED"})
	code, stdout, _ := run("lint -json ./order")
	var got []map[string]any
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || code != 1 || len(got) != 1 ||
		got[0]["rule"] != "json-mismatch" || got[0]["file"] != "order/order.go" || got[0]["line"] != 4.0 || got[0]["path"] != "Order.ID" {
		t.Errorf("exit %d, %v\n%s", code, err, stdout)
	}
}
