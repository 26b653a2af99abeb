package kinds

import (
	"math/big"
	"math/rand/v2"
	"time"

	"example.org/kinds/other"
)

// Odd has maps whose keys most formats lack, and pointers to pointers.
type Odd struct {
	ByFloat  map[float64]string
	ByStruct map[[2]int]Leaf
	PP       **int
	PS       *[]string
	Opt      []*int
	C        complex128
	C64      complex64
	Rat      *big.Rat
}

// SampleOdd draws one.
func SampleOdd(r *rand.Rand) Odd {
	n := r.Int()
	p := &n
	return Odd{
		ByFloat: map[float64]string{r.Float64(): "x"}, ByStruct: map[[2]int]Leaf{{1, 2}: leaf(r)}, PP: &p, PS: &[]string{"a", "b"},
		Opt: []*int{p, nil}, C: complex(1, r.Float64()), C64: 2 - 1i, Rat: big.NewRat(3, 1+r.Int64N(5)),
	}
}

// Page is generic.
type Page[T any] struct {
	Items []T
	Next  string
	Meta  Box[T]
}

// Box is generic, too.
type Box[T any] struct{ First *T }

// SamplePage draws a page of records.
func SamplePage(r *rand.Rand) Page[record] {
	x := Samplerecord(r)
	return Page[record]{Items: []record{x, Samplerecord(r)}, Next: text(r), Meta: Box[record]{&x}}
}

// record is not exported.
type record struct {
	ID   int64
	Tags []string
	Next *record
}

// Samplerecord draws one.
func Samplerecord(r *rand.Rand) record {
	return record{ID: r.Int64(), Tags: []string{text(r), text(r)}, Next: &record{ID: 1, Tags: []string{"t"}}}
}

// Wrong cannot be carried.
type Wrong struct {
	ID   int
	Done chan bool
}

// PtrMap, PtrArray and PtrHash have pointers that some generators trip over.
type (
	PtrMap   struct{ M *map[string]int }
	PtrArray struct{ A *[2]Leaf }
	PtrHash  struct{ H *[4]byte }
)

// Foreign has types of another package only.
type Foreign struct {
	Where  other.Point
	Tracks []other.Point
	Level  other.Level
	Labels other.Labels
	Took   time.Duration
}

// SampleForeign draws one.
func SampleForeign(r *rand.Rand) Foreign {
	return Foreign{Where: other.Point{X: 1, Y: r.IntN(9), Label: text(r)}, Tracks: []other.Point{{X: 3}, {Label: "z"}},
		Level: other.Level(r.IntN(100)), Labels: other.Labels{"k": text(r)}, Took: time.Duration(r.Int64())}
}
