package openloop

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// Schedule says when requests are due: at random, as from many independent clients (a Poisson
// process), or evenly.
type Schedule struct {
	Rate float64       // requests a second
	Warm time.Duration // warm-up before For, whose requests do not count
	For  time.Duration // time in which requests count
	Even bool          // equal gaps between all requests
	Seed uint64        // the same seed gives the same times
}

// Check returns an error for a schedule without requests.
func (s Schedule) Check() error {
	if !(s.Rate > 0 && s.For > 0) {
		return fmt.Errorf("no load: %g requests a second for %s", s.Rate, s.For)
	}
	return nil
}

// All yields the time since the start at which each request is due, below Warm + For.
func (s Schedule) All() iter.Seq[time.Duration] {
	gap, end := float64(time.Second)/s.Rate, float64(s.Warm+s.For)
	return func(yield func(time.Duration) bool) {
		r := rand.New(rand.NewPCG(s.Seed, 0x6f70656e)) // "open"
		for at := 0.0; ; {
			if s.Even {
				at += gap
			} else {
				at += gap * r.ExpFloat64()
			}
			if at >= end || !yield(time.Duration(at)) {
				return
			}
		}
	}
}

// Counts reports whether a request that is due at this time is after warm-up.
func (s Schedule) Counts(at time.Duration) bool { return at >= s.Warm }

// Draw returns a pseudo-random number below n, the same for the same seed and request.
func (q Request) Draw(seed uint64, n int) int {
	var p rand.PCG
	p.Seed(seed, uint64(q.N))
	return int(p.Uint64() % uint64(n)) // n is far below 2⁶⁴, so all numbers are practically equally likely
}

// mostRate is the highest rate that a flag may give.
const mostRate = 1e7

// Rates reads requests per second from the value s of a flag: a list of rates and ranges such as
// 50,100:10000. A range stands for five rates, each larger than the one before by about the same
// factor. "0" and "" mean no rates. flag is the flag's name for errors.
func Rates(flag, s string) ([]float64, error) {
	if s == "0" || s == "" {
		return nil, nil
	}
	var out []float64
	for part := range strings.SplitSeq(s, ",") {
		low, high, isRange := strings.Cut(part, ":")
		from, err := strconv.ParseFloat(strings.TrimSpace(low), 64)
		to := from
		if err == nil && isRange {
			to, err = strconv.ParseFloat(strings.TrimSpace(high), 64)
		}
		if err != nil || !(from > 0 && from <= to && to <= mostRate) || isRange && from == to { // NaN fails too
			return nil, fmt.Errorf("%s %s: want rates a second such as 100,1000,5000, or 100:10000 for five from the one to the other", flag, s)
		}
		if !isRange {
			out = append(out, from)
			continue
		}
		out = append(out, steps(from, to, 5)...)
	}
	return out, nil
}

// steps returns n rates from lo to hi, with about equal ratios. The rates between lo and hi are
// rounded to two significant figures.
func steps(lo, hi float64, n int) []float64 {
	out := make([]float64, n)
	out[0], out[n-1] = lo, hi
	for i := 1; i < n-1; i++ {
		v, next := lo*math.Pow(hi/lo, float64(i)/float64(n-1)), lo*math.Pow(hi/lo, float64(i+1)/float64(n-1))
		unit := math.Pow(10, math.Floor(math.Log10(v))-1)
		if out[i] = math.Round(v/unit) * unit; out[i] <= out[i-1] || out[i] >= next {
			out[i] = v // the range is too narrow for two figures
		}
	}
	return out
}
