package experiment

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Rates reads requests a second off a flag: 100:10000 as five steps of equal ratio, 100,500 as
// a list, 0 or nothing as none.
func Rates(flag, s string) ([]float64, error) {
	bad := fmt.Errorf("%s %s: give rates as 100:10000 or 100,1000,5000", flag, s)
	if s == "0" || s == "" {
		return nil, nil
	}
	from, to, isRange := strings.Cut(s, ":")
	if isRange {
		lo, err := strconv.ParseFloat(from, 64)
		hi, err2 := strconv.ParseFloat(to, 64)
		if err != nil || err2 != nil || !(lo >= 1) || !(hi > lo) || hi > 1e7 {
			return nil, bad
		}
		return steps(lo, hi, 5), nil
	}
	var out []float64
	for part := range strings.SplitSeq(s, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || !(v >= 1) || v > 1e7 {
			return nil, bad
		}
		out = append(out, v)
	}
	return out, nil
}

// steps are n rates of equal ratio from lo to hi, rounded to two figures.
func steps(lo, hi float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		v := lo * math.Pow(hi/lo, float64(i)/float64(n-1))
		unit := math.Pow(10, math.Floor(math.Log10(v))-1)
		out[i] = math.Round(v/unit) * unit
	}
	return out
}
