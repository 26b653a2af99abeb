package values

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
)

type condition string

type grade int8

// lamp is written by its name, and has none for numbers that are not declared.
type lamp uint8

var lamps = []string{"off", "on"}

func (l lamp) MarshalText() ([]byte, error) {
	if int(l) >= len(lamps) {
		return nil, fmt.Errorf("lamp %d", l)
	}
	return []byte(lamps[l]), nil
}

func (l *lamp) UnmarshalText(b []byte) error {
	i := slices.Index(lamps, string(b))
	if i < 0 {
		return fmt.Errorf("lamp %s", b)
	}
	*l = lamp(i)
	return nil
}

type machine struct {
	State   condition
	States  []condition
	Of      map[condition]int
	Ranks   map[grade]string
	Grade   *grade
	Lamp    lamp
	Comment string
}

// TestConstants: nine of ten values of a type with declared constants are among these, wherever the
// type occurs; others are drawn as before, and what the type's methods refuse is no value.
func TestConstants(t *testing.T) {
	of := func(typ reflect.Type) string { return typ.PkgPath() + "." + typ.Name() }
	o := Options{Seed: 7, N: 400, Constants: map[string][]string{
		of(reflect.TypeFor[condition]()): {"idle", "broken"},
		of(reflect.TypeFor[grade]()):     {"-1", "100"},
		of(reflect.TypeFor[lamp]()):      {"0", "1", "2", "3"}, // the last two have no name
	}}
	vals, err := Values[machine](o)
	if err != nil {
		t.Fatal(err)
	}
	in, all := map[string]int{}, map[string]int{}
	count := func(name string, declared bool) {
		if all[name]++; declared {
			in[name]++
		}
	}
	one := func(c condition) bool { return c == "idle" || c == "broken" }
	for _, v := range vals {
		count("State", one(v.State))
		for _, s := range v.States {
			count("States[]", one(s))
		}
		for k := range v.Of {
			count("Of[key]", one(k))
		}
		for k := range v.Ranks {
			count("Ranks[key]", k == -1 || k == 100)
		}
		if v.Grade != nil {
			count("Grade", *v.Grade == -1 || *v.Grade == 100)
		}
		if v.Lamp > 1 {
			t.Errorf("a lamp that cannot be written: %d", v.Lamp)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		// each key of a map is counted once, however often it was drawn
		if share := float64(in[name]) / float64(all[name]); share < 0.7 || share == 1 {
			t.Errorf("%s: %.2f of %d are declared constants", name, share, all[name])
		}
	}
	if len(all) != 5 {
		t.Errorf("places: %v", all)
	}
	again, err := Values[machine](o)
	if err != nil || !reflect.DeepEqual(vals, again) {
		t.Errorf("a second call makes other values: %v", err)
	}
}
