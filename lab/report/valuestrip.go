package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// Size of the drawing of the values, in user units.
const valuesW, valuesH = 360.0, 22.0

// valueStrip shows how large the values are as JSON, on a logarithmic axis.
type valueStrip struct {
	Origin       string // generated, sample function, documents, fit of documents
	Dots         string // path data: one zero-length stroke for each twentieth of the values
	Median, Mean float64
	Wide         bool // the values are doubted, see stats.Spread
	Label        string
}

// newValueStrip returns the strip of the subject's values. It returns false if their sizes are not
// known.
func newValueStrip(s *run.Subject) (valueStrip, bool) {
	if len(s.JSONSizes) == 0 || s.JSONSize.Min <= 0 {
		return valueStrip{}, false
	}
	lo, hi := math.Log(s.JSONSize.Min), math.Log(s.JSONSize.Max)
	if mid := (lo + hi) / 2; hi-lo < math.Ln2 { // values of about one size are drawn in the middle
		lo, hi = mid-math.Ln2/2, mid+math.Ln2/2
	}
	x := func(size float64) float64 {
		return 4 + (valuesW-8)*max(0, min(1, (math.Log(max(1, size))-lo)/(hi-lo)))
	}
	var b strings.Builder
	for i, size := range s.JSONSizes {
		fmt.Fprintf(&b, "M%.1f %dh0", x(size), 7+i%3*4) // three rows, so that equal sizes show
	}
	v := valueStrip{Origin: s.Origin(), Dots: b.String(), Median: x(s.JSONSize.Median), Mean: x(s.JSONMean), Wide: stats.Spread(s) != ""}
	v.Label = fmt.Sprintf("%s to %s, median %s, mean %s", size(s.JSONSize.Min), size(s.JSONSize.Max), size(s.JSONSize.Median),
		size(s.JSONMean))
	return v, true
}
