package main

import (
	"context"

	"github.com/zmylab/zmy/gen/cli"
)

// runGen runs zmy gen.
func runGen(_ context.Context, c *console, args []string) int {
	return cli.ZMY(args, c.stdout, c.stderr)
}
