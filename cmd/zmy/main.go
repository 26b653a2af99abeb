// Zmy measures every codec on a Go type of yours, and generates the fastest code for it.
//
//	zmy lab ./model -type Order     measure codecs on a type
//	zmy gen -type=Order             generate the ZMY native format
//	zmy lock ./model                record what messages look like
//	zmy breaking ./model            refuse what makes them unreadable
//	zmy lint ./model                find what will hurt them later
//	zmy inspect order.zmy           show the contents of a message
//	zmy convert order.zmy -to json  convert messages to JSON and back
//	zmy serve                       run a demo service
//	zmy load http -self             put load on it
//	zmy load sse -self              follow its events by thousands of connections
//	zmy load grpc -self             measure gRPC by size, window, round trip, codec
//	zmy version
//
// Exit codes: 0 ok, 1 internal error, 2 the command was not understood, 3 the baseline or a codec
// named in -codecs failed, or events were lost, 4 a regression is confirmed, 5 a comparison is
// inconclusive, 130 stopped by Ctrl-C.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/zmylab/zmy/cmd/zmy/load"
)

// Exit codes.
const (
	exitOK        = 0
	exitInternal  = 1
	exitUsage     = 2
	exitContender = 3

	exitRegression   = 4
	exitInconclusive = 5
	exitStopped      = 130
)

// console is the output of a command.
type console struct {
	stdout, stderr io.Writer
}

// command is one subcommand.
type command struct {
	name  string
	short string
	run   func(ctx context.Context, c *console, args []string) int
}

func commands() []command {
	return []command{
		{"lab", "measure every codec on a type of yours", runLab},
		{"gen", "generate the ZMY native format for a type", runGen},
		{"lock", "record what the messages of a package look like", runLock},
		{"breaking", "refuse changes that make messages unreadable", runBreaking},
		{"inspect", "show what stands in a message, byte by byte", runInspect},
		{"convert", "convert messages to JSON, envelopes and streams, and back", runConvert},
		{"lint", "find what will hurt messages later", runLint},
		{"serve", "run a demo service: every codec over HTTP, events, metrics, a canary", runServe},
		{"load", "put load on a service and report its latencies", runLoad},
		{"version", "print the version", runVersion},
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	if os.Getenv(load.UntilEOF) == "1" {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			stop()
		}()
	}
	os.Exit(dispatch(ctx, &console{os.Stdout, os.Stderr}, os.Args[1:]))
}

// dispatch runs the subcommand that args names.
func dispatch(ctx context.Context, c *console, args []string) int {
	if len(args) == 0 {
		usage(c.stderr)
		return exitUsage
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		if len(args) > 1 {
			return dispatch(ctx, c, append(args[1:len(args):len(args)], "-h"))
		}
		usage(c.stdout)
		return exitOK
	case "-version", "--version":
		args[0] = "version"
	}
	var names []string
	for _, cmd := range commands() {
		if cmd.name == args[0] {
			return cmd.run(ctx, c, args[1:])
		}
		names = append(names, cmd.name)
	}
	fmt.Fprintf(c.stderr, "zmy: there is no command %q%s\nrun `zmy help` for the commands\n", args[0], didYouMean(args[0], names))
	return exitUsage
}

func usage(w io.Writer) {
	fmt.Fprint(w, `zmy measures, generates and runs the right serialization for your Go types.

usage: zmy <command> [arguments]

`)
	for _, cmd := range commands() {
		fmt.Fprintf(w, "  %-9s %s\n", cmd.name, cmd.short)
	}
	fmt.Fprint(w, `
start with   zmy lab ./path/to/package -type YourType
more help    zmy help <command>
`)
}
