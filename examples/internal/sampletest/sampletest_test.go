package sampletest

import (
	"math/big"
	"testing"
	"time"
)

func TestIrregular(t *testing.T) {
	utc := time.Date(2025, 1, 2, 3, 4, 5, 6, time.UTC)
	zone := time.FixedZone("X", 3600)
	type inner struct {
		At   time.Time
		Tags []string
	}
	cases := []struct {
		name string
		v    any
		want int
	}{
		{"regular", inner{utc, []string{"a"}}, 0},
		{"nil slice", inner{utc, nil}, 0},
		{"zone", inner{utc.In(zone), nil}, 1},
		{"monotonic", inner{time.Now(), nil}, 1},
		{"empty slice", inner{utc, []string{}}, 1},
		{"inside any", map[string]any{"m": map[string]any{"at": utc.In(zone), "b": []byte{}}}, 2},
		{"behind a pointer in a list", []*inner{{utc, []string{}}, nil}, 1},
		{"empty map", struct{ M map[string]int }{map[string]int{}}, 1},
		{"array of times", [2]time.Time{utc, utc.In(zone)}, 1},
		{"big numbers have empty insides", []any{big.NewInt(0), new(big.Float)}, 0},
		{"nil", nil, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := Irregular(c.v); len(got) != c.want {
				t.Errorf("%d problems, want %d: %q", len(got), c.want, got)
			}
		})
	}
}
