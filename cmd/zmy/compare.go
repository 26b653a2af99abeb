package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/zmylab/zmy/lab/compare"
	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
)

const compareHelp = `usage: zmy lab compare A B [flags]

Compares two runs of zmy lab on one type: which codecs became faster or slower, and what
else changed. A and B are files run.json, or the folders that hold them.

What is judged is each codec's ratio to encoding/json, which both runs measured round by
round: times of two runs differ by the machine's mood alone. A difference is called one
only beyond the larger noise floor of the two.

  -across          judge runs of two machines as well: what differs may then be the machines
  -format FORMAT   what is printed: table (default), md, html, csv or json

Exit codes: 0 every ranked codec is decided, 1 internal error, 2 usage, 5 inconclusive:
some ranked codec is not, or the runs come from two machines.
`

// runCompare runs zmy lab compare.
func runCompare(_ context.Context, c *console, args []string) error {
	flags := flag.NewFlagSet("lab compare", flag.ContinueOnError)
	across := flags.Bool("across", false, "")
	format := experimentForm(flags)
	rest, err := parse(c, flags, compareHelp, args)
	switch {
	case err != nil:
		return err
	case len(rest) != 2:
		return misused("name two runs: zmy lab compare old/run.json new/run.json")
	}
	var runs [2]*run.Run
	for i, name := range rest {
		if runs[i], err = loadRun(name); err != nil {
			return misused("%w", err)
		}
	}
	x, err := compare.Runs(runs[0], runs[1], compare.Options{Across: *across})
	if err != nil {
		return misused("%w", err)
	}
	if err := experimentForms[*format](c.stdout, "", x.Experiment(append([]string{"zmy", "lab", "compare"}, args...))); err != nil {
		return err
	}
	if x.Inconclusive() {
		return quiet(exitInconclusive)
	}
	return nil
}

// experimentForms are the values of -format for an experiment. dir is the folder of its report, or
// "" if it has none.
var experimentForms = map[string]func(w io.Writer, dir string, e *run.Experiment) error{
	"table": func(w io.Writer, dir string, e *run.Experiment) error {
		return report.Experiment(w, e, tableOn(w, dir))
	},
	"md":   func(w io.Writer, _ string, e *run.Experiment) error { return report.ExperimentMarkdown(w, e) },
	"html": func(w io.Writer, _ string, e *run.Experiment) error { return report.ExperimentHTML(w, e) },
	"csv": func(w io.Writer, _ string, e *run.Experiment) error {
		return report.ExperimentsCSV(w, []*run.Experiment{e})
	},
	"json": func(w io.Writer, _ string, e *run.Experiment) error { return report.ExperimentJSON(w, e) },
}

// experimentForm adds -format to fs.
func experimentForm(fs *flag.FlagSet) *string {
	name := "table"
	choice(fs, &name, "format", "table", "md", "html", "csv", "json")
	return &name
}

// tableOn returns the options of a table that is written to w.
func tableOn(w io.Writer, dir string) report.TableOptions {
	opt := report.TableOptions{}
	if file, ok := w.(*os.File); ok {
		opt = report.Terminal(file)
	}
	opt.Dir = dir
	return opt
}

// loadRun reads a run.json; name is the file or the folder of the report.
func loadRun(name string) (*run.Run, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		name = filepath.Join(name, report.FileJSON)
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: there is no such file; zmy lab writes one into the folder of -o", name)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := report.ReadJSON(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}
