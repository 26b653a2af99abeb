package values

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// probabilities at which a Quantiles stands: dense in the middle, with both tails.
var probabilities = func() []float64 {
	p := []float64{0, 0.001, 0.01}
	for i := 1; i < 40; i++ {
		p = append(p, float64(i)/40)
	}
	return append(p, 0.99, 0.999, 1)
}()

// Quantiles are the values of a distribution at the probabilities; nil for none.
type Quantiles []float64

// quantilesOf sums xs up. It sorts them.
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

// At is the quantile at p, interpolated.
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

// drawInt draws a whole number: a length.
func (q Quantiles) drawInt(r *rand.Rand) int { return int(math.Round(q.At(r.Float64()))) }

// Weighted is a value and how often it was seen.
type Weighted struct {
	Value string `json:"v"`
	N     int    `json:"n"`
}

// drawWeighted draws by the counts; list must not be empty.
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

// NumberFit is what numbers at one path are like.
type NumberFit struct {
	N      int        `json:"n"`
	Values []Weighted `json:"values,omitempty"` // where there are few different ones
	Places int        `json:"places"`           // decimal places at most, 0 for integers, -1 for any number of them
	Spread Quantiles  `json:"spread,omitempty"`
	Min    string     `json:"min"` // as they were spelled
	Max    string     `json:"max"`
}

func (n *NumberFit) count() int {
	if n == nil {
		return 0
	}
	return n.N
}

// fewNumbers is how many different numbers are drawn as they are rather than from
// their spread, where each was seen four times on average.
const fewNumbers = 16

// mostPlaces is how many decimal places are taken for meant; measured values have more.
const mostPlaces = 9

func fitNumbers(list []json.Number) *NumberFit {
	f := &NumberFit{N: len(list)}
	var xs []float64
	counts := map[string]int{}
	least, most := math.Inf(1), math.Inf(-1)
	for _, n := range list {
		x, err := n.Float64()
		if err != nil {
			x = math.Copysign(math.MaxFloat64, x) // beyond float64: as near as it gets
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

// places is the larger of most and the decimal places of a number, -1 where they
// are too many to be meant.
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

// draw draws a number as JSON spells it, within the bounds that were seen.
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
	} else if y >= f.Spread[len(f.Spread)-1] { // 1<<63 as a float is none of int64
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
		return "0" // no number is infinite in JSON
	}
	return string(b)
}

// weigh lists the commonest, ties by value.
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
