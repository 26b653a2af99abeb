package zmy_test

import (
	"errors"
	"testing"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/examples/order"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
	"github.com/zmylab/zmy/examples/session"
)

// TestStaleNone reads and writes every example: none is stale.
func TestStaleNone(t *testing.T) {
	for _, v := range []zmy.Marshaler{&order.Order{}, &orderlite.Order{}, &session.UserSession{}} {
		if _, err := v.AppendZMY(nil); err != nil {
			t.Error(err)
		}
	}
	if stale := zmy.Stale(); len(stale) > 0 {
		t.Errorf("stale: %v", stale)
	}
}

// BenchmarkCode measures what generated code takes at its first use to see that it is for the
// types of the program, here of three structs and eleven other types.
func BenchmarkCode(b *testing.B) {
	for b.Loop() {
		c := zmy.Code{Of: (*order.Order)(nil), Print: 1}
		if c.Fits() {
			b.Fatal("it fits")
		}
	}
}

type empty struct{}

// TestStaleError holds what stale code says.
func TestStaleError(t *testing.T) {
	for _, c := range []struct {
		standIn bool
		want    string
	}{
		{false, "zmy: marshal empty: generated code is for an older version of the type: run go generate"},
		{true, "zmy: marshal empty: generated code is for an older version of the type: run go generate; until then call " +
			"zmy.Marshal, which goes by reflection"},
	} {
		code := zmy.Code{Of: (*empty)(nil), StandIn: c.standIn}
		if err := code.Stale("marshal"); err.Error() != c.want || !errors.Is(err, zmy.ErrStale) {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}
