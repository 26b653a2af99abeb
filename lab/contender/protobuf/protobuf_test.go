package protobuf

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes every kind of type through both codecs, each row on some:
// all four share their conversions. Whatever changes is named here.
func TestRoundTrip(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	for _, c := range []struct {
		info     contender.Info
		dir, typ string
		changes  []string
	}{
		{Info, "kinds", "All", []string{"normalised S.Bytes empty → nil"}},
		{VTNativeInfo, "kinds", "All", []string{"normalised S.Bytes empty → nil"}},
		{VTInfo, "kinds", "Dynamic", nil},
		{Info, "kinds", "Opaque", nil},
		{NativeInfo, "kinds", "Odd", nil},
		{VTInfo, "kinds", "Page[record]", nil},
		{VTNativeInfo, "kinds/app", "event", nil},
	} {
		t.Run(c.typ+"/"+c.info.Name, func(t *testing.T) {
			t.Parallel()
			labtest.Run(t, c.info, &labtest.Subject{Dir: c.dir, Type: c.typ}).Check(t, c.changes)
		})
	}
}

func TestPlan(t *testing.T) {
	target := labtest.Target(t, &labtest.Subject{Dir: "kinds", Type: "Wrong"})
	got := labtest.WhyText(Info.Plan(target))
	want := `skipped: Wrong.Done has type chan, which has no form in proto3 | odd.go:61 |  | leave it out with struct tag json:"-"`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
