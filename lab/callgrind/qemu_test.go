package callgrind

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestEmulator counts loops of a small program: a round of the loop has the same instructions each
// time, so twice the rounds are twice the difference.
func TestEmulator(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	dir := t.TempDir()
	g, err := FindEmulator(t.Context(), "arm64", dir)
	if err != nil {
		t.Skip(err)
	}
	source := `package main

import ("os"; "strconv")

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	s := uint64(1)
	for range n {
		s = s*6364136223846793005 + 1442695040888963407
	}
	if s == 7 {
		println(s)
	}
}
`
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "program")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, filepath.Join(dir, "main.go"))
	build.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	count := func(rounds string) float64 {
		out := filepath.Join(dir, "counts")
		args, env := g.program(out)
		cmd := exec.CommandContext(t.Context(), args[0], append(args[1:], program, rounds)...)
		cmd.Env = append(os.Environ(), append(env, "GOMAXPROCS=1")...)
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		f, err := os.Open(out)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		sums, err := totals(f)
		if err != nil {
			t.Fatal(err)
		}
		return sums["Ir"]
	}
	none, one, two := count("0"), count("1000000"), count("2000000")
	if a, b := one-none, two-one; a < 2e6 || a > 30e6 || a > 1.1*b || b > 1.1*a {
		t.Errorf("%.0f, %.0f, %.0f instructions for none, 1 and 2 million rounds", none, one, two)
	}
}

func TestNoEmulator(t *testing.T) {
	if _, err := FindEmulator(t.Context(), "mips", t.TempDir()); err == nil || !strings.Contains(err.Error(), "choose arm64") {
		t.Error(err)
	}
	t.Setenv("PATH", "")
	if _, err := FindEmulator(t.Context(), "arm64", t.TempDir()); err == nil || !strings.Contains(err.Error(), "apt install qemu-user") {
		t.Error(err)
	}
}
