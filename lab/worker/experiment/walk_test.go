package experiment

import (
	"math/big"
	"reflect"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/worker"
)

type walkedAll struct {
	B       bool
	I       int
	I8      int8
	I16     int16
	I32     int32
	U8      uint8
	U16     uint16
	U32     uint32
	U       uint
	F32     float32
	F64     float64
	S       string
	Bytes   []byte
	Raw     [4]byte
	List    []walkedPart
	Fixed   [3]int16
	At      time.Time
	Pointer *walkedPart
	Big     *big.Int
	Map     map[string]walkedPart
	Any     any
	Empty   []struct{}
	Chan    chan int
	hidden  int
}

type walkedPart struct {
	Name string
	Next *walkedPart
	N    int32
}

func walkedValues() []walkedAll {
	ring := &walkedPart{Name: "ring", N: 1}
	ring.Next = ring
	return []walkedAll{
		{},
		{B: true, I: -1, I8: -2, I16: -3, I32: -4, U8: 5, U16: 6, U32: 7, U: 8, F32: 1.5, F64: -2.5, S: "text", Bytes: []byte("abc"),
			Raw:  [4]byte{9},
			List: []walkedPart{{Name: "a", N: 3}, {Name: "bb", Next: &walkedPart{N: -7}}}, Fixed: [3]int16{1, -2, 3}, At: time.Unix(1e9, 5),
			Pointer: &walkedPart{Name: "ccc"}, Big: big.NewInt(1 << 40), Map: map[string]walkedPart{"k": {N: 4}, "l": {}},
			Any:   []any{1, "x", walkedPart{N: 2}},
			Empty: make([]struct{}, 3), Chan: make(chan int), hidden: 11},
		{Pointer: ring},
	}
}

// The walk by offsets comes by what reflection comes by, field for field: each change of a
// value shows in both sums.
func TestWalks(t *testing.T) {
	vals := walkedValues()
	by := offsetWalk(vals, reflect.TypeFor[walkedAll]())
	for i := range vals {
		if x, y := reflectWalk(reflect.ValueOf(&vals[i]).Elem(), 0), by(i); x != y || i > 0 && x == 0 {
			t.Errorf("value %d: %d by reflection, %d by offsets", i, x, y)
		}
	}
	before := by(1)
	full := &vals[1]
	for name, change := range map[string]func(){
		"bool": func() { full.B = false }, "int": func() { full.I = 40 }, "int8": func() { full.I8 = 41 },
		"int16": func() { full.I16 = 42 }, "int32": func() { full.I32 = 43 },
		"uint8": func() { full.U8 = 50 }, "uint16": func() { full.U16 = 51 }, "uint32": func() { full.U32 = 52 }, "uint": func() { full.U = 53 },
		"float32": func() { full.F32 = 7 }, "float64": func() { full.F64 = 8 }, "string": func() { full.S = "longer" },
		"bytes":   func() { full.Bytes = nil },
		"element": func() { full.List[1].Next.N = 90 }, "array": func() { full.Fixed[2] = 100 },
		"time":    func() { full.At = full.At.Add(time.Nanosecond) },
		"pointer": func() { full.Pointer.N = 110 }, "big": func() { full.Big.Add(full.Big, big.NewInt(3)) },
		"map":       func() { full.Map["m"] = walkedPart{} },
		"interface": func() { full.Any = 120 }, "hidden": func() { full.hidden = 130 },
	} {
		change()
		x, y := reflectWalk(reflect.ValueOf(full).Elem(), 0), by(1)
		if x != y || x == before {
			t.Errorf("%s: %d by reflection, %d by offsets, %d before", name, x, y, before)
		}
		before = y
	}
}

func TestWalk(t *testing.T) {
	b := loadBench(func([]byte) {})
	r, err := b.walk(&worker.Walk{For: time.Millisecond, Repeats: 3})
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{worker.WayEncode, worker.WayReflect, worker.WayOffsets} {
		if w := r.Ways[i]; w.Name != name || len(w.NS) != 3 || w.NS[0] <= 0 {
			t.Errorf("%d: %+v", i, w)
		}
	}
}
