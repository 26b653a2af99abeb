package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/table"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/tools/goals"
	"github.com/zmylab/zmy/tools/gobench"
	"github.com/zmylab/zmy/tools/startup"
)

// goalRunner measures goals in a clone of the project.
type goalRunner struct{ ui *progress }

// Bench runs benchmarks of a package of the project.
func (c goalRunner) Bench(ctx context.Context, q goals.Request) ([]byte, error) {
	cpus, err := pinned(q.Pin)
	if err != nil {
		return nil, err
	}
	root, err := checkout()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(root, filepath.FromSlash(q.Bench))
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("package ./%s is %w", q.Bench, goals.ErrMissing)
	}
	var text bytes.Buffer
	plan := gobench.Plan{Dir: dir, Env: q.Env, Benchmarks: q.Benchmarks, CPUs: cpus, Budget: q.Budget, Seed: 1, Doing: c.ui.Doing}
	err = gobench.Run(ctx, plan, &text)
	if errors.Is(err, gobench.ErrMissing) {
		err = fmt.Errorf("%w: %w", goals.ErrMissing, err)
	}
	return text.Bytes(), err
}

// Run makes one run of the lab for the goals of one subject.
func (c goalRunner) Run(ctx context.Context, q goals.Request) (*run.Run, error) {
	streams, input := q.Variant == goals.Streams, q.Variant
	if streams {
		input = ""
	} else if input != "" && !slices.Contains(worker.Inputs, input) {
		return nil, fmt.Errorf("input %s is %w", q.Variant, goals.ErrMissing)
	}
	cpus, err := pinned(q.Pin)
	if err != nil {
		return nil, err
	}
	root, err := checkout()
	if err != nil {
		return nil, err
	}
	if types, ok := startup.Subject(q.Subject); ok {
		return measureStartUp(ctx, c.ui, q, root, types)
	}
	dir := filepath.Join(root, "examples", q.Subject)
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("subject %s is %w", q.Subject, goals.ErrMissing)
	}
	return lab.Run(ctx, lab.Options{Package: dir, Codecs: known(q), Budget: q.Budget, Env: q.Env,
		Input: input, Streams: streams, CPUs: cpus, Scaling: q.Scaling, Table: table.All(), Tool: program,
		Command: []string{program, "goals", "-subject", q.Subject, "-budget", q.Budget.String()}}, c.ui)
}

// pinned returns the processors on which codecs run. By default that is the last one, if there are
// several. The goals were set on one processor: there a codec's time includes the garbage
// collection that the codec causes.
func pinned(list string) ([]int, error) {
	switch list {
	case "none":
		return nil, nil
	case "":
		have, err := harness.CPUs()
		if err != nil || len(have) < 2 {
			return nil, nil // the report says that nothing is pinned
		}
		return have[len(have)-1:], nil
	}
	cpus, err := harness.ParseCPUs(list)
	if err != nil {
		return nil, fmt.Errorf("-pin: %w", err)
	}
	return cpus, nil
}

// known returns the codecs to measure: the requested codecs that the lab has, and the default
// codecs if a goal compares with the fastest of all. Goals with an unknown codec stay pending.
func known(q goals.Request) []string {
	var names []string
	for _, i := range table.All() {
		if slices.Contains(q.Codecs, i.Name) || q.All && !i.Extra {
			names = append(names, i.Name)
		}
	}
	return names
}

// checkout returns the folder of the project's clone. That is the one around the current folder, or
// else the one from which this program was built.
func checkout() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for ; !isCheckout(dir); dir = filepath.Dir(dir) {
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if isCheckout(dir) {
		return dir, nil
	}
	if _, file, _, ok := runtime.Caller(0); ok {
		if dir = strings.TrimSuffix(filepath.ToSlash(file), "/tools/cmd/maint/goals.go"); isCheckout(dir) {
			return dir, nil
		}
	}
	return "", errors.New("the goals are measured on the project's own examples: run this in a clone of " + contender.RuntimePath)
}

func isCheckout(dir string) bool {
	data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil || modfile.ModulePath(data) != contender.RuntimePath {
		return false
	}
	_, err = os.Stat(filepath.Join(dir, "examples"))
	return err == nil
}
