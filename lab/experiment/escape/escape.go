// Package escape is the experiment that lists what the compiler puts on the heap where a
// type is encoded and decoded: in the code that generators write for it, and in the
// methods that its author wrote. It reads the compiler's own word, -gcflags=-m=2.
//
// NOTE, the map: escape.go is the experiment, parse.go reads the compiler's output,
// cause.go knows why values escape and what helps, tables.go says what was found.
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

// Experiment is the experiment.
type Experiment struct{}

// Name is the subcommand.
func (Experiment) Name() string { return "escape" }

// Short says what it is about.
func (Experiment) Short() string {
	return "what the compiler puts on the heap where your type is marshaled"
}

// codec is what was found of one contender.
type codec struct {
	name      string
	generated int // functions it has in the package, 0 for a library that works by reflection
	sites     []Site
	allocs    map[string]float64 // per op, as the report in the folder has them
}

// Run compiles every contender's worker once more.
func (Experiment) Run(ctx context.Context, b *experiment.Bench) (*run.Experiment, error) {
	s := b.Subject()
	r := &result{subject: s.Name}
	packages := packagesOf(s)
	for _, c := range b.Contenders {
		b.UI.Doing("reading what the compiler says of " + c.Name)
		info := b.Options().Table[slices.IndexFunc(b.Options().Table, func(i contender.Info) bool { return i.Name == c.Name })]
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

// packagesOf are the subject's package and those of the user's that its types come from.
func packagesOf(s *plan.Subject) []string {
	out := []string{s.Pkg.Path}
	for _, t := range s.IR.Types {
		if t.Name != nil && t.Name.Pkg != "" && s.DirOf(t.Name.Pkg) != "" && !slices.Contains(out, t.Name.Pkg) {
			out = append(out, t.Name.Pkg)
		}
	}
	return out
}

// The names of files that a contender adds to the package, and of the lab's own one.
var (
	joinedFile = regexp.MustCompile(`^` + strings.Replace(regexp.QuoteMeta(harness.JoinedName("NAME")), "NAME", "(.+)", 1) + `$`)
	mainFile   = "zz_zmylab_main_test.go"
)

// part parts the sites in a contender's own files from those in methods of the user's
// by which values are encoded and decoded.
func part(out string) (joined, own []Site) {
	for _, s := range Parse(out) {
		base := filepath.Base(s.File)
		switch m := joinedFile.FindStringSubmatch(base); {
		case base == mainFile, strings.HasPrefix(s.Func, "init."): // the lab's own, and what binds a codec to it
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

// functions counts what a contender's files declare, by the compiler's word on each.
func functions(out string) int {
	seen := map[string]bool{}
	for _, m := range judged.FindAllStringSubmatch(out, -1) {
		if base := filepath.Base(m[1]); base != mainFile && joinedFile.MatchString(base) {
			seen[m[2]] = true
		}
	}
	return len(seen)
}

// method is the last name of a function, closures left out: (*Order).MarshalJSON.func1 →
// MarshalJSON.
func method(function string) string {
	function, _, _ = strings.Cut(function, ".func")
	if i := strings.LastIndexByte(function, '.'); i >= 0 {
		return function[i+1:]
	}
	return function
}

// isHook reports methods that codecs look for.
func isHook(function string) bool {
	if !strings.Contains(function, ".") {
		return false // no method
	}
	m := method(function)
	return plan.Hooks("json", m) || plan.Hooks("binary", m) || m == "AppendZMY" || m == "UnmarshalZMY" || m == "AfterUnmarshalZMY"
}

// op is the op in which a function takes part, by its name: encode, decode or "" when
// that does not tell.
func op(function string) string {
	m := strings.ToLower(method(function))
	for _, w := range []string{"unmarshal", "decode", "consume", "parse", "read", "verify"} {
		if strings.Contains(m, w) {
			return "decode"
		}
	}
	for _, w := range []string{"marshal", "append", "encode", "size", "put", "write"} {
		if strings.Contains(m, w) {
			return "encode"
		}
	}
	return ""
}
