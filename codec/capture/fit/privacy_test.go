package fit

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// alike returns a text of other letters and digits, each of its kind, so that only its content differs.
func alike(r *rand.Rand, s string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z':
			return 'a' + rune(r.IntN(26))
		case c >= 'A' && c <= 'Z':
			return 'A' + rune(r.IntN(26))
		}
		return c
	}, s)
}

// TestContentIsNotTold: a file of one text is the file of any other text of the same shape. So nobody who
// has the file can tell a right guess from a wrong one.
func TestContentIsNotTold(t *testing.T) {
	type doc struct {
		Name string            `json:"name"`
		Note string            `json:"note"`
		Map  map[string]string `json:"map"`
		Any  any               `json:"any"`
		Bits int64             `json:"bits"`
	}
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		files := make([]string, 2)
		for i := range files {
			name, key := alike(r, "Alice Example"), alike(r, "somekey")
			v := doc{Name: name, Note: alike(r, "a \"quoted\" word\nand <more> é"), Map: map[string]string{key: name},
				Any: map[string]any{key: name}, Bits: 1<<40 | r.Int64N(1<<40)}
			l := NewLearner(Limits{})
			l.Value(v)
			l.JSON("POST /a", fmt.Appendf(nil, `{%q:[%q,%q]}`, key, name, key), nil)
			files[i] = text(t, l.Fit)
		}
		if files[0] != files[1] {
			t.Fatalf("seed %d: two files of values of one shape differ:\n%s\n%s", seed, files[0], files[1])
		}
	}
}

// Many values are counted as before, also over several files.
func TestFewAndMany(t *testing.T) {
	learn := func(from, to int) *Fit {
		l := NewLearner(Limits{})
		for i := from; i < to; i++ {
			l.Value(fmt.Sprintf("value %06d", i))
		}
		f, err := Parse([]byte(text(t, l.Fit)))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for _, c := range []struct {
		fits        []*Fit
		least, most float64
	}{
		{[]*Fit{learn(0, 1)}, 1, 1}, {[]*Fit{learn(0, 20)}, 18, 22}, {[]*Fit{learn(0, 20), learn(10, 30)}, 18, 22},
		{[]*Fit{learn(0, 2000), learn(1000, 3000)}, 2500, 3500}, {[]*Fit{learn(0, 2000), learn(0, 20), learn(0, 50)}, 1700, 2300},
	} {
		if n := Merge(c.fits...).Subjects[0].Root.Distinct.Count(); n < c.least || n > c.most {
			t.Errorf("%.0f distinct values, not %.0f to %.0f", n, c.least, c.most)
		}
	}
	for _, bad := range []string{"about x", "about -1", "about 64", "about "} {
		if err := new(Sketch).UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

// A path that is public of one subject is not public of another.
func TestPublicOfOneSubject(t *testing.T) {
	l := NewLearner(Limits{Names: []string{"name"}, Public: map[string][]string{"products": {"name"}, "*": {"kind"}}})
	l.JSON("products", []byte(`{"name":"public chair"}`), nil)
	l.JSON("users", []byte(`{"name":"secret person"}`), nil)
	if file := text(t, l.Fit); !strings.Contains(file, "public chair") || strings.Contains(file, "secret person") {
		t.Errorf("%s", file)
	}
}

// Names and tags of a type that is made at run time are content. Those of types in the program are not.
func TestTypesMadeOfData(t *testing.T) {
	const secret = "alice-4711-by-tag"
	made := reflect.StructOf([]reflect.StructField{
		{Name: "Secretfieldname", Type: reflect.TypeFor[string](), Tag: `json:"` + secret + `" db:"` + secret + `"`},
		{Name: "Public", Type: reflect.TypeFor[int](), Tag: `json:"text"`},
	})
	type declared struct {
		Any   any                      `json:"any"`
		Parts []struct{ Known string } `json:"parts"`
	}
	v := reflect.New(made).Elem()
	v.Field(0).SetString("x")
	list := reflect.Append(reflect.MakeSlice(reflect.SliceOf(made), 0, 1), v)
	table := reflect.MakeMap(reflect.MapOf(reflect.TypeFor[string](), made))
	table.SetMapIndex(reflect.ValueOf("k"), v)
	l := NewLearner(Limits{Names: []string{"text"}})
	for _, x := range []any{v.Interface(), v.Addr().Interface(), list.Interface(), table.Interface(),
		declared{Any: v.Interface(), Parts: []struct{ Known string }{{"x"}}}, []any{v.Interface()}} {
		l.Value(x)
	}
	file := text(t, l.Fit)
	if leaks(file, secret)+leaks(file, "Secretfieldname") != "" {
		t.Errorf("the file holds a tag or a field: %s", file)
	}
	for _, want := range []string{`"Known"`, `"text"`, `"name": "struct"`, `"name": "[]struct"`, `"name": "map[string]struct"`} {
		if !strings.Contains(file, want) {
			t.Errorf("the file does not hold %s: %s", want, file)
		}
	}
	if n := l.Fit.Subject("struct").Root.Object.N; n != 2 {
		t.Errorf("%d objects", n)
	}
}
