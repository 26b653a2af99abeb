package flow

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestFind: a line of testdata that marshals says in a comment where its bytes end.
func TestFind(t *testing.T) {
	a, err := txtar.ParseFile("testdata/flow.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{}
	for _, f := range a.Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(f.Data), "\n") {
			if _, ends, ok := strings.Cut(line, "// ends: "); ok {
				want[fmt.Sprintf("%s:%d", f.Name, i+1)] = strings.Split(ends, " | ")
			}
		}
	}
	t.Setenv("GOWORK", "off")
	got, err := Find(t.Context(), Config{Dir: dir, Results: []string{"encoding/json.Marshal"},
		Writers: []string{"(*encoding/json.Encoder).Encode"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(want) < 30 {
		t.Errorf("only %d places", len(want))
	}
	for at, texts := range want {
		var have []string
		for _, e := range got[at] {
			text := e.What
			if e.Leaves != "" {
				text += ": " + e.Leaves
			}
			have = append(have, text)
		}
		if !slices.Equal(have, texts) {
			t.Errorf("%s: got %q, want %q", at, have, texts)
		}
	}
}
