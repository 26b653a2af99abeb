package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/zmylab/zmy/lab"
)

// parse parses flags before, between and after the positional arguments, and returns these
// arguments. If ok is false, the command ends with the exit code.
func parse(c *console, fs *flag.FlagSet, help string, args []string) (rest []string, code int, ok bool) {
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	for {
		err := fs.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprint(c.stdout, help)
			return nil, exitOK, false
		}
		if err != nil {
			fmt.Fprintf(c.stderr, "zmy %s: %s\nrun `zmy help %s` for the flags\n", fs.Name(), explain(fs, err), fs.Name())
			return nil, exitUsage, false
		}
		if fs.NArg() == 0 {
			return rest, exitOK, true
		}
		rest, args = append(rest, fs.Arg(0)), fs.Args()[1:]
	}
}

// explain adds the nearest flag's name to the error about an unknown flag.
func explain(fs *flag.FlagSet, err error) string {
	text := strings.Replace(err.Error(), "flag provided but not defined: ", "there is no flag ", 1)
	_, name, ok := strings.Cut(text, "there is no flag -")
	if !ok {
		return text
	}
	var names []string
	fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	if near := lab.Nearest(name, names); near != "" {
		text += "; did you mean -" + near + "?"
	}
	return text
}

func didYouMean(word string, words []string) string {
	if near := lab.Nearest(word, words); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}
