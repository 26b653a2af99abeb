// Package gate tells whether a change made a type slower: it builds the type's package as
// it stands and as it was at a git commit, measures both in the same interleaved rounds,
// and calls a regression only what it can prove.
//
// Two runs at two times cannot be compared to a few percent, since the machine's mood moved
// between them; two builds that take turns can. So the commit is checked out into a
// temporary folder, and every codec runs in two lanes of one schedule, beside a twin of the
// baseline that says how far two copies of one program differ here.
//
// NOTE, the map: gate.go leads, git.go finds and checks out the commit, paths.go keeps its
// folders apart from the user's, measure.go runs the
// rounds, judge.go decides, show.go makes it an experiment that package report draws.
package gate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/codecs/own"
	"github.com/zmylab/zmy/lab/run"
)

// Options are what a user can choose. Lab names subject, codecs, depth, budget and values;
// its Out is ignored.
type Options struct {
	Lab       lab.Options
	Baseline  string   // what git calls the commit: main, HEAD~1, v1.2.0
	Tolerance float64  // relative growth of times, allocations and bytes that is accepted: 0.05
	Own       []string // folders of codecs of the user's, taken from the commit for its side where they lie in the repository
}

// Result is what was found.
type Result struct {
	Now, Before *run.Run // subject, host and contenders of the two sides
	Ref, Commit string   // as named, and the commit's abbreviated hash
	Clock       string   // that the times stand on: wall or cpu
	Floor       float64  // noise floor
	Tolerance   float64
	Launches    int
	Rounds      int // of each launch
	Cells       []Cell
	Broken      []string // what codecs could do at the commit and cannot now, one sentence each
	Unmatched   []string // codecs that were asked for and that only this side could measure, one sentence each
	Apart       []string // codecs that only one side could measure, for other reasons
	Warnings    []string

	asked []string // codecs that the user named
}

// Run measures. Its errors are the user's where they are a *lab.UsageError or a
// *lab.BaselineError. When ctx ends it returns its error and no result: half a measurement
// is no gate.
func Run(ctx context.Context, o Options, ui lab.UI) (_ *Result, err error) {
	names := o.Lab.Codecs
	if len(names) == 0 && len(o.Own) == 0 {
		names = []string{run.Baseline}
	}
	o.Lab.Out = ""
	here := o.Lab
	if here.Table, names, err = addOwn(ctx, o.Lab.Table, o.Own, names); err != nil {
		return nil, err
	}
	now, err := lab.Open(ctx, here, ui)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, now.Close()) }()

	repo, err := find(ctx, now.Subject().Pkg.Dir, o.Baseline)
	if err != nil {
		return nil, err
	}
	ui.Doing("checking out " + repo.name() + " into a temporary folder")
	tree := now.Space().Folder("baseline")
	warnings, err := repo.checkOut(ctx, tree)
	if err != nil {
		return nil, err
	}
	moved, err := repo.anchor(tree)
	if err != nil {
		return nil, err
	}
	there, more, err := o.before(ctx, now, repo, tree)
	if err != nil {
		return nil, err
	}
	warnings = slices.Concat(warnings, moved, more)
	before, err := lab.Open(ctx, there, at{ui, repo.ref})
	if err != nil {
		return nil, repo.missing(now, err)
	}
	defer func() { err = errors.Join(err, before.Close()) }()

	x := &Result{Now: now.Run(), Before: before.Run(), Ref: repo.ref, Commit: repo.short, Tolerance: o.Tolerance, Warnings: warnings}
	if err := x.measure(ctx, now, before, names, ui); err != nil {
		return nil, err
	}
	return x, nil
}

// before are the options of the commit's side.
func (o *Options) before(ctx context.Context, now *lab.Opened, repo *repository, tree string) (lab.Options, []string, error) {
	there := now.Options() // with the seed that was drawn
	there.Dir, there.Package, there.Type = filepath.Join(tree, repo.sub), ".", now.Subject().Expr
	if _, err := os.Stat(there.Dir); err != nil {
		return there, nil, &lab.UsageError{Text: fmt.Sprintf("package %s is not there at %s (no folder %s in that commit): it is new, "+
			"so there is nothing it could be slower than; choose a later -baseline", now.Subject().Pkg.Path, repo.name(),
			filepath.ToSlash(repo.sub))}
	}
	env, warnings, err := repo.workspace(ctx, tree)
	if err != nil {
		return there, nil, err
	}
	there.Env = append(slices.Clone(there.Env), env...)
	var dirs []string
	for _, dir := range o.Own {
		dirs = append(dirs, repo.mapped(dir, tree))
	}
	there.Table, _, err = addOwn(ctx, o.Lab.Table, dirs, nil)
	if err != nil {
		err = &lab.UsageError{Text: fmt.Sprintf("at %s: %s", repo.name(), strings.ReplaceAll(err.Error(), tree, "$COMMIT"))}
	}
	return there, warnings, err
}

// addOwn adds the codecs in the folders to the table and to the names.
func addOwn(ctx context.Context, table []contender.Info, dirs, names []string) ([]contender.Info, []string, error) {
	table, names = slices.Clone(table), slices.Clone(names)
	var known []string
	for _, i := range table {
		known = append(known, i.Name)
	}
	for _, dir := range dirs {
		i, err := own.Load(ctx, dir, known)
		if err != nil {
			return nil, nil, &lab.UsageError{Text: err.Error()}
		}
		table, known = append(table, i), append(known, i.Name)
		names = append(names, i.Name)
	}
	return table, names, nil
}

// missing explains why the commit's side could not be opened.
func (r *repository) missing(now *lab.Opened, err error) error {
	var usage *lab.UsageError
	if !errors.As(err, &usage) {
		return err
	}
	s := now.Subject()
	return &lab.UsageError{Text: fmt.Sprintf("type %s of %s cannot be had at %s: %s\n→ where the type is new there is nothing to "+
		"compare it with: choose a later -baseline, or leave the gate out of this change",
		s.Expr, s.Pkg.Path, r.name(), usage.Text)}
}

// at is a UI that says of which side it speaks.
type at struct {
	lab.UI
	ref string
}

func (a at) Doing(text string) { a.UI.Doing(text + " at " + a.ref) }
func (a at) Note(text string)  { a.UI.Note("at " + a.ref + ": " + text) }

func (a at) First(*run.Contender, []*run.Cell) {}
