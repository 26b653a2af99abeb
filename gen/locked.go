package gen

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/ir"
	"github.com/zmylab/zmy/gen/load"
	"github.com/zmylab/zmy/gen/lock"
	"github.com/zmylab/zmy/schema"
)

// ReadLock reads the zmy.lock of a package. It returns nil without an error if there is none.
func ReadLock(p *load.Pkg) (*lock.File, error) {
	text, err := os.ReadFile(filepath.Join(p.Dir, lock.Name))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return lock.Parse(text)
}

// LockFile returns a File that writes f as the zmy.lock of the package.
func LockFile(p *load.Pkg, f *lock.File) File {
	return File{Path: filepath.Join(p.Dir, lock.Name), Src: f.Text(), lock: true}
}

// BreakingError is returned if changes of the types break messages that exist.
type BreakingError struct {
	Changes []lock.Change // breaking changes only
}

// Error has one line for each change.
func (e *BreakingError) Error() string { return e.Problems().Error() }

// Problems returns the changes as problems of the source.
func (e *BreakingError) Problems() (ps ir.Problems) {
	for _, c := range e.Changes {
		ps = append(ps, Problem(c))
	}
	return ps.Sort()
}

// Problem returns a change as a problem of the source.
func Problem(c lock.Change) ir.Problem {
	return ir.Problem{Pos: c.Pos, Path: string(c.Code) + ": " + c.Path, Msg: c.Detail, Hint: c.Advice()}
}

// Breaking returns a BreakingError with those changes that are breaking, or nil if none is.
func Breaking(changes []lock.Change) error {
	breaking := slices.DeleteFunc(slices.Clone(changes), func(c lock.Change) bool { return c.Severity() != schema.Breaking })
	if len(breaking) == 0 {
		return nil
	}
	return &BreakingError{breaking}
}

// Messages are types of a package that are planned together, because one command generates them.
type Messages struct {
	Types  []string // expressions in the package's scope
	Derive bool
}

// Locked compares messages of a package with the lock old. Without messages it compares all of the
// package: the types of its generated files, and the structs with struct tags zmy.
func Locked(p *load.Pkg, old *lock.File, messages ...Messages) (lock.Comparison, error) {
	plans, err := Plans(p, old, messages...)
	if err != nil {
		return lock.Comparison{}, err
	}
	now := &lock.File{}
	for _, plan := range plans {
		now.Join(lock.Of(p.Path, plan.Roots))
	}
	return lock.Compare(old, now, p.Names()), nil
}

// Plans plans the messages. Without messages it plans all of the package, as [Locked] does.
func Plans(p *load.Pkg, old *lock.File, messages ...Messages) (plans []*ir.ZMYPlan, err error) {
	if len(messages) == 0 {
		messages = allMessages(p)
	}
	var problems ir.Problems
	for _, m := range messages {
		k, plan, err := ZMYOptions{Derive: m.Derive, Recorded: old}.plan(p, m.Types)
		var ps ir.Problems
		switch {
		case k != nil && errors.As(err, &ps): // the next types may have problems too
			problems = append(problems, ps...)
		case err != nil:
			return nil, err
		default:
			plans = append(plans, plan)
		}
	}
	return plans, problems.Err()
}

// allMessages finds the messages of a package. It skips types that a generated file was made for
// but that no longer exist.
func allMessages(p *load.Pkg) (all []Messages) {
	seen := map[string]bool{}
	add := func(m Messages) {
		m.Types = slices.DeleteFunc(m.Types, func(expr string) bool { return !p.IsType(expr) })
		for _, t := range m.Types {
			seen[t] = true
		}
		if len(m.Types) > 0 {
			all = append(all, m)
		}
	}
	for _, g := range p.Generated {
		if args, ok := strings.CutPrefix(g.By, "zmy gen "); ok && g.Hidden {
			add(messagesOf(p, args))
		}
	}
	tagged := Messages{}
	for _, t := range p.Tagged() {
		if !seen[t] {
			tagged.Types = append(tagged.Types, t)
		}
	}
	add(tagged)
	return all
}

// messagesOf parses args, the command in the header of a generated file.
func messagesOf(p *load.Pkg, args string) (m Messages) {
	for _, word := range shellWords(args) {
		list, types := strings.CutPrefix(word, "-type=")
		switch {
		case types:
			m.Types, _ = SplitTypes(list)
		case word == "-derive":
			m.Derive = true
		case word == "-all":
			for _, c := range p.Candidates() {
				m.Types = append(m.Types, c.Name)
			}
		}
	}
	return m
}

// shellWords splits a command line like a shell. Of quoting it knows single quotes only.
func shellWords(line string) (out []string) {
	word, in, quoted := "", false, false
	for _, c := range line {
		switch {
		case c == '\'':
			in, quoted = true, !quoted
		case c == ' ' && !quoted:
			if in {
				out = append(out, word)
			}
			word, in = "", false
		default:
			word += string(c)
			in = true
		}
	}
	if in {
		out = append(out, word)
	}
	return out
}
