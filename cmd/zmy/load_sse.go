package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/zmylab/zmy/cmd/zmy/load"
	"github.com/zmylab/zmy/cmd/zmy/serve"
	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
)

const loadSSEHelp = `usage: zmy load sse URL [flags]
       zmy load sse -self [flags]

Follows the events of a zmy serve -mock on this machine by many connections, has it publish events at random times, and
reports how long they took to each connection, counted from when each was due; that all came, once, whole and in order; and
what it cost the server: processor time for each event and codec, base64 included, and memory for each connection.
With -self it starts that server, in a process of its own; with several flush policies one for each.

  -conns 1000          connections to each server; less where the limit of open files allows less, which is said
  -rate 10             events a second that are published; 10,100 one after the other, 1:100 is five from the one to the other
  -burst 1             events at each of the random times
  -for 10s             how long at each point
  -rounds 3            how often all points, in another order each time: medians and ranges are shown; before the first, each
                       server is warmed up by a point of 5s at most that is not shown
  -codecs a,b          of json, fxjson, zmy, msgpack, cbor and gob; json,fxjson,zmy,msgpack by default
  -size 0,1k,16k       sizes of an event as JSON; 0, the default: as it is drawn, some 230 bytes
  -flush a,b           with -self: the server's flush policies: drain (default), each, batch, 4k
  -nats URL            with -self: the server's broker; embedded: a NATS server within its process
  -timeout 10s         for a connection to open; what has not come when nothing has for so long is lost
  -seed N              of times and events
  -json FILE           write what was measured as data
  -add DIR             add it to the report in this folder (run.json, index.html …), as zmy lab does
  -format FORMAT       what is printed: table (default), json, md, csv or html

Exit codes: 0 ok, 1 the measurement failed, 2 usage, 3 events were lost, duplicated, out of order or damaged,
130 stopped by Ctrl-C, after what there is was printed.
`

// loadSSE has the flags of zmy load sse.
type loadSSE struct {
	load.SSE
	self                     bool
	rate, codecs, size       string
	flush, nats              string
	jsonFile, dir, format    string
	policies, rest, notReach []string
}

func runLoadSSE(ctx context.Context, c *console, args []string) int {
	f := &loadSSE{}
	flags := flag.NewFlagSet("load sse", flag.ContinueOnError)
	flags.BoolVar(&f.self, "self", false, "")
	flags.IntVar(&f.Conns, "conns", 1000, "")
	flags.StringVar(&f.rate, "rate", "10", "")
	flags.IntVar(&f.Burst, "burst", 1, "")
	flags.DurationVar(&f.For, "for", 10*time.Second, "")
	flags.IntVar(&f.Rounds, "rounds", 3, "")
	flags.StringVar(&f.codecs, "codecs", "json,fxjson,zmy,msgpack", "")
	flags.StringVar(&f.size, "size", "0", "")
	flags.StringVar(&f.flush, "flush", "", "")
	flags.StringVar(&f.nats, "nats", "", "")
	flags.DurationVar(&f.Timeout, "timeout", 10*time.Second, "")
	flags.Uint64Var(&f.Seed, "seed", 1, "")
	flags.StringVar(&f.jsonFile, "json", "", "")
	flags.StringVar(&f.dir, "add", "", "")
	flags.StringVar(&f.format, "format", "table", "")
	rest, code, ok := parse(c, flags, loadSSEHelp, args)
	if !ok {
		return code
	}
	f.rest = rest
	if err := f.complete(); err != nil {
		fmt.Fprintf(c.stderr, "zmy load sse: %v\nrun `zmy load sse -h` for the flags\n", err)
		return exitUsage
	}
	if f.self {
		stop, err := f.start(ctx)
		if err != nil {
			fmt.Fprintln(c.stderr, "zmy load sse:", err)
			return exitInternal
		}
		defer stop()
	}
	return f.measure(ctx, c, args)
}

