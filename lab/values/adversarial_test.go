package values

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/fidelity"
)

// Each case differs from the plain value at its path and nowhere else.
func TestAdversarialChangesOneThing(t *testing.T) {
	cases, err := Adversarial[session]()
	if err != nil {
		t.Fatal(err)
	}
	plain := cases[0].Value
	names := map[string]session{}
	for _, c := range cases {
		if _, twice := names[c.Name]; twice {
			t.Errorf("%s occurs twice", c.Name)
		}
		names[c.Name] = c.Value
		if c.Path == "." {
			continue
		}
		for _, d := range fidelity.Compare(plain, c.Value, fidelity.Options{}) {
			if !strings.HasPrefix(d.Path, c.Path) {
				t.Errorf("%s: %s changed %s", c.Name, c.Path, d)
			}
		}
	}
	if len(cases) < 60 {
		t.Errorf("only %d cases", len(cases))
	}
	for name, ok := range map[string]func(s session) bool{
		"zero":                 func(s session) bool { return reflect.DeepEqual(s, session{}) },
		"all nil":              func(s session) bool { return s.Attrs == nil && s.Children == nil && s.Any == nil && s.UserID != "" },
		"uint64 maximum":       func(s session) bool { return s.ID == math.MaxUint64 },
		"int8 minimum":         func(s session) bool { return anyInt8(s) },
		"float64 NaN":          func(s session) bool { return s.Price != s.Price },
		"float64 -0":           func(s session) bool { return s.Price == 0 && math.Signbit(s.Price) },
		"string invalid UTF-8": func(s session) bool { return strings.Contains(s.UserID, "\xff") },
		"time nanoseconds":     func(s session) bool { return s.CreatedAt.Nanosecond() == 123456789 },
		"time zone":            func(s session) bool { return s.CreatedAt.Location() != time.UTC },
		"pointer nil":          func(s session) bool { return s.Birthday == nil },
		"slice empty, not nil": func(s session) bool { return s.Roles != nil && len(s.Roles) == 0 },
		"any uint64 maximum": func(s session) bool {
			return s.Any == uint64(math.MaxUint64) || hasValue(s.Attrs, uint64(math.MaxUint64))
		},
		"bytes of every value":     func(s session) bool { return len(s.Payload) == 256 },
		"big.Float nil":            func(s session) bool { return s.Balance == nil },
		"raw JSON null":            func(s session) bool { return string(s.Raw) == "null" },
		"map with an empty key":    func(s session) bool { _, ok := s.Attrs[""]; return ok && len(s.Attrs) == 1 },
		"slice with a nil element": func(s session) bool { return len(s.Children) == 1 && s.Children[0] == nil },
	} {
		if s, found := names[name]; !found || !ok(s) {
			t.Errorf("case %q: found %v: %+v", name, found, s)
		}
	}
	again, _ := Adversarial[session]()
	for i := range again {
		if d := fidelity.Compare(cases[i].Value, again[i].Value, fidelity.Options{}); d != nil {
			t.Errorf("%s differs between two calls: %v", again[i].Name, d)
		}
	}
	if _, err := Adversarial[opaque](); err == nil {
		t.Error("no error for a type that cannot be filled")
	}
}

func anyInt8(s session) bool {
	for _, m := range s.Nested {
		for _, v := range m {
			if v == math.MinInt8 {
				return true
			}
		}
	}
	return s.Tiny == math.MinInt8
}

func hasValue(m map[string]any, want any) bool {
	for _, v := range m {
		if reflect.DeepEqual(v, want) {
			return true
		}
	}
	return false
}
