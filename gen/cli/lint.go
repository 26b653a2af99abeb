package cli

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/zmylab/zmy/gen/lint"
	"github.com/zmylab/zmy/internal/cmdline"
)

const lintHelp = `usage: zmy lint [flags] [packages]

Finds what will hurt later in the messages of packages: what works today, yet loses
data, is refused by readers, or stands in the way of a later version.

  -rules LIST  rules by name, default or all; a minus takes one away: default,-no-lock
  -json        print what is found as JSON
  -tags LIST   build tags, as the go command takes them

A finding that is meant is marked in a comment of the field or of the type:

	//zmy:lint-ignore json-mismatch the key goes to our own services only

packages are folders (the current one by default), import paths, or ./... , of which
those without messages are passed over.

Exit codes: 0 nothing found, 1 something, or the source does not compile, 2 the command
was not understood.

rules:
`

// Lint runs the command zmy lint and returns its exit code.
func Lint(args []string, stdout, stderr io.Writer) int {
	var rules []lint.Rule
	var list string
	var asJSON bool
	out := []finding{}
	e := &evolver{command: "zmy lint", help: lintHelp + ruleList(), flags: func(fs *flag.FlagSet) {
		fs.StringVar(&list, "rules", "default", "")
		fs.BoolVar(&asJSON, "json", false, "")
		cmdline.OfferList(fs, "rules", ruleNames()...)
	}}
	e.check = func([]string) (err error) {
		rules, err = lint.Select(list)
		return err
	}
	e.each = func(_ context.Context, x *visit) (int, error) {
		found, err := lint.Run(x.Pkg, rules)
		if err != nil {
			return exitFail, err
		}
		for _, f := range found {
			f.Pos = place(x.dir, f.Pos)
			if !asJSON {
				fmt.Fprintln(x.stdout, f.Problem().Error())
			}
			out = append(out, finding{x.Path, f.Pos.File, f.Pos.Line, f.Pos.Col, "", "", f.Rule, f.Path, f.Msg, f.Hint, "", ""})
		}
		return min(len(found), exitFail), nil
	}
	e.end = func(w io.Writer) error {
		if !asJSON {
			return nil
		}
		return printJSON(w, out)
	}
	return e.run(args, stdout, stderr)
}

func printJSON(w io.Writer, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// ruleNames returns the words that -rules takes, without those that take a rule away.
func ruleNames() []string {
	names := []string{"default", "all"}
	for _, r := range lint.Rules() {
		names = append(names, r.Name)
	}
	return names
}

// ruleList returns the list of rules for the help, wrapped.
func ruleList() string {
	var b strings.Builder
	for _, r := range lint.Rules() {
		doc := r.Doc
		if r.Off {
			doc += " (not in default)"
		}
		fmt.Fprintf(&b, "\n  %s\n", r.Name)
		line := "   "
		for _, word := range strings.Fields(doc) {
			if len(line)+len(word) > 88 {
				b.WriteString(line + "\n")
				line = "   "
			}
			line += " " + word
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}
