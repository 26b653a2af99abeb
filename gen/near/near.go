// Package near finds names that are similar to a name that does not exist.
package near

import (
	"slices"
	"strings"
)

// Names returns at most three of names that are similar to name, best first.
func Names(name string, names []string) []string {
	type scored struct {
		name string
		d    int
	}
	var near []scored
	low := strings.ToLower(name)
	for _, n := range names {
		d := distance(low, strings.ToLower(n))
		if strings.Contains(strings.ToLower(n), low) {
			d = min(d, 2)
		}
		if d <= max(1, len(name)/3) {
			near = append(near, scored{n, d})
		}
	}
	slices.SortStableFunc(near, func(a, b scored) int { return a.d - b.d })
	var out []string
	for _, s := range near[:min(3, len(near))] {
		out = append(out, s.name)
	}
	return out
}

// distance returns the optimal string alignment distance of a and b: the number of bytes to insert,
// delete or replace, and of adjacent bytes to swap.
func distance(a, b string) int {
	var last, prev, row []int // rows for a without its last two bytes, without its last byte, and for a itself
	for i := range len(a) + 1 {
		last, prev, row = prev, row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			if i == 0 {
				row[j] = j
				continue
			}
			replace := prev[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			row[j] = min(replace, prev[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], last[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
