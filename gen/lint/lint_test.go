package lint_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/lint"
	"github.com/zmylab/zmy/gen/load"
)

// tags stands in sources for back quotes.
func source(text string) string {
	return "package in\n\n" + strings.ReplaceAll(strings.TrimPrefix(text, "\n"), "'", "`")
}

// find runs one rule over a package of this source.
func find(t *testing.T, rules, text string, lock string) (string, error) {
	t.Helper()
	core, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files := map[string]string{
		"go.mod": "module example.org/in\n\ngo 1.25\n\nrequire github.com/zmylab/zmy v0.0.0\n\nreplace github.com/zmylab/zmy => " + core + "\n",
		"in.go":  source(text),
	}
	if lock != "" {
		files["zmy.lock"] = lock
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := load.Load(t.Context(), load.Config{Dir: dir, Env: append(os.Environ(), "GOWORK=off")}, ".")
	if err != nil {
		t.Fatal(err)
	}
	selected, err := lint.Select(rules)
	if err != nil {
		t.Fatal(err)
	}
	if lock == "fresh" {
		c, err := gen.Locked(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := gen.LockFile(p, c.Next).Write(); err != nil {
			t.Fatal(err)
		}
	}
	found, err := lint.Run(p, selected)
	var lines []string
	for _, f := range found {
		lines = append(lines, f.Problem().Error())
	}
	return strings.Join(lines, "\n"), err
}

const (
	plain = "\ntype T struct {\n\tA int32 'zmy:\"0\"'\n}\n"
	older = "zmylock 1\nstruct T lineage=0000000000000001\n"
)

func TestRules(t *testing.T) {
	for _, c := range []struct{ name, rules, src, lock, want string }{
		{"no-lock", "no-lock", plain, "", "no-lock: example.org/in: there is no zmy.lock; run zmy lock"},
		{"no-lock, there is one", "no-lock,stale-lock", plain, "fresh", ""},
		{"no-lock, no messages", "all", "type T struct{ A int }\n", "", ""},
		{"stale-lock", "stale-lock", plain, older + "\t0 B int32\n",
			"zmy.lock: stale-lock: example.org/in: the record is not up to date; run zmy lock"},
		{"stale-lock, breaks", "stale-lock", plain, older + "\t0 A int64\n",
			"zmy.lock: stale-lock: example.org/in: messages differ from the record in a way that breaks them; see zmy breaking"},
		{"json-mismatch", "json-mismatch", `
type T struct {
	A string 'json:"a" zmy:"0"'
	B string 'json:"-" zmy:"1"'
	C string 'json:"c" zmy:"-"'
	D string 'json:"-" zmy:"-"'
	E string 'zmy:"2"'
}

type OnlyZMY struct {
	A string 'zmy:"0"'
	B string 'zmy:"-"'
}
`, "", "in.go:5:2: json-mismatch: T.B: JSON leaves it out, messages carry it; use struct tag zmy:\"-\" if it is a secret\n" +
			"in.go:6:2: json-mismatch: T.C: JSON carries it, messages leave it out; give it a number, or json:\"-\" too"},
		{"reserved-dropped", "reserved-dropped", `
import "github.com/zmylab/zmy"

//zmy:reserved 1 string
type T struct {
	A int32 'zmy:"0"'
}

//zmy:reserved 1 string
type Kept struct {
	A       int32 'zmy:"0"'
	unknown zmy.Unknown
}
`, "", "in.go:6:6: reserved-dropped: T: what older programs wrote as number 1 is dropped when it is written again; add a field of type zmy.Unknown if this program passes messages on"},
		{"deprecated-mismatch", "deprecated-mismatch", `
type T struct {
	// Deprecated: use D.
	A int32 'zmy:"0"'
	B int32 'zmy:"1,deprecated"'
	// C is old.
	//
	// Deprecated: use D.
	C int32 'zmy:"2,deprecated"'
	D int32 'zmy:"3"'
}
`, "", "in.go:5:2: deprecated-mismatch: T.A: its comment says that it is deprecated, its struct tag does not; add option deprecated to struct tag zmy\n" +
			"in.go:6:2: deprecated-mismatch: T.B: its struct tag says that it is deprecated, its comment does not; add a paragraph " +
			"that begins with \"Deprecated: \""},
		{"sentinel", "sentinel", `
type State uint8

const (
	Paid State = iota
	Sent
	NumStates
)

// Level has a bound that is named.
//
//zmy:sentinel MaxLevel
type Level uint8

const (
	Low Level = iota
	High
	MaxLevel = High
)

type T struct {
	S State 'zmy:"0"'
	L Level 'zmy:"1"'
}
`, "", "in.go:3:6: sentinel: State: constant NumStates = 2 is recorded as a value; if it is a count or a bound: //zmy:sentinel NumStates"},
		{"too-large", "too-large", `
type T struct {
	A [20000]float64   'zmy:"0"'
	B []*[20000]uint64 'zmy:"1"'
	C [1000]float64    'zmy:"2"'
	U U                'zmy:"3"'
}

//zmy:limits MaxWire=1048576
type U struct {
	A [20000]float64 'zmy:"0"'
}
`, "", "in.go:4:2: too-large: T.A: it takes 160000 bytes unless it is zero, messages have at most 131072; split it, or raise MaxWire and say so: //zmy:limits MaxWire=…\n" +
			"in.go:5:2: too-large: T.B: it takes 160000 bytes unless it is zero, messages have at most 131072; split it, or raise " +
			"MaxWire and say so: //zmy:limits MaxWire=…"},
		{"fat-list", "fat-list", `
type T struct {
	A []Fat            'zmy:"0"'
	B [][40]float64    'zmy:"1"'
	C map[string]Fat   'zmy:"2"'
	D []Thin           'zmy:"3"'
	E []string         'zmy:"4"'
	F map[int]struct{} 'zmy:"5"'
	G [][8]byte        'zmy:"6"'
}

type Fat struct {
	Cells [512]int64 'zmy:"0"'
}

type Thin struct {
	Name string   'zmy:"0"'
	Tags []string 'zmy:"1"'
}
`, "", "in.go:4:2: fat-list: T.A: more than 4096 elements are refused by a reader's budget, though they may take 16384 bytes only: an element takes 4096 in memory and 4 in a message; use a slice in the element in the place of its array, or raise Budget where it is read\n" +
			"in.go:5:2: fat-list: T.B: more than 52428 elements are refused by a reader's budget, though they may take 104856 bytes " +
			"only: an element takes 320 in memory and 2 in a message; use a slice in the element in the place of its array, or raise " +
			"Budget where it is read\n" +
			"in.go:6:2: fat-list: T.C: more than 4096 elements are refused by a reader's budget, though they may take 16384 bytes " +
			"only: an element takes 4096 in memory and 4 in a message; use a slice in the element in the place of its array, or raise " +
			"Budget where it is read"},
		{"zone-lost", "zone-lost", `
import "time"

type T struct {
	A time.Time            'zmy:"0"'
	B map[string]time.Time 'zmy:"1,unixnano"'
	C time.Time            'zmy:"2,zone"'
}
`, "", "in.go:6:2: zone-lost: T.A: its time reads back in UTC; add option zone, or store UTC\n" +
			"in.go:7:2: zone-lost: T.B: its time reads back in UTC; add option zone, or store UTC"},
		{"nil-element", "nil-element", `
type T struct {
	Kids []*T           'zmy:"0"'
	By   map[string]*T  'zmy:"1"'
	Next *T             'zmy:"2"'
	All  []T            'zmy:"3"'
}
`, "", "in.go:4:2: nil-element: T.Kids: an element that is nil is an error when the message is written; use elements that are structs\n" +
			"in.go:5:2: nil-element: T.By: an element that is nil is an error when the message is written; use elements that are structs"},
		{"ignored", "json-mismatch,zone-lost", `
import "time"

//zmy:lint-ignore zone-lost all of them are UTC
type T struct {
	Key  string    'json:"-" zmy:"0"' //zmy:lint-ignore json-mismatch it goes to our own services only
	Made time.Time 'json:"made" zmy:"1"'
	//zmy:lint-ignore json-mismatch
	B string 'json:"-" zmy:"2"'
	//zmy:lint-ignore json-mismatch no longer so
	C string 'json:"c" zmy:"3"'
	//zmy:lint-ignore jsn-mismatch a slip
	D string 'json:"d" zmy:"4"'
	//zmy:lint-ignore fat-list which does not run
	E string 'json:"e" zmy:"5"'
}
`, "", "in.go:10:2: json-mismatch: T.B: JSON leaves it out, messages carry it; use struct tag zmy:\"-\" if it is a secret\n" +
			"in.go:10:2: lint-ignore: T.B: no reason is given; write it behind the rule: //zmy:lint-ignore json-mismatch reason\n" +
			"in.go:12:2: lint-ignore: T.C: json-mismatch finds nothing here; remove the directive\n" +
			"in.go:14:2: lint-ignore: T.D: there is no rule \"jsn-mismatch\"; zmy lint -h lists them"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := find(t, c.rules, c.src, c.lock)
			if err != nil || got != c.want {
				t.Errorf("%v\n got %s\nwant %s", err, got, c.want)
			}
		})
	}
}

// What the generator refuses is the error, with its place.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"\ntype T struct {\n\tF map[float64]int 'zmy:\"0\"'\n}\n", "in.go:4:2: field F: map key float64 has no wire type"},
		{"\ntype T struct {\n\tA int 'zmy:\"0\"'\n\tB int\n}\n", "in.go:5:2: field B: no struct tag zmy"},
		{"\n//zmy:limits MaxWeird=3\ntype T struct {\n\tA int 'zmy:\"0\"'\n}\n", `in.go:4:6: T: bad word "MaxWeird=3" in directive //zmy:limits`},
		{"\n//zmy:limits MaxWire=3GB\ntype T struct {\n\tA int 'zmy:\"0\"'\n}\n", `in.go:4:6: T: bad word "MaxWire=3GB"`},
	} {
		if _, err := find(t, "all", c.src, ""); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func TestSelect(t *testing.T) {
	names := func(list string) string {
		rules, err := lint.Select(list)
		if err != nil {
			return err.Error()
		}
		var out []string
		for _, r := range rules {
			out = append(out, r.Name)
		}
		return strings.Join(out, ",")
	}
	all := names("all")
	if n := len(strings.Split(all, ",")); n != len(lint.Rules()) {
		t.Errorf("all are %s", all)
	}
	for _, c := range []struct{ list, want string }{
		{"all,-no-lock", strings.TrimPrefix(all, "no-lock,")},
		{"default", strings.TrimSuffix(all, ",zone-lost,nil-element")},
		{"default,zone-lost", strings.TrimSuffix(all, ",nil-element")},
		{"zone-lost, no-lock", "no-lock,zone-lost"},
		{"zone", `there is no rule "zone"`},
		{"", `there is no rule ""`},
	} {
		if got := names(c.list); got != c.want {
			t.Errorf("%q: %s, want %s", c.list, got, c.want)
		}
	}
}

// Each rule has a case here that it finds.
func TestRulesTested(t *testing.T) {
	text, err := os.ReadFile("lint_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range lint.Rules() {
		if !strings.Contains(string(text), `{"`+r.Name+`", "`+r.Name) {
			t.Errorf("no case for %s", r.Name)
		}
		if r.Doc == "" {
			t.Errorf("%s says nothing", r.Name)
		}
	}
}
