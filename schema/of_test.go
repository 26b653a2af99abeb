package schema_test

import (
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/internal/zmycase"
	"github.com/zmylab/zmy/schema"
)

type thin struct {
	_    struct{} `zmy:"sparse"`
	A    int16    `zmy:"0"`
	B    string   `zmy:"1"`
	C    bool     `zmy:"2"`
	Kids []thin   `zmy:"3"`
}

type forms struct {
	_    struct{}       `zmy:"reserved 4 string"`
	Zone time.Time      `zmy:"0,zone"`
	Nano time.Time      `zmy:"1,unixnano"`
	At   zmycase.Point2 `zmy:"2,inline"`
	_    struct{}       `zmy:"reserved 3 uint16"`
}

type reserving struct {
	_ struct{} `zmy:"reserved 0 time.Time"`
	_ struct{} `zmy:"reserved 1 [3]int"`
	_ struct{} `zmy:"reserved 2 [100]float64"`
	_ struct{} `zmy:"reserved 3 []byte"`
	_ struct{} `zmy:"reserved 4 map[string]T"`
	_ struct{} `zmy:"reserved 5 [2][3]byte"`
	_ struct{} `zmy:"reserved 6 time.Time,zone"`
	_ struct{} `zmy:"reserved 7 json.Number"`
	Z bool     `zmy:"8"`
}

type methods struct {
	One  netip.Addr            `zmy:"0"`
	List []*netip.Addr         `zmy:"1"`
	By   map[string]netip.Addr `zmy:"2"`
}

type derivedT struct {
	B    string
	Key  string `json:"-"`
	None int    `zmy:"-"`
	A    int    `json:"a"`
	x    int
}

// What the generator takes from comments, reflection takes from blank fields.
func TestOfDirectives(t *testing.T) {
	_ = derivedT{}.x
	for _, c := range []struct {
		s    *schema.Schema
		want string
	}{
		{of[thin](t), "sparse{int16,string,bool,[]#0}"},
		{of[forms](t), "{time:zone,time:unixnano,inline{int32,int32},uint16,string}"},
		{of[reserving](t), "{time,[3]int64,[100]float64,bytes,map[string]T,[2][3]uint8,time,string,bool}"},
		{of[methods](t), "{binary,[]?binary,map[string]binary}"},
		{of[derivedT](t), "{string,int64}"},
	} {
		if got := c.s.Text(); got != c.want {
			t.Errorf("\n got %s\nwant %s", got, c.want)
		}
	}
	if f := of[forms](t).Types[0].Fields[3]; !f.Reserved || f.Name != "" {
		t.Errorf("%+v", f)
	}
	l, err := of[reserving](t).Layout()
	if err != nil || l.Places[0][8] != (schema.Place{Offset: 12 + 24 + 6 + 16}) || l.Places[0][7] != (schema.Place{Tail: true, Offset: 3}) {
		t.Errorf("%v, %+v", err, l.Places)
	}
	for _, c := range []struct {
		of   func() (*schema.Schema, error)
		want string
	}{
		{schema.For[struct {
			_ struct{} `zmy:"spares"`
			A int      `zmy:"0"`
		}], "field _: unknown directive //zmy:spares"},
		{schema.For[struct {
			_ struct{} `zmy:"reserved 1 in64"`
			A int      `zmy:"0"`
		}], `directive //zmy:reserved has no type "in64"`},
		{schema.For[struct {
			_ struct{} `zmy:"reserved one string"`
			A int      `zmy:"0"`
		}], "bad directive //zmy:reserved one string"},
		{schema.For[struct {
			_ struct{} `zmy:"reserved 1 [2]x"`
			A int      `zmy:"0"`
		}], `directive //zmy:reserved has no type "[2]x"`},
		{schema.For[struct {
			_ struct{} `zmy:"reserved 0 string"`
			A int      `zmy:"0"`
		}], "field A: number 0 is also that of a reserved one"},
	} {
		if _, err := c.of(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

type hiding struct {
	ID string
	At int64 `json:"-"`
}

type carrying hiding

func (carrying) MarshalJSON() ([]byte, error)  { return nil, nil }
func (*carrying) UnmarshalJSON(_ []byte) error { return nil }

// TestHiddenFields: as TestHiddenFields of gen/describe has it.
func TestHiddenFields(t *testing.T) {
	for typ, want := range map[reflect.Type]int{reflect.TypeFor[hiding](): 1, reflect.TypeFor[carrying](): 2} {
		if s, err := schema.Of(typ); err != nil || len(s.Types[0].Fields) != want {
			t.Errorf("%v: %+v, %v; want %d fields", typ, s, err, want)
		}
	}
}
