package main

import (
	"context"

	"github.com/zmylab/zmy/gen/cli"
)

// runLock, runBreaking and runLint run the commands of package cli.
func runLock(_ context.Context, c *console, args []string) int {
	return cli.Lock(args, c.stdout, c.stderr)
}

func runBreaking(_ context.Context, c *console, args []string) int {
	return cli.Breaking(args, c.stdout, c.stderr)
}

func runLint(_ context.Context, c *console, args []string) int {
	return cli.Lint(args, c.stdout, c.stderr)
}
