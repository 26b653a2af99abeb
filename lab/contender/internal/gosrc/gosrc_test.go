package gosrc

import (
	"slices"
	"strings"
	"testing"
)

func TestPrefixImports(t *testing.T) {
	const in = `package p

import (
	"encoding/json"
	"math/rand/v2"
	jw "example.org/jwriter"
)

func (v *T) A(w *jw.Writer, s json.Number) {
	json := w.Local()
	json.Call(rand.Int())
	{
		rand := 1
		_ = rand
	}
	v.json.X()
}
`
	const want = `package p

import (
	zzjson "encoding/json"
	zzjw "example.org/jwriter"
	zzrand "math/rand/v2"
)

func (v *T) A(w *zzjw.Writer, s zzjson.Number) {
	json := w.Local()
	json.Call(zzrand.Int())
	{
		rand := 1
		_ = rand
	}
	v.json.X()
}
`
	got, err := PrefixImports([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	// format.Node leaves the order of imports as it was
	if sorted(string(got)) != sorted(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if _, err := PrefixImports([]byte("package")); err == nil {
		t.Error("no error for what is not Go")
	}
}

func sorted(s string) string {
	lines := strings.Split(s, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func TestFuncs(t *testing.T) {
	got, err := Funcs([]byte("package p\nfunc (v *Order) A(a, b int) (x []byte, _ error) { return }\nfunc B(f func(int) string) " +
		"{}\nvar x = 1\n"))
	if err != nil || len(got) != 2 {
		t.Fatal(got, err)
	}
	a, b := got[0], got[1]
	if a.Recv != "Order" || a.Name != "A" || !slices.Equal(a.Params, []string{"int", "int"}) ||
		!slices.Equal(a.Results, []string{"[]byte", "error"}) {
		t.Errorf("%+v", a)
	}
	if b.Recv != "" || b.Name != "B" || len(b.Params) != 1 || b.Results != nil {
		t.Errorf("%+v", b)
	}
	if _, ok := Find(got, func(f Func) bool { return f.Name == "C" }); ok {
		t.Error("found what is not there")
	}
}

func TestHide(t *testing.T) {
	const in = `package p

// MarshalJSON gets another name.
func (v *T) MarshalJSON() ([]byte, error) { return v.Other.MarshalJSON() }

// MarshalJSON is no method.
func MarshalJSON() {}
`
	want := strings.Replace(in, "(v *T) Mar", "(v *T) zzMar", 1)
	got, err := PrefixImports([]byte(in), "MarshalJSON")
	if err != nil || string(got) != want {
		t.Errorf("%v: got\n%s\nwant\n%s", err, got, want)
	}
}
