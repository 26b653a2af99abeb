package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/zmylab/zmy/cmd/zmy/load"
	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
)

const loadHelp = `usage: zmy load http URL [flags]
       zmy load http -self [flags]
       zmy load sse URL | -self [flags]     (zmy load sse -h)
       zmy load grpc [-self | HOST:PORT] [flags]     (zmy load grpc -h)

Sends requests to a service at random times, as many clients who know nothing of each other would, and reports how
long their answers took, counted from when each was due: an open loop. With -self the service is zmy serve, in a
process of its own on this machine, whose processor time is reported too.

  -qps 100,1000    rates, in requests a second; 100:10000 is five from the one to the other
  -for 5s          how long at each point
  -accept a,b      media types to ask for, measured by turns; with -self json, ZMY and MessagePack by default
  -latency 0,10ms  latencies to ask the service for by X-Latency-Ms (nano.Mock): rates × latencies
  -path PATH       with -self: what to ask for, /sessions/demo by default
  -method GET      of the requests
  -H 'Name: value' a header field, as often as there are fields
  -data @FILE      a body, or the text of one
  -conns 256       connections at most
  -timeout 5s      of a request
  -seed N          of the times
  -remote          URL is not of this machine, and I may put load on it
  -o FILE          write the report as a page to be opened in a browser
  -format FORMAT   what is printed: table (default), json, md, csv or html
`

// runLoad runs zmy load.
func runLoad(ctx context.Context, c *console, args []string) int {
	if len(args) > 0 {
		switch args[0] {
		case "http":
			return runLoadHTTP(ctx, c, args[1:])
		case "sse":
			return runLoadSSE(ctx, c, args[1:])
		case "grpc":
			return runLoadGRPC(ctx, c, args[1:])
		}
	}
	for _, a := range args {
		if a == "-h" || a == "-help" || a == "--help" {
			fmt.Fprint(c.stdout, loadHelp)
			return exitOK
		}
	}
	fmt.Fprintln(c.stderr, "zmy load: want what to load: zmy load http or zmy load sse, and a URL or -self; or zmy load "+
		"grpc\nrun `zmy help load` for the flags")
	return exitUsage
}

// headers collects the values of -H.
type headers http.Header

func (h headers) String() string { return "" }

func (h headers) Set(s string) error {
	name, value, ok := strings.Cut(s, ":")
	if !ok || strings.TrimSpace(name) == "" {
		return fmt.Errorf("want 'Name: value'")
	}
	http.Header(h).Add(strings.TrimSpace(name), strings.TrimSpace(value))
	return nil
}

