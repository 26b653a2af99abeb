// Runner tests programs, called testees, against the vectors and prints a matrix of the results:
//
//	go run ./spec/runner go='go run ./spec/testee' rust=rust/target/release/testee
//
// Each argument is the name of a testee and the command that starts it. spec/failures/NAME.txt
// lists the vectors that a testee is known to fail, one "mode id" in each line. The runner fails if
// a testee fails other vectors than those listed, or passes a listed one. -explain prints what was
// wrong.
//
// With -mutate N the runner sends N damaged messages instead of the vectors, and all testees must
// agree with the model of the format. -seed selects other messages.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/zmylab/zmy/internal/zmyvector"
)

var (
	explain = flag.Bool("explain", false, "print what was wrong with each vector")
	mutants = flag.Int("mutate", 0, "send so many damaged vectors instead")
	seed    = flag.Uint64("seed", 1, "what they are drawn from")
)

func main() {
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: runner [flags] NAME=COMMAND…")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	good, err := run(os.Stdout, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "runner:", err)
		os.Exit(2)
	}
	if !good {
		os.Exit(1)
	}
}

// column has the results of a testee in one mode.
type column struct {
	name  string
	cells map[string]*cell // by category
}

type cell struct{ passed, failed, skipped int }

func (c *cell) String() string {
	s := fmt.Sprint(c.passed)
	if c.failed > 0 {
		s += fmt.Sprintf(", %d FAILED", c.failed)
	}
	if c.skipped > 0 {
		s += fmt.Sprintf(", %d skipped", c.skipped)
	}
	return s
}

func run(w io.Writer, args []string) (good bool, err error) {
	var vectors []zmyvector.Vector
	names, err := zmyvector.Files()
	if err != nil {
		return false, err
	}
	for _, name := range names {
		list, err := zmyvector.Load(name)
		if err != nil {
			return false, err
		}
		vectors = append(vectors, list...)
	}
	if *mutants > 0 {
		return mutate(w, args, *mutants, *seed, vectors)
	}
	reports := make([]report, len(args))
	var wg sync.WaitGroup
	for i, arg := range args {
		wg.Go(func() { reports[i].err = reports[i].fill(arg, vectors) })
	}
	wg.Wait()
	good = true
	var columns []column
	for i := range reports {
		r := &reports[i]
		if r.err != nil {
			return false, r.err
		}
		fmt.Fprint(w, &r.text)
		columns = append(columns, r.columns...)
		good = good && r.good
	}
	return good, matrix(w, columns)
}

// report has the results of one testee.
type report struct {
	columns []column
	text    bytes.Buffer // output for people
	good    bool         // it fails exactly the vectors that it is known to fail
	err     error
}

func (r *report) fill(arg string, vectors []zmyvector.Vector) error {
	t, err := start(arg)
	if err != nil {
		return err
	}
	var failures []string
	r.columns, failures = t.test(&r.text, vectors)
	r.good = compare(&r.text, t.name, failures)
	return t.stop()
}

// testee is a running testee.
type testee struct {
	*zmyvector.Testee
	name  string
	modes []string
	cmd   *exec.Cmd
	stdin io.Closer
}

// start starts the testee of an argument NAME=COMMAND.
func start(arg string) (*testee, error) {
	name, command, ok := strings.Cut(arg, "=")
	words := strings.Fields(command)
	if !ok || len(words) == 0 {
		return nil, fmt.Errorf("%q is not NAME=COMMAND", arg)
	}
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	t := &testee{Testee: zmyvector.NewTestee(stdout, stdin), name: name, cmd: cmd, stdin: stdin}
	if t.modes, err = t.Modes(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), t.stop())
	}
	return t, nil
}

// stop closes the testee's input, at which the testee must end, and waits for its end.
func (t *testee) stop() error {
	_ = t.stdin.Close()
	if err := t.cmd.Wait(); err != nil {
		return fmt.Errorf("%s: %w", t.name, err)
	}
	return nil
}

// test runs all vectors in all modes. failures has "mode id" for each vector that failed.
func (t *testee) test(w io.Writer, vectors []zmyvector.Vector) (columns []column, failures []string) {
	for i, mode := range t.modes {
		col := column{t.name + " " + mode, map[string]*cell{}}
		for j := range vectors {
			v := &vectors[j]
			category, _, _ := strings.Cut(v.ID, "/")
			c := col.cells[category]
			if c == nil {
				c = &cell{}
				col.cells[category] = c
			}
			switch err := v.Check(func(list []zmyvector.Request) iter.Seq2[zmyvector.Outcome, error] { return t.Batch(i, list) }); {
			case err == nil:
				c.passed++
			case errors.Is(err, zmyvector.ErrUnsupported):
				c.skipped++
			default:
				c.failed++
				failures = append(failures, mode+" "+v.ID)
				if *explain {
					fmt.Fprintf(w, "%s %s %s: %v\n", t.name, mode, v.ID, err)
				}
			}
		}
		columns = append(columns, col)
	}
	return columns, failures
}

// compare compares failures with the list of known failures, prints the differences, and reports
// whether there are none.
func compare(w io.Writer, name string, failures []string) bool {
	text, err := os.ReadFile(filepath.Join(zmyvector.Dir(), "..", "failures", name+".txt"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		fmt.Fprintln(w, err)
		return false
	}
	var known []string
	for line := range bytes.Lines(text) {
		if s := strings.TrimSpace(string(line)); s != "" && s[0] != '#' {
			known = append(known, s)
		}
	}
	good := true
	for _, f := range failures {
		if !slices.Contains(known, f) {
			fmt.Fprintf(w, "%s fails %s\n", name, f)
			good = false
		}
	}
	for _, f := range known {
		if !slices.Contains(failures, f) {
			fmt.Fprintf(w, "%s passes %s: take it off spec/failures/%s.txt\n", name, f, name)
			good = false
		}
	}
	return good
}

func matrix(w io.Writer, columns []column) error {
	categories := map[string]bool{}
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprint(t, "category")
	for _, c := range columns {
		fmt.Fprint(t, "\t", c.name)
		for category := range c.cells {
			categories[category] = true
		}
	}
	fmt.Fprintln(t)
	for _, category := range slices.Sorted(maps.Keys(categories)) {
		fmt.Fprint(t, category)
		for _, c := range columns {
			fmt.Fprint(t, "\t", c.cells[category])
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}
