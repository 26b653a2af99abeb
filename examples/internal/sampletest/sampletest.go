// Package sampletest tests what every subject's Sample function promises. The subject's test calls
// [Check].
package sampletest

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

// RoundTrip says how much of a value remains when encoding/json marshals and unmarshals it.
type RoundTrip int

const (
	// Exact means that the decoded value is deeply equal to the original.
	Exact RoundTrip = iota
	// SameText means that values of type any change their Go type (a time becomes a string). But if
	// the decoder keeps numbers as text, the decoded value is marshalled to the same bytes.
	SameText
)

// Rand returns the generator that tests draw from.
func Rand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// Check draws n values and tests that sampling is deterministic, that times are UTC without a
// monotonic reading, that no slice or map is empty but not nil, and that encoding/json keeps values
// as trip says. It logs the mean size of their JSON.
func Check[T any](t *testing.T, n int, trip RoundTrip, draw func(*rand.Rand) T) {
	t.Helper()
	a, b, other := Rand(1), Rand(1), Rand(2)
	bytesOut, differs := 0, false
	for i := range n {
		v := draw(a)
		if again := draw(b); !reflect.DeepEqual(v, again) {
			t.Fatalf("value %d differs between two runs with one seed:\n%+v\n%+v", i, v, again)
		}
		differs = differs || !reflect.DeepEqual(v, draw(other))
		for _, p := range Irregular(v) {
			t.Errorf("value %d: %s", i, p)
		}
		bytesOut += checkJSON(t, v, trip)
		if t.Failed() {
			return
		}
	}
	if !differs {
		t.Error("another seed gives the same values")
	}
	t.Logf("JSON form: %d bytes on average", bytesOut/n)
}

func checkJSON[T any](t *testing.T, v T, trip RoundTrip) int {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatalf("marshal: %v", err)
	}
	var back T
	d := json.NewDecoder(bytes.NewReader(text))
	if trip == SameText {
		d.UseNumber()
	}
	if err := d.Decode(&back); err != nil {
		t.Fatalf("unmarshal: %v\n%s", err, text)
	}
	switch trip {
	case Exact:
		if !reflect.DeepEqual(v, back) {
			t.Errorf("changed by encoding/json:\n%+v\n%+v", v, back)
		}
	case SameText:
		again, err := json.Marshal(back)
		if err != nil || !bytes.Equal(text, again) {
			t.Errorf("second marshal differs (%v):\n%s\n%s", err, text, again)
		}
	}
	return len(text)
}

// Irregular lists what a sample must not contain: times that are not UTC or
// carry a monotonic reading, and slices or maps that are empty but not nil.
func Irregular(v any) []string {
	var w walker
	w.walk("value", reflect.ValueOf(v))
	return w.problems
}

type walker struct{ problems []string }

var timeType = reflect.TypeFor[time.Time]()

func (w *walker) walk(path string, v reflect.Value) {
	switch {
	case !v.IsValid():
		return
	case v.Type() == timeType:
		// Round(0) removes the monotonic reading, and UTC sets the location. The operator !=
		// compares both.
		if tm := v.Interface().(time.Time); tm != tm.Round(0).UTC() {
			w.problems = append(w.problems, path+": time is not UTC, or has a monotonic reading: "+tm.String())
		}
		return
	case v.Type().PkgPath() == "math/big":
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		w.walk(path, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			w.walk(path+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Slice, reflect.Map:
		if !v.IsNil() && v.Len() == 0 {
			w.problems = append(w.problems, path+": empty but not nil")
		}
		if v.Kind() == reflect.Map {
			for it := v.MapRange(); it.Next(); {
				w.walk(path+"["+it.Key().String()+"]", it.Value())
			}
			return
		}
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			w.walk(path+"[]", v.Index(i))
		}
	}
}
