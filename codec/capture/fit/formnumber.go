package fit

import (
	"cmp"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// probabilities are the points at which quantiles are taken: multiples of 1/40, and a few more near
// 0 and 1.
var probabilities = func() []float64 {
	p := []float64{0, 0.001, 0.01}
	for i := 1; i < 40; i++ {
		p = append(p, float64(i)/40)
	}
	return append(p, 0.99, 0.999, 1)
}()

// quantiles holds the quantiles of a distribution at the probabilities. It has one element if all
// values are equal, and is nil without values.
type quantiles []float64

// quantilesOf returns the quantiles of xs. It sorts xs.
func quantilesOf(xs []float64) quantiles {
	if len(xs) == 0 {
		return nil
	}
	slices.Sort(xs)
	if xs[0] == xs[len(xs)-1] {
		return quantiles{xs[0]}
	}
	q := make(quantiles, len(probabilities))
	for i, p := range probabilities {
		h := p * float64(len(xs)-1)
		k := min(int(h), len(xs)-2)
		q[i] = xs[k] + (h-float64(k))*(xs[k+1]-xs[k])
	}
	return q
}

// At returns the quantile at p, interpolated.
func (q quantiles) At(p float64) float64 {
	switch len(q) {
	case 0:
		return 0
	case 1:
		return q[0]
	}
	i, _ := slices.BinarySearch(probabilities, p)
	if i == 0 {
		return q[0]
	}
	i = min(i, len(q)-1)
	lo, hi := probabilities[i-1], probabilities[i]
	return q[i-1] + (p-lo)/(hi-lo)*(q[i]-q[i-1])
}

// drawInt draws a whole number, such as a length.
func (q quantiles) drawInt(r *rand.Rand) int { return int(math.Round(q.At(r.Float64()))) }

// drawValue draws a value with probability proportional to its count. list must not be empty.
func drawValue(r *rand.Rand, list []Value) string {
	var n uint64
	for _, w := range list {
		n = sum(&n, w.N)
	}
	at := r.Uint64N(max(n, 1))
	for _, w := range list {
		if at < w.N {
			return w.Value
		}
		at -= w.N
	}
	return list[0].Value
}

// numberForm is what the values of a public path say about its numbers.
type numberForm struct {
	values   []Value // set if there are few different ones
	places   int     // most decimal places; 0: integers; -1: no limit
	spread   quantiles
	min, max string // as spelled
}

// numberFormOf returns the form of the values of f, or nil if none are kept.
func numberFormOf(f *Number) *numberForm {
	var list []json.Number
	for _, s := range expand(f.Values) {
		list = append(list, json.Number(s))
	}
	if len(list) == 0 {
		return nil
	}
	return numbersOf(list)
}

// mostExpanded bounds the number of values from which a form is made.
const mostExpanded = 20_000

// expand repeats each value by its count. Large counts are scaled down.
func expand(v *Values) (out []string) {
	list := v.List()
	var n uint64
	for _, x := range list {
		n = sum(&n, x.N)
	}
	for _, x := range list {
		times := x.N
		if n > mostExpanded {
			times = max(1, uint64(float64(x.N)/float64(n)*mostExpanded))
		}
		for range times {
			out = append(out, x.Value)
		}
	}
	return out
}

// fewNumbers is the largest number of different numbers that are kept as Values, if each was seen
// four times on average. Otherwise numbers are drawn from their distribution.
const fewNumbers = 16

// mostPlaces is the largest number of decimal places that counts as a fixed precision; measured
// values have more.
const mostPlaces = 9

// numbersOf takes the values themselves if there are few, else their distribution.
func numbersOf(list []json.Number) *numberForm {
	f := new(numberForm)
	var xs []float64
	counts := map[string]uint64{}
	least, most := math.Inf(1), math.Inf(-1)
	for _, n := range list {
		x, err := n.Float64()
		if err != nil {
			x = math.Copysign(math.MaxFloat64, x) // beyond float64: the nearest finite value
		}
		xs = append(xs, x)
		counts[n.String()]++
		if x < least {
			least, f.min = x, n.String()
		}
		if x > most {
			most, f.max = x, n.String()
		}
		if f.places >= 0 {
			f.places = places(n.String(), f.places)
		}
	}
	if len(counts) <= fewNumbers && len(list) >= 4*len(counts) {
		f.values = weigh(counts, fewNumbers)
		return f
	}
	f.spread = quantilesOf(xs)
	return f
}

// places returns the larger of most and the number of decimal places of n, or -1 if n has an
// exponent or too many places.
func places(n string, most int) int {
	if strings.ContainsAny(n, "eE") {
		return -1
	}
	_, frac, _ := strings.Cut(n, ".")
	if len(frac) > mostPlaces {
		return -1
	}
	return max(most, len(frac))
}

// draw draws a number within the observed bounds, as JSON spells it.
func (f *numberForm) draw(r *rand.Rand) string {
	if len(f.values) > 0 {
		return drawValue(r, f.values)
	}
	x := f.spread.At(r.Float64())
	if f.places < 0 {
		return spellFloat(x)
	}
	s := strconv.FormatFloat(x, 'f', f.places, 64)
	if y, err := strconv.ParseFloat(s, 64); err != nil || y < f.spread[0] {
		return f.min
	} else if y >= f.spread[len(f.spread)-1] { // as float64, the largest int64 becomes 1<<63, which overflows
		return f.max
	}
	if strings.Trim(s, "-0.") == "" {
		return strings.TrimPrefix(s, "-")
	}
	return s
}

// spellFloat spells a float as encoding/json does.
func spellFloat(x float64) string {
	b, err := json.Marshal(x)
	if err != nil {
		return "0" // JSON has no infinite numbers
	}
	return string(b)
}

// weigh returns the most frequent values, at most most; equal counts are ordered by value.
func weigh(counts map[string]uint64, most int) []Value {
	out := make([]Value, 0, len(counts))
	for v, n := range counts {
		out = append(out, Value{v, n})
	}
	slices.SortFunc(out, func(a, b Value) int {
		return cmp.Or(cmp.Compare(b.N, a.N), strings.Compare(a.Value, b.Value))
	})
	return out[:min(len(out), most)]
}
