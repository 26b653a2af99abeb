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
	"github.com/zmylab/zmy/gen/contract"
	"github.com/zmylab/zmy/gen/lock"
	"github.com/zmylab/zmy/gen/protolock"
	"github.com/zmylab/zmy/internal/cmdline"
	"github.com/zmylab/zmy/schema"
)

const breakingHelp = `usage: zmy breaking [flags] [packages]

Compares the messages of packages with their zmy.lock and zmy.proto.lock, and refuses
what makes messages unreadable, or read as something else, between the versions: one
line each, with place, code, what has changed, and what to do instead. zmy.proto.lock
records protobuf messages; what changes their JSON is a warning.

  -json       compare the JSON of the packages with their zmy.json.lock instead, which
              zmy lock -json makes; zmy breaking -json -h lists the rules
  -against X  compare with another record: a file, or a git revision whose lock file is
              taken (main, v1.2.0, HEAD~3); packages that have none there are new
  -format F   json prints all changes as JSON, those that are safe too (default: text)
  -v          print the safe changes too
  -tags LIST  build tags, as the go command takes them

packages are folders (the current one by default), import paths, or ./... , of which
those without lock file are passed over.

Exit codes: 0 nothing breaks (there may be warnings), 1 something does, or the source
does not compile, 2 the command was not understood.
`

// Breaking runs the command zmy breaking and returns its exit code.
func Breaking(args []string, stdout, stderr io.Writer) int {
	b := &breaking{out: []finding{}}
	e := &evolver{command: "zmy breaking", help: breakingHelp}
	e.flags = func(fs *flag.FlagSet) {
		fs.StringVar(&b.against, "against", "", "")
		fs.BoolVar(&b.contract, "json", false, "")
		fs.StringVar(&b.format, "format", "text", "")
		cmdline.Offer(fs, "format", "text", "json")
		fs.BoolVar(&b.verbose, "v", false, "")
	}
	e.each = func(ctx context.Context, x *visit) (int, error) {
		if b.contract {
			return b.eachJSON(ctx, x)
		}
		return b.each(ctx, x)
	}
	e.relevant = func(dir string) bool {
		if b.contract {
			return exists(filepath.Join(dir, contract.Name)) || b.against != "" && speaksOf(dir, "json:")
		}
		return speaksOfMessages(dir)
	}
	e.more = func() string {
		if b.contract {
			return "\n" + ruleTable()
		}
		return ""
	}
	e.check = func(named []string) error {
		if b.format != "text" && b.format != "json" {
			return fmt.Errorf("-format is text or json, not %s", b.format)
		}
		several := len(named) > 1 || len(named) == 1 && strings.Contains(named[0], "...")
		if several && exists(b.against) {
			return errors.New("-against FILE is for one package; a git revision is for any number")
		}
		return nil
	}
	e.end = func(w io.Writer) error {
		if b.format == "json" {
			return printJSON(w, b.out)
		}
		name, command := b.record()
		switch {
		case b.seen > 0 || b.passed == 0:
		case b.against != "":
			fmt.Fprintf(w, "nothing to compare with: %s has no %s of any of the packages\n", b.against, name)
		default:
			return fmt.Errorf("no %s in any of the packages; make one with: %s", name, command)
		}
		return nil
	}
	return e.run(args, stdout, stderr)
}

type breaking struct {
	against      string
	contract     bool   // the JSON of types is compared, not their messages
	format       string // text or json
	verbose      bool
	seen, passed int      // number of packages with a lock to compare with (seen) and without one (passed)
	stale        []string // lock files of the present package that are not up to date
	out          []finding
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
	Affects  string      `json:"affects,omitempty"` // of a change of JSON: readers, writers, or both
	Ignored  string      `json:"ignored,omitempty"` // the reason in a directive
}

func (b *breaking) each(ctx context.Context, x *visit) (int, error) {
	b.stale = nil
	has, code, err := b.eachZMY(ctx, x)
	failed := err != nil
	if failed && b.against != "" {
		return exitFail, err
	} else if failed {
		report("zmy breaking", x.dir, err, x.stderr)
		code = exitFail
	}
	hasProto, other, err := b.eachProto(ctx, x)
	switch {
	case failed || err != nil || has || hasProto:
		b.seen++
		if code = max(code, other); code == exitOK && err == nil {
			b.sayStale(x)
		}
		return code, err
	case x.several:
		b.passed++
		return exitOK, nil
	}
	b.passed++
	if b.against != "" {
		name, _ := b.record()
		return exitFail, fmt.Errorf("nothing to compare with: %s has no %s of %s", b.against, name, x.Path)
	}
	return exitFail, fmt.Errorf("%s has no %s or %s to compare with; make one with: zmy lock %s", x.Path, lock.Name, protolock.Name,
		quote(x.dir))
}

