package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/zmylab/zmy/lab/contender/table"
	"github.com/zmylab/zmy/tools/instructions"
)

const instructionsHelp = `usage: maint instructions [flags]

Counts the instructions of an operation as amd64 code (valgrind) and as arm64 code (qemu-user, with
a plugin that cc compiles), and prints a table for each subject. Counts are no times.

  -codecs a,b   contenders, by default "%s"
  -subjects S   folders of examples and types, by default "%s"
  -ops O        operations, each with a mode if it is not fresh, by default "%s"
  -parts N      amd64 only: the N functions of each operation that execute the most
  -caches       amd64 only: misses of simulated caches and of a simulated branch predictor too

Exit codes: 0 done, 1 it failed, 2 usage.
`

const (
	countedCodecs   = "std-json,fxjson,goccy,zmy,msgp"
	countedOps      = "encode,decode"
	countedSubjects = "sse SSEEvent,order-lite Order,result Result,session UserSession"
)

// runInstructions runs maint instructions.
func runInstructions(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	fail := func(code int, err error) int {
		fmt.Fprintf(stderr, "maint instructions: %v\n", err)
		return code
	}
	flags := flag.NewFlagSet("instructions", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	codecs := flags.String("codecs", countedCodecs, "")
	subjects := flags.String("subjects", countedSubjects, "")
	ops, parts := flags.String("ops", countedOps, ""), flags.Int("parts", -1, "")
	caches := flags.Bool("caches", false, "")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(stdout, instructionsHelp, countedCodecs, countedSubjects, countedOps)
		return exitOK
	case err != nil:
		return fail(exitUsage, fmt.Errorf("%w; run maint instructions -h for the flags", err))
	}
	root, err := checkout()
	if err != nil {
		return fail(exitInternal, err)
	}
	p := &instructions.Plan{Root: root, Doing: newProgress(stderr).Doing}
	p.Caches = *caches
	if p.Tasks, err = instructions.Tasks(*ops); err != nil {
		return fail(exitUsage, fmt.Errorf("-ops %w", err))
	}
	names := strings.Split(*codecs, ",")
	for _, i := range table.All() {
		if slices.Contains(names, i.Name) {
			p.Codecs = append(p.Codecs, i)
		}
	}
	if len(p.Codecs) != len(names) {
		return fail(exitUsage, fmt.Errorf("-codecs %s: not all are in the lab's table of codecs", *codecs))
	}
	for s := range strings.SplitSeq(*subjects, ",") {
		var ok bool
		if p.Subject, p.Type, ok = strings.Cut(s, " "); !ok {
			return fail(exitUsage, fmt.Errorf("-subjects %q: write a folder of examples and a type, as in %q", s, countedSubjects))
		}
		if *parts >= 0 || *caches {
			p.Arch = "amd64"
			counts, err := p.Run(ctx)
			if err != nil {
				return fail(exitInternal, err)
			}
			fmt.Fprintf(stdout, "\n%s\n\n", s)
			instructions.List(stdout, counts, max(*parts, 0))
			continue
		}
		var sides [2][]instructions.Count
		for i, arch := range []string{"amd64", "arm64"} {
			p.Arch = arch
			if sides[i], err = p.Run(ctx); err != nil {
				return fail(exitInternal, err)
			}
		}
		fmt.Fprintf(stdout, "\n%s\n\n", s)
		instructions.Table(stdout, sides[0], sides[1])
	}
	return exitOK
}
