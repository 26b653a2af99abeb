// Runner holds testees against the vectors and prints a matrix of them:
//
//	go run ./spec/runner go='go run ./spec/testee' rust=rust/target/release/testee
//
// Each argument is the name of a testee and the command that starts it. Vectors
// that a testee is known to fail are listed in spec/failures/NAME.txt, one "mode
// id" a line; the runner fails where the outcome differs from the list, also where
// a listed vector passes. -explain prints what was wrong.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/zmylab/zmy/internal/zmyvector"
)

var explain = flag.Bool("explain", false, "print what was wrong with each vector")

func main() {
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: runner [-explain] NAME=COMMAND…")
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

// column is a testee in one mode.
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
	good = true
	var columns []column
	for _, arg := range args {
		name, command, ok := strings.Cut(arg, "=")
		if !ok {
			return false, fmt.Errorf("%q is not NAME=COMMAND", arg)
		}
		list, failures, err := test(w, name, strings.Fields(command), vectors)
		if err != nil {
			return false, fmt.Errorf("%s: %w", name, err)
		}
		columns = append(columns, list...)
		if !compare(w, name, failures) {
			good = false
		}
	}
	return good, matrix(w, columns)
}

// test runs one testee in all its modes, and returns "mode id" of what failed.
func test(w io.Writer, name string, command []string, vectors []zmyvector.Vector) (columns []column, failures []string, err error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	defer func() {
		_ = stdin.Close()
		err = errors.Join(err, cmd.Wait())
	}()
	t := zmyvector.NewTestee(stdout, stdin)
	modes, err := t.Modes()
	if err != nil {
		return nil, nil, err
	}
	for i, mode := range modes {
		col := column{name + " " + mode, map[string]*cell{}}
		for j := range vectors {
			v := &vectors[j]
			category, _, _ := strings.Cut(v.ID, "/")
			c := col.cells[category]
			if c == nil {
				c = &cell{}
				col.cells[category] = c
			}
			switch err := v.Check(t.Mode(i)); {
			case err == nil:
				c.passed++
			case errors.Is(err, zmyvector.ErrUnsupported):
				c.skipped++
			default:
				c.failed++
				failures = append(failures, mode+" "+v.ID)
				if *explain {
					fmt.Fprintf(w, "%s %s %s: %v\n", name, mode, v.ID, err)
				}
			}
		}
		columns = append(columns, col)
	}
	return columns, failures, nil
}

// compare holds failures against the list of known ones.
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
	for _, category := range sorted(categories) {
		fmt.Fprint(t, category)
		for _, c := range columns {
			fmt.Fprint(t, "\t", c.cells[category])
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

func sorted(set map[string]bool) (out []string) {
	for s := range set {
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}
