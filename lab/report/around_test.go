package report

import (
	"testing"

	"github.com/zmylab/zmy/lab/run"
)

// TestAround: no text takes a ratio below 0, and none is as wide as an interval that says nothing.
func TestAround(t *testing.T) {
	for _, c := range []struct {
		point, lo, hi float64
		against, want string
	}{
		{14.2, 13.7, 14.6, run.Faster, "14.2 ±0.50"},
		{2, 2, 2, "", "2.0"},
		{3.1, 1.6, 5.9, run.Inconclusive, "3.1 ±2.8?"},
		{1.1, 0.4, 2.4, run.Inconclusive, "1.1 (0.40–2.4)?"},
		{8.7, 3.8, 20.2, run.Inconclusive, "8.7 (3.8–20.2)?"},
		{2, 1e-9, 4e9, run.Inconclusive, "2.0?"},
	} {
		cell := &run.Cell{Ratio: run.Interval{Point: c.point, Lo: c.lo, Hi: c.hi}, Against: c.against}
		if got := ratio(cell, true); got != c.want {
			t.Errorf("%v: %q, want %q", cell.Ratio, got, c.want)
		}
		value, lo, hi := c.point, c.lo, c.hi
		if got := newItem(run.Item{Value: &value, Lo: &lo, Hi: &hi}, newScale("", value)); c.hi-c.point > c.point && got.Half != "("+got.Interval+")" {
			t.Errorf("%v: %q", cell.Ratio, got.Half)
		}
	}
}
