//go:build !labonly

package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/zmylab/zmy/internal/buildinfo"
	"github.com/zmylab/zmy/scan/adopt"
)

const adoptHelp = `usage: zmy adopt fxjson [flags] [packages] [types]
       zmy adopt fxjson -measure REGEXP|COMMAND [flags] [packages] [types] [-- arguments]
       zmy adopt zmy -read|-write [flags] [packages] [types] [sites]

Changes the codec of a module, and hands the change over as a patch: call sites, go:generate lines, generated code,
requirements, and a test. The patch is made in a copy of the module, which is built, vetted and tested before and after.
It is printed and written to adopt-fxjson.patch beside go.mod; nothing else changes without -w.

fxjson takes the place of encoding/json, json-iterator, goccy/go-json, sonic and easyjson. The test compares it with
encoding/json.

zmy takes the place of JSON where both ends of a message are in the module, in two steps for a deployment that rolls.
-read makes the readers take JSON and ZMY. Deploy that everywhere; then -write makes the writers write ZMY. -write leaves
a writer as it is while a reader of its type takes only JSON, and where its bytes leave the module: an HTTP response, a
file, a log. To change such a site all the same, name it as the report does.

Packages are patterns as go build takes them (./... by default). An argument such as Order or store.Order is a type:
then only sites change whose value is one of the types. An argument such as queue/send.go:23 is a site.

  -read          with zmy: change the readers
  -write         with zmy: change the writers
  -w             write the change into the tree; the record for -undo is adopt-fxjson.undo beside go.mod
  -undo          give the tree back byte for byte as it was before -w
  -force         with -w: also if git reports changed or untracked files
  -bytes         change sites of other codecs also where their bytes are hashed, signed or compared
  -tags LIST     build tags, as go build takes them
  -notest        build and vet the copy, and run no tests
  -timeout 10m   of the tests of one package
  -runtime DIR   folder of a clone of github.com/zmylab/zmy that go.mod shall require, in place of a release

With -measure the module's own programs are run before and after the change, by turns, and the CPU time that was saved
stands beside what zmy scan predicts by the profile of the same runs.

  -measure WHAT  benchmarks that match a regular expression ('.' for all), or a command of the module by its folder:
                 ./cmd/server. Arguments after -- are the command's; {cpu} and {heap} in them become files for profiles
  -load CMD      a shell command that sends requests to the command, as many each time, and names its address. The command
                 is ended after it. Without a load the command ends by itself
  -cpu URL       fetch the command's CPU profile in a run of its own, under the load; -heap URL likewise
  -rounds 10     pairs of runs
  -sample [TYPE=]FILE
                 values for the prediction, as in zmy scan, in place of those that the runs record. May be repeated

Tests, generated files and files with cgo are not edited, but for files and directives of easyjson, which go. A place
that stays as it is, is printed with the reason.
`

// adoptFlags are the flags of zmy adopt.
type adoptFlags struct {
	adopt.Options
	write, undo, force bool
	readers, writers   bool
	measure            measureFlags
}

// runAdopt runs zmy adopt.
func runAdopt(ctx context.Context, c *console, args []string) error {
	var f adoptFlags
	if i := slices.Index(args, "--"); i >= 0 {
		args, f.measure.Args = args[:i], args[i+1:]
	}
	fs := flag.NewFlagSet("adopt", flag.ContinueOnError)
	fs.BoolVar(&f.readers, "read", false, "")
	fs.BoolVar(&f.writers, "write", false, "")
	fs.BoolVar(&f.write, "w", false, "")
	fs.BoolVar(&f.undo, "undo", false, "")
	fs.BoolVar(&f.force, "force", false, "")
	fs.BoolVar(&f.Bytes, "bytes", false, "")
	fs.StringVar(&f.Tags, "tags", "", "")
	fs.BoolVar(&f.NoTests, "notest", false, "")
	fs.DurationVar(&f.Timeout, "timeout", 10*time.Minute, "")
	fs.StringVar(&f.Runtime, "runtime", "", "")
	f.measure.register(fs)
	rest, err := parse(c, fs, adoptHelp, args)
	if err != nil {
		return err
	}
	if len(rest) == 0 {
		return misread(fs, errors.New("name the codec to change to: "+strings.Join(adopt.Codecs, ", ")))
	}
	if codec := rest[0]; !slices.Contains(adopt.Codecs, codec) {
		return misread(fs, fmt.Errorf("there is no codec %q to change to%s; choose %s", codec, didYouMean(codec, adopt.Codecs),
			strings.Join(adopt.Codecs, ", ")))
	}
	if f.To, err = f.step(rest[0]); err != nil {
		return misread(fs, err)
	}
	if f.undo && (f.write || len(rest) > 1) {
		return misread(fs, errors.New("-undo takes back the whole change; it goes with neither -w nor packages"))
	}
	for _, name := range adopt.Leftovers() {
		fmt.Fprintf(c.stderr, "zmy adopt: removed %s, which a stopped run had left behind\n", name)
	}
	if f.undo {
		return undoAdopt(ctx, c, f.To)
	}
	f.Patterns, f.Types, f.Sites = adoptArgs(rest[1:])
	if f.Sites != nil && f.To == adopt.Codecs[0] {
		return misread(fs, fmt.Errorf("%s: sites are named for zmy adopt zmy; name packages and types for %s", f.Sites[0], f.To))
	}
	f.Release = buildinfo.Read().Release
	if err := f.measure.complete(f.To, args); err != nil {
		return misread(fs, err)
	}
	return f.run(ctx, c)
}

