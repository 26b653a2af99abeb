// Zmy measures every codec on a Go type of yours, and generates the fastest code for it.
//
//	zmy lab ./model -type Order     measure codecs on a type
//	zmy scan -cpu cpu.pprof         find what serialization costs a program, and what another codec saves
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
//	zmy adopt fxjson ./...          change the JSON codec of a module, as a patch
//	zmy adopt zmy -read             make its readers take ZMY too, before its writers change
//	zmy completion bash             print the completions of a shell
//	zmy man                         print the manual page
//	zmy version
//
// Exit codes: 0 ok, 1 internal error, 2 the command was not understood, 3 the baseline or a codec
// named in -codecs failed, or events were lost, 4 a regression is confirmed, 5 a comparison is
// inconclusive, 130 stopped by Ctrl-C.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/zmylab/zmy/gen/cli"
	"github.com/zmylab/zmy/internal/cmdline"
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
	name  string // one word, or two: "lab gate"
	short string // its line in the list of commands; "" keeps it out of the list
	run   func(ctx context.Context, c *console, args []string) error
}

func commands() []command {
	all := []command{
		{"lab", "measure every codec on a type of yours", runLab},
		{"gen", "generate the ZMY native format for a type", generator(cli.ZMY)},
		{"lock", "record what the messages of a package look like", generator(cli.Lock)},
		{"breaking", "refuse changes that make messages unreadable", generator(cli.Breaking)},
		{"inspect", "show what stands in a message, byte by byte", runInspect},
		{"convert", "convert messages to JSON, envelopes and streams, and back", runConvert},
		{"lint", "find what will hurt messages later", generator(cli.Lint)},
		{"fit", "show what capture has learned of values, and add up its files", runFit},
	}
	all = append(all, services()...)
	all = append(all, []command{
		{"completion", "print the completions of bash, fish or zsh", runCompletion},
		{"man", "print the manual page", runMan},
		{"version", "print the version", runVersion},
		{"lab compare", "", runCompare},
		{"lab gate", "", runGate},
		{"lab history", "", runHistory},
		{"lab doctor", "", runDoctor},
		{"lab view", "", runView},
	}...)
	for _, e := range experiments() {
		all = append(all, command{"lab " + e.About().Name, "", func(ctx context.Context, c *console, args []string) error {
			return runExperiment(ctx, c, e, args)
		}})
	}
	return all
}

// generator returns a command of package cli, which prints its errors itself.
func generator(run func(args []string, stdout, stderr io.Writer) int) func(context.Context, *console, []string) error {
	return func(_ context.Context, c *console, args []string) error {
		return quiet(run(args, c.stdout, c.stderr))
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	if os.Getenv(untilEOF) == "1" {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			stop()
		}()
	}
	os.Exit(dispatch(ctx, &console{os.Stdout, os.Stderr}, os.Args[1:]))
}

// dispatch runs the command that args begins with, prints its error and returns the exit code.
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
	case cmdline.Asking:
		self().Complete(c.stdout, args[1:])
		return exitOK
	case "-version", "--version":
		args[0] = "version"
	}
	var names []string
	for n := min(len(args), 2); n > 0; n-- { // two words first: zmy lab gate is no run of the lab
		for _, cmd := range commands() {
			names = append(names, cmd.name)
			if cmd.name != strings.Join(args[:n], " ") {
				continue
			}
			err := cmd.run(ctx, c, args[n:])
			if err != nil && !errors.Is(err, errSaid) {
				fmt.Fprintf(c.stderr, "zmy %s: %v\n", cmd.name, err)
			}
			return codeOf(err)
		}
	}
	fmt.Fprintf(c.stderr, "zmy: there is no command %q%s\nrun `zmy help` for the commands\n", args[0], didYouMean(args[0], names))
	return exitUsage
}

// exit is an error with an exit code. Any other error has exitInternal, or exitStopped if it wraps
// context.Canceled.
type exit struct {
	error
	code int
}

func (e *exit) Unwrap() error { return e.error }

// errSaid is the error of a command that has printed all that there is to say.
var errSaid = errors.New("the reason was printed")

// quiet returns the error of a command that ends with code and has printed why, or nil for exitOK.
func quiet(code int) error {
	if code == exitOK {
		return nil
	}
	return &exit{errSaid, code}
}

// misused returns the error for a mistake of the user.
func misused(format string, args ...any) error { return &exit{fmt.Errorf(format, args...), exitUsage} }

// errStopped is the error of a command that was stopped and has nothing to show.
var errStopped = &exit{errors.New("stopped"), exitStopped}

// codeOf returns the exit code of a command that ended with err.
func codeOf(err error) int {
	var known *exit
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &known):
		return known.code
	case errors.Is(err, context.Canceled):
		return exitStopped
	}
	return exitInternal
}

func usage(w io.Writer) {
	fmt.Fprint(w, `zmy measures, generates and runs the right serialization for your Go types.

usage: zmy <command> [arguments]

`)
	for _, cmd := range commands() {
		if cmd.short != "" {
			fmt.Fprintf(w, "  %-10s %s\n", cmd.name, cmd.short)
		}
	}
	fmt.Fprint(w, `
start with   zmy lab ./path/to/package -type YourType
more help    zmy help <command>
`)
}
