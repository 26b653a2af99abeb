package protobuf

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

var infos = []contender.Info{Info, NativeInfo, VTInfo, VTNativeInfo}

// TestRoundTrip takes every kind of type through both codecs. Whatever is lossy
// or normalised must be named here.
func TestRoundTrip(t *testing.T) {
	for _, c := range []struct {
		dir, typ string
		changes  []string // expected, as prefixes
	}{
		{"examples/result", "Result", nil},
		{"examples/sse", "SSEEvent", nil},
		{"examples/order", "Order", nil},
		{"kinds", "Scalars", []string{"normalised Bytes empty → nil"}},
		{"kinds", "Lists", nil},
		{"kinds", "Pointers", nil},
		{"kinds", "Known", nil},
		{"kinds", "Dynamic", nil},
		{"kinds", "Opaque", nil},
		{"kinds", "Embedded", nil},
		{"kinds", "Odd", nil},
		{"kinds", "Page[Leaf]", nil},
		{"kinds", "record", nil},
	} {
		rows := infos
		if c.dir == "kinds" {
			rows = []contender.Info{Info, VTNativeInfo}
		}
		for _, info := range rows {
			t.Run(c.typ+"/"+info.Name, func(t *testing.T) {
				t.Parallel()
				r := labtest.Run(t, info, &labtest.Subject{Dir: c.dir, Type: c.typ})
				r.Check(t, c.changes)
			})
		}
	}
}

func TestPlan(t *testing.T) {
	target := labtest.Target(t, &labtest.Subject{Dir: "kinds", Type: "Wrong"})
	got := labtest.WhyText(Info.Plan(target))
	want := `skipped: Wrong.Done has type chan, which has no form in proto3 | odd.go:59 |  | leave it out with struct tag json:"-"`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
