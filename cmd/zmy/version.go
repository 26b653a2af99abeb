package main

import (
	"context"
	"flag"
	"fmt"

	"github.com/zmylab/zmy/internal/buildinfo"
)

const versionHelp = `usage: zmy version

Prints the version of this program, and what it was built from: the commit and when it was made
if it was built in a clone, the version of Go, and the platform.
`

// release returns the version at which this program was installed, or "" if it was built from a
// checkout.
func release() string { return buildinfo.Read().Release }

// tool returns the program's name and version for reports.
func tool() string { return "zmy " + buildinfo.Read().Version() }

func runVersion(_ context.Context, c *console, args []string) error {
	rest, err := parse(c, flag.NewFlagSet("version", flag.ContinueOnError), versionHelp, args)
	switch {
	case err != nil:
		return err
	case len(rest) > 0:
		return misused("it takes no arguments")
	}
	_, err = fmt.Fprintln(c.stdout, "zmy", buildinfo.Read())
	return err
}
