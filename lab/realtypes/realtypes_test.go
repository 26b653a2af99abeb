package realtypes

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	types  = flag.String("types", "", "`names` of types to take all the way, separated by commas; short, all")
	codecs = flag.String("codecs", strings.Join(DefaultCodecs, ","), "`names` of the codecs that the lab measures")
	judge  = flag.Bool("judge", false, "go without runs of the lab, which take minutes: nothing is recorded")
	update = flag.Bool("update", false, "write what was found to the table of docs/results")
)

const (
	resultsFile = "results.json" // what the table is drawn from
	tableFile   = "../../docs/results/realtypes.md"
)

// TestTypes takes types of public modules all the way, minutes for each. Of those that were
// asked for it skips only where modules cannot be fetched.
func TestTypes(t *testing.T) {
	if *types == "" {
		t.Skip("fetches modules, builds and measures programs for minutes: make realtypes, make realtypes-short")
	}
	clone, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	kept := readResults(t)
	bin := t.TempDir()
	for _, typ := range chosen(t) {
		t.Run(typ.Name, func(t *testing.T) {
			begin := time.Now()
			doing := func(text string) { t.Logf("%4.0f s %s", time.Since(begin).Seconds(), text) }
			o := Options{Clone: clone, Bin: bin, Codecs: strings.Split(*codecs, ","), Judge: *judge, Doing: doing}
			r, err := Measure(t.Context(), typ, o, t.TempDir())
			var net *Unreachable
			if errors.As(err, &net) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			if *judge {
				j := r.Judged
				t.Logf("JUDGE %s: %.0f ÷ %.0f = %.2f; mean %.0f, largest %.0f; dropped %d of %d; %s %s", r.Name, j.Generated, j.Documents,
					j.Generated/max(1, j.Documents), j.Mean, j.Largest, j.Dropped, j.Dropped+j.Made, j.Broken, j.Why)
				t.Logf("JUDGE %s: fxjson %+v, checks %d; zmy %+v, checks %d", r.Name, r.FxJSON, j.JSON.Checks, r.ZMY, j.ZMY.Checks)
				return
			}
			if *update {
				kept = slices.DeleteFunc(kept, func(k *Result) bool { return k.Name == r.Name })
				kept = append(kept, r)
				writeResults(t, kept)
			}
			text, _ := json.MarshalIndent(r, "", " ")
			t.Logf("%s", text)
			expect(t, r, known(typ.Name))
		})
	}
}

// expect fails where the type does worse than the table says.
func expect(t *testing.T, r, before *Result) {
	if before == nil || *update {
		return
	}
	worse := func(was, is bool, format string, args ...any) {
		t.Helper()
		if was && !is {
			t.Errorf(format, args...)
		}
	}
	worse(before.Default.Ranked, r.Default.Ranked, "std-json is not ranked on generated values: %s", r.Default.Failed)
	worse(before.Sample.Ranked, r.Sample.Ranked, "std-json is not ranked on documents: %s", r.Sample.Failed)
	worse(before.Sized(), r.Sized(), "generated values have a median of %.0f bytes and a mean of %.0f, documents a median of "+
		"%.0f: the goal is within a factor of %d",
		r.Default.Median, r.Default.Mean, r.Sample.Median, Within)
	worse(before.FxJSON.Carried, r.FxJSON.Carried, "fxjson: %s", r.FxJSON.Why)
	worse(before.ZMY.Carried, r.ZMY.Carried, "zmy: %s", r.ZMY.Why)
	worse(len(before.Wrong) == 0, len(r.Wrong) == 0, "the lab is wrong: %q", r.Wrong)
}

func chosen(t *testing.T) []*Type {
	list, err := Types()
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(list, func(typ *Type) bool {
		switch *types {
		case "all":
			return false
		case "short":
			return !typ.Short
		}
		return !slices.Contains(strings.Split(*types, ","), typ.Name)
	})
}

func known(name string) *Result {
	text, err := os.ReadFile(resultsFile)
	if err != nil {
		return nil
	}
	var list []*Result
	if json.Unmarshal(text, &list) != nil {
		return nil
	}
	for _, r := range list {
		if r.Name == name {
			return r
		}
	}
	return nil
}

