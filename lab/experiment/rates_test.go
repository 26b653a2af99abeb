package experiment

import (
	"slices"
	"testing"
)

func TestRates(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []float64
	}{
		{"100:10000", []float64{100, 320, 1000, 3200, 10000}},
		{"50,500.5, 7", []float64{50, 500.5, 7}},
		{"0", nil},
	} {
		got, err := Rates("-qps", c.in)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v; want %v", c.in, got, err, c.want)
		}
	}
	for _, in := range []string{"x", "100:", "100:100", "9:3", "-5", "1,,2", "1:1e9", "NaN", "NaN:5", "0.5"} {
		if got, err := Rates("-qps", in); err == nil {
			t.Errorf("%s was taken as %v", in, got)
		}
	}
}
