package fxjson_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/zmylab/zmy/fxjson"
	"github.com/zmylab/zmy/fxjson/jsonrt"
)

// TestFits uses every type with generated code that these tests have: none of it is stale.
func TestFits(t *testing.T) {
	for _, k := range kinds {
		fxjson.Append(nil, k()) // other tests look at what it returns
	}
	for _, stale := range fxjson.Stale() {
		if stale.PkgPath() != staleType.PkgPath() {
			t.Errorf("the code of %v is for a type that has changed", stale)
		}
	}
}

// changed has code generated for another type: it lacks a field.
type changed struct {
	A int `json:"b"`
	C []int
}

var (
	staleType   = reflect.TypeFor[changed]()
	changedCode = jsonrt.Code[changed]{
		Encode: func(e *jsonrt.Enc, b []byte, v *changed) []byte {
			return append(jsonrt.EncodeInt(e, append(b, `{"a":`...), &v.A), '}')
		},
		Decode: func(d *jsonrt.Dec, i int, v *changed) int { return d.Skip(i) },
		Print:  1,
	}
)

func (*changed) JSONCode() any { return &changedCode }

func (v changed) AppendJSON(b []byte) ([]byte, error) {
	e, n := changedCode.NewEnc(false), len(b)
	b = changedCode.Encode(e, b, &v)
	if e.Done() {
		return b, nil
	}
	return changedCode.AppendStd(b[:n], v)
}

func (v *changed) DecodeJSON(b []byte) error { return changedCode.Unmarshal(b, v) }

// TestStale uses code that is for another type, on every way that leads to it.
func TestStale(t *testing.T) {
	type outer struct {
		In   changed
		Ptr  *changed
		List []changed
		Any  any
	}
	const inner = `{"b":7,"C":[1,null]}`
	v := changed{7, []int{1, 0}}
	const text = `{"b":7,"C":[1,0]}`
	got, err := v.AppendJSON([]byte("x"))
	if string(got) != "x"+text || err != nil {
		t.Errorf("AppendJSON: %s, %v", got, err)
	}
	for _, x := range []any{v, &v} {
		if got, err := fxjson.Marshal(x); string(got) != text || err != nil {
			t.Errorf("Marshal(%T): %s, %v", x, got, err)
		}
	}
	o := outer{v, &v, []changed{v}, v}
	if got, err := fxjson.Marshal(o); string(got) != `{"In":`+text+`,"Ptr":`+text+`,"List":[`+text+`],"Any":`+text+`}` || err != nil {
		t.Errorf("Marshal: %s, %v", got, err)
	}
	for name, decode := range map[string]func([]byte, *changed) error{
		"DecodeJSON": func(b []byte, v *changed) error { return v.DecodeJSON(b) },
		"Unmarshal":  func(b []byte, v *changed) error { return fxjson.Unmarshal(b, v) },
	} {
		var back changed
		if err := decode([]byte(inner), &back); err != nil || !reflect.DeepEqual(back, v) {
			t.Errorf("%s: %+v, %v", name, back, err)
		}
		used := changed{C: []int{5, 6, 7}}
		if err := decode([]byte(`{"b":7,"C":[1,"x"]}`), &used); err == nil || used.A != 7 || len(used.C) != 2 {
			t.Errorf("%s of another type: %+v, %v", name, used, err)
		}
	}
	var back outer
	if err := fxjson.Unmarshal([]byte(`{"In":`+inner+`,"Ptr":`+inner+`,"List":[`+inner+`]}`), &back); err != nil ||
		!reflect.DeepEqual(back.In, v) || !reflect.DeepEqual(back.List, []changed{v}) {
		t.Errorf("Unmarshal: %+v, %v", back, err)
	}
	if !slices.Contains(fxjson.Stale(), staleType) {
		t.Error("it is not among the stale types")
	}
	told := make(chan reflect.Type, 10)
	fxjson.OnStale(func(t reflect.Type) { told <- t })
	for got := range told {
		if got == staleType {
			break
		}
	}
	fxjson.OnStale(nil)
}
