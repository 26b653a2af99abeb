package stats

import (
	"fmt"

	"github.com/zmylab/zmy/lab/run"
)

// A verdict is doubted if the values exceed one of these.
const (
	mostSpread = 5        // mean size over median size: a few large values decide
	mostMedian = 16 << 10 // bytes of the median of generated values
)

// Spread returns the reason to doubt a verdict on these values, or "". Values that were captured or
// made by the user may be of any size; generated values may not.
func Spread(s *run.Subject) string {
	median, mean := s.JSONSize.Median, s.JSONMean
	real := "take real ones by -sample FILE"
	if s.Sampler != "" {
		real += " or func " + s.Sampler
	}
	if s.Origin() != run.Generated && s.LeftOut <= s.Values && !s.Alike {
		real = "compare with values of one size"
	}
	switch {
	case s.LeftOut > s.Values:
		return fmt.Sprintf("Doubt the values: encoding/json carries only %d of the %d that were made, and the others were left out; %s.",
			s.Values, s.Values+s.LeftOut, real)
	case s.Alike:
		return fmt.Sprintf("Doubt the values: all %d are the same, so most of the type may not have been measured; %s.", s.Values, real)
	case median > 0 && mean > mostSpread*median:
		return fmt.Sprintf("Doubt the values: their mean size is %.0f times the median (%.0f and %.0f bytes as JSON), so a few "+
			"large ones decide; %s.",
			mean/median, mean, median, real)
	case s.Origin() == run.Generated && median > mostMedian:
		return fmt.Sprintf("Doubt the values: half of them take more than %.0f KB as JSON, which generated values should not; %s.",
			median/1e3, real)
	}
	return ""
}
