package contract_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/contract"
	"github.com/zmylab/zmy/gen/load"
)

var update = flag.Bool("update", false, "make the files of every case what the generators say now")

// goldens are the folders of testdata/golden. in.go is the package; want.* are its lock file and what
// the emitters print. TestSchema and TestTypeScript compile them.
var goldens = []struct {
	name  string
	types []string
}{
	{"shop", []string{"Order"}},
	{"shapes", []string{"All"}},
	{"foreign", []string{"All", "Tree", "Index", "Page[Leaf]"}},
}

func TestGolden(t *testing.T) {
	for _, c := range goldens {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			from := filepath.Join("testdata/golden", c.name)
			src, err := os.ReadFile(filepath.Join(from, "in.go"))
			if err != nil {
				t.Fatal(err)
			}
			write(t, dir, "in.go", string(src))
			write(t, dir, "go.mod", "module example.org/"+c.name+"\n\ngo 1.26\n")
			t.Setenv("GOWORK", "off")
			p, err := load.Load(t.Context(), load.Config{Dir: dir}, ".")
			if err != nil {
				t.Fatal(err)
			}
			record, err := gen.RecordJSON(p, c.types)
			if err != nil {
				t.Fatal(err)
			}
			text := record.Text()
			same(t, filepath.Join(from, "want.lock"), string(text))
			same(t, filepath.Join(from, "want.schema.json"), one(t, p, c.types, "jsonschema"))
			same(t, filepath.Join(from, "want.d.ts"), one(t, p, c.types, "ts-types"))
			again, err := contract.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(again.Text()); got != string(text) {
				t.Errorf("read and written again, the lock file is\n%s", got)
			}
			if changes := contract.Compare(again, record); len(changes) > 0 {
				t.Errorf("compared with itself: %v", changes)
			}
		})
	}
}

func same(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not what is printed now; accept it with -update if it is right:\n%s", file, got)
	}
}

