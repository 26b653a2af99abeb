package startup

import (
	"os"
	"os/exec"
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
	inits := inits(t, p)
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

// inits returns the Go runtime's trace of the full program's initialization: a line for each package
// that has any, "init encoding/json @0.4 ms, 0.02 ms clock, 3504 bytes, 40 allocs".
func inits(t *testing.T, p *Programs) (lines []string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), p.Full)
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", p.Full, err, out)
	}
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(line, "init ") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

func TestSubject(t *testing.T) {
	for name, want := range map[string]int{"types500": 500, "types1": 1, "types": 0, "types-1": 0, "order": 0, "types5x": 0} {
		if n, ok := Subject(name); ok != (want > 0) || ok && n != want {
			t.Errorf("%s: %d, %v", name, n, ok)
		}
	}
}
