package protobuf

import (
	"testing"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/internal/labtest"
)

// TestRoundTrip takes every kind of type through the codecs, each row on some:
// all share their conversions. Whatever changes is named here.
func TestRoundTrip(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	for _, c := range []struct {
		info     contender.Info
		dir, typ string
		changes  []string
	}{
		{google.info(false), "kinds", "All", []string{"normalised S.Bytes empty → nil"}},
		{vt.info(true), "kinds", "All", []string{"normalised S.Bytes empty → nil"}},
		{vt.info(false), "kinds", "Dynamic", nil},
		{gogo.info(false), "kinds", "Dynamic", nil},
		{google.info(false), "kinds", "Opaque", nil},
		{google.info(true), "kinds", "Odd", nil},
		{vt.info(false), "kinds", "Page[record]", nil},
		{vt.info(true), "kinds/app", "event", nil},
		{vt.info(false), "kinds", "Names", nil}, // no struct
		{lite.info(false), "kinds", "All", []string{"normalised S.Bytes empty → nil"}},
		{lite.info(true), "kinds", "Dynamic", nil},
	} {
		t.Run(c.typ+"/"+c.info.Name, func(t *testing.T) {
			t.Parallel()
			labtest.Run(t, c.info, &labtest.Subject{Dir: c.dir, Type: c.typ}).Check(t, c.changes)
		})
	}
}

func TestPlanGogo(t *testing.T) {
	for typ, want := range map[string]string{
		"Pointers": "skipped: Pointers.Int is a pointer to a scalar | kinds.go:109 | gogo/protobuf knows nothing of proto3's optional | hold the scalar itself, or leave this contender out",
		"Odd":      "skipped: a list or map holds pointers to scalars |  | gogo/protobuf knows nothing of proto3's optional | hold the scalar itself, or leave this contender out",
		"Dynamic":  "",
	} {
		if got := labtest.WhyText(gogo.plan(labtest.Target(t, &labtest.Subject{Dir: "kinds", Type: typ}))); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestPlan(t *testing.T) {
	target := labtest.Target(t, &labtest.Subject{Dir: "kinds", Type: "Wrong"})
	got := labtest.WhyText(google.plan(target))
	want := `skipped: Wrong.Done has type chan bool, which has no form in proto3 | odd.go:64 |  | leave it out with struct tag json:"-"`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