// A lock file that somebody has edited is refused with the line, or read.
func TestParse(t *testing.T) {
	const good = "zmyjson 1\n\nsurface all\nroot Order Order\n\nobject Order\n\tid ID string\n\tlist List []?Item null omitempty\n\n" +
		"object Item\n\nenum State string\n\t\"\\\"a\\\"\"\n"
	if _, err := contract.Parse([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to, want string }{
		{"zmyjson 1", "zmyjson 2", `zmy.json.lock:1: it begins with "zmyjson 2", not "zmyjson 1": this zmy cannot read it`},
		{good, "", `it has no line "zmyjson 1"; if it is none, remove it and run zmy lock -json`},
		{"object Item", "<<<<<<< HEAD\nobject Item", "zmy.json.lock:10: a merge conflict"},
		{"object Item", "object Order", "type Order stands here a second time"},
		{"object Item", "struct Item", `"struct" begins no type`},
		{"object Item", "object", `"object" alone in a line`},
		{"object Item", "object Part", "zmy.json.lock:6:1: Order: there is no type Item in the file"},
		{"list List", "id List", "member id of Order stands here a second time"},
		{"null omitempty", "null omitempt", `unknown word "omitempt"`},
		{"[]?Item", "[x]?Item", `bad length in "[x]?Item"`},
		{"[]?Item", "map[string", `a bracket is missing in "map[string"`},
		{"[]?Item", "[]?", "a form is missing"},
		{"id ID string", "id ID", "a member has a name, a Go field and a form"},
		{"id ID string", `id ID ""`, "zmy.json.lock:6:1: Order: a form is missing"},
		{"enum State string", `enum State ""`, "State: a form is missing"},
		{"id ID string", `"id ID string`, "a quotation mark is missing"},
		{"root Order Order", "root Order", "a root has a name and a form"},
		{"root Order Order", "root Order Gone", "root Order: there is no type Gone in the file"},
		{"enum State string", "enum State", "enum State without a form"},
		{"object Item", "object Item reads=", `unknown word "reads="`},
		{"object Item\n", "alias Item string\n\tx X string\n", "a member that belongs to no object"},
	} {
		if !strings.Contains(good, c.from) {
			t.Fatal(c.from)
		}
		_, err := contract.Parse([]byte(strings.Replace(good, c.from, c.to, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.to, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range goldens {
		text, err := os.ReadFile(filepath.Join("testdata/golden", c.name, "want.lock"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := contract.Parse(text)
		if err != nil {
			return
		}
		again, err := contract.Parse(file.Text())
		if err != nil {
			t.Fatalf("%v\n%s", err, file.Text())
		}
		if got := again.Text(); string(got) != string(file.Text()) {
			t.Fatalf("written again:\n%s\nand before:\n%s", got, file.Text())
		}
		_ = contract.Compare(file, again)
	})
}

// Every rule is in the guide, and in the table of edits or in the list here of those that need
// another package, and says what to do if it is an error.
func TestRules(t *testing.T) {
	guide, err := os.ReadFile("../../docs/guide/json-contract.md")
	if err != nil {
		t.Fatal(err)
	}
	others := []string{"TYPE_REMOVED", "TYPE_ADDED", "NULL_NO_LONGER_WRITTEN", "REQUIRED_REMOVED", "REST_REMOVED"}
	for _, r := range contract.Rules() {
		if !slices.ContainsFunc(edits, func(e edit) bool { return e.rule == r.ID }) && !slices.Contains(others, r.ID) {
			t.Errorf("no edit is for %s", r.ID)
		}
		if !strings.Contains(string(guide), "| "+r.ID+" | ") {
			t.Errorf("the guide does not know %s", r.ID)
		}
		if r.Level == contract.Error && (r.Instead == "" || r.Side == 0) {
			t.Errorf("%s says nothing of what to do, or whom it concerns", r.ID)
		}
	}
}

// Changes that no edit of the shop makes.
func TestCompare(t *testing.T) {
	const head = "zmyjson 1\nsurface all\n"
	for _, c := range []struct{ old, now, want string }{
		{"root A A\nobject A\n", "", "TYPE_REMOVED A"},
		{"", "root A A\nobject A\n", "TYPE_ADDED A"},
		{"root A A\nobject A\n\tx X int8 required\n", "root A A\nobject A\n\tx X int8\n", "REQUIRED_REMOVED A.x"},
		{"root A A\nobject A rest=any\n", "root A A\nobject A\n", "REST_REMOVED A"},
		{"root A A\nobject A rest=int8\n", "root A A\nobject A rest=?int8\n", "NULL_ADDED A.*"},
		{"root A A\nobject A\n\tx X ?int8 null\n", "root A A\nobject A\n\tx X ?int8\n", "NULL_NO_LONGER_WRITTEN A.x"},
		{"root A A\nobject A\n\tx X []A null\n", "root A A\nobject A\n\tx X []?A null\n", "NULL_ADDED A.x[]"},
		{"root T T\nalias T []T\n", "root T T\nalias T map[string]T\n", "TYPE_CHANGED T"},
		{"root T T\nalias T []T\n", "root T T\nalias T []T\n", ""},
		{"root P P\nalias P ?P\n", "root P P\nalias P ?P\n", ""},
		{"root A A\nalias A map[K]int8\nenum K int8\n\t\"1\" X\n\t\"2\" Y\n",
			"root A A\nalias A map[K]int8\nenum K int8\n\t\"1\" X\n\t\"2\" Y\n\t\"3\" Z\n",
			"ENUM_VALUE_ADDED A"},
		{"root M M\nmethods M writes=MarshalText reads=UnmarshalText\n", "root M M\nmethods M writes=*MarshalText reads=UnmarshalText\n",
			"METHOD_REMOVED M"},
		{"root M M\nmethods M writes=*MarshalText\n", "root M M\nmethods M writes=MarshalText\n", "METHOD_ADDED M"},
	} {
		old, err := contract.Parse([]byte(head + c.old))
		if err != nil {
			t.Fatal(err)
		}
		now, err := contract.Parse([]byte(head + c.now))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, ch := range contract.Compare(old, now) {
			got = append(got, ch.ID+" "+ch.Path)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s\n%s%v, want %s", c.old, c.now, got, c.want)
		}
	}
}
