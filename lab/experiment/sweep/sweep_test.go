package sweep

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/run"
)

// line makes points whose time per byte follows the given function of size, with noise.
func line(noise float64, seed uint64, perByte func(size float64) float64) []Point {
	r := rand.New(rand.NewPCG(seed, 0))
	var out []Point
	for s := 512.0; s <= 2<<20; s *= 2 {
		out = append(out, Point{Codec: "c", Op: "encode", Size: s, NS: run.Estimate{Median: s * perByte(s) * math.Exp(noise*r.NormFloat64())}})
	}
	return out
}

// TestKnees finds those that were built in, and none where there is none.
func TestKnees(t *testing.T) {
	for _, c := range []struct {
		name  string
		f     func(size float64) float64
		knees []float64
	}{
		{"proportional", func(float64) float64 { return 2 }, nil},
		{"a power law", func(s float64) float64 { return math.Pow(s, 0.2) }, nil},
		{"dearer beyond 64 KiB", func(s float64) float64 { return 2 * math.Pow(max(1, s/65536), 0.5) }, []float64{65536}},
		{"fixed costs up to 16 KiB", func(s float64) float64 { return 2 * math.Pow(max(1, 16384/s), 0.9) }, []float64{16384}},
		{"both", func(s float64) float64 { return 2 * math.Pow(max(1, 4096/s), 0.8) * math.Pow(max(1, s/262144), 0.7) }, []float64{4096, 262144}},
	} {
		wrong := 0
		for seed := range uint64(40) {
			got := (&Result{Points: line(0.03, seed, c.f)}).knees(nil)
			ok := len(got) == len(c.knees)
			for i := range got {
				ok = ok && i < len(c.knees) && math.Abs(math.Log2(got[i].Size/c.knees[i])) <= 1
			}
			if !ok {
				wrong++
			}
		}
		if wrong > 4 { // noise makes or hides a knee now and then
			t.Errorf("%s: wrong in %d of 40 series", c.name, wrong)
		}
	}
}

// TestFewSizes: where no knee could have been found none is denied.
func TestFewSizes(t *testing.T) {
	all := line(0, 1, func(float64) float64 { return 2 })
	for n, want := range map[int]string{leastSizes - 1: "5 sizes are too few", leastSizes: "no size from which chunks"} {
		if s := strings.Join(findings(&Result{Points: all[:n]}), "\n"); !strings.Contains(s, want) {
			t.Errorf("%d sizes: %s", n, s)
		}
	}
}

func TestKinds(t *testing.T) {
	for _, c := range []struct {
		before, after float64
		dearer        bool
		holds         string
	}{{0, 0.5, true, "dearer"}, {-0.9, 0, false, "fixed costs"}, {0.4, 0, false, "cheaper"}} {
		k := Knee{Before: c.before, After: c.after}
		if k.dearer() != c.dearer || !strings.Contains(k.kind(), c.holds) {
			t.Errorf("from %g to %g: %s", c.before, c.after, k.kind())
		}
	}
}

func TestSizes(t *testing.T) {
	e := &Experiment{sizes: "1M, 64K,512,64K,1.5K"}
	if err := e.Check(); err != nil || fmt.Sprint(e.Sizes) != "[512 1536 65536 1048576]" {
		t.Errorf("%v, %v", e.Sizes, err)
	}
	for _, s := range []string{"", "K", "3", "1G", "-4K", "NaN", "99999M", "4KM5"} {
		if err := (&Experiment{sizes: s}).Check(); err == nil {
			t.Errorf("size %q was taken", s)
		}
	}
}

// TestName reads a made-up machine's caches and names what lies near.
func TestName(t *testing.T) {
	dir := t.TempDir()
	for i, c := range []struct{ level, kind, size string }{{"1", "Data", "48K"}, {"1", "Instruction", "32K"}, {"2", "Unified", "2M"}} {
		for name, text := range map[string]string{"level": c.level, "type": c.kind, "size": c.size} {
			file := filepath.Join(dir, fmt.Sprint("index", i), name)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	marks := caches(dir)
	if len(marks) != 2 {
		t.Fatalf("%d caches: %v", len(marks), marks)
	}
	for size, want := range map[float64]string{44 << 10: "the L1 cache of 48 KiB", 3 << 20: "the L2 cache of 2 MiB", 400 << 10: "", 100: ""} {
		if got := name(size, marks); got != want {
			t.Errorf("%g bytes: %q, want %q", size, got, want)
		}
	}
}

func TestFindings(t *testing.T) {
	points := line(0, 1, func(float64) float64 { return 2 })
	for _, p := range line(0, 1, func(float64) float64 { return 1 }) {
		p.Codec = "better"
		points = append(points, p)
	}
	s := strings.Join(findings(&Result{Points: points, Grown: "x"}), "\n")
	if !strings.Contains(s, "No codec becomes dearer") || !strings.Contains(s, "better has the lowest encode time at every size") {
		t.Error(s)
	}
}