func readResults(t *testing.T) []*Result {
	text, err := os.ReadFile(resultsFile)
	if err != nil {
		t.Fatal(err)
	}
	var list []*Result
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// writeResults writes the results in the order of the list, and the table.
func writeResults(t *testing.T, results []*Result) {
	list, err := Types()
	if err != nil {
		t.Fatal(err)
	}
	place := func(r *Result) int {
		return slices.IndexFunc(list, func(typ *Type) bool { return typ.Name == r.Name })
	}
	results = slices.DeleteFunc(results, func(r *Result) bool { return place(r) < 0 })
	slices.SortFunc(results, func(a, b *Result) int { return place(a) - place(b) })
	text, err := json.MarshalIndent(results, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(resultsFile, append(text, '\n'), 0o644),
		os.WriteFile(tableFile, []byte(Table(results)), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// TestTable holds the page against the results, and the results against the list and the goals.
func TestTable(t *testing.T) {
	results := readResults(t)
	if *update {
		writeResults(t, results)
	}
	page, err := os.ReadFile(tableFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(page) != Table(results) {
		t.Errorf("%s is not what %s says; write it anew: make realtypes", tableFile, resultsFile)
	}
	list, err := Types()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range Unmet(list, results, Allowed) {
		t.Error(text)
	}
	for _, typ := range list {
		i := slices.IndexFunc(results, func(r *Result) bool { return r.Name == typ.Name })
		if i < 0 {
			continue // a goal that is not met
		}
		if r := results[i]; r.Version != typ.Version || r.Module != typ.Module || r.Type != typ.Shown() {
			t.Errorf("%s: the result is of %s of %s %s: make realtypes TYPES=%s", typ.Name, r.Type, r.Module, r.Version, typ.Name)
		}
	}
}

// TestList holds the list to what the rest counts on.
func TestList(t *testing.T) {
	list, err := Types()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, typ := range list {
		if names[typ.Name] {
			t.Errorf("%s is listed twice", typ.Name)
		}
		names[typ.Name] = true
		mod, _, err := typ.pinned()
		if err != nil {
			t.Error(err)
			continue
		}
		if !strings.Contains(string(mod), typ.Module+" "+typ.Version) {
			t.Errorf("%s: modules/%s.mod does not require %s %s", typ.Name, typ.Name, typ.Module, typ.Version)
		}
		docs, err := typ.documents()
		if err != nil {
			t.Error(err)
			continue
		}
		for i, line := range bytes.Split(bytes.TrimSpace(docs), []byte("\n")) {
			if !json.Valid(line) {
				t.Errorf("documents/%s.ndjson:%d: no JSON", typ.Name, i+1)
			}
		}
	}
}

// TestUnmet: each way to miss the goals is told.
func TestUnmet(t *testing.T) {
	var list []*Type
	var results []*Result
	for i := range LeastTypes {
		typ := &Type{Name: fmt.Sprintf("t%d", i), Module: fmt.Sprintf("m%d", i)}
		lab := Lab{Ranked: true, Median: 300, Mean: 400}
		list = append(list, typ)
		results = append(results, &Result{Name: typ.Name, Module: typ.Module, Default: lab, Sample: lab, FxJSON: Adopted{Carried: true},
			ZMY: Adopted{Carried: true}})
	}
	with := func(n int, change func(*Result)) []*Result {
		out := slices.Clone(results)
		for i := range n {
			r := *out[i]
			change(&r)
			out[i] = &r
		}
		return out
	}
	no := Adopted{Why: "a message is a struct"}
	known := []Allowance{{"t0", "zmy", "is a struct"}}
	for _, c := range []struct {
		name    string
		list    []*Type
		results []*Result
		allowed []Allowance
		want    string
	}{
		{"all met", list, results, nil, ""},
		{"a row less", list, results[1:], nil, "t0 has no result"},
		{"generated", list, with(1, func(r *Result) { r.Default.Ranked = false }), nil, "t0: std-json is not ranked on generated"},
		{"documents", list, with(1, func(r *Result) { r.Sample.Ranked = false }), nil, "t0: std-json is not ranked on documents"},
		{"never", list, with(1, func(r *Result) { r.Never, r.Sample.Ranked, r.Default = "a channel", false, Lab{} }), nil, ""},
		{"large", list, with(1, func(r *Result) { r.Default.Median = 901 }), nil, "t0: generated values"},
		{"small", list, with(1, func(r *Result) { r.Default.Median = 99 }), nil, "t0: generated values"},
		{"spread", list, with(1, func(r *Result) { r.Default.Mean = 1501 }), nil, "t0: generated values"},
		{"wrong", list, with(1, func(r *Result) { r.Wrong = []string{"KEPT"} }), nil, "t0: the lab is wrong: KEPT"},
		{"not carried", list, with(1, func(r *Result) { r.ZMY = no }), nil, "t0: zmy does not carry it: a message"},
		{"fxjson too", list, with(1, func(r *Result) { r.FxJSON = no }), known, "t0: fxjson does not carry it"},
		{"allowed", list, with(1, func(r *Result) { r.ZMY = no }), known, ""},
		{"another reason", list, with(1, func(r *Result) { r.ZMY.Carried = false }), known, "t0: zmy does not carry it"},
		{"no need", list, results, known, "nothing needs the allowance"},
		{"5% less", list, with(3, func(r *Result) { r.FxJSON = no }), nil, "fxjson carries 37 of 40"},
		{"20% less", list, with(9, func(r *Result) { r.ZMY = no }), nil, "ZMY carries 31 of 40"},
		{"types", list[1:], results, nil, "39 types of 39 modules"},
		{"modules", list, with(12, func(r *Result) { r.Module = "m0" }), nil, "40 types of 29 modules"},
	} {
		got := strings.Join(Unmet(c.list, c.results, c.allowed), "\n")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
