package fidelity

import (
	"cmp"
	"slices"
	"strings"
)

// Summary collects the differences of many round trips. The zero value is ready.
type Summary struct {
	values int
	kinds  []*Count
	index  map[[3]string]*Count
}

// Count is one kind of difference: the first one seen, and the number of values that have it.
type Count struct {
	Diff
	Count int
}

// Add adds the differences of one value. A kind that occurs several times in a value counts once.
func (s *Summary) Add(diffs []Diff) {
	if s.index == nil {
		s.index = map[[3]string]*Count{}
	}
	s.values++
	seen := make(map[*Count]bool, len(diffs))
	for _, d := range diffs {
		key := [3]string{d.Pattern, d.Kind, d.Cause}
		c := s.index[key]
		if c == nil {
			c = &Count{Diff: d}
			s.index[key] = c
			s.kinds = append(s.kinds, c)
		}
		if !seen[c] {
			seen[c] = true
			c.Count++
		}
	}
}

// Values returns the number of values added.
func (s *Summary) Values() int { return s.values }

// Kinds returns the number of kinds of difference seen.
func (s *Summary) Kinds() int { return len(s.kinds) }

// Grade returns the grade of the worst value.
func (s *Summary) Grade() string {
	diffs := make([]Diff, len(s.kinds))
	for i, c := range s.kinds {
		diffs[i] = c.Diff
	}
	return Grade(diffs)
}

// Top returns at most n kinds: lossy ones first, then the most frequent, then in the order in which
// they were first seen.
func (s *Summary) Top(n int) []Count {
	out := make([]Count, len(s.kinds))
	for i, c := range s.kinds {
		out[i] = *c
	}
	slices.SortStableFunc(out, func(a, b Count) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), b.Count-a.Count) // lossy is before normalised
	})
	return out[:min(n, len(out))]
}