// eachZMY compares the messages of ZMY native of one package with their record. has is false if there is
// no record.
func (b *breaking) eachZMY(ctx context.Context, x *visit) (has bool, code int, err error) {
	old, err := b.lock(ctx, x)
	if err != nil || old == nil {
		return false, exitOK, err
	}
	c, err := gen.Locked(x.Pkg, old)
	if err != nil {
		return true, exitFail, err
	}
	slices.SortStableFunc(c.Changes, func(p, q lock.Change) int { // the worst first
		return cmp.Or(cmp.Compare(q.Severity(), p.Severity()), cmp.Compare(p.Pos.File, q.Pos.File), cmp.Compare(p.Pos.Line, q.Pos.Line))
	})
	for _, ch := range c.Changes {
		b.report(x, ch)
	}
	switch {
	case lock.Breaks(c.Changes):
		return true, exitFail, nil
	case b.against == "" && b.format == "text" && stale(x, c.Next):
		b.stale = append(b.stale, lock.Name)
	}
	return true, exitOK, nil
}

// sayStale names the lock files of a package in which nothing breaks that are not up to date.
func (b *breaking) sayStale(x *visit) {
	for _, name := range b.stale {
		fmt.Fprintf(x.stderr, "zmy breaking: nothing breaks, but %s is not up to date; record what is new with: zmy lock %s\n",
			filepath.Join(x.dir, name), quote(x.dir))
	}
}

func stale(x *visit, next *lock.File) bool {
	stale, err := gen.LockFile(x.Pkg, next).Stale()
	return stale && err == nil
}

func (b *breaking) report(x *visit, c lock.Change) {
	pos, severity := place(x.dir, c.Pos), c.Severity()
	switch {
	case b.format == "json":
		b.out = append(b.out, finding{x.Path, pos.File, pos.Line, pos.Col, severity.String(), c.Code, "", c.Path, c.Detail, c.Advice(), "", ""})
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

// record returns the name of the lock file that is compared with, and the command that makes it.
func (b *breaking) record() (name, command string) {
	if b.contract {
		return contract.Name, "zmy lock -json"
	}
	return lock.Name + " or " + protolock.Name, "zmy lock"
}

// lock reads the lock to compare with. It returns nil if there is none.
func (b *breaking) lock(ctx context.Context, x *visit) (*lock.File, error) {
	if b.against == "" {
		return gen.ReadLock(x.Pkg)
	}
	text, err := b.earlier(ctx, x, lock.Name)
	if err != nil || text == nil {
		return nil, err
	}
	f, err := lock.Parse(text)
	if err != nil { // not wrapped: the positions in err are of another lock file than that of the package
		return nil, fmt.Errorf("-against %s: %v", b.against, err)
	}
	return f, nil
}

// earlier returns the lock file called name that -against names, or nil as [breaking.revision] does. A
// file is that of protobuf messages if its first line says so.
func (b *breaking) earlier(ctx context.Context, x *visit, name string) ([]byte, error) {
	text, err := os.ReadFile(b.against)
	switch {
	case err != nil:
		return b.revision(ctx, x, name)
	case !b.contract && protolock.Is(text) != (name == protolock.Name):
		return nil, nil
	}
	return text, nil
}

// revision returns the lock file called name at a revision of git. It returns nil without an error if
// the revision has none, and several packages or several kinds of lock files are compared.
func (b *breaking) revision(ctx context.Context, x *visit, name string) ([]byte, error) {
	git := exec.CommandContext(ctx, "git", "-C", x.Dir, "show", b.against+":./"+name)
	var said bytes.Buffer
	git.Stderr = &said
	text, err := git.Output()
	switch {
	case err == nil:
		return text, nil
	case (x.several || !b.contract) &&
		exec.CommandContext(ctx, "git", "-C", x.Dir, "rev-parse", "--verify", "--quiet", b.against+"^{tree}").Run() == nil:
		return nil, nil // the package is new, or had no lock file then
	}
	return nil, fmt.Errorf("-against %s is no file, and git show %s:./%s says: %s", b.against, b.against, name,
		strings.TrimSpace(said.String()))
}
