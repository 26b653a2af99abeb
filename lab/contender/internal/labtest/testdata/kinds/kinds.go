// Package kinds has a subject for each shape of type that codecs meet.
package kinds

import (
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"net/netip"
	"time"

	"example.org/kinds/other"
)

// Status is a named kind.
type Status int32

// Names is a named slice.
type Names []string

// Scalars has every scalar kind.
type Scalars struct {
	Bool    bool
	Int     int
	Int8    int8
	Int16   int16
	Int32   int32
	Int64   int64
	Uint    uint
	Uint8   uint8
	Uint16  uint16
	Uint32  uint32
	Uint64  uint64
	Float32 float32
	Float64 float64
	String  string
	Status  Status
	Bytes   []byte
}

// SampleScalars draws one.
func SampleScalars(r *rand.Rand) Scalars {
	return Scalars{
		Bool: r.IntN(2) == 0, Int: int(r.Uint64()), Int8: int8(r.Uint32()), Int16: int16(r.Uint32()), Int32: int32(r.Uint32()),
		Int64: int64(r.Uint64()), Uint: uint(r.Uint64()), Uint8: uint8(r.Uint32()), Uint16: uint16(r.Uint32()),
		Uint32: r.Uint32(), Uint64: r.Uint64(), Float32: r.Float32(), Float64: r.NormFloat64(), String: text(r),
		Status: Status(r.Uint32()), Bytes: []byte(text(r)),
	}
}

func text(r *rand.Rand) string {
	return []string{"", "a", "Gruß", "line\nbreak \"quoted\"", "日本語", "<html>&"}[r.IntN(6)]
}

// Lists has slices, arrays and maps.
type Lists struct {
	Ints    []int
	Floats  []float64
	Strings []string
	Names   Names
	States  []Status
	Blobs   [][]byte
	Nested  [][]int
	Structs []Leaf
	Refs    []*Leaf
	Hash    [4]byte
	Triple  [3]float64
	Leaves  [2]Leaf
	Dict    map[string]string
	Counts  map[string]int
	ByInt   map[int64]string
	Deep    map[string]map[string]int
	Groups  map[string][]Leaf
	Index   map[string]*Leaf
}

// Leaf is a small struct.
type Leaf struct {
	ID   int
	Name string
}

func leaf(r *rand.Rand) Leaf { return Leaf{r.IntN(1000), text(r)} }

// SampleLists draws one.
func SampleLists(r *rand.Rand) Lists {
	l := Lists{
		Dict: map[string]string{}, Counts: map[string]int{}, ByInt: map[int64]string{}, Deep: map[string]map[string]int{},
		Groups: map[string][]Leaf{}, Index: map[string]*Leaf{},
		Hash: [4]byte{1, 0, 255, byte(r.Uint32())}, Triple: [3]float64{1, r.Float64(), -1}, Leaves: [2]Leaf{leaf(r), leaf(r)},
	}
	for i := range 1 + r.IntN(4) {
		x, y := leaf(r), leaf(r)
		key := string(rune('a' + i))
		l.Ints, l.Floats, l.Strings = append(l.Ints, r.Int()), append(l.Floats, r.Float64()), append(l.Strings, text(r))
		l.Names, l.States = append(l.Names, text(r)), append(l.States, Status(r.Uint32()))
		l.Blobs, l.Nested = append(l.Blobs, []byte("x"+text(r))), append(l.Nested, []int{i, r.Int()})
		l.Structs, l.Refs = append(l.Structs, x), append(l.Refs, &y)
		l.Dict[key], l.Counts[key], l.ByInt[int64(i-2)] = text(r), i, text(r)
		l.Deep[key] = map[string]int{"n": i}
		l.Groups[key] = []Leaf{x, y}
		l.Index[key] = &x
	}
	return l
}

// Pointers has values that may be absent.
type Pointers struct {
	Int    *int
	String *string
	Bool   *bool
	Status *Status
	Leaf   *Leaf
	Time   *time.Time
	Self   *Pointers
}

