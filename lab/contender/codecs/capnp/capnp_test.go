package capnp

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// needs skips what capnp is missing for.
func needs(t *testing.T) {
	if _, err := exec.LookPath(Compiler); err != nil {
		t.Skip("capnp is not installed: apt-get install capnproto")
	}
}

// TestRoundTrip takes every kind of type through the codec. Whatever changes is
// named here.
func TestRoundTrip(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	needs(t)
	for _, c := range []struct {
		dir, typ string
		changes  []string
	}{
		{"kinds", "Scalars", []string{"normalised Bytes empty → nil"}},
		{"kinds", "Lists", nil},
		{"kinds", "Pointers", nil},
		{"kinds", "Page[record]", nil},
		{"kinds/app", "event", nil},
	} {
		t.Run(c.typ, func(t *testing.T) {
			t.Parallel()
			labtest.Run(t, Info, &labtest.Subject{Dir: c.dir, Type: c.typ}).Check(t, c.changes)
		})
		if !slices.Contains([]string{"Scalars", "Lists"}, c.typ) {
			continue // the conversions are shared
		}
		t.Run(c.typ+"/native", func(t *testing.T) {
			t.Parallel()
			labtest.Run(t, NativeInfo, &labtest.Subject{Dir: c.dir, Type: c.typ}).Check(t, c.changes)
		})
	}
}

// TestLeaf: op access reads where tables lead to the leaf, and only there.
func TestLeaf(t *testing.T) {
	needs(t)
	for leaf, want := range map[string]bool{"": false, "Strings[0]": true, "Structs[0].Name": true, "Refs[0].Name": true, "Nested[0][0]": false, "Dict": false} {
		target := labtest.Target(t, &labtest.Subject{Dir: "kinds", Type: "Lists"})
		target.Leaf = leaf
		s, err := Info.Generate(t.Context(), target, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(s.Package["zz_capnp.go"]), "Leaf:"); got != want {
			t.Errorf("leaf %q: %v", leaf, got)
		}
	}
}

func TestPlan(t *testing.T) {
	needs(t)
	for _, c := range []struct{ typ, want string }{
		{"Wrong", `skipped: Wrong.Done has type chan bool | odd.go:64 | Cap'n Proto has no form for it | leave it out with struct tag json:"-"`},
		{"Dynamic", `skipped: Dynamic.Any has type any | kinds.go:181 | a schema has no dynamic values | leave it out with struct tag json:"-"`},
		{"Opaque", `skipped: Opaque.Addr has type netip.Addr | kinds.go:168 | it writes itself, which a schema does not know | leave it out with struct tag json:"-"`},
		{"Odd", `skipped: Odd.PP has type **int | odd.go:15 | Cap'n Proto has no form for pointers to pointers | leave it out with struct tag json:"-"`},
		{"Lists", ""},
	} {
		if got := labtest.WhyText(Info.Plan(labtest.Target(t, &labtest.Subject{Dir: "kinds", Type: c.typ}))); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.typ, got, c.want)
		}
	}
}

// TestWithout: without capnp the plan says how to get it.
func TestWithout(t *testing.T) {
	target := labtest.Target(t, &labtest.Subject{Dir: "kinds", Type: "Lists"})
	t.Setenv("PATH", "")
	why := Info.Plan(target)
	if why == nil || !slices.Contains(strings.Fields(why.Next), "capnproto,") {
		t.Errorf("why = %+v", why)
	}
}
