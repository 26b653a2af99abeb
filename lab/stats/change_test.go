package stats

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// series of n values around level, with the relative standard deviation noise.
func around(r *rand.Rand, n int, level, noise float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = level * (1 + noise*r.NormFloat64())
	}
	return out
}

func TestChangePoints(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	ramp := around(r, 60, 100, 0.005)
	for i := range ramp {
		ramp[i] += float64(i)
	}
	for _, c := range []struct {
		name string
		xs   []float64
		want []int
		near int // by how much a change point may be off
	}{
		{"nothing", nil, nil, 0},
		{"constant", slices.Repeat([]float64{7}, 50), nil, 0},
		{"too few", []float64{1, 1, 2, 2}, nil, 0},
		{"an exact step", append(slices.Repeat([]float64{100}, 20), slices.Repeat([]float64{101}, 10)...), []int{20}, 0},
		{"a step near the end", append(slices.Repeat([]float64{100}, 30), slices.Repeat([]float64{90}, 4)...), []int{30}, 0},
		{"an outlier", append(append(slices.Repeat([]float64{100}, 20), 150), slices.Repeat([]float64{100}, 20)...), nil, 0},
		{"a noisy step of three deviations", append(around(r, 30, 100, 0.01), around(r, 30, 103, 0.01)...), []int{30}, 1},
		{"there and back", slices.Concat(around(r, 25, 100, 0.01), around(r, 25, 106, 0.01), around(r, 25, 100, 0.01)), []int{25, 50}, 1},
	} {
		got := ChangePoints(c.xs, 1)
		ok := len(got) == len(c.want)
		for i := range min(len(got), len(c.want)) {
			ok = ok && max(got[i]-c.want[i], c.want[i]-got[i]) <= c.near
		}
		if !ok {
			t.Errorf("%s: changes at %v, want %v", c.name, got, c.want)
		}
		if again := ChangePoints(c.xs, 1); !slices.Equal(again, got) {
			t.Errorf("%s: changes at %v, and with the same seed at %v", c.name, got, again)
		}
	}
	if got := ChangePoints(ramp, 1); len(got) < 2 {
		t.Errorf("a ramp is divided at %v, want several steps", got)
	}
}

// Of series of noise alone few have a change point: about one in a hundred.
//
// Of 1000 series 8 had one.
func TestChangePointsNoise(t *testing.T) {
	r, found, trials := rand.New(rand.NewPCG(8, 1)), 0, 200
	for i := range trials {
		if len(ChangePoints(around(r, 40, 100, 0.02), uint64(i))) > 0 {
			found++
		}
	}
	if found > trials*4/100 {
		t.Errorf("%d of %d series of noise have a change point, want about 1%%", found, trials)
	}
}

// farthest computes sums step by step; a slow form that adds them anew must agree.
func TestFarthest(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 50 {
		xs := around(r, 6+r.IntN(20), 10, 0.3)
		at, most := farthest(xs)
		wantAt, want := 0, 0.0
		for k := leastRuns; k <= len(xs)-leastRuns; k++ {
			if q := energy(xs[:k], xs[k:]); q > want {
				wantAt, want = k, q
			}
		}
		if at != wantAt || most < want*0.999999 || most > want*1.000001 {
			t.Errorf("division at %d of distance %g, want at %d, %g", at, most, wantAt, want)
		}
	}
}

// energy is the weighted energy distance by its definition.
func energy(a, b []float64) float64 {
	mean := func(x, y []float64, pairs int) float64 {
		sum := 0.0
		for _, v := range x {
			for _, w := range y {
				sum += max(v-w, w-v)
			}
		}
		return sum / float64(pairs)
	}
	m, n := len(a), len(b)
	return float64(m*n) / float64(m+n) * (2*mean(a, b, m*n) - mean(a, a, m*(m-1)) - mean(b, b, n*(n-1)))
}
