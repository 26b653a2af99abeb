package trial

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/scan/adopt"
	"github.com/zmylab/zmy/scan/profile"
)

// bench is a benchmark.
type bench struct {
	t             *trial
	at            *Row
	dir           string
	before, after string // test programs
}

// calibration is for how long a benchmark runs to learn how long an operation takes.
const calibration = "100ms"

// benchmarks returns the benchmarks that the user named, of the packages that a change may reach.
func (t *trial) benchmarks(ctx context.Context) (works []work, err error) {
	var paths []string
	for _, c := range t.r.Checks {
		paths = append(paths, c.Package)
	}
	if len(paths) == 0 {
		return nil, lab.Usagef("no package has benchmarks that may see the change")
	}
	all, err := t.copy.Packages(ctx, paths...)
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		if !p.Benchmarks {
			continue
		}
		t.o.Doing("building the benchmarks of " + p.Path + " before and after the change")
		before, after, err := t.copy.Build(ctx, p.Path, true)
		if err != nil {
			return nil, err
		}
		t.o.Doing("trying the benchmarks of " + p.Path)
		found, err := t.calibrate(ctx, p, before)
		if err != nil {
			return nil, err
		}
		for _, row := range found {
			works = append(works, &bench{t: t, at: row, dir: p.Dir, before: before, after: after})
		}
	}
	if len(works) == 0 {
		return nil, lab.Usagef("no benchmark of the packages that may see the change matches %q (packages: %s)",
			t.o.What, strings.Join(paths, ", "))
	}
	return works, nil
}

// result matches the line that a benchmark prints.
var result = regexp.MustCompile(`(?m)^(Benchmark\S*)\s+\d+\s+([\d.]+) ns/op`)

// calibrate runs benchmarks for a moment, and returns a row for each, with the number of operations that one run shall do.
func (t *trial) calibrate(ctx context.Context, p adopt.Package, program string) (rows []*Row, err error) {
	cmd := t.copy.Command(ctx, p.Dir, program, "-test.run=^$", "-test.bench="+t.o.What, "-test.benchtime="+calibration)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		return nil, err
	}
	suffix := "-" + strconv.Itoa(runtime.GOMAXPROCS(0))
	for _, m := range result.FindAllStringSubmatch(string(out), -1) {
		ns, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			continue
		}
		ops := math.Round(float64(t.o.Time.Nanoseconds()) / max(ns, 0.1))
		rows = append(rows, &Row{Package: p.Path, Name: strings.TrimSuffix(m[1], suffix), Ops: int(min(max(ops, 1), 1e9))})
	}
	if len(rows) == 0 && err != nil {
		return nil, fmt.Errorf("the benchmarks of %s fail before the change: %s", p.Path, tail(slices.Concat(out, stderr.Bytes())))
	}
	return rows, nil
}

// tail returns the last line of an output that says something.
func tail(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	for _, l := range slices.Backward(lines) {
		if l = strings.TrimSpace(l); l != "" && l != "FAIL" && !strings.HasPrefix(l, "exit status") {
			return l
		}
	}
	return "it prints nothing"
}

func (b *bench) row() *Row { return b.at }

func (b *bench) programs() (before, after string) { return b.before, b.after }

func (b *bench) once(ctx context.Context, program, cpu, heap string) (float64, error) {
	cmd := b.t.copy.Command(ctx, b.dir, program, "-test.run=^$", "-test.bench="+exactly(b.at.Name),
		"-test.benchtime="+strconv.Itoa(b.at.Ops)+"x",
		"-test.cpuprofile="+cpu, "-test.memprofile="+heap)
	out, err := cmd.CombinedOutput()
	if err != nil || !result.Match(out) {
		return 0, fmt.Errorf("the benchmark fails: %s", tail(out))
	}
	return float64((cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Nanoseconds()), nil
}

// exactly returns the regular expression of one benchmark: go test matches each element of its name by itself.
func exactly(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// profiles returns none: each run has written its own.
func (b *bench) profiles(context.Context) (cpu, heap *profile.Profile, err error) {
	return nil, nil, nil
}
