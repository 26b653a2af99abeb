package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"time"

	"github.com/zmylab/zmy/lab/view"
)

const viewHelp = `usage: zmy lab view [DIR] [flags]

Serves the report in DIR (./zmylab by default) to a browser on this machine, until Ctrl-C.
Below the report stand the profiles that zmy lab profile kept: each opens in go tool pprof
or go tool trace, which are started when they are asked for and end with this command.

  -port N          port of the loopback to listen on, a free one by default

index.html itself needs no server: it can be opened as a file, or sent to somebody.
`

// runView runs zmy lab view.
func runView(ctx context.Context, c *console, args []string) error {
	flags := flag.NewFlagSet("lab view", flag.ContinueOnError)
	port := flags.Int("port", 0, "")
	rest, err := parse(c, flags, viewHelp, args)
	if err != nil {
		return err
	}
	if len(rest) > 1 {
		return misused("one folder at a time")
	}
	dir := append(rest, "zmylab")[0]
	s, err := view.New(ctx, dir)
	if err != nil {
		return misused("%w", err)
	}
	defer s.Close()
	l, err := view.Listen(*port)
	if err != nil {
		return misused("%w", err)
	}
	fmt.Fprintf(c.stdout, "http://%s/\n", l.Addr())
	fmt.Fprintf(c.stderr, "the report in %s and %d profiles; Ctrl-C ends it\n", dir, len(s.Profiles()))
	server := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { server.Close() })
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