// step returns the step that the flags ask for, as adopt.Options has it.
func (f *adoptFlags) step(codec string) (string, error) {
	switch {
	case codec == adopt.Codecs[0] && (f.readers || f.writers):
		return "", errors.New("-read and -write are the steps of zmy adopt zmy; fxjson reads and writes the same JSON")
	case codec == adopt.Codecs[0]:
		return codec, nil
	case f.readers == f.writers:
		return "", errors.New("choose one step: -read first, which makes all readers take JSON and ZMY; once that is deployed everywhere, -write")
	case f.Bytes:
		return "", errors.New("-bytes is for codecs of JSON; the bytes of ZMY always differ: name the sites in the command")
	case f.readers:
		return adopt.ZMYRead, nil
	}
	return adopt.ZMYWrite, nil
}

// siteArg matches a site: "queue/send.go:23".
var siteArg = regexp.MustCompile(`\.go:\d+$`)

// adoptArgs divides arguments into patterns of packages, names of types, and sites.
func adoptArgs(args []string) (patterns, types, sites []string) {
	for _, a := range args {
		if siteArg.MatchString(a) {
			sites = append(sites, a)
			continue
		}
		base := a[strings.LastIndex(a, "/")+1:]
		_, name, dotted := strings.Cut(base, ".")
		isType := a != "" && strings.Trim(a, ".") != "" && !strings.Contains(a, "...") && !strings.HasSuffix(a, "/") &&
			(dotted && name != "" && name[0] >= 'A' && name[0] <= 'Z' || !strings.Contains(a, "/") && a[0] >= 'A' && a[0] <= 'Z')
		if isType {
			types = append(types, a)
		} else {
			patterns = append(patterns, a)
		}
	}
	return patterns, types, sites
}

func undoAdopt(ctx context.Context, c *console, codec string) error {
	dir, err := adopt.Module(ctx, ".")
	if err != nil {
		return err
	}
	rec, err := adopt.ReadRecord(dir, codec)
	if err != nil {
		return &exit{err, exitUsage}
	}
	if err := adopt.Undo(dir, codec); err != nil {
		return err
	}
	text := fmt.Sprintf("%d files are", len(rec.Files))
	if len(rec.Files) == 1 {
		text = "1 file is"
	}
	_, err = fmt.Fprintf(c.stdout, "%s as before the change\n", text)
	return err
}

func (f *adoptFlags) run(ctx context.Context, c *console) error {
	dir, err := adopt.Module(ctx, cmp.Or(f.Dir, "."))
	if err != nil {
		return err
	}
	if f.write && !f.force {
		dirty, err := adopt.Dirty(ctx, dir)
		if err != nil {
			return err
		}
		if len(dirty) > 0 {
			return misused("git reports %d changed or untracked files (%s, …): commit or stash them, "+
				"so that the patch is a change of its own, or use -force",
				len(dirty), dirty[0])
		}
	}
	s := newScreen(c.stderr)
	f.Doing = func(text string) {
		if s.live {
			s.status(text)
		}
	}
	r, err := adopt.Run(ctx, f.Options)
	s.clear()
	if err != nil {
		return err
	}
	width, terminal := 120, false
	if out, ok := c.stdout.(*os.File); ok && term.IsTerminal(int(out.Fd())) {
		terminal = true
		if cols, _, err := term.GetSize(int(out.Fd())); err == nil && cols > 40 {
			width = cols
		}
	}
	report := c.stdout
	if !terminal && !f.write { // the patch goes to the next command, and the report to the reader
		report = c.stderr
	}
	r.Text(report, width)
	if len(r.Changes) == 0 && len(r.Blocked) > 0 {
		return fmt.Errorf("nothing was changed: %s; change the readers first, with %s, and deploy that everywhere",
			r.Blocked[0], adopt.Command(adopt.ZMYRead))
	}
	if len(r.Changes) == 0 {
		return &exit{errors.New("nothing to change"), exitOK}
	}
	if err := f.deliver(ctx, c, report, r, terminal); err != nil || f.measure.What == "" {
		return err
	}
	return f.measure.run(ctx, c, s, r, f.Options)
}

// deliver prints the patch and writes it beside go.mod, or applies it.
func (f *adoptFlags) deliver(ctx context.Context, c *console, report io.Writer, r *adopt.Result, terminal bool) error {
	if f.write {
		if err := adopt.Apply(r, ctx.Err); err != nil {
			return err
		}
		_, err := fmt.Fprintf(c.stdout, "\nwritten: %s\nto take it back: %s -undo (it needs %s)\n",
			r.Summary(), adopt.Command(r.Codec), adopt.RecordName(r.Codec))
		return err
	}
	name, err := adopt.SavePatch(r)
	if err != nil {
		return err
	}
	if terminal {
		fmt.Fprintln(report)
	}
	if f.measure.What == "" { // the figures are the output
		if err := r.PrintPatch(c.stdout, terminal); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(report, "\npatch: %s: %s\nto apply it: %s -w, or git apply %s in the module's folder\n",
		name, r.Summary(), adopt.Command(r.Codec), adopt.PatchName(r.Codec))
	return err
}
