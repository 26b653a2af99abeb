package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/zmylab/zmy/internal/cmdline"
	"github.com/zmylab/zmy/lab"
)

// parse parses flags before, between and after the positional arguments, and returns these
// arguments. If the user asks for help, it prints that and returns an error with exitOK.
func parse(c *console, fs *flag.FlagSet, help string, args []string) (rest []string, err error) {
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	for {
		err := fs.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			cmdline.Help(c.stdout, fs, help)
			return nil, &exit{errSaid, exitOK}
		}
		if err != nil {
			return nil, misread(fs, errors.New(explain(fs, err)))
		}
		if fs.NArg() == 0 {
			return rest, nil
		}
		rest, args = append(rest, fs.Arg(0)), fs.Args()[1:]
	}
}

// misread returns err as a usage error that points to the command's help.
func misread(fs *flag.FlagSet, err error) error {
	return misused("%w\nrun `zmy help %s` for the flags", err, fs.Name())
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
	near := lab.Nearest(name, names)
	if strings.HasPrefix("output", name) && fs.Lookup("o") != nil {
		near = "o"
	}
	if near != "" {
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

// choice adds a flag whose value is one of a few words. *value is the default.
func choice(fs *flag.FlagSet, value *string, name string, words ...string) {
	fs.Func(name, "", func(s string) error {
		if !slices.Contains(words, s) {
			return fmt.Errorf("choose %s%s", strings.Join(words, ", "), didYouMean(s, words))
		}
		*value = s
		return nil
	})
	cmdline.Offer(fs, name, words...)
}
