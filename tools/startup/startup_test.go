package startup

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/contender"
)

// types is how many the test builds: what one of them pays all pay, and the
// goal of 500 is measured by make goals.
const types = 60

// A program with generated code for many types runs none of it before main: the
// runtime lists none of their packages among those that it initializes.
func TestNothingAtInit(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	core, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	p, err := Build(t.Context(), t.TempDir(), core, types)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Use(t.Context()); err != nil { // all of it is in the program, and works
		t.Fatal(err)
	}
	inits, err := p.Inits(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(inits) == 0 {
		t.Fatal("the runtime lists no package at all: nothing is checked")
	}
	for _, line := range inits {
		switch {
		case strings.Contains(line, module):
			t.Errorf("a package of generated code works before main: %s", line)
		case strings.Contains(line, contender.RuntimePath) && !strings.HasSuffix(line, " 0 bytes, 0 allocs"):
			t.Errorf("the runtime takes memory before main: %s", line)
		}
	}
	wall, cpu, err := p.Measure(t.Context(), 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	if wall.N != minPairs || cpu.N != minPairs || wall.Lo > wall.Median || wall.Median > wall.Hi {
		t.Errorf("estimates %+v, %+v", wall, cpu)
	}
	t.Logf("%d types: %.2f ms more than an empty program, %.2f ms of CPU time", types, wall.Median/1e6, cpu.Median/1e6)
}

func TestSubject(t *testing.T) {
	for name, want := range map[string]int{"types500": 500, "types1": 1, "types": 0, "types-1": 0, "order": 0, "types5x": 0} {
		if n, ok := Subject(name); ok != (want > 0) || ok && n != want {
			t.Errorf("%s: %d, %v", name, n, ok)
		}
	}
}
