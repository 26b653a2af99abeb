package site

import (
	"go/types"
	"testing"
)

// TestSameLength: of two ways of the same length to a site, the one that is first in the source counts,
// whichever was found first.
func TestSameLength(t *testing.T) {
	way := func(file string, lines ...int) (all []Call) {
		for _, l := range lines {
			c := Call{}
			c.Pos.Filename, c.Pos.Line = file, l
			all = append(all, c)
		}
		return all
	}
	ways := [][]Call{way("b.go", 1, 2), way("a.go", 7, 9), way("a.go", 7, 8), way("c.go", 1, 1, 1)}
	for first := range ways {
		s := &Site{}
		for i := range ways {
			s.take(types.Typ[types.Int], ways[(first+i)%len(ways)])
		}
		if got := s.Values[0].Via; len(s.Values) != 1 || compareCalls(got, ways[2]) != 0 {
			t.Errorf("beginning with way %d: %v", first, got)
		}
	}
}
