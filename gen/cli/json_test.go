package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// shopModule makes a module in a new folder, which becomes the current one. It returns a function
// that runs one of the commands gen, lock and breaking.
func shopModule(t *testing.T) func(args string) (code int, out string) {
	t.Helper()
	t.Chdir(t.TempDir())
	t.Setenv("GOWORK", "off")
	put(t, "go.mod", "module example.org/shop\n\ngo 1.25\n")
	put(t, "shop.go", "package shop\n\ntype Order struct {\n\tID  string `json:\"id\"`\n\tQty int32  `json:\"qty\"`\n}\n\n"+
		"type Server struct {\n\tDone chan bool `json:\"done\"`\n}\n")
	put(t, "plain/plain.go", "package plain\n\ntype Plain struct{ A int }\n")
	put(t, "chans/c.go", "package chans\n\ntype T struct {\n\tDone chan bool\n}\n")
	return func(args string) (int, string) {
		var out bytes.Buffer
		words := strings.Fields(args)
		run := map[string]func([]string, *bytes.Buffer) int{
			"gen":      func(a []string, w *bytes.Buffer) int { return ZMY(a, w, w) },
			"lock":     func(a []string, w *bytes.Buffer) int { return Lock(a, w, w) },
			"breaking": func(a []string, w *bytes.Buffer) int { return Breaking(a, w, w) },
		}[words[0]]
		return run(words[1:], &out), out.String()
	}
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// says runs a command and compares its exit code, and that its output has a text; "" is no output.
func says(t *testing.T, run func(string) (int, string), args string, code int, want string) {
	t.Helper()
	got, out := run(args)
	if got != code || !strings.Contains(out, want) || want == "" && out != "" {
		t.Errorf("%s: exit %d, want %d, with %q:\n%s", args, got, code, want, out)
	}
}

func TestJSONLock(t *testing.T) {
	run := shopModule(t)
	says(t, run, "breaking -json", 1, "has no zmy.json.lock to compare with; make one with: zmy lock -json .")
	says(t, run, "lock -json ./chans", 1, "c.go:4:2: T.Done: chan bool has no JSON form")
	says(t, run, "lock -json ./...", 0, "")
	text, err := os.ReadFile("zmy.json.lock")
	if err != nil || !strings.Contains(string(text), "surface all\nroot Order Order\n\nobject Order\n") {
		t.Fatalf("%v\n%s", err, text)
	}
	if exists("plain/zmy.json.lock") || exists("chans/zmy.json.lock") {
		t.Error("packages without struct tags json are recorded")
	}
	says(t, run, "lock -json -check", 0, "")
	says(t, run, "breaking -json ./...", 0, "")

	put(t, "shop.go", "package shop\n\ntype Order struct {\n\tID  string `json:\"id\"`\n\tQty int64  `json:\"qty\"`\n\tNew bool\n}\n")
	says(t, run, "breaking -json", 1, "shop.go:5:2: INTEGER_WIDENED: Order.qty: int32 became int64; keep the member and add another one\n")
	says(t, run, "breaking -json -v", 1, "shop.go:6:2: safe: MEMBER_ADDED: Order.New: the member is new\n")
	says(t, run, "lock -json", 1, "nothing was written; zmy lock -json -force . records these changes too")
	code, out := run("breaking -json -format json")
	var found []map[string]any
	if err := json.Unmarshal([]byte(out), &found); err != nil || code != 1 || len(found) != 2 {
		t.Fatalf("exit %d, %v\n%s", code, err, out)
	}
	if f := found[0]; f["code"] != "INTEGER_WIDENED" || f["severity"] != "breaking" || f["affects"] != "readers" || f["line"] != 5.0 {
		t.Errorf("%v", f)
	}

	put(t, "shop.go", "package shop\n\ntype Order struct {\n\tID string `json:\"id\"`\n"+
		"\t//zmy:breaking-ignore INTEGER_WIDENED all readers are new\n\tQty int64 `json:\"qty\"`\n}\n")
	says(t, run, "breaking -json", 0, "nothing breaks, but zmy.json.lock is not up to date; record what is new with: zmy lock -json .")
	says(t, run, "breaking -json -v", 0, "ignored: INTEGER_WIDENED: Order.qty: int32 became int64; all readers are new")
	says(t, run, "lock -json -check", 1, "is not up to date")
	says(t, run, "lock -json", 0, "")
	says(t, run, "breaking -json -v", 0, "")
	put(t, "shop.go", "package shop\n\ntype Order struct {\n\t//zmy:breaking-ignore INTEGER_WIDE because\n\tID string `json:\"id\"`\n"+
		"\t//zmy:breaking-ignore MEMBER_REMOVED\n\tQty int64 `json:\"qty\"`\n}\n")
	says(t, run, "breaking -json", 1, "shop.go:5:2: Order.id: directive //zmy:breaking-ignore names no rule: INTEGER_WIDE")
	says(t, run, "breaking -json", 1, "directive //zmy:breaking-ignore MEMBER_REMOVED gives no reason")
}

func TestJSONLockTypes(t *testing.T) {
	run := shopModule(t)
	says(t, run, "lock -type Order", 2, "-type goes with -json")
	says(t, run, "lock -json -type Order ./...", 2, "-type is for one package")
	says(t, run, "lock -json -type Nope", 1, "Nope")
	says(t, run, "lock -json -type Server", 1, "Server.Done: chan bool has no JSON form")
	says(t, run, "lock -json -type Order", 0, "")
	says(t, run, "lock -json -check", 0, "")
	put(t, "shop.go", "package shop\n\ntype Item struct{ A int }\n")
	says(t, run, "breaking -json", 0, "zmy.json.lock: warning: TYPE_REMOVED: Order: the type is gone, or has no JSON form any more")
	says(t, run, "lock -json", 1, "name the types of the contract anew with zmy lock -json -type LIST .")
	says(t, run, "lock -json -type all", 0, "TYPE_REMOVED")
	says(t, run, "breaking -json", 0, "")
	put(t, "zmy.json.lock", "zmyjson 9\n")
	says(t, run, "breaking -json", 1, `zmy.json.lock:1: it begins with "zmyjson 9", not "zmyjson 1": this zmy cannot read it`)
}

func TestBreakingJSONAgainst(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	run := shopModule(t)
	git := func(args ...string) {
		t.Helper()
		who := []string{"-c", "user.name=t", "-c", "user.email=t@example.org"}
		if out, err := exec.Command("git", append(who, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	git("init", "-q")
	says(t, run, "lock -json", 0, "")
	git("add", ".")
	git("commit", "-qm", "first")
	put(t, "shop.go", "package shop\n\ntype Order struct {\n\tID string `json:\"id\"`\n}\n")
	says(t, run, "lock -json -force", 0, "")
	says(t, run, "breaking -json", 0, "")
	says(t, run, "breaking -json -against HEAD", 1, "shop.go:3:6: MEMBER_REMOVED: Order.qty: the member is gone (field Qty)")
	says(t, run, "breaking -json -against HEAD ./...", 1, "MEMBER_REMOVED")
	says(t, run, "breaking -json -against nope", 1, "-against nope is no file, and git show nope:./zmy.json.lock says")
	says(t, run, "breaking -format xml", 2, "-format is text or json, not xml")
}

func TestJSONLangs(t *testing.T) {
	run := shopModule(t)
	says(t, run, "gen -lang jsonschema -type Order -o out", 0, "")
	says(t, run, "gen -lang jsonschema -type Order -o out -check", 0, "")
	says(t, run, "gen -lang ts-types -type Order -o out -package orders", 0, "")
	for _, name := range []string{"out/shop.schema.json", "out/orders.d.ts"} {
		if !exists(name) {
			t.Errorf("%s is missing", name)
		}
	}
	says(t, run, "gen -lang jsonschema -type Order -package https://example.org/orders.schema.json -output -", 0,
		"\n  \"$id\": \"https://example.org/orders.schema.json\",\n")
	says(t, run, "gen -lang jsonschema -type Server", 1, "Server.Done: chan bool has no JSON form")
	says(t, run, "gen -lang ts-types -type Order -derive", 1, "-derive numbers the fields of messages")
	says(t, run, "gen -lang ts-types -type Order -serde", 1, "-serde and -non-exhaustive are for -lang=rust")
	says(t, run, "gen -lang ts-types -type Order -package a/", 1, "-package=a/ ends in no file name")
	says(t, run, "gen -lang ts-types -type Order -output x.d.ts", 1, "-output names a file of Go")
	put(t, "mine/shop.schema.json", "{\"mine\": true}\n")
	says(t, run, "gen -lang jsonschema -type Order -o mine", 1, "is not generated code and is left as it is")
}
