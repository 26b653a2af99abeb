//go:build !labonly

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/zmylab/zmy/cmd/zmy/feed"
	"github.com/zmylab/zmy/cmd/zmy/load"
	"github.com/zmylab/zmy/cmd/zmy/serve"
	"github.com/zmylab/zmy/internal/cmdline"
	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab"
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
  -nats URL            with -self: the NATS server that the service keeps its events on
  -timeout 10s         for a connection to open; what has not come when nothing has for so long is lost
  -seed N              of times and events
  -json FILE           write what was measured as data
  -o FILE              write the report as a page to be opened in a browser
  -add DIR             add it to the report in this folder (run.json, index.html …), as zmy lab does
  -format FORMAT       what is printed: table (default), json, md, csv or html

Exit codes: 0 ok, 1 the measurement failed, 2 usage, 3 events were lost, duplicated, out of order or damaged,
130 stopped by Ctrl-C, after what there is was printed.
`

// loadSSE has the flags of zmy load sse.
type loadSSE struct {
	load.SSE
	show               reporting
	self               bool
	rate, codecs, size string
	flush, nats        string
	policies           []string
}

// runLoadSSE runs zmy load sse.
func runLoadSSE(ctx context.Context, c *console, args []string) error {
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
	cmdline.OfferList(flags, "codecs", feed.Names()...)
	cmdline.OfferList(flags, "flush", serve.FlushNames()...)
	flags.DurationVar(&f.Timeout, "timeout", 10*time.Second, "")
	flags.Uint64Var(&f.Seed, "seed", 1, "")
	f.show.register(flags)
	rest, err := parse(c, flags, loadSSEHelp, args)
	if err != nil {
		return err
	}
	if err := f.complete(rest); err != nil {
		return misread(flags, err)
	}
	if f.self {
		args := []string{"serve", "-addr", "127.0.0.1:0", "-every", "0", "-mock"}
		if f.nats != "" {
			args = append(args, "-nats", f.nats)
		}
		var stop func()
		if f.Targets, stop, err = load.StartTargets(ctx, f.policies, args...); err != nil {
			return err
		}
		defer stop()
	}
	if f.Progress, err = f.show.begin(c); err != nil {
		return err
	}
	host := lab.Machine()
	result, err := f.Run(ctx)
	if len(result.Points) == 0 && len(result.Groups) == 0 && err != nil {
		return f.show.finish(ctx, c, nil, err)
	}
	x, xerr := f.Experiment(result, host, append([]string{"zmy", "load", "sse"}, args...), f.show.started)
	err = f.show.finish(ctx, c, x, errors.Join(err, xerr))
	if err == nil && result.Wrong() > 0 {
		return quiet(exitContender)
	}
	return err
}

// complete checks the flags before anything is started, and parses flags that are lists.
func (f *loadSSE) complete(rest []string) (err error) {
	if f.Rates, err = openloop.Rates("-rate", f.rate); err != nil {
		return err
	}
	if len(f.Rates) == 0 {
		return fmt.Errorf("-rate %s: want at least one rate", f.rate)
	}
	if err := each(&f.Sizes, "500 or 16k, or 0 for events as they are drawn", eventSize)(f.size); err != nil {
		return fmt.Errorf("-size %s: %w", f.size, err)
	}
	f.Codecs = strings.Split(f.codecs, ",")
	f.policies = strings.Split(f.flush, ",")
	for _, name := range f.policies {
		if _, err := serve.FindFlush(name); err != nil {
			return fmt.Errorf("-flush: %w", err)
		}
	}
	switch {
	case f.self == (len(rest) > 0), len(rest) > 1:
		return errors.New("want one URL, or -self")
	case !f.self && (f.flush != "" || f.nats != ""):
		return errors.New("-flush and -nats are for -self: a server that runs has its own")
	case f.self:
		for range f.policies {
			f.Targets = append(f.Targets, &load.Target{URL: "http://127.0.0.1:8080"}) // replaced when the servers are started
		}
	default:
		url := strings.TrimSuffix(rest[0], "/")
		f.Targets = []*load.Target{{URL: url, Usage: load.MetricsUsage(url + "/metrics")}}
	}
	if err := f.Check(); err != nil {
		return err
	}
	f.Warm = min(f.For, 5*time.Second)
	f.Conns = f.show.affordable(f.Conns, len(f.Targets))
	return nil
}

// eventSize parses a size of events such as 500 or 16k, in powers of 1024.
func eventSize(s string) (int, error) {
	digits, kilo := strings.CutSuffix(strings.ToLower(s), "k")
	n, err := strconv.Atoi(digits)
	if err == nil && (n < 0 || n > 1<<20) {
		err = strconv.ErrRange
	}
	if kilo {
		n <<= 10
	}
	return n, err
}
