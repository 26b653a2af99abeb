package compat

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSides: what is not named is the same on both sides, where that makes them comparable.
func TestSides(t *testing.T) {
	for _, c := range []struct{ from, to, present, a, b string }{
		{"", "go1.27.1", "go1.26.8", "encoding/json by go1.26.8", "encoding/json by go1.27.1"},
		{"go1.25.0", "go1.27.1", "go1.26.8", "encoding/json by go1.25.0", "encoding/json by go1.27.1"},
		{"", "json-v2", "go1.26.8", "encoding/json by " + NewestGo, "encoding/json/v2 by " + NewestGo},
		{"", "json-v2", "go1.27.2", "encoding/json", "encoding/json/v2"},
		{"go1.26.8", "json-v2", "go1.26.8", "encoding/json by go1.26.8", "encoding/json/v2 by " + NewestGo},
		{"", "fxjson", "go1.26.8", "encoding/json", "fxjson"},
		{"jsoniter", "std", "go1.26.8", "jsoniter", "encoding/json"},
		{"jsoniter", "go1.27.1", "go1.26.8", "jsoniter by go1.26.8", "jsoniter by go1.27.1"},
		{"", "sonic,go1.27.1", "go1.26.8", "encoding/json by go1.27.1", "sonic by go1.27.1"},
		{"", "github.com/goccy/go-json@v0.10.2", "go1.26.8", "goccy", "goccy with github.com/goccy/go-json@v0.10.2"},
		{"", "example.org/m@v1.2.3", "go1.26.8", "encoding/json", "encoding/json with example.org/m@v1.2.3"},
	} {
		a, b, err := Sides(c.from, c.to, c.present)
		if err != nil || a.String() != c.a || b.String() != c.b {
			t.Errorf("-from %q -to %q: %q, %q, %v; want %q, %q", c.from, c.to, a.String(), b.String(), err, c.a, c.b)
		}
	}
}

// TestAtSites: the types at sites of testdata/sites are found, and those that nobody can name.
func TestAtSites(t *testing.T) {
	if testing.Short() {
		t.Skip("it loads packages")
	}
	t.Setenv("GOWORK", "off")
	f, err := AtSites(t.Context(), "testdata/sites", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range f.Types {
		got = append(got, s.Package+" "+s.Type)
	}
	want := "compat.invalid/sites Order, compat.invalid/sites Page[Order], compat.invalid/sites []Order"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("%s, want %s", s, want)
	}
	if f.Sites < 5 || len(f.Left) == 0 || !strings.Contains(strings.Join(f.Left, " "), "in a function") {
		t.Errorf("%d sites, left %v", f.Sites, f.Left)
	}
}

// TestAtSitesPrivate: types of a module whose path has no dot are not taken for the standard library's.
func TestAtSitesPrivate(t *testing.T) {
	if testing.Short() {
		t.Skip("it loads packages")
	}
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module private\n\ngo 1.24\n", "private.go": `package private

import (
	"encoding/json"
	"time"
)

type Order struct{ ID int }

func f() { json.Marshal(Order{}); json.Marshal(time.Time{}) }
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := AtSites(t.Context(), dir, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Types) != 1 || f.Types[0].Package != "private" || f.Types[0].Type != "Order" {
		t.Errorf("found %+v, want private Order", f.Types)
	}
}