// complete checks the flags before anything is started, and parses flags that are lists.
func (f *loadSSE) complete() (err error) {
	if f.Rates, err = openloop.Rates("-rate", f.rate); err != nil {
		return err
	}
	if len(f.Rates) == 0 {
		return fmt.Errorf("-rate %s: want at least one rate", f.rate)
	}
	if f.Sizes, err = sizes(f.size); err != nil {
		return err
	}
	f.Codecs = strings.Split(f.codecs, ",")
	f.policies = strings.Split(f.flush, ",")
	for _, name := range f.policies {
		if _, err := serve.FindFlush(name); err != nil {
			return fmt.Errorf("-flush: %w", err)
		}
	}
	switch {
	case compareForms[f.format] == nil:
		return fmt.Errorf("-format %s: want table, json, md, csv or html", f.format)
	case f.self && len(f.rest) > 0, !f.self && len(f.rest) != 1:
		return errors.New("want one URL, or -self")
	case !f.self && (f.flush != "" || f.nats != ""):
		return errors.New("-flush and -nats are for -self: a server that runs has its own")
	case f.self:
		for range f.policies {
			f.Targets = append(f.Targets, &load.Target{URL: "http://127.0.0.1:8080"}) // replaced when the servers are started
		}
	default:
		url := strings.TrimSuffix(f.rest[0], "/")
		f.Targets = []*load.Target{{URL: url, Usage: load.MetricsUsage(url + "/metrics")}}
	}
	if err := f.Check(); err != nil {
		return err
	}
	f.Warm = min(f.For, 5*time.Second)
	most, why := load.Affordable(f.Conns, len(f.Targets))
	if why != "" {
		f.Conns, f.notReach = most, append(f.notReach, why)
	}
	return nil
}

// start starts one server for each flush policy.
func (f *loadSSE) start(ctx context.Context) (stop func(), err error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := []string{"serve", "-addr", "127.0.0.1:0", "-every", "0", "-mock"}
	if f.nats != "" {
		args = append(args, "-nats", f.nats)
	}
	f.Targets, stop, err = load.StartTargets(ctx, program, f.policies, args...)
	return stop, err
}

func (f *loadSSE) measure(ctx context.Context, c *console, args []string) int {
	started := time.Now()
	f.Progress = func(what string) { fmt.Fprintf(c.stderr, "%3.0fs %s\n", time.Since(started).Seconds(), what) }
	host := lab.Machine()
	result, err := f.Run(ctx)
	if len(result.Points) == 0 && len(result.Groups) == 0 && err != nil {
		if ctx.Err() != nil {
			return exitStopped
		}
		fmt.Fprintln(c.stderr, "zmy load sse:", err)
		return exitInternal
	}
	x, xerr := f.Experiment(result, host, append([]string{"zmy", "load", "sse"}, args...), started)
	if xerr == nil {
		x.Partial = err != nil
		x.Warnings = append(f.notReach, x.Warnings...)
		xerr = f.write(c, x)
	}
	switch {
	case xerr != nil:
		fmt.Fprintln(c.stderr, "zmy load sse:", xerr)
		return exitInternal
	case ctx.Err() != nil:
		return exitStopped
	case err != nil:
		fmt.Fprintln(c.stderr, "zmy load sse:", err)
		return exitInternal
	case result.Wrong() > 0:
		return exitContender
	}
	return exitOK
}

// write prints the report and writes the files that the flags name.
func (f *loadSSE) write(c *console, x *run.Experiment) error {
	if err := compareForms[f.format](c.stdout, x); err != nil {
		return err
	}
	if f.jsonFile != "" {
		if err := writeExperiment(f.jsonFile, x, report.ExperimentJSON); err != nil {
			return err
		}
	}
	if f.dir == "" {
		return nil
	}
	return addToReport(f.dir, x)
}

// sizes parses a list such as 0,1k,16k.
func sizes(s string) ([]int, error) {
	var out []int
	for part := range strings.SplitSeq(s, ",") {
		text := strings.ToLower(strings.TrimSpace(part))
		digits, kilo := strings.CutSuffix(text, "k")
		n, err := strconv.Atoi(digits)
		if err != nil || n < 0 || n > 1<<20 {
			return nil, fmt.Errorf("-size %s: want bytes such as 500 or 16k, 0 for events as they are drawn", s)
		}
		if kilo {
			n <<= 10
		}
		out = append(out, n)
	}
	return out, nil
}
