package diff

import (
	"encoding/json"
	"math"
	"math/big"
	"net/netip"
	"reflect"
	"testing"
	"time"
)

// parts has a field of each kind that the walk treats apart.
type parts struct {
	S     string
	I     int8
	U     uint64
	F     float64
	C     complex128
	B     bool
	T     time.Time
	P     *parts
	L     []parts
	Bytes []byte
	Raw   json.RawMessage
	Arr   [2]float32
	M     map[string]string
	D     map[string]any
	K     map[[2]int]float64
	PK    map[*int]int
	Any   any
	Big   *big.Float
	Addr  netip.Addr
	Own   own
	Fn    func()
	inner
}

type own struct{ hidden int }

func (o own) Equal(p own) bool { return o.hidden/2 == p.hidden/2 }

type inner struct{ N []int }

func whole() *parts {
	return &parts{
		S: "s", I: -1, U: 1, F: 0.5, C: 1i, B: true, T: time.Unix(1, 0).UTC(), P: &parts{S: "behind"}, L: []parts{{I: 1}, {I: 2}},
		Bytes: []byte("b"), Raw: json.RawMessage(`{"a": 1}`), Arr: [2]float32{1, 2}, M: map[string]string{"a": "b"},
		D: map[string]any{"a": 1, "t": time.Unix(2, 0), "l": []any{1.0, "x", map[string]any{"z": 0.0}}},
		K: map[[2]int]float64{{1, 2}: 3}, PK: map[*int]int{new(int): 1},
		Any: []string{"x"}, Big: big.NewFloat(1), Addr: netip.MustParseAddr("10.0.0.1"), Own: own{2}, inner: inner{[]int{1}},
	}
}

// TestAlike: what alike calls alike, the walk finds nothing in.
func TestAlike(t *testing.T) {
	cyclic := func(p *parts) { p.P = p }
	changes := map[string]func(*parts){
		"nothing": func(*parts) {}, "string": func(p *parts) { p.S = "t" }, "int": func(p *parts) { p.I = 1 },
		"uint":  func(p *parts) { p.U = 2 },
		"float": func(p *parts) { p.F = 1 }, "NaN": func(p *parts) { p.F = math.NaN() }, "zero": func(p *parts) { p.F = 0 },
		"-0": func(p *parts) { p.F = math.Copysign(0, -1) }, "complex": func(p *parts) { p.C = 2i }, "bool": func(p *parts) { p.B = false },
		"instant": func(p *parts) { p.T = p.T.Add(1) }, "zone": func(p *parts) { p.T = p.T.In(time.FixedZone("", 3600)) },
		"nil pointer": func(p *parts) { p.P = nil }, "pointee": func(p *parts) { p.P.S = "x" },
		"element": func(p *parts) { p.L[1].S = "x" },
		"length":  func(p *parts) { p.L = p.L[:1] }, "nil slice": func(p *parts) { p.L = nil },
		"empty slice": func(p *parts) { p.L = []parts{} },
		"bytes":       func(p *parts) { p.Bytes = []byte("c") }, "no bytes": func(p *parts) { p.Bytes = []byte{} },
		"nil bytes": func(p *parts) { p.Bytes = nil },
		"spelling":  func(p *parts) { p.Raw = json.RawMessage(`{"a":1}`) }, "raw": func(p *parts) { p.Raw = json.RawMessage(`2`) },
		"array": func(p *parts) { p.Arr[1] = 0 }, "map value": func(p *parts) { p.M["a"] = "c" },
		"map key": func(p *parts) { p.M = map[string]string{"c": "b"} },
		"nil map": func(p *parts) { p.M = nil }, "empty map": func(p *parts) { p.M = map[string]string{} },
		"dynamic":      func(p *parts) { p.D["a"] = 1.0 },
		"dynamic time": func(p *parts) { p.D["t"] = time.Unix(3, 0) }, "dynamic list": func(p *parts) { p.D["l"].([]any)[1] = "y" },
		"dynamic -0":   func(p *parts) { p.D["l"].([]any)[2] = map[string]any{"z": math.Copysign(0, -1)} },
		"other key":    func(p *parts) { p.K = map[[2]int]float64{{1, 3}: 3} },
		"other value":  func(p *parts) { p.K[[2]int{1, 2}] = 4 },
		"pointer keys": func(p *parts) { p.PK[new(int)] = 1 },
		"type":         func(p *parts) { p.Any = []any{"x"} }, "no interface": func(p *parts) { p.Any = nil },
		"empty in interface": func(p *parts) { p.Any = []string{} },
		"big":                func(p *parts) { p.Big = big.NewFloat(2) },
		"precision":          func(p *parts) { p.Big = new(big.Float).SetPrec(10).SetInt64(1) },
		"no big":             func(p *parts) { p.Big = nil },
		"opaque":             func(p *parts) { p.Addr = netip.MustParseAddr("10.0.0.2") }, "own, alike": func(p *parts) { p.Own.hidden = 3 },
		"own":      func(p *parts) { p.Own.hidden = 4 },
		"function": func(p *parts) { p.Fn = func() {} }, "promoted": func(p *parts) { p.N = []int{2} }, "cyclic": cyclic,
		"deep": func(p *parts) {
			for range 30 {
				p.P = &parts{}
				p = p.P
			}
		},
	}
	options := map[string]Options{
		"default": {}, "NaN": {NaN: true}, "zone": {Zone: true}, "nil": {Nil: true}, "-0": {NegativeZero: true},
		"precision": {Precision: true},
		"spelling":  {Spelling: true}, "loose": {LooseNumbers: true}, "shallow": {MaxDepth: 2},
		"short": {MaxValues: 20}, "few": {MaxDifferences: 1}, "ignore": {Ignore: []string{"parts.S"}},
		"equal": {Equal: map[reflect.Type]func(a, b any) bool{reflect.TypeFor[string](): func(a, b any) bool { return false }}},
	}
	found := 0
	for name, o := range options {
		for before, first := range changes {
			for after, second := range changes {
				x, y := whole(), whole()
				first(x)
				second(y)
				p, a, b := planOf(reflect.TypeFor[parts]()), pointee(x), pointee(y)
				w := walker{Options: o.withDefaults()}
				fast := w.alike(p, a, b)
				if w.values != 0 && !fast || w.truncated {
					t.Fatalf("%s: %s, %s: %d values and truncated: %v are left for the walk", name, before, after, w.values, w.truncated)
				}
				w = walker{Options: o.withDefaults(), path: []step{{name: "parts"}}}
				w.walk(p, a, b)
				slow := len(w.found) == 0 && !w.truncated
				if fast && !slow {
					t.Errorf("%s: %s, %s: alike, but the walk finds %v (truncated: %v)", name, before, after, w.found, w.truncated)
				}
				if fast {
					found++
				}
				if name == "default" && before == after && before != "cyclic" && before != "deep" &&
					before != "zero" && before != "-0" && !fast {
					t.Errorf("%s: not alike to itself", before)
				}
			}
		}
	}
	if found < len(changes) {
		t.Errorf("%d pairs are alike: the test is about nothing", found)
	}
}
