package protolock_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/load"
	"github.com/zmylab/zmy/gen/protolock"
	"github.com/zmylab/zmy/schema"
)

var update = flag.Bool("update", false, "make the files of every case what is said now")

const golden = "testdata/golden/shop"

// module makes a module whose folders have the given sources.
func module(t *testing.T, sources map[string]string) string {
	t.Helper()
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	sources["go.mod"] = "module example.org/m\n\ngo 1.26\n"
	for name, text := range sources {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// compared compares the package in a folder with a record.
func compared(t *testing.T, dir string, old *protolock.File) (*load.Pkg, protolock.Comparison) {
	t.Helper()
	p, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	c, notes, err := gen.CompareProto(p, old)
	if err != nil || len(notes) > 0 {
		t.Fatal(err, notes)
	}
	return p, c
}

func parse(t *testing.T, text string) *protolock.File {
	t.Helper()
	f, err := protolock.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return f
}

func source(t *testing.T) string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(golden, "in.go"))
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

func same(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || got != string(want) {
		t.Errorf("%v; %s is not what is said now; accept it with -update if it is right:\n%s", err, file, got)
	}
}

// TestGolden holds the record of a package against a file. Read and written again, and compared with its
// source, it is the same.
func TestGolden(t *testing.T) {
	dir := module(t, map[string]string{"shop/in.go": source(t)})
	_, c := compared(t, filepath.Join(dir, "shop"), nil)
	got := string(c.Next.Text())
	same(t, filepath.Join(golden, "want.lock"), got)
	again := parse(t, got)
	if text := string(again.Text()); text != got {
		t.Errorf("read and written again:\n%s", text)
	}
	if _, c := compared(t, filepath.Join(dir, "shop"), again); len(c.Changes) > 0 || string(c.Next.Text()) != got {
		t.Errorf("compared with itself: %v\n%s", c.Changes, c.Next.Text())
	}
}

// TestRefused: a field whose number or name a directive reserves, and a directive that says nothing.
func TestRefused(t *testing.T) {
	dir := module(t, map[string]string{
		"in.go": "package m\n\n//zmy:proto-reserved 1 to 3\ntype A struct {\n\tX int32 `proto:\"2\"`\n}\n\n" +
			"//zmy:proto-reserved \"y\"\ntype B struct {\n\tY int32 `proto:\"2\"`\n}\n\n" +
			"//zmy:proto-reserved two\ntype C struct {\n\tZ int32 `proto:\"1\"`\n}\n",
	})
	p, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = gen.RecordProto(p)
	for _, want := range []string{"in.go:5:2: A.x: has number 2, which //zmy:proto-reserved reserves",
		"in.go:10:2: B.y: has the name y, which //zmy:proto-reserved reserves", "C: bad directive //zmy:proto-reserved two"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestLegacy: structs as protoc-gen-go writes them are recorded, those that are arms and messages of
// google.protobuf are none, and one that is refused is a note.
func TestLegacy(t *testing.T) {
	const src = "package m\n\ntype Pay struct {\n\tID string `protobuf:\"bytes,1,opt,name=id,json=ident,proto3\" json:\"id,omitempty\"`\n" +
		"\t// Types that are assignable to Way:\n\tWay isPay_Way `protobuf_oneof:\"way\"`\n}\n\n" +
		"type isPay_Way interface{ isPay_Way() }\n\n" +
		"type Pay_Card struct {\n\tCard string `protobuf:\"bytes,2,opt,name=card,proto3,oneof\"`\n}\n\nfunc (*Pay_Card) isPay_Way() {}\n\n" +
		"type Odd struct {\n\tC chan int `protobuf:\"bytes,1,opt,name=c\"`\n}\n"
	dir := module(t, map[string]string{"in.go": src})
	p, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
	if err != nil {
		t.Fatal(err)
	}
	f, notes, err := gen.RecordProto(p)
	if err != nil {
		t.Fatal(err)
	}
	if len(notes) != 1 || !strings.Contains(notes[0].Error(), "Odd.C") {
		t.Error(notes)
	}
	text := string(f.Text())
	if !strings.HasSuffix(text, "\nzmyproto 1\n\nmessage Pay\n\t1 id string json=ident\n\t2 card string oneof=way\n") {
		t.Error(text)
	}
}

// A lock file that somebody has edited is refused with the line, or read.
func TestParse(t *testing.T) {
	const good = "zmyproto 1\n\nmessage Order\n\t1 id string json=ident\n\t2 list repeated Item unpacked\n\t3 m map<string,Item>\n" +
		"\t4 old bytes[16] reserved\n\treserved 5 to 7\n\treserved \"name\"\n\nenum State\n\t0 OPEN\n\t1 SOLD reserved\n"
	parse(t, good)
	for _, c := range []struct{ from, to, want string }{
		{"zmyproto 1", "zmyproto 2", `zmy.proto.lock:1: it begins with "zmyproto 2", not "zmyproto 1": this zmy cannot read it`},
		{good, "", `it has no line "zmyproto 1"; if it is none, remove it and run zmy lock`},
		{"enum State", "<<<<<<< HEAD\nenum State",
			"zmy.proto.lock:11: a merge conflict; keep the lines of both sides, numbers of fields must differ"},
		{"enum State", "message Order", "type Order stands here a second time"},
		{"enum State", "struct State", `"struct" begins no type`},
		{"enum State", "enum", "a enum has a name"},
		{"enum State", "enum State int32", "a enum has a name and nothing else in its line"},
		{"message Order\n", "", "a field before the first type"},
		{"2 list", "1 list", "number 1 of Order is given twice"},
		{"1 id", "0 id", `bad number "0"`},
		{"1 id", "x id", `bad number "x"`},
		{"1 id string json=ident", "1", "number 1 of Order has no name"},
		{"1 id string json=ident", "1 id", "field id without a type"},
		{"json=ident", "json=", `unknown word "json="`},
		{"unpacked", "upacked", `unknown word "upacked"`},
		{"bytes[16]", "bytes[x]", `bad length in "bytes[x]"`},
		{"map<string,Item>", "map<string>", `"map<string>" is cut short`},
		{"map<string,Item>", "map<Item,Item>", `"Item" is no type of keys`},
		{"map<string,Item>", `""`, `"" is no type of a value`},
		{"5 to 7", "7 to 5", `"7 to 5" is neither a range of numbers nor a name`},
		{"1 SOLD reserved", "1 SOLD gone", `unknown word "gone"`},
		{"1 SOLD reserved", "0 OPEN", "value OPEN of State stands here a second time"},
	} {
		if !strings.Contains(good, c.from) {
			t.Fatal(c.from)
		}
		_, err := protolock.Parse([]byte(strings.Replace(good, c.from, c.to, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.to, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	text, err := os.ReadFile(filepath.Join(golden, "want.lock"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte("zmyproto 1\nmessage bytes\n\t1 a .bytes group\n" +
		"\t2 b optional string oneof=\"x y\" json=\"\\\"\"\n\treserved 9 to max\n\treserved a\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := protolock.Parse(text)
		if err != nil {
			return
		}
		again, err := protolock.Parse(file.Text())
		if err != nil {
			t.Fatalf("%v\n%s", err, file.Text())
		}
		if got := again.Text(); string(got) != string(file.Text()) {
			t.Fatalf("written again:\n%s\nand before:\n%s", got, file.Text())
		}
		if c := protolock.Compare(file, again, nil); c.Breaks() {
			t.Fatalf("compared with itself: %v\n%s", c.Changes, file.Text())
		}
	})
}

// Every rule is in the guide and in a test, and says what to do if it is more than safe.
func TestRules(t *testing.T) {
	guide, err := os.ReadFile("../../docs/guide/evolution.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(guide), "## Protobuf messages")
	if !ok {
		t.Fatal("the guide has no section")
	}
	for _, r := range protolock.Rules() {
		if !slices.ContainsFunc(edits, func(e edit) bool { return e.rule == r.ID }) {
			t.Errorf("no edit is for %s", r.ID)
		}
		if !strings.Contains(section, r.ID) {
			t.Errorf("the guide does not know %s", r.ID)
		}
		if r.Level > schema.Safe && r.Instead == "" {
			t.Errorf("%s does not say what to do", r.ID)
		}
	}
}
