//go:build !labonly

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"time"

	"github.com/zmylab/zmy/adapters/natsx"
	"github.com/zmylab/zmy/cmd/zmy/serve"
	"github.com/zmylab/zmy/internal/cmdline"
	"github.com/zmylab/zmy/sse"
)

const serveHelp = `usage: zmy serve [flags]

Runs a demo service on this machine, until Ctrl-C: orders and sessions over HTTP in every codec, negotiated; a page
with events as they come; metrics for Prometheus; a canary from encoding/json to fxjson with a shadow of ZMY.

  -addr HOST:PORT  where to listen, 127.0.0.1:8080 by default
  -every 1s        how often an order comes in by itself, 0 for never
  -seed N          of the orders and sessions that are there from the beginning
  -nats URL        keep events on NATS JetStream there, so that they survive a restart of this service
  -flush POLICY    when events are sent: drain (default: what waits, together, at once), each (every one by itself),
                   batch (held back for 20 ms or 16 KiB) or 4k (for 100 ms or 4 KiB)
  -mock            heed X-Latency-Ms, X-Resp-Type and X-QPS-Target of requests from this machine, and publish
                   events for zmy load sse
  -debug           serve profiles below /debug/pprof/
  -v               log each change of the canary, and what goes wrong, in more detail

Nothing is written to disk, and the service knows no users: keep it on the loopback.
`

// runServe runs zmy serve.
func runServe(ctx context.Context, c *console, args []string) error {
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	addr := flags.String("addr", "127.0.0.1:8080", "")
	every := flags.Duration("every", time.Second, "")
	seed := flags.Uint64("seed", 1, "")
	url := flags.String("nats", "", "")
	flush := flags.String("flush", "", "")
	cmdline.Offer(flags, "flush", serve.FlushNames()...)
	mock := flags.Bool("mock", false, "")
	debug := flags.Bool("debug", false, "")
	verbose := flags.Bool("v", false, "")
	rest, err := parse(c, flags, serveHelp, args)
	switch {
	case err != nil:
		return err
	case len(rest) > 0 || *every < 0:
		return misread(flags, errors.New("it takes flags only, and -every is not negative"))
	}
	if _, err := serve.FindFlush(*flush); err != nil {
		return misused("-flush: %w", err)
	}
	level := slog.LevelWarn
	if *verbose {
		level = slog.LevelDebug
	}
	log := slog.New(slog.NewTextHandler(c.stderr, &slog.HandlerOptions{Level: level}))
	l, err := listen(c, "serve", "-addr", *addr, "read and write the demo's data")
	if err != nil {
		return err
	}
	broker, err := openBroker(ctx, *url)
	if err != nil {
		l.Close()
		return misused("%w", err)
	}
	if broker != nil {
		defer broker.Close()
	}
	s, err := serve.New(ctx, serve.Options{Seed: *seed, Every: *every, Mock: *mock, Flush: *flush, Debug: *debug, Broker: broker, Log: log})
	if err != nil {
		l.Close()
		return err
	}
	fmt.Fprintf(c.stdout, "http://%s/\n", l.Addr())
	return s.Run(ctx, l)
}

// listen listens on addr, the value of flag. If addr is not loopback, it warns that whoever reaches
// it can do what.
func listen(c *console, command, flag, addr, what string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, misused("listen on %s: %w; choose another address with %s 127.0.0.1:0", addr, err, flag)
	}
	if ip := l.Addr().(*net.TCPAddr).IP; !ip.IsLoopback() {
		fmt.Fprintf(c.stderr, "zmy %s: %s is no loopback address: whoever reaches it can %s\n", command, ip, what)
	}
	return l, nil
}

// openBroker opens the broker for -nats. It returns nil for a log in memory.
func openBroker(ctx context.Context, url string) (sse.Broker, error) {
	if url == "" {
		return nil, nil
	}
	ctx, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	return natsx.Open(ctx, url)
}
