package worker

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestRequest: a request comes through as it was, without encoding/json.
func TestRequest(t *testing.T) {
	q := Request{Cmd: CmdRun, ID: 7, Seed: 1<<64 - 1, N: 3, Cap: 1 << 40, Sample: "a\tb \"c\"\n.json", Dump: "dump/ü", Op: "encode",
		Mode:   "fresh",
		Target: time.Second, Block: 16, From: 99, First: true, Warm: true, Input: InputShuffled, Grow: 1 << 20, Args: `{"a":"\t"}`,
		Skip: []int{0, 7, 200}, Looks: 3}
	v := reflect.ValueOf(q)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Fatalf("the test leaves %s out", v.Type().Field(i).Name)
		}
	}
	if got, err := ParseRequest(q.Line()); err != nil || !reflect.DeepEqual(*got, q) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, line := range []string{"", "x\n", strings.Replace(string(q.Line()), "16", "z", 1)} {
		if _, err := ParseRequest([]byte(line)); err == nil {
			t.Errorf("%q is a request", line)
		}
	}
}

func TestQuantile(t *testing.T) {
	x := []float64{4, 1, 3, 2}
	for q, want := range map[float64]float64{0: 1, 1: 4, 0.5: 2.5, 0.25: 1.75} {
		if got := Quantile(x, q); got != want {
			t.Errorf("Quantile(%v) = %v, want %v", q, got, want)
		}
	}
}

// link is a value with an interface, and a way back to itself.
type link struct {
	ID   string
	Any  any
	Next *link
}

func TestDynamic(t *testing.T) {
	loop := &link{ID: "a"}
	loop.Next = loop
	type holder struct {
		Floats []float64
		List   []any
		Map    map[string]any
		Deep   []map[string]*link
	}
	vals := []holder{{
		Floats: make([]float64, 10),
		List:   []any{1, "x", nil, []any{true}},
		Map:    map[string]any{"m": link{Any: 1.5}},
		Deep:   []map[string]*link{{"k": {Any: time.Time{}, Next: loop}}},
	}}
	var got []string
	for _, x := range Dynamic(vals) {
		got = append(got, fmt.Sprintf("%T", x))
	}
	if want := "int string []interface {} bool worker.link float64 time.Time"; strings.Join(got, " ") != want {
		t.Errorf("Dynamic = %s, want %s", strings.Join(got, " "), want)
	}
}
