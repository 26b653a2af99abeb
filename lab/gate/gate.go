// Package gate reports whether a change made a type slower. It builds the type's package as it is
// now and as it was at a git commit, and measures both in the same interleaved rounds. It calls a
// change a regression only if that is proven.
//
// Two runs at different times cannot be compared to within a few percent, since the machine's speed
// changes between them. Two builds that take turns can. So the commit is checked out into a
// temporary folder, and every codec has two lanes in one schedule. A twin of the baseline shows how
// much two copies of one program differ on this machine.
//
// Instead of times it can compare instructions, which callgrind counts. Counts do not depend on the
// machine's load, so far smaller changes are seen, in less time.
//
// NOTE, the map: gate.go runs the gate, git.go finds and checks out the commit, paths.go keeps the
// commit's folders apart from the user's, measure.go runs the rounds, count.go counts instead,
// judge.go decides, show.go makes the result an experiment that package report draws.
package gate

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/callgrind"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/contender/codecs/own"
	"github.com/zmylab/zmy/lab/run"
)

// Options are the user's choices. Lab gives subject, codecs, depth, budget and values; its Out is
// ignored.
type Options struct {
	Lab       lab.Options
	Baseline  string   // the commit as git names it: main, HEAD~1, v1.2.0
	Count     bool     // compare instructions instead of times
	Tolerance float64  // accepted relative growth of times or instructions: 0.05
	Growth    float64  // accepted relative growth of allocations and bytes
	Own       []string // folders of the user's codecs; of a folder in the repository, the commit's side uses the commit's version
}

// Result is what was found.
type Result struct {
	Now, Before *run.Run // subject, host and contenders of the two sides
	Dir         string   // the folder of the present side's package
	Ref, Commit string   // the commit as the user named it, and its abbreviated hash
	Clock       string   // what is judged: stats.Wall or stats.CPU time, or Instructions
	Floor       float64  // noise floor; of counts: the largest floor of a cell
	Tolerance   float64
	Growth      float64
	Launches    int
	Rounds      int // rounds in each launch
	Cells       []Cell
	Broken      []string // what codecs could do at the commit and cannot do now, one sentence each
	Unmatched   []string // codecs that the user asked for and that only the present side could measure, one sentence each
	Apart       []string // why other codecs are not compared, one sentence each
	Warnings    []string

	since string   // the commit's name for messages
	asked []string // codecs that the user named
}

// Run measures. An error of type *lab.UsageError or *lab.BaselineError is the user's mistake. If
// ctx ends, Run returns its error and no result, since half a measurement cannot guard anything.
func Run(ctx context.Context, o Options, ui lab.UI) (_ *Result, err error) {
	names := o.Lab.Codecs
	if len(names) == 0 && len(o.Own) == 0 {
		names = []string{run.Baseline}
	}
	o.Lab.Out = ""
	var tool *callgrind.Tool
	if o.Count {
		if tool, err = instructionCounter(); err != nil {
			return nil, err
		}
	}
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

	x := &Result{Now: now.Run(), Before: before.Run(), Dir: now.Subject().Pkg.Dir, Ref: repo.ref, Commit: repo.short,
		since: repo.name(), Tolerance: o.Tolerance, Growth: o.Growth, Warnings: warnings}
	pairs, err := x.build(ctx, now, before, names)
	switch {
	case err != nil:
	case o.Count:
		err = x.count(ctx, tool, now, before, pairs, ui)
	default:
		err = x.measure(ctx, now, before, pairs)
	}
	if err != nil {
		return nil, err
	}
	return x, nil
}

// before returns the options of the commit's side.
func (o *Options) before(ctx context.Context, now *lab.Opened, repo *repository, tree string) (lab.Options, []string, error) {
	there := now.Options() // with the seed that was drawn for the present side
	there.Dir, there.Package, there.Type = filepath.Join(tree, repo.sub), ".", now.Subject().Expr
	if _, err := os.Stat(there.Dir); err != nil {
		return there, nil, lab.Usagef("package %s is not there at %s (no folder %s in that commit): it is new, "+
			"so there is nothing it could be slower than; choose a later -baseline", now.Subject().Pkg.Path, repo.name(),
			filepath.ToSlash(repo.sub))
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
		err = lab.Usagef("at %s: %s", repo.name(), strings.ReplaceAll(err.Error(), tree, "$COMMIT"))
	}
	return there, warnings, err
}

// addOwn returns table and names with the codecs in the folders added.
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
	return lab.Usagef("type %s of %s cannot be had at %s: %s\n→ where the type is new there is nothing to "+
		"compare it with: choose a later -baseline, or leave the gate out of this change",
		s.Expr, s.Pkg.Path, r.name(), usage.Text)
}

// at is a UI that adds the commit to each message.
type at struct {
	lab.UI
	ref string
}

func (a at) Doing(text string) { a.UI.Doing(text + " at " + a.ref) }
func (a at) Note(text string)  { a.UI.Note("at " + a.ref + ": " + text) }

func (a at) First(*run.Contender, []*run.Cell) {}