func runLoadHTTP(ctx context.Context, c *console, args []string) int {
	flags := flag.NewFlagSet("load http", flag.ContinueOnError)
	h := &load.HTTP{Header: http.Header{}}
	self := flags.Bool("self", false, "")
	qps := flags.String("qps", "100,1000", "")
	accept := flags.String("accept", "", "")
	latency := flags.String("latency", "0", "")
	path := flags.String("path", "/sessions/demo", "")
	data := flags.String("data", "", "")
	remote := flags.Bool("remote", false, "")
	out := flags.String("o", "", "")
	format := flags.String("format", "table", "")
	flags.DurationVar(&h.For, "for", 5*time.Second, "")
	flags.StringVar(&h.Method, "method", http.MethodGet, "")
	flags.Var(headers(h.Header), "H", "")
	flags.IntVar(&h.Conns, "conns", 256, "")
	flags.DurationVar(&h.Timeout, "timeout", 5*time.Second, "")
	flags.Uint64Var(&h.Seed, "seed", 1, "")
	rest, code, ok := parse(c, flags, loadHelp, args)
	if !ok {
		return code
	}
	bad := func(err error) int {
		fmt.Fprintf(c.stderr, "zmy load http: %v\nrun `zmy help load` for the flags\n", err)
		return exitUsage
	}
	var err error
	if h.QPS, err = openloop.Rates("-qps", *qps); err != nil {
		return bad(err)
	}
	if h.Latency, err = durations(*latency); err != nil {
		return bad(err)
	}
	if h.Body, err = body(*data); err != nil {
		return bad(err)
	}
	if *accept != "" {
		h.Accept = strings.Split(*accept, ",")
	}
	switch {
	case compareForms[*format] == nil:
		return bad(fmt.Errorf("-format %s: want table, json, md, csv or html", *format))
	case *self && len(rest) > 0, !*self && len(rest) != 1:
		return bad(fmt.Errorf("want one URL, or -self"))
	case *self:
		if *accept == "" {
			h.Accept = []string{"application/json", "application/vnd.zmy", "application/msgpack"}
		}
		h.URL = "http://127.0.0.1" + *path // so that Check can check it before anything is started; the real port is set later
	default:
		h.URL = rest[0]
	}
	if err := h.Check(*remote); err != nil {
		return bad(err)
	}
	if *self {
		program, err := os.Executable()
		if err != nil {
			fmt.Fprintln(c.stderr, "zmy load http:", err)
			return exitInternal
		}
		s, err := load.StartSelf(ctx, program, "serve", "-addr", "127.0.0.1:0", "-every", "0", "-mock")
		if err != nil {
			fmt.Fprintln(c.stderr, "zmy load http:", err)
			return exitInternal
		}
		defer s.Stop() //nolint:errcheck // its exit code says nothing of the measurement
		h.URL, h.CPU = s.URL+*path, s.CPU
	}
	return measureHTTP(ctx, c, h, args, *out, *format)
}

func measureHTTP(ctx context.Context, c *console, h *load.HTTP, args []string, out, format string) int {
	started := time.Now()
	h.Progress = func(p *load.Point, done, all int) {
		fmt.Fprintf(c.stderr, "%3.0fs %d of %d: %g/s %s\n", time.Since(started).Seconds(), done, all, p.QPS, p.Accept)
	}
	points, err := h.Run(ctx)
	if len(points) == 0 {
		if ctx.Err() != nil {
			return exitStopped
		}
		fmt.Fprintln(c.stderr, "zmy load http:", err)
		return exitInternal
	}
	x, xerr := h.Experiment(points, run.Host{}, append([]string{"zmy", "load", "http"}, args...), started)
	if xerr != nil {
		fmt.Fprintln(c.stderr, "zmy load http:", xerr)
		return exitInternal
	}
	x.Partial = err != nil
	if xerr = compareForms[format](c.stdout, x); xerr == nil && out != "" {
		xerr = writeExperiment(out, x, report.ExperimentHTML)
	}
	switch {
	case xerr != nil:
		fmt.Fprintln(c.stderr, "zmy load http:", xerr)
		return exitInternal
	case ctx.Err() != nil:
		return exitStopped
	case err != nil:
		fmt.Fprintln(c.stderr, "zmy load http:", err)
		return exitInternal
	}
	return exitOK
}

// writeExperiment writes the report to a file in the given form. The file is replaced atomically.
func writeExperiment(name string, x *run.Experiment, form func(io.Writer, *run.Experiment) error) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".zmy-load-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := form(f, x); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Chmod(f.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

func durations(s string) ([]time.Duration, error) {
	var out []time.Duration
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part == "0" {
			part = "0s"
		}
		d, err := time.ParseDuration(part)
		if err != nil {
			return nil, fmt.Errorf("-latency %s: want durations such as 0,1ms,10ms", s)
		}
		out = append(out, d)
	}
	return out, nil
}

// body returns the request body: s, or the content of the file that follows @.
func body(s string) ([]byte, error) {
	if name, ok := strings.CutPrefix(s, "@"); ok {
		return os.ReadFile(name)
	}
	if s == "" {
		return nil, nil
	}
	return []byte(s), nil
}
