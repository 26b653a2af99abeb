package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/zmylab/zmy/gen"
	"github.com/zmylab/zmy/internal/cmdline"
)

// parse parses the command line. If there is nothing more to do, it has printed why, and returns
// nil and an exit code.
func (t *tool) parse(args []string, stdout, stderr io.Writer) (*request, int) {
	r := &request{dir: "."}
	fs := flag.NewFlagSet(t.command, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // errors and usage are printed below, each where it belongs
	var list string
	fs.StringVar(&list, "type", "", "the `types`, separated by commas: Order, or Page[Order] for a generic type")
	fs.BoolVar(&r.all, "all", false, "every struct type of the package instead")
	fs.StringVar(&r.output, "output", "", "the `file`, in the package's folder; - is the standard output (default: the first "+
		"type, in snake case, and _"+t.suffix+".go)")
	fs.BoolVar(&r.check, "check", false, "write nothing; exit with 1 if the file is not up to date")
	fs.BoolVar(&r.verbose, "v", false, "print how large the output is, type by type")
	fs.StringVar(&r.tags, "tags", "", "build `tags`, as the go command takes them")
	if t.flags != nil {
		t.flags(fs)
	}
	r.set = fs
	err := fs.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		cmdline.Help(stdout, fs, t.usage(fs))
		return nil, exitOK
	}
	if err == nil && t.instead != nil {
		var done bool
		if done, err = t.instead(stdout); done {
			return nil, exitOK
		}
	}
	rest := fs.Args()
	if err == nil {
		r.types, err = gen.SplitTypes(list)
	}
	switch {
	case err != nil:
	case len(rest) > 1:
		err = fmt.Errorf("one package at a time: %s", strings.Join(rest, " "))
	case len(r.types) == 0 && !r.all:
		err = errors.New("name the types: -type=Order, or -all")
	case len(r.types) > 0 && r.all:
		err = errors.New("-type and -all exclude each other")
	case r.check && r.output == "-":
		err = errors.New("-check needs a file to compare with, not the standard output")
	}
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", t.command, err)
		fmt.Fprint(stderr, t.usage(fs))
		return nil, exitUsage
	}
	if len(rest) == 1 {
		r.dir = rest[0]
	}
	return r, exitOK
}

func (t *tool) usage(fs *flag.FlagSet) string {
	return fmt.Sprintf("usage: %s -type=T[,T…] [flags] [package folder]\n\n%s\n\nflags:\n%s", t.command, t.about, cmdline.Defaults(fs))
}

// commandLine returns the command with its flags in a fixed order. It is shown in the header of the
// output, and in the advice to refresh a stale file.
func (t *tool) commandLine(r *request) string {
	s := t.command
	if len(r.types) > 0 {
		s += " -type=" + quote(strings.Join(r.types, ","))
	}
	r.set.Visit(func(f *flag.Flag) {
		switch f.Name {
		case "type", "check", "v", "o": // the header does not depend on where the output goes
		case "output":
			if r.output != "-" {
				s += " -output=" + quote(r.output)
			}
		default:
			s += " -" + f.Name
			if b, ok := f.Value.(interface{ IsBoolFlag() bool }); !ok || !b.IsBoolFlag() {
				s += "=" + quote(f.Value.String())
			}
		}
	})
	return s
}

// refresh returns the command that brings the output up to date.
func (t *tool) refresh(r *request) string {
	s := t.commandLine(r)
	if t.isTool(r.dir) {
		s = "go tool " + s
	}
	if f := r.set.Lookup("o"); f != nil && f.Value.String() != "" {
		s += " -o=" + quote(f.Value.String())
	}
	if r.dir != "." {
		s += " " + quote(r.dir)
	}
	return s
}

// isTool reports whether the module of folder dir has the command as a tool: its go.mod then has a
// line with the path of the command's package and nothing else but `tool`.
func (t *tool) isTool(dir string) bool {
	dir, err := filepath.Abs(dir)
	for err == nil {
		text, failed := os.ReadFile(filepath.Join(dir, "go.mod"))
		if failed == nil {
			for line := range strings.Lines(string(text)) {
				if strings.TrimSpace(strings.TrimPrefix(line, "tool ")) == "github.com/zmylab/zmy/gen/cmd/"+t.command {
					return true
				}
			}
			return false
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return false
}

// quote quotes s for a shell if it would not be one word.
func quote(s string) string {
	if strings.ContainsAny(s, " []*$\"\\|&;()<>") {
		return "'" + s + "'"
	}
	return s
}
