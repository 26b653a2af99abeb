package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/gen/lock"
	"github.com/zmylab/zmy/schema"
)

const breakingHelp = `usage: zmy breaking [flags] [packages]

Compares the messages of packages with their zmy.lock and refuses what makes messages
unreadable, or read as something else, between the versions: one line each, with place,
code, what has changed, and what to do instead.

  -against X  compare with another record: a file, or a git revision whose zmy.lock
              is taken (main, v1.2.0, HEAD~3); packages that have none there are new
  -json       print all changes as JSON, those that are safe too
  -v          print the safe changes too
  -tags LIST  build tags, as the go command takes them

packages are folders (the current one by default), import paths, or ./... , of which
those without zmy.lock are passed over.

Exit codes: 0 nothing breaks (there may be warnings), 1 something does, or the source
does not compile, 2 the command was not understood.
`

// Breaking runs the command zmy breaking and returns its exit code.
func Breaking(args []string, stdout, stderr io.Writer) int {
	b := &breaking{out: []finding{}}
	e := &evolver{command: "zmy breaking", help: breakingHelp, each: b.each}
	e.flags = func(fs *flag.FlagSet) {
		fs.StringVar(&b.against, "against", "", "")
		fs.BoolVar(&b.json, "json", false, "")
		fs.BoolVar(&b.verbose, "v", false, "")
	}
	e.check = func(named []string) error {
		several := len(named) > 1 || len(named) == 1 && strings.Contains(named[0], "...")
		if several && exists(b.against) {
			return errors.New("-against FILE is for one package; a git revision is for any number")
		}
		return nil
	}
	e.end = func(w io.Writer) error {
		if !b.json {
			switch {
			case b.seen > 0 || b.passed == 0:
			case b.against != "":
				fmt.Fprintf(w, "nothing to compare with: %s has no %s of any of the packages\n", b.against, lock.Name)
			default:
				return errors.New("no zmy.lock in any of the packages; make one with: zmy lock")
			}
			return nil
		}
		return printJSON(w, b.out)
	}
	return e.run(args, stdout, stderr)
}

type breaking struct {
	against       string
	json, verbose bool
	seen, passed  int // number of packages with a lock to compare with (seen) and without one (passed)
	out           []finding
}

// finding is a change, or what lint has found, in the output of -json.
type finding struct {
	Package  string      `json:"package"`
	File     string      `json:"file,omitempty"`
	Line     int         `json:"line,omitempty"`
	Col      int         `json:"col,omitempty"`
	Severity string      `json:"severity,omitempty"` // of a change
	Code     schema.Code `json:"code,omitempty"`     // of a change
	Rule     string      `json:"rule,omitempty"`     // of lint
	Path     string      `json:"path"`
	Detail   string      `json:"detail"`
	Advice   string      `json:"advice,omitempty"`
}

func (b *breaking) each(ctx context.Context, x *visit) (int, error) {
	old, err := b.record(ctx, x)
	if err != nil {
		return exitFail, err
	}
	if old == nil {
		if b.passed++; x.several {
			return exitOK, nil
		}
		return exitFail, fmt.Errorf("%s has no %s to compare with; make one with: zmy lock %s", x.Path, lock.Name, quote(x.dir))
	}
	b.seen++
	c, err := gen.Locked(x.Pkg, old)
	if err != nil {
		return exitFail, err
	}
	slices.SortStableFunc(c.Changes, func(p, q lock.Change) int { // the worst first
		return cmp.Or(cmp.Compare(q.Severity(), p.Severity()), cmp.Compare(p.Pos.File, q.Pos.File), cmp.Compare(p.Pos.Line, q.Pos.Line))
	})
	for _, ch := range c.Changes {
		b.report(x, ch)
	}
	switch {
	case lock.Breaks(c.Changes):
		return exitFail, nil
	case b.against == "" && !b.json && stale(x, c.Next):
		fmt.Fprintf(x.stderr, "zmy breaking: nothing breaks, but %s is not up to date; record what is new with: zmy lock %s\n",
			filepath.Join(x.dir, lock.Name), quote(x.dir))
	}
	return exitOK, nil
}

func stale(x *visit, next *lock.File) bool {
	stale, err := gen.LockFile(x.Pkg, next).Stale()
	return stale && err == nil
}

func (b *breaking) report(x *visit, c lock.Change) {
	pos, severity := place(x.dir, c.Pos), c.Severity()
	switch {
	case b.json:
		b.out = append(b.out, finding{x.Path, pos.File, pos.Line, pos.Col, severity.String(), c.Code, "", c.Path, c.Detail, c.Advice()})
	case severity > schema.Safe || b.verbose:
		fmt.Fprintln(x.stdout, described(x, c))
	}
}

// described returns a change as one line. A change that does not break has its severity in front.
func described(x *visit, c lock.Change) string {
	p := gen.Problem(c)
	p.Pos = place(x.dir, c.Pos)
	if s := c.Severity(); s < schema.Breaking {
		p.Path = s.String() + ": " + p.Path
	}
	return p.Error()
}

// record reads the lock to compare with. It returns nil if there is none.
func (b *breaking) record(ctx context.Context, x *visit) (*lock.File, error) {
	if b.against == "" {
		return gen.ReadLock(x.Pkg)
	}
	text, err := os.ReadFile(b.against)
	if err != nil {
		if text, err = b.revision(ctx, x); err != nil || text == nil {
			return nil, err
		}
	}
	f, err := lock.Parse(text)
	if err != nil { // not wrapped: the positions in err are of another lock file than that of the package
		return nil, fmt.Errorf("-against %s: %v", b.against, err)
	}
	return f, nil
}

// revision returns the lock file at a revision of git. It returns nil without an error if the
// revision has none and several packages are compared.
func (b *breaking) revision(ctx context.Context, x *visit) ([]byte, error) {
	git := exec.CommandContext(ctx, "git", "-C", x.Dir, "show", b.against+":./"+lock.Name)
	var said bytes.Buffer
	git.Stderr = &said
	text, err := git.Output()
	switch {
	case err == nil:
		return text, nil
	case x.several && exec.CommandContext(ctx, "git", "-C", x.Dir, "rev-parse", "--verify", "--quiet", b.against+"^{tree}").Run() == nil:
		return nil, nil // the package is new, or had no lock file then
	}
	return nil, fmt.Errorf("-against %s is no file, and git show %s:./%s says: %s", b.against, b.against, lock.Name,
		strings.TrimSpace(said.String()))
}
