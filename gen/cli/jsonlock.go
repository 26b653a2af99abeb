package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/contract"
	"github.com/zmylab/zmy/gen/ir"
)

// jsonLock is zmy lock -json.
type jsonLock struct {
	on           bool
	list         string // the value of -type
	types        []string
	check, force *bool
}

func (j *jsonLock) parse(named []string) (err error) {
	switch {
	case j.list == "":
		return nil
	case !j.on:
		return errors.New("-type goes with -json; the types of messages are those that zmy gen has written code for")
	case len(named) > 1 || len(named) == 1 && strings.Contains(named[0], "..."):
		return errors.New("-type is for one package")
	}
	j.types, err = gen.SplitTypes(j.list)
	return err
}

func (j *jsonLock) each(x *visit) (int, error) {
	old, err := gen.ReadJSONLock(x.Pkg)
	if err != nil {
		return exitFail, err
	}
	var surface []string
	if old != nil {
		surface = old.Surface
	}
	switch {
	case slices.Equal(j.types, []string{"all"}):
		surface = nil
	case j.types != nil:
		surface = j.types
	}
	now, err := gen.RecordJSON(x.Pkg, surface)
	switch {
	case err != nil:
		return exitFail, hinted(err, surface, x)
	case now == nil && old == nil && x.several:
		return exitOK, nil
	case now == nil && old == nil:
		return exitFail, j.nothing(x)
	case now == nil:
		now = &contract.File{}
	}
	var changes []contract.Change
	if old != nil {
		changes = contract.Compare(old, now)
	}
	if slices.ContainsFunc(changes, contract.Change.Breaks) && !*j.force {
		for _, c := range changes {
			if c.Breaks() {
				fmt.Fprintln(x.stderr, describedJSON(x, c))
			}
		}
		fmt.Fprintf(x.stderr, "zmy lock: nothing was written; zmy lock -json -force %s records these changes too\n", quote(x.dir))
		return exitFail, nil
	}
	return j.deliver(x, now, changes)
}

func (j *jsonLock) deliver(x *visit, now *contract.File, changes []contract.Change) (int, error) {
	f := gen.JSONLockFile(x.Pkg, now)
	if !*j.check {
		for _, c := range changes {
			if c.Level == contract.Warning && c.Ignored == "" {
				fmt.Fprintln(x.stderr, describedJSON(x, c))
			}
		}
		return exitOK, f.Write()
	}
	stale, err := f.Stale()
	if stale && err == nil {
		fmt.Fprintf(x.stderr, "%s is not up to date; refresh it with: zmy lock -json %s\n", filepath.Join(x.dir, contract.Name), quote(x.dir))
		return exitFail, nil
	}
	return exitOK, err
}

// nothing returns the error for a package without a type to record. If it has exported structs, it
// says why none has a JSON form.
func (j *jsonLock) nothing(x *visit) error {
	_, skipped, err := gen.JSONSurface(x.Pkg)
	switch {
	case err != nil:
		return err
	case len(skipped) > 0:
		return skipped.Sort()
	}
	return fmt.Errorf("package %s has no exported struct with exported fields; name other types with -type", x.Path)
}

// hinted says what to do if a type that the record names is gone.
func hinted(err error, surface []string, x *visit) error {
	if errors.As(err, new(ir.Problems)) {
		return err
	}
	for _, expr := range surface {
		if !x.IsType(expr) {
			return fmt.Errorf("%w; name the types of the contract anew with zmy lock -json -type LIST %s", err, quote(x.dir))
		}
	}
	return err
}

// describedJSON returns a change as one line. A change that does not break has its level in front.
func describedJSON(x *visit, c contract.Change) string {
	p := c.Problem()
	p.Pos = place(x.dir, c.Pos)
	if p.Pos.File == "" {
		p.Pos = ir.Pos{File: filepath.Join(x.dir, contract.Name)}
	}
	switch {
	case c.Ignored != "":
		p.Path = "ignored: " + p.Path
		p.Hint = c.Ignored
	case c.Level < contract.Error:
		p.Path = c.Level.String() + ": " + p.Path
	}
	return p.Error()
}
