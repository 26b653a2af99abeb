package zmy

import (
	"strings"
	"testing"

	"github.com/zmylab/zmy/gen/emit/gobin"
	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes every kind of type through the codec. Whatever changes is
// named here.
func TestRoundTrip(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	for _, c := range []struct {
		dir, typ string
		changes  []string
	}{
		{"kinds", "All", []string{"normalised S.Bytes empty → nil"}},
		{"kinds", "Dynamic", nil},
		{"kinds", "Opaque", nil},
		{"kinds", "Page[record]", nil},
		{"kinds/app", "event", nil},
		{"kinds", "Carried", []string{"normalised Last[].Token left out", "normalised Nested.Token left out", "normalised Secret left out"}},
	} {
		t.Run(c.typ, func(t *testing.T) {
			t.Parallel()
			labtest.Run(t, Info, &labtest.Subject{Dir: c.dir, Type: c.typ}).Check(t, c.changes)
		})
	}
}

func TestPlan(t *testing.T) {
	for _, c := range []struct{ dir, typ, want string }{
		{"kinds", "Wrong", `skipped: field Done chan bool has no wire type | odd.go:64 |  | use struct tag zmy:"-" to leave it out`},
		{"kinds", "Lists", ""},
	} {
		if got := labtest.WhyText(Info.Plan(labtest.Target(t, &labtest.Subject{Dir: c.dir, Type: c.typ}))); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.typ, got, c.want)
		}
	}
}

// TestAccessors reads through views where they lead to the leaf, and only there.
func TestAccessors(t *testing.T) {
	for leaf, want := range map[string]bool{"": false, "S.String": true, "L.Strings[0]": true, "L.Structs[0].Name": true, "P.Leaf.Name": true, "P.String": true, "L.Nested[0][0]": false} {
		target := labtest.Target(t, &labtest.Subject{Dir: "kinds", Type: "All"})
		target.Leaf = leaf
		s, err := Info.Generate(t.Context(), target, nil)
		if err != nil {
			t.Fatal(err)
		}
		code := string(s.Package["zz_zmy_bind.go"])
		if got := strings.Contains(code, "Accessors:"); got != want || got != strings.Contains(code, "zzworker") {
			t.Errorf("leaf %q: accessors = %v\n%s", leaf, got, code)
		}
	}
}

// TestInstance: the functions that are named for an instance are those that are generated.
func TestInstance(t *testing.T) {
	target := labtest.Target(t, &labtest.Subject{Dir: "kinds", Type: "Page[record]"})
	pkg, plan, err := native(target)
	if err != nil {
		t.Fatal(err)
	}
	code, err := gobin.Emit(pkg, plan, gobin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := Info.AdoptFor(target)
	for _, call := range []string{a.Marshal, a.Unmarshal, a.MarshalLarge, a.UnmarshalLarge} {
		if name, _, _ := strings.Cut(call, "("); !strings.Contains(string(code), "func "+name+"(") {
			t.Errorf("%s is not generated", call)
		}
	}
	if a := Info.AdoptFor(labtest.Target(t, &labtest.Subject{Dir: "kinds", Type: "Dynamic"})); a != Info.Adopt {
		t.Errorf("a plain type: %+v", a)
	}
}
