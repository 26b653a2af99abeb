package values

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/fidelity"
)

type spot struct {
	Row   int64
	Sheet string
	Part  float64
}

// tenant is a key that is written as text, in which a slash ends the name.
type tenant struct {
	Name  string
	Scale int32 // an exponent, say
}

func (k tenant) MarshalText() ([]byte, error) {
	if k.Scale > 1000 {
		panic("gigabytes")
	}
	return fmt.Appendf(nil, "%s/%d", k.Name, k.Scale), nil
}

func (k *tenant) UnmarshalText(b []byte) error {
	name, scale, _ := strings.Cut(string(b), "/")
	k.Name = name
	_, err := fmt.Sscan(scale, &k.Scale)
	return err
}

type sheet struct {
	Cells map[spot]int64
	ByID  map[[4]byte]struct{ N int64 }
	Of    map[tenant]string
	Pairs map[[2]string][]spot
}

// TestExtremesInKeys: extremes reach the parts of keys, but for those that are no key (NaN), that
// the text of the key does not keep, or that make it as long as they are large.
func TestExtremesInKeys(t *testing.T) {
	tried := map[string]bool{}
	collect(t, func(c *Case[sheet]) {
		for _, p := range c.Paths {
			field, part, _ := strings.Cut(p, "[")
			tried[c.Name+" "+field+" "+part[strings.LastIndexByte(part, ']')+1:]] = true
			if strings.HasPrefix(p, "Of[") && strings.HasSuffix(p, ".Scale") {
				t.Errorf("%s is put into %s, whose text is as long as its number is large", c.Name, p)
			}
		}
		for k := range c.Value.Cells {
			if c.Name == "int64 minimum" && k.Row == math.MinInt64 {
				tried["the key has it"] = true
			}
		}
	})
	for _, want := range []string{"int64 minimum Cells .Row", "string empty Cells .Sheet", "float64 -0 Cells .Part", "uint8 maximum ByID ",
		"string empty Of .Name", "string of 64 KiB Pairs ", "the key has it"} {
		if !tried[want] {
			t.Errorf("not tried: %s, of %v", want, tried)
		}
	}
	for _, not := range []string{"float64 NaN Cells .Part"} {
		if tried[not] {
			t.Errorf("tried: %s", not)
		}
	}
	v, _ := Dense[sheet]()
	was, _ := Dense[sheet]()
	Around(&v, func(c *Case[sheet]) bool { return strings.HasPrefix(c.Name, "string") })
	if d := fidelity.Compare(was, v, fidelity.Options{}); d != nil {
		t.Errorf("after all cases: %v", d)
	}
}

type shape interface{ Area() float64 }

type circle struct{ Radius float64 }

func (c circle) Area() float64 { return c.Radius }

type square struct {
	Side  float64
	Label string
	Next  shape
}

func (s *square) Area() float64 { return s.Side }

// TestExtremesBehindInterfaces: extremes reach structs, and what pointers lead to, in interfaces;
// a value that contains itself has them once, and every place is put back.
func TestExtremesBehindInterfaces(t *testing.T) {
	type drawing struct {
		Name   string
		Shapes []shape
		Any    any
		By     map[string]any
	}
	make := func() drawing {
		s := &square{2, "s", nil}
		s.Next = s
		return drawing{"d", []shape{circle{1}, s, s}, struct{ N int64 }{5}, map[string]any{"text": "x", "spot": spot{1, "a", 2}}}
	}
	v := make()
	tried := map[string]bool{}
	Behind(&v, func(c *Case[drawing]) bool {
		for _, p := range c.Paths {
			tried[c.Name+" "+p] = true
		}
		if c.Name == "float64 largest" && len(c.Paths) > 1 && v.Shapes[1].Area() != math.MaxFloat64 {
			t.Errorf("%s at %s: %+v", c.Name, c.Paths, v.Shapes[1])
		}
		return true
	})
	for _, want := range []string{"float64 NaN Shapes[0].Radius", "float64 NaN Shapes[1].Side", "string empty Shapes[1].Label",
		"int64 minimum Any.N", `string empty By["spot"].Sheet`} {
		if !tried[want] {
			t.Errorf("not tried: %s, of %v", want, tried)
		}
	}
	for _, not := range []string{"string empty Name", "any int Any", `string empty By["text"]`, "string empty Shapes[1].Next.Label",
		"string empty Shapes[2].Label"} {
		if tried[not] {
			t.Errorf("tried: %s", not)
		}
	}
	if d := fidelity.Compare(make(), v, fidelity.Options{}); d != nil {
		t.Errorf("after all cases: %v", d)
	}
	if n := PlacesBehind(&drawing{Name: "d", Any: 5}); n != 0 {
		t.Errorf("%d places behind interfaces that hold nothing, or plain values", n)
	}
}
