package values

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// probabilities are the points at which Quantiles are taken: multiples of 1/40, and a few more near
// 0 and 1.
var probabilities = func() []float64 {
	p := []float64{0, 0.001, 0.01}
	for i := 1; i < 40; i++ {
		p = append(p, float64(i)/40)
	}
	return append(p, 0.99, 0.999, 1)
}()

// Quantiles holds the quantiles of a distribution at the probabilities. It has one element if all
// values are equal, and is nil without values.
type Quantiles []float64

// quantilesOf returns the quantiles of xs. It sorts xs.
func quantilesOf(xs []float64) Quantiles {
	if len(xs) == 0 {
		return nil
	}
	slices.Sort(xs)
	if xs[0] == xs[len(xs)-1] {
		return Quantiles{xs[0]}
	}
	q := make(Quantiles, len(probabilities))
	for i, p := range probabilities {
		h := p * float64(len(xs)-1)
		k := min(int(h), len(xs)-2)
		q[i] = xs[k] + (h-float64(k))*(xs[k+1]-xs[k])
	}
	return q
}

// At returns the quantile at p, interpolated.
func (q Quantiles) At(p float64) float64 {
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
func (q Quantiles) drawInt(r *rand.Rand) int { return int(math.Round(q.At(r.Float64()))) }

// Weighted is a value with the number of times that it was seen.
type Weighted struct {
	Value string `json:"v"`
	N     int    `json:"n"`
}

// drawWeighted draws a value with probability proportional to its count. list must not be empty.
func drawWeighted(r *rand.Rand, list []Weighted) string {
	sum := 0
	for _, w := range list {
		sum += w.N
	}
	at := r.IntN(sum)
	for _, w := range list {
		if at -= w.N; at < 0 {
			return w.Value
		}
	}
	panic("unreachable: the counts are their sum")
}

// NumberFit describes the numbers at one path.
type NumberFit struct {
	N      int        `json:"n"`
	Values []Weighted `json:"values,omitempty"` // set if there are few different ones
	Places int        `json:"places"`           // most decimal places; 0: integers; -1: no limit
	Spread Quantiles  `json:"spread,omitempty"`
	Min    string     `json:"min"` // spelled as in the documents
	Max    string     `json:"max"`
}

// fewNumbers is the largest number of different numbers that are kept as Values, if each was seen
// four times on average. Otherwise numbers are drawn from their distribution.
const fewNumbers = 16

// mostPlaces is the largest number of decimal places that counts as a fixed precision; measured
// values have more.
const mostPlaces = 9

func fitNumbers(list []json.Number) *NumberFit {
	f := &NumberFit{N: len(list)}
	var xs []float64
	counts := map[string]int{}
	least, most := math.Inf(1), math.Inf(-1)
	for _, n := range list {
		x, err := n.Float64()
		if err != nil {
			x = math.Copysign(math.MaxFloat64, x) // beyond float64: the nearest finite value
		}
		xs = append(xs, x)
		counts[n.String()]++
		if x < least {
			least, f.Min = x, n.String()
		}
		if x > most {
			most, f.Max = x, n.String()
		}
		if f.Places >= 0 {
			f.Places = places(n.String(), f.Places)
		}
	}
	if len(counts) <= fewNumbers && len(list) >= 4*len(counts) {
		f.Values = weigh(counts, fewNumbers)
		return f
	}
	f.Spread = quantilesOf(xs)
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
func (f *NumberFit) draw(r *rand.Rand) string {
	if len(f.Values) > 0 {
		return drawWeighted(r, f.Values)
	}
	x := f.Spread.At(r.Float64())
	if f.Places < 0 {
		return spellFloat(x)
	}
	s := strconv.FormatFloat(x, 'f', f.Places, 64)
	if y, err := strconv.ParseFloat(s, 64); err != nil || y < f.Spread[0] {
		return f.Min
	} else if y >= f.Spread[len(f.Spread)-1] { // as float64, the largest int64 becomes 1<<63, which overflows
		return f.Max
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
func weigh(counts map[string]int, most int) []Weighted {
	out := make([]Weighted, 0, len(counts))
	for v, n := range counts {
		out = append(out, Weighted{v, n})
	}
	slices.SortFunc(out, func(a, b Weighted) int {
		if a.N != b.N {
			return b.N - a.N
		}
		return strings.Compare(a.Value, b.Value)
	})
	return out[:min(len(out), most)]
}
