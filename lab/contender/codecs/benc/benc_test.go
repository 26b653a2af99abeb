package benc

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes every kind of type through the codec. Whatever changes is
// named here.
func TestRoundTrip(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	for _, c := range []struct{ dir, typ string }{
		{"kinds", "Scalars"},
		{"kinds", "Lists"},
		{"kinds", "Pointers"},
		{"kinds/app", "event"},
	} {
		t.Run(c.typ, func(t *testing.T) {
			t.Parallel()
			labtest.Run(t, Info, &labtest.Subject{Dir: c.dir, Type: c.typ}).Check(t, []string{"normalised "})
		})
	}
}

func TestPlan(t *testing.T) {
	for _, c := range []struct{ typ, want string }{
		{"Wrong", `skipped: Wrong.Done has type chan bool | odd.go:64 | benc has no form for it | leave it out with struct tag json:"-"`},
		{"Dynamic", `skipped: Dynamic.Any has type any | kinds.go:181 | benc has no dynamic values | leave it out with struct tag json:"-"`},
		{"Opaque", `skipped: Opaque.Addr has type netip.Addr | kinds.go:168 | it writes itself, which benc does not know | leave it out with struct tag json:"-"`},
		{"Lists", ""},
	} {
		if got := labtest.WhyText(Info.Plan(labtest.Target(t, &labtest.Subject{Dir: "kinds", Type: c.typ}))); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.typ, got, c.want)
		}
	}
}
