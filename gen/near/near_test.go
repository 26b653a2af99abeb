package near

import (
	"slices"
	"testing"
)

func TestNames(t *testing.T) {
	words := []string{"limits", "lint-ignore", "reserved", "sentinel", "sparse", "union"}
	for _, c := range []struct {
		name string
		want []string
	}{
		{"sparce", []string{"sparse"}},
		{"Sparse", []string{"sparse"}},
		{"reserve", []string{"reserved"}},
		{"ignore", []string{"lint-ignore"}},
		{"unoin", []string{"union"}},
		{"packed", nil},
	} {
		if got := Names(c.name, words); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"order", "oder", 1}, {"ab", "ba", 1},
		{"unoin", "union", 1}, {"ca", "abc", 3}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
