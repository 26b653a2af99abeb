package ir

import (
	"cmp"
	"slices"
	"strings"
)

// Problem is one thing in the source that stops a generator.
type Problem struct {
	Pos  Pos
	Path string // path from the root: "Order.Items[].Done"
	Msg  string // what is wrong
	Hint string // what the user can do
}

// Error returns one line: position, path, message and hint.
func (p Problem) Error() string {
	s := p.Msg
	if p.Path != "" {
		s = p.Path + ": " + s
	}
	if pos := p.Pos.String(); pos != "" {
		s = pos + ": " + s
	}
	if p.Hint != "" {
		s += "; " + p.Hint
	}
	return s
}

// Problems is an error that lists all problems that were found.
type Problems []Problem

// Error returns one line for each problem.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// Sort sorts problems in source order. If several paths lead to one problem, it keeps the first.
func (ps Problems) Sort() Problems {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(a.Pos.File, b.Pos.File),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col),
			cmp.Compare(a.Msg, b.Msg))
	})
	return slices.CompactFunc(ps, func(a, b Problem) bool {
		return a.Pos == b.Pos && a.Msg == b.Msg && (a.Pos.Line != 0 || a.Path == b.Path)
	})
}

// Err returns nil if there is no problem, else the sorted problems.
func (ps Problems) Err() error {
	if len(ps) == 0 {
		return nil
	}
	return ps.Sort()
}
