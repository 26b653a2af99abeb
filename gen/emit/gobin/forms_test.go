package gobin_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/gen/emit/gobin/testdata/carriers"
	"github.com/zmylab/zmy/gen/emit/gobin/testdata/kinds"
)

func TestZones(t *testing.T) {
	east := time.FixedZone("east", 5*3600+1800)
	in := kinds.Every{Forms: kinds.Forms{Zone: time.Date(2024, 2, 29, 23, 59, 59, 1, east), Nano: time.Unix(0, 0).UTC()}}
	in.Forms.Box.Day = in.Forms.Zone.Add(time.Hour)
	var out kinds.Every
	mustUnmarshal(t, mustMarshal(t, &in), &out)
	for _, c := range [][2]time.Time{{in.Forms.Zone, out.Forms.Zone}, {in.Forms.Box.Day, out.Forms.Box.Day}} {
		if _, off := c[1].Zone(); !c[0].Equal(c[1]) || off != 19800 {
			t.Errorf("%v came back as %v", c[0], c[1])
		}
	}
	if !out.Forms.Nano.Equal(in.Forms.Nano) || out.Forms.Nano.IsZero() {
		t.Errorf("1970 came back as %v", out.Forms.Nano)
	}
	if !out.Forms.Nanos[0].IsZero() {
		t.Errorf("the zero time came back as %v", out.Forms.Nanos[0])
	}
	for _, bad := range []kinds.Forms{
		{Zone: time.Date(2024, 1, 1, 0, 0, 0, 0, time.FixedZone("", 19*3600))},
		{Nano: time.Date(1600, 1, 1, 0, 0, 0, 0, time.UTC)},
		{Nano: time.Date(2263, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		if _, err := zmy.Marshal(&kinds.Every{Forms: bad}); !errors.Is(err, zmy.ErrDomain) {
			t.Errorf("%v", err)
		}
	}
}

// What methods of the user's return can be found in the error.
func TestMethodErrors(t *testing.T) {
	b := mustMarshal(t, &kinds.Every{Forms: kinds.Forms{Checked: kinds.Checked{Even: 3}}})
	err := zmy.Unmarshal(b, new(kinds.Every))
	var de *zmy.DecodeError
	if !errors.Is(err, kinds.ErrOdd) || !errors.Is(err, zmy.ErrMethod) || !errors.As(err, &de) || de.Path != "Forms.Checked" {
		t.Errorf("%v", err)
	}
	const want = "zmy: unmarshal Every.Forms.Checked: odd at offset "
	if err == nil || !bytes.HasPrefix([]byte(err.Error()), []byte(want)) {
		t.Errorf("%v", err)
	}
	v := kinds.Every{Forms: kinds.Forms{Txt: &kinds.Label{Text: "\xff"}}}
	if _, err := zmy.Marshal(&v); !errors.Is(err, zmy.ErrUTF8) {
		t.Errorf("text that is none: %v", err)
	}
	b = mustMarshal(t, &kinds.Every{Forms: kinds.Forms{Txt: &kinds.Label{Text: "a#"}}})
	if err := zmy.Unmarshal(b, new(kinds.Every)); !errors.Is(err, zmy.ErrMethod) {
		t.Errorf("refused text: %v", err)
	}
}

// Fields that Go no longer has keep their places: what they hold is carried, or
// dropped, or refused where nothing may be lost.
func TestReserved(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for range 2000 {
		var full, again carriers.Full
		fill(r, reflect.ValueOf(&full).Elem(), 4)
		b := mustMarshal(t, &full)
		var kept carriers.Kept
		mustUnmarshal(t, b, &kept)
		if got := mustMarshal(t, &kept); kept.B != full.B || kept.E != full.E || !bytes.Equal(got, b) {
			t.Fatalf("carried:\n%x\n%x", b, got)
		}
		var dropped carriers.Dropped
		mustUnmarshal(t, b, &dropped)
		mustUnmarshal(t, mustMarshal(t, &dropped), &again)
		if want := (carriers.Full{B: full.B, E: full.E}); !reflect.DeepEqual(again, want) {
			t.Fatalf("dropped: %+v, want %+v", again, want)
		}
		lossless := reflect.DeepEqual(full, carriers.Full{B: full.B, E: full.E})
		if err := (zmy.UnmarshalOptions{Exact: true}).Unmarshal(b, &dropped); (err == nil) != lossless {
			t.Fatalf("exact: %v of %+v", err, full)
		}
		for range 20 {
			c := damaged(r, b)
			_, verr := carriers.ViewKept(c)
			sameVerdict(t, c, zmy.Unmarshal(c, new(carriers.Kept)), verr)
			_, verr = carriers.ViewDropped(c)
			sameVerdict(t, c, zmy.Unmarshal(c, new(carriers.Dropped)), verr)
		}
	}
}
