// Package gobench runs benchmarks of a Go package in turns and reads their results.
//
// Each value comes from a process of its own. In each round every benchmark runs once, in shuffled
// order. So if the machine is slow for a while, all benchmarks are affected, and effects of a
// process's memory layout are part of the spread. The output is the text that `go test -bench`
// prints, which benchstat reads.
//
// Benchmarks of another language are a program named benchmarks in their folder. Without an argument
// it builds them, with a name it runs that one and prints such a line. Exit code 3 means that
// something it needs is missing.
package gobench

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab/harness"
)

// Plan says which benchmarks of one package to run, and how.
type Plan struct {
	Dir        string   // folder of the package
	Env        []string // added to the environment of the build and of the processes
	Benchmarks []Benchmark
	CPUs       []int         // processors for benchmarks that are not Free; empty for any; see harness.ParseCPUs
	Budget     time.Duration // shared by the benchmarks without a Time
	Seed       uint64        // seed of the order
	// Doing is called with what is being done, to show progress. It may be nil.
	Doing func(what string)
}

// Benchmark is one benchmark of a plan.
type Benchmark struct {
	Name   string // name of the function and its sub-benchmarks: BenchmarkHandle/nano
	Time   string // as in go test -benchtime: 1x, 2s; "" for a share of the budget
	Rounds int    // number of values, each from a process of its own
	Free   bool   // run on all processors, not on those of the plan
}

// Bounds for a benchmark's share of the budget. In a shorter time the clock's resolution would
// dominate. A longer time is better used for another round.
const shortest, longest = 50 * time.Millisecond, time.Second

// limit is the time after which a process counts as hanging.
const limit = 10 * time.Minute

// Run builds the package's test program, runs the benchmarks round by round, and writes their
// output to w. The error has the last output of the command that failed.
func Run(ctx context.Context, p Plan, w io.Writer) error {
	tmp, err := os.MkdirTemp("", "zmy-gobench-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	p.doing("building the benchmarks")
	program, err := p.build(ctx, tmp)
	if err != nil {
		return err
	}
	rounds, share := 0, p.share()
	for _, b := range p.Benchmarks {
		rounds = max(rounds, b.Rounds)
	}
	random := rand.New(rand.NewPCG(p.Seed, 1))
	order := slices.Clone(p.Benchmarks)
	for round := range rounds {
		p.doing(fmt.Sprintf("round %d of %d", round+1, rounds))
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, b := range order {
			if round >= b.Rounds {
				continue
			}
			if b.Time != "" {
				p.doing(fmt.Sprintf("round %d of %d: %s", round+1, rounds, b.Name))
			}
			out, err := p.once(ctx, program, b, share)
			if err != nil {
				return fmt.Errorf("%s: %w\n%s", b.Name, err, tail(out))
			}
			if _, err := w.Write(out); err != nil {
				return err
			}
		}
	}
	return nil
}

// ErrMissing means that the benchmarks need something that this machine does not have.
var ErrMissing = errors.New("missing here")

// other is the name of the program of a folder whose benchmarks are not Go's.
const other = "benchmarks"

// build builds the benchmarks and returns the path of the program that runs them.
func (p Plan) build(ctx context.Context, tmp string) (string, error) {
	program := filepath.Join(tmp, "bench.test")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-o", program, ".")
	if script := filepath.Join(p.Dir, other); isFile(script) {
		program, build = script, exec.CommandContext(ctx, script)
	}
	build.Dir, build.Env = p.Dir, append(os.Environ(), p.Env...)
	out, err := build.CombinedOutput()
	switch {
	case err != nil && filepath.Base(program) == other && build.ProcessState.ExitCode() == 3:
		return "", fmt.Errorf("%w: %s", ErrMissing, tail(out))
	case err != nil:
		return "", fmt.Errorf("%s does not build: %w\n%s", p.Dir, err, tail(out))
	case !isFile(program):
		return "", fmt.Errorf("%s has no tests", p.Dir)
	}
	return program, nil
}

func isFile(name string) bool {
	f, err := os.Stat(name)
	return err == nil && f.Mode().IsRegular()
}

func (p Plan) doing(what string) {
	if p.Doing != nil {
		p.Doing(what)
	}
}

// share returns the time for each process of the benchmarks without a Time.
func (p Plan) share() time.Duration {
	n := 0
	for _, b := range p.Benchmarks {
		if b.Time == "" {
			n += b.Rounds
		}
	}
	return min(max(p.Budget/time.Duration(max(1, n)), shortest), longest)
}

// once runs one benchmark in a process and returns its output.
func (p Plan) once(ctx context.Context, program string, b Benchmark, share time.Duration) ([]byte, error) {
	cmd := exec.CommandContext(ctx, program, "-test.run=^$", "-test.bench="+exactly(b.Name), "-test.benchtime="+cmp.Or(b.Time, share.String()),
		"-test.count=1", "-test.benchmem", "-test.v", "-test.timeout="+limit.String())
	if filepath.Base(program) == other {
		cmd = exec.CommandContext(ctx, program, b.Name)
	}
	cmd.Dir, cmd.Env = p.Dir, append(os.Environ(), p.Env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = 10 * time.Second
	cpus := p.CPUs
	if b.Free {
		cpus = nil
	}
	if err := harness.StartOn(cmd, cpus); err != nil {
		return nil, err
	}
	err := cmd.Wait()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if err == nil && !bytes.Contains(out.Bytes(), []byte(b.Name)) {
		err = errors.New("there is no such benchmark")
	}
	return out.Bytes(), err
}

// exactly returns the pattern that matches only the benchmark with that name.
func exactly(name string) string {
	parts := strings.Split(name, "/")
	for i := range parts {
		parts[i] = "^" + regexp.QuoteMeta(parts[i]) + "$"
	}
	return strings.Join(parts, "/")
}

// tail returns the last 2000 bytes of out, without surrounding space.
func tail(out []byte) []byte {
	const most = 2000
	return bytes.TrimSpace(out[max(0, len(out)-most):])
}
