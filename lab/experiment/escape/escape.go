// Package escape is the experiment that lists what the compiler puts on the heap where a type is
// encoded and decoded: in the code that generators write for the type, and in the methods that its
// author wrote. It reads the compiler's own diagnostics, of -gcflags=-m=2.
//
// It compiles each contender's program once more, with the same overlay of files, so that the
// compiler decides about the code that is measured. It runs nothing. How often a place is reached
// can be seen in the table of codecs and by zmy lab profile.
//
// NOTE, the map: escape.go is the experiment, parse.go reads the compiler's output, cause.go knows
// why values escape and what helps, tables.go writes the findings.
package escape

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/plan"
	"github.com/zmylab/zmy/lab/run"
)

// Experiment lists what escapes to the heap.
type Experiment struct{}

// About describes the experiment.
func (Experiment) About() experiment.About {
	return experiment.About{Name: "escape", Short: "what the compiler puts on the heap where your type is marshaled"}
}

// codec is what was found about one contender.
type codec struct {
	name      string
	generated int // number of functions that it adds to the package; 0 for a library that works by reflection
	sites     []Site
	allocs    map[string]float64 // by op: allocations per call in mode fresh, from the report in the output folder
}

// Run compiles every contender's worker once more.
func (Experiment) Run(ctx context.Context, b *experiment.Bench) (*run.Experiment, error) {
	s := b.Subject()
	r := &result{subject: s.Name}
	packages := packagesOf(s)
	for _, c := range b.Contenders {
		b.UI.Doing("reading what the compiler says of " + c.Name)
		info := experiment.First(b.Options().Table, func(i contender.Info) bool { return i.Name == c.Name })
		out, err := b.Space().Diagnose(ctx, info, "-m=2", packages)
		if ctx.Err() != nil {
			return r.experiment(), ctx.Err()
		}
		if err != nil {
			b.Drop(c.Name, err)
			continue
		}
		joined, own := part(out)
		if r.own == nil {
			r.own = own
		}
		k := codec{name: c.Name, sites: joined, generated: functions(out), allocs: map[string]float64{}}
		if p := b.Prior(); p != nil {
			for _, cell := range p.Cells {
				if cell.Codec == c.Name && cell.Mode == "fresh" {
					k.allocs[cell.Op] = cell.Allocs
				}
			}
		}
		r.codecs = append(r.codecs, k)
	}
	return r.experiment(), nil
}

// packagesOf returns the subject's package and the user's other packages that declare its types.
func packagesOf(s *plan.Subject) []string {
	out := []string{s.Pkg.Path}
	for _, t := range s.IR.Types {
		if t.Name != nil && t.Name.Pkg != "" && s.DirOf(t.Name.Pkg) != "" && !slices.Contains(out, t.Name.Pkg) {
			out = append(out, t.Name.Pkg)
		}
	}
	return out
}

// The names of files that a contender adds to the package, and the name of the lab's own file.
var (
	joinedFile = regexp.MustCompile(`^` + strings.Replace(regexp.QuoteMeta(harness.JoinedName("NAME")), "NAME", "(.+)", 1) + `$`)
	mainFile   = "zz_zmylab_main_test.go"
)

// part splits the sites: joined are those in a contender's own files, own those in the user's
// methods that encode and decode values.
func part(out string) (joined, own []Site) {
	for _, s := range Parse(out) {
		base := filepath.Base(s.File)
		switch m := joinedFile.FindStringSubmatch(base); {
		case base == mainFile, strings.HasPrefix(s.Func, "init."): // the lab's own code, and variables that pass generated code to it
		case m != nil:
			s.File = m[1] + ".go"
			joined = append(joined, s)
		case isHook(s.Func):
			s.File = strings.TrimPrefix(s.File, "./")
			own = append(own, s)
		}
	}
	return joined, own
}

var judged = regexp.MustCompile(`(?m)^(\S+\.go):\d+:\d+: (?:can|cannot) inline (\S+?)(?: with|:)`)

// functions counts the functions that a contender's files declare, from the compiler's diagnostics.
func functions(out string) int {
	seen := map[string]bool{}
	for _, m := range judged.FindAllStringSubmatch(out, -1) {
		if base := filepath.Base(m[1]); base != mainFile && joinedFile.MatchString(base) {
			seen[m[2]] = true
		}
	}
	return len(seen)
}

// method returns the last name of a function, without closures: (*Order).MarshalJSON.func1 →
// MarshalJSON.
func method(function string) string {
	function, _, _ = strings.Cut(function, ".func")
	return function[strings.LastIndexByte(function, '.')+1:]
}

// isHook reports whether function is a method that codecs look for.
func isHook(function string) bool {
	if !strings.Contains(function, ".") {
		return false // a function, not a method
	}
	m := method(function)
	return plan.Hooks("json", m) || plan.Hooks("binary", m) || m == "AppendZMY" || m == "UnmarshalZMY" || m == "AfterUnmarshalZMY"
}

// op returns the operation that a function's name points to: encode, decode, or "" if it points to
// neither. Decoding is tried first, since "unmarshal" contains "marshal".
func op(function string) string {
	m := strings.ToLower(method(function))
	switch {
	case contains(m, "unmarshal", "decode", "consume", "parse", "read", "verify"):
		return "decode"
	case contains(m, "marshal", "append", "encode", "size", "put", "write"):
		return "encode"
	}
	return ""
}
