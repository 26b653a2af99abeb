package cli

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zmylab/zmy/gen/load"
	"github.com/zmylab/zmy/internal/cmdline"
)

// There are two kinds of commands. A tool (fxjson, zmy gen) works on types of one package and
// writes files. An evolver works on any number of packages and reports: if one package fails, it
// still looks at the others, and its exit code is the highest one of all packages.

// evolver is a command that works on packages with messages: lock, breaking, lint.
type evolver struct {
	command string // "zmy lock"
	help    string
	flags   func(*flag.FlagSet)
	check   func(named []string) error // checks that the flag package cannot make; may be nil
	// each handles one package and returns an exit code.
	each func(ctx context.Context, x *visit) (int, error)
	end  func(w io.Writer) error // called after the last package; may be nil
	// relevant reports whether a folder that a pattern matched may have something to do; nil is
	// speaksOfZMY.
	relevant func(dir string) bool
	more     func() string // what the help has behind its text, with the flags given; may be nil
}

// visit is one package that a command works on.
type visit struct {
	*load.Pkg
	dir            string // folder or import path as the user gave it, or a folder that a pattern matched
	several        bool   // a pattern with "..." was given, so there may be other packages
	stdout, stderr io.Writer
}

func (e *evolver) run(args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet(e.command, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	tags := ""
	fs.StringVar(&tags, "tags", "", "")
	e.flags(fs)
	patterns, err := parseMixed(fs, args)
	if errors.Is(err, flag.ErrHelp) {
		help := e.help
		if e.more != nil {
			help += e.more()
		}
		cmdline.Help(stdout, fs, help)
		return exitOK
	}
	if err == nil && e.check != nil {
		err = e.check(patterns)
	}
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n%s", e.command, err, e.help)
		return exitUsage
	}
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	dirs, err := load.Folders(ctx, load.Config{BuildFlags: buildFlags(tags)}, patterns...)
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", e.command, err)
		return exitFail
	}
	several := slices.ContainsFunc(patterns, func(p string) bool { return strings.Contains(p, "...") })
	relevant := e.relevant
	if relevant == nil {
		relevant = speaksOfZMY
	}
	code := exitOK
	for _, dir := range dirs {
		if several && !relevant(dir) {
			continue
		}
		p, err := loadPackage(ctx, dir, tags)
		one := exitFail
		if err == nil {
			one, err = e.each(ctx, &visit{p, dir, several, stdout, stderr})
		}
		if err != nil {
			report(e.command, dir, err, stderr)
			one = exitFail
		}
		code = max(code, one)
	}
	if e.end != nil {
		if err := e.end(stdout); err != nil {
			fmt.Fprintf(stderr, "%s: %v\n", e.command, err)
			code = exitFail
		}
	}
	return code
}

// speaksOfZMY reports whether a Go file of the folder has a struct tag zmy or was written by zmy
// gen. Other folders have no packages with messages. This check takes a tenth of the time of
// loading a package.
func speaksOfZMY(dir string) bool { return speaksOf(dir, "zmy:", "zmy gen") }

// speaksOfMessages reports whether a Go file of the folder has a struct tag for ZMY or protobuf, or was
// written by zmy gen or fxproto.
func speaksOfMessages(dir string) bool {
	return speaksOfZMY(dir) || speaksOf(dir, "proto:", "protobuf:", "by fxproto")
}

// speaksOf reports whether a Go file of the folder contains one of the texts.
func speaksOf(dir string, texts ...string) bool {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		return true // an import path
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil || slices.ContainsFunc(texts, func(t string) bool { return bytes.Contains(src, []byte(t)) }) {
			return true
		}
	}
	return false
}

// parseMixed parses flags before, between and after the packages.
func parseMixed(fs *flag.FlagSet, args []string) (rest []string, err error) {
	for {
		if err := fs.Parse(args); err != nil {
			return nil, err
		}
		if fs.NArg() == 0 {
			return rest, nil
		}
		rest, args = append(rest, fs.Arg(0)), fs.Args()[1:]
	}
}
