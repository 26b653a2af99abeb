package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/zmylab/zmy/tools/contenders"
)

const contenderHelp = `usage: maint contender NAME MODULE@VERSION [json|binary]
       maint pin [NAME…]

contender makes lab/contender/codecs/NAME for a library that works on any type without generated
code, pins its modules and adds it to the table. Its tests fail until everything is filled in:
CONTRIBUTING.md, "A new codec in the lab", shows the way.

pin writes mod.txt and go.sum of contenders' adapters anew, by default of all, after their sources
or the versions in mod.txt were changed. A name with a slash is a folder in lab that has these
files without being a contender: experiment/stores/client.

Exit codes: 0 done, 1 it failed, 2 usage.
`

// made is printed for a new contender. Its arguments are the contender's folder in lab and the file
// with its Info.
const made = `made lab/%[1]s; next, in the folder lab:

  %[1]s/adapter/adapter.go   the calls that the library's documentation advises
  %[1]s/%[2]s   Text, Adopt, Abilities
  go test ./%[1]s   what changes on the way there and back: write it down, or mend the adapter
  go test -short ./contender ./contender/table   what is missing
  go test ./contender/table -run TestReadme -update
`

// runContenders runs maint contender and maint pin.
func runContenders(ctx context.Context, command string, args []string, stdout, stderr io.Writer) int {
	if slices.Contains(args, "-h") {
		fmt.Fprint(stdout, contenderHelp)
		return exitOK
	}
	fail := func(code int, err error) int {
		fmt.Fprintf(stderr, "maint %s: %v\n", command, err)
		return code
	}
	root, err := checkout()
	if err != nil {
		return fail(exitInternal, err)
	}
	lab := filepath.Join(root, "lab")
	if command == "contender" {
		n, err := contenders.Parse(args)
		if err != nil {
			return fail(exitUsage, err)
		}
		if err := n.Make(ctx, lab); err != nil {
			return fail(exitInternal, err)
		}
		fmt.Fprintf(stdout, made, n.Folder(), n.Package()+".go")
		return exitOK
	}
	if len(args) == 0 {
		if args, err = contenders.Pinned(lab); err != nil {
			return fail(exitInternal, err)
		}
	}
	for _, name := range args {
		if err := contenders.Pin(ctx, lab, name); err != nil {
			return fail(exitInternal, fmt.Errorf("%s: %w", name, err))
		}
		fmt.Fprintln(stdout, "pinned", name)
	}
	return exitOK
}
