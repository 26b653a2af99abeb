package floor

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip: what the floors make are the values themselves, or a floor
// would leave work out.
func TestRoundTrip(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	for _, c := range []struct {
		info     contender.Info
		dir, typ string
	}{
		{SlabInfo, "kinds", "Lists"},
		{SlabInfo, "kinds", "Scalars"},
		{SlabInfo, "kinds", "Pointers"},
		{SlabInfo, "kinds", "Embedded"},
		{SlabInfo, "kinds", "Opaque"},
		{SlabInfo, "kinds", "Page[record]"},
		{SlabInfo, "kinds/app", "event"},
		{SlabInfo, "examples/order-lite", "Order"},
		{MemcpyInfo, "examples/order-lite", "Order"},
		{MemcpyInfo, "examples/result", "Result"},
	} {
		t.Run(c.info.Name+"/"+c.typ, func(t *testing.T) {
			t.Parallel()
			r := labtest.Run(t, c.info, &labtest.Subject{Dir: c.dir, Type: c.typ})
			r.Check(t, nil)
			if r.Bytes == 0 {
				t.Error("the messages are empty")
			}
		})
	}
}

func TestPlan(t *testing.T) {
	for _, c := range []struct{ typ, want string }{
		{"Wrong", `skipped: Wrong.Done has type chan bool | odd.go:64 | it has no content | leave it out with struct tag json:"-"`},
		{"Dynamic", `skipped: Dynamic.Any has type any | kinds.go:181 | what an interface holds is not known beforehand | leave it out with struct tag json:"-"`},
		{"Known", `skipped: Known.Int has type *big.Int | kinds.go:148 | how its number is stored is its own affair | leave it out with struct tag json:"-"`},
		{"Lists", ""},
	} {
		if got := labtest.WhyText(MemcpyInfo.Plan(labtest.Target(t, &labtest.Subject{Dir: "kinds", Type: c.typ}))); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.typ, got, c.want)
		}
	}
}
