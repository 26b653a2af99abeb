package sensitivity

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/experiment/synthetic"
)

// Point is one synthetic message: the shape of its type and of its values.
type Point = synthetic.Point

// Format is how times are written.
type Format = synthetic.Format

// The formats of times.
const (
	Native = synthetic.Native
	Text   = synthetic.Text
	Unix   = synthetic.Unix
)

var formats = []Format{Native, Text, Unix}

// factor is a quantity whose effect on time is measured.
type factor struct {
	Name string // "field"
	Log  bool   // values are drawn evenly on a logarithmic scale
	Low  int
	High int
	zero int // the value at which the factor has no effect
	of   func(*Point) int
}

// The factors. Each format of times is a factor of its own: the number of fields in that format.
var factors = []factor{
	{"depth", false, 1, 16, 1, func(p *Point) int { return p.Depth }},
	{"fields", true, 4, mostFields, 0, func(p *Point) int { return p.Fields }},
	timeFactor(Native), timeFactor(Text), timeFactor(Unix),
	{"array", true, 1, 2000, 0, func(p *Point) int { return p.Array }},
	{"blob", true, 16, 1 << 20, 0, func(p *Point) int { return p.Blob }},
}

// mostFields is the largest number of scalar fields in a type.
const mostFields = 256

// mostTimes is the largest number of time fields in a type.
const mostTimes = 8

func timeFactor(f Format) factor {
	return factor{string(f), false, 0, mostTimes, 0, func(p *Point) int {
		if p.Format != f {
			return 0
		}
		return p.Times
	}}
}

// scale maps u from the range 0 to 1 to the factor's range.
func (f factor) scale(u float64) int {
	lo, hi := float64(f.Low), float64(f.High)
	if f.Log {
		return int(math.Round(lo * math.Pow(hi/lo, u)))
	}
	return int(math.Round(lo + u*(hi-lo)))
}

func factorOf(name string) factor {
	return experiment.First(factors, func(f factor) bool { return f.Name == name })
}

// latin returns a Latin hypercube (McKay, Beckman and Conover 1979): n points in k dimensions. Each
// dimension is cut into n strata, and each stratum contains exactly one point.
func latin(r *rand.Rand, n, k int) [][]float64 {
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, k)
	}
	for j := range k {
		for i, s := range r.Perm(n) {
			out[i][j] = (float64(s) + r.Float64()) / float64(n)
		}
	}
	return out
}

// The depth of nesting and the number of fields beyond which costs are said to rise.
const (
	knee       = 6
	kneeFields = 128
)

// settings is the number of sets of values on which each drawn type is measured. A further set
// costs a share of the budget, but no build.
const settings = 4

// design returns the points, grouped by type. In the curves one factor varies at a time. The types
// in drawn come from one Latin hypercube, and their lengths of lists and blobs from another.
func design(r *rand.Rand, types int) (curves, drawn [][]Point) {
	for _, d := range []int{1, 3, knee, 10, 16} {
		curves = append(curves, []Point{{Depth: d, Fields: 32, Format: Native, Array: 1, Blob: 16}})
	}
	for _, f := range []int{8, kneeFields, mostFields} { // the points of depth include one with 32 fields
		curves = append(curves, []Point{{Depth: 1, Fields: f, Format: Native, Array: 1, Blob: 16}})
	}
	for _, format := range formats {
		for _, n := range []int{mostTimes / 2, mostTimes} {
			curves = append(curves, []Point{{Depth: 1, Fields: 8, Times: n, Format: format, Array: 1, Blob: 16}})
		}
	}
	shapes, sizes := latin(r, types, 3), latin(r, types*settings, 2)
	for i, u := range shapes {
		p := Point{Depth: factorOf("depth").scale(u[0]), Fields: factorOf("fields").scale(u[1]),
			Times: int(math.Round(u[2] * mostTimes)), Format: formats[i%len(formats)]}
		p.Fields = max(p.Fields, p.Depth) // every level has a field
		var list []Point
		for j := range settings {
			p.Array, p.Blob = factorOf("array").scale(sizes[i*settings+j][0]), factorOf("blob").scale(sizes[i*settings+j][1])
			list = append(list, p)
		}
		drawn = append(drawn, list)
	}
	return curves, drawn
}

// shares returns how many shares of the budget each point of a type takes.
func (r *result) shares(number int, points []Point) int {
	for _, x := range knees {
		v := factorOf(x.factor).of(&points[0])
		if number < r.curves && varies(x.factor, &points[0]) && (v == x.from || v == x.at || v == x.end) {
			return often
		}
	}
	return 1
}

// outside returns an error that names the first factor of p beyond the tested range, or nil.
func outside(p *Point) error {
	for _, f := range factors {
		if v := f.of(p); v < f.Low || v > f.High {
			return fmt.Errorf("%s %d lies outside of what was tested, %d to %d", f.Name, v, f.Low, f.High)
		}
	}
	return nil
}
