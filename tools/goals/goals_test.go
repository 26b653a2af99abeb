package goals

import (
	"maps"
	"strings"
	"testing"
	"testing/fstest"
)

func TestBuiltGoals(t *testing.T) {
	all, err := Built()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	byFile := map[string]int{}
	for _, g := range all {
		key := g.Of() + " " + g.String()
		if seen[key] {
			t.Errorf("%s:%d: %s stands twice", g.File, g.Line, key)
		}
		seen[key] = true
		byFile[g.File]++
	}
	// The bounds of the speed tables and of the production half, counted by hand: whoever
	// adds one, or takes one away, says so here.
	want := map[string]int{"zmy.yaml": 71, "fxjson.yaml": 115, "fxproto.yaml": 34, "run.yaml": 49, "rust.yaml": 59, "java.yaml": 113}
	if !maps.Equal(byFile, want) {
		t.Errorf("goals by file: %v", byFile)
	}
}

func TestLoadRefuses(t *testing.T) {
	const good = "- {subject: s, op: encode, ours: a/fresh, than: b/fresh, least: 2}\n"
	for _, c := range []struct{ name, file, want string }{
		{"unknown key", good + "- {subject: s, op: encode, ours: a/fresh, then: b/fresh, least: 2}\n", `g.yaml:2: unknown key "then"`},
		{"unknown key on its own line", "- subject: s\n  op: encode\n  colour: red\n", `g.yaml:3: unknown key "colour"`},
		{"bad side", good + good + "- {subject: s, op: encode, ours: a, than: b/fresh, least: 2}\n", `g.yaml:3: "a" is not codec/mode`},
		{"empty mode", "- {subject: s, op: encode, ours: a/, than: b/fresh, least: 2}\n", `g.yaml:1: "a/" is not codec/mode`},
		{"no subject", "- {op: encode, ours: a/fresh, than: b/fresh, least: 2}\n", "g.yaml:1: subject is missing"},
		{"no ours", "- {subject: s, op: encode, than: b/fresh, least: 2}\n", "ours is missing"},
		{"bad op", "- {subject: s, op: marshal, ours: a/fresh, than: b/fresh, least: 2}\n", `op "marshal"`},
		{"bad metric", "- {subject: s, op: encode, metric: colour, ours: a/fresh, than: b/fresh, least: 2}\n", `metric "colour" is not known`},
		{"no bound", "- {subject: s, op: encode, ours: a/fresh, than: b/fresh}\n", "exactly one of least and most"},
		{"two bounds", "- {subject: s, op: encode, ours: a/fresh, than: b/fresh, least: 2, most: 1}\n", "exactly one of least and most"},
		{"two rivals", "- {subject: s, op: encode, ours: a/fresh, than: b/fresh, floor: slab, least: 2}\n", "exclude each other"},
		{"bad floor", "- {subject: s, op: encode, ours: a/fresh, floor: sky, most: 2}\n", `floor "sky"`},
		{"absolute least", "- {subject: s, op: encode, ours: a/fresh, least: 2}\n", "least needs than or floor"},
		{"least is text", "- {subject: s, op: encode, ours: a/fresh, than: b/fresh, least: much}\n", "g.yaml:1:"},
		{"fastest as ours", "- {subject: s, op: encode, ours: fastest/fresh, most: 2}\n", "ours must name a codec"},
		{"a map", "subject: s\n", "g.yaml:1: want a list of goals"},
		{"a text in the list", "- hello\n", "g.yaml:1: want a goal with the keys"},
		{"no yaml", "- {subject\n", "g.yaml: yaml:"},
		{"nothing", "", "g.yaml: EOF"},
	} {
		_, err := Load(fstest.MapFS{"g.yaml": {Data: []byte(c.file)}})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := Load(fstest.MapFS{}); err == nil {
		t.Error("no file, no error")
	}
	_, err := Load(fstest.MapFS{"a.yaml": {Data: []byte("- {a: 1}\n- {b: 1}\n")}, "b.yaml": {Data: []byte("- {c: 1}\n")}})
	if err == nil || strings.Count(err.Error(), "unknown key") != 3 {
		t.Errorf("want all three mistakes at once: %v", err)
	}
}

func TestGoalString(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"- {subject: s, op: encode, ours: a/fresh, than: b/fresh, least: 1.5}", "encode a/fresh ≥ 1.5× b/fresh"},
		{"- {subject: s, op: access, ours: a/lazy, than: b/decode/fresh, most: 0.05}", "access a/lazy ≤ 0.05 of b/decode/fresh"},
		{"- {subject: s, op: decode, metric: allocs, ours: a/reused, most: 0}", "decode allocs a/reused ≤ 0 allocs"},
		{"- {subject: s, op: decode, ours: a/fresh, floor: slab, most: 1.1, variant: shuffled, env: [X=1]}",
			"decode a/fresh ≤ 1.1 of floor slab, shuffled, X=1"},
	} {
		g, err := Parse("x.yaml", []byte(c.file))
		if err != nil {
			t.Fatal(err)
		}
		if g[0].String() != c.want || g[0].Line != 1 || g[0].File != "x.yaml" {
			t.Errorf("%q at %s:%d, want %q", g[0], g[0].File, g[0].Line, c.want)
		}
	}
}