// SamplePointers draws one whose fields are set half of the time.
func SamplePointers(r *rand.Rand) Pointers {
	var p Pointers
	half := func() bool { return r.IntN(2) == 0 }
	if half() {
		n, s := r.Int(), text(r)
		p.Int, p.String = &n, &s
	}
	if half() {
		b, s, l := half(), Status(0), leaf(r)
		p.Bool, p.Status, p.Leaf = &b, &s, &l
	}
	if half() {
		at := moment(r)
		p.Time = &at
	}
	if half() {
		s := SamplePointers(r)
		p.Self = &s
	}
	return p
}

func moment(r *rand.Rand) time.Time { return time.Unix(r.Int64N(4e9), r.Int64N(1e9)).UTC() }

// Known has types of the standard library.
type Known struct {
	At    time.Time
	Zero  time.Time
	For   time.Duration
	Int   *big.Int
	Float *big.Float
	Raw   json.RawMessage
	Num   json.Number
	Times []time.Time
	Ints  []*big.Int
}

// SampleKnown draws one.
func SampleKnown(r *rand.Rand) Known {
	n := new(big.Int).Lsh(big.NewInt(-r.Int64N(1e9)-1), uint(r.IntN(200)))
	f := new(big.Float).SetPrec(uint(60+r.IntN(100))).Quo(big.NewFloat(r.NormFloat64()), big.NewFloat(3))
	return Known{
		At: moment(r), For: time.Duration(r.Int64N(1e15)), Int: n, Float: f, Raw: json.RawMessage(`{"a":[1,2,{"b":null}]}`),
		Num: "12.50", Times: []time.Time{moment(r), moment(r)}, Ints: []*big.Int{big.NewInt(7), n},
	}
}

// Opaque has types that show no field and marshal themselves.
type Opaque struct {
	Addr  netip.Addr
	Peers []netip.Addr
	Via   *netip.Addr
}

// SampleOpaque draws one.
func SampleOpaque(r *rand.Rand) Opaque {
	a := netip.AddrFrom4([4]byte{10, 0, 0, byte(r.Uint32())})
	return Opaque{Addr: a, Peers: []netip.Addr{a, netip.IPv6Loopback()}, Via: &a}
}

// Dynamic has interfaces.
type Dynamic struct {
	Any  any
	List []any
	Map  map[string]any
	Opt  any     `json:"opt,omitempty"`
	Int  big.Int `json:"int,omitempty"`
}

// SampleDynamic draws one.
func SampleDynamic(r *rand.Rand) Dynamic {
	pick := func() any {
		return []any{nil, true, 5, -1.5, text(r), []byte{1, 2}, moment(r), big.NewInt(1 << 40), uint64(math.MaxUint64),
			[]any{1, "x"}, map[string]any{"k": []any{nil, 2.5}}, new(big.Float).SetInf(true), new(big.Float).SetPrec(53).Neg(new(big.Float)),
			new(big.Float).SetMode(big.ToZero).SetPrec(100).SetFloat64(0.1), big.NewInt(-1), json.RawMessage("[1]"), time.Second, float32(1.5)}[r.IntN(18)]
	}
	return Dynamic{Any: pick(), List: []any{pick(), pick()}, Map: map[string]any{"a": pick(), "b": pick()}, Opt: pick(), Int: *big.NewInt(r.Int64())}
}

// Base is embedded.
type Base struct {
	Key  string
	Made time.Time
}

type hidden struct{ Rank int }

// Embedded has embedded structs, foreign types, an unnamed struct and fields
// that are left out.
type Embedded struct {
	Base
	hidden
	*Leaf
	Where  other.Point
	Tracks []other.Point
	Level  other.Level
	Labels other.Labels
	Inline struct {
		A int    `json:"a"`
		B string `json:"b"`
	}
	Skip    chan int `json:"-" zmy:"-"`
	private int
}

// SampleEmbedded draws one.
func SampleEmbedded(r *rand.Rand) Embedded {
	l := leaf(r)
	e := Embedded{Base: Base{text(r), moment(r)}, hidden: hidden{r.IntN(9)}, Leaf: &l, Where: other.Point{X: 1, Y: r.IntN(9), Label: text(r)},
		Tracks: []other.Point{{X: 3}, {Label: "z"}}, Level: other.Level(r.IntN(100)), Labels: other.Labels{"k": text(r)}}
	e.Inline.A, e.Inline.B = r.IntN(9), text(r)
	e.private = 0
	return e
}
