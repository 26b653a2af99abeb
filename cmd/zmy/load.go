//go:build !labonly

package main

import (
	"context"
	"errors"
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
  -json FILE       write what was measured as data
  -o FILE          write the report as a page to be opened in a browser
  -add DIR         add it to the report in this folder (run.json, index.html …), as zmy lab does
  -format FORMAT   what is printed: table (default), json, md, csv or html
`

// runLoad runs zmy load without a word that says what to load: it prints the help if that is asked
// for, or returns an error.
func runLoad(_ context.Context, c *console, args []string) error {
	fs := flag.NewFlagSet("load", flag.ContinueOnError)
	if _, err := parse(c, fs, loadHelp, args); err != nil {
		return err
	}
	return misread(fs, errors.New("want what to load: zmy load http or zmy load sse, and a URL or -self; or zmy load grpc"))
}

// reporting has the flags of zmy load that say what becomes of the report.
type reporting struct {
	format          *string
	page, data, dir string
	warnings        []string // warnings that the report shows before those of the measurement
	started         time.Time
}

func (r *reporting) register(fs *flag.FlagSet) {
	r.format = experimentForm(fs)
	fs.StringVar(&r.page, "o", "", "")
	fs.StringVar(&r.data, "json", "", "")
	fs.StringVar(&r.dir, "add", "", "")
}

// affordable returns how many of conns connections to each of the targets this process may open. If
// these are fewer, the report says why.
func (r *reporting) affordable(conns, targets int) int {
	most, why := load.Affordable(conns, targets)
	if why != "" {
		r.warnings = append(r.warnings, why)
	}
	return most
}

// begin notes when the measurement begins. It returns a function that prints its progress, or an error if its report could not
// be written.
func (r *reporting) begin(c *console) (progress func(what string), err error) {
	if err := errors.Join(writable("-o", r.page), writable("-json", r.data), writableDir("-add", r.dir)); err != nil {
		return nil, err
	}
	r.started = time.Now()
	return func(what string) { fmt.Fprintf(c.stderr, "%4.0fs %s\n", time.Since(r.started).Seconds(), what) }, nil
}

// finish shows the report x of a measurement that has ended with err. x is nil if nothing was
// measured.
func (r *reporting) finish(ctx context.Context, c *console, x *run.Experiment, err error) error {
	if x != nil {
		x.Partial = err != nil
		x.Warnings = append(r.warnings, x.Warnings...)
		if err := r.write(c, x); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return quiet(exitStopped)
	}
	return err
}

// write prints the report and writes the files that the flags name.
func (r *reporting) write(c *console, x *run.Experiment) error {
	if err := experimentForms[*r.format](c.stdout, "", x); err != nil {
		return err
	}
	if err := writeExperiment(c, r.data, x, report.ExperimentJSON); err != nil {
		return err
	}
	if err := writeExperiment(c, r.page, x, report.ExperimentHTML); err != nil {
		return err
	}
	return addToReport(r.dir, x)
}

// runLoadHTTP runs zmy load http.
func runLoadHTTP(ctx context.Context, c *console, args []string) error {
	flags := flag.NewFlagSet("load http", flag.ContinueOnError)
	h := &load.HTTP{Header: http.Header{}}
	var show reporting
	show.register(flags)
	self := flags.Bool("self", false, "")
	qps := flags.String("qps", "100,1000", "")
	accept := flags.String("accept", "", "")
	latency := flags.String("latency", "0", "")
	path := flags.String("path", "/sessions/demo", "")
	data := flags.String("data", "", "")
	remote := flags.Bool("remote", false, "")
	flags.DurationVar(&h.For, "for", 5*time.Second, "")
	flags.StringVar(&h.Method, "method", http.MethodGet, "")
	flags.Func("H", "", func(s string) error {
		name, value, ok := strings.Cut(s, ":")
		if name = strings.TrimSpace(name); !ok || name == "" {
			return errors.New("want 'Name: value'")
		}
		h.Header.Add(name, strings.TrimSpace(value))
		return nil
	})
	flags.IntVar(&h.Conns, "conns", 256, "")
	flags.DurationVar(&h.Timeout, "timeout", 5*time.Second, "")
	flags.Uint64Var(&h.Seed, "seed", 1, "")
	rest, err := parse(c, flags, loadHelp, args)
	if err != nil {
		return err
	}
	if h.QPS, err = openloop.Rates("-qps", *qps); err == nil {
		if err = each(&h.Latency, "durations such as 0, 1ms or 10ms", time.ParseDuration)(*latency); err != nil {
			err = fmt.Errorf("-latency %s: %w", *latency, err)
		}
	}
	if err == nil {
		h.Body, err = body(*data)
	}
	if *accept != "" {
		h.Accept = strings.Split(*accept, ",")
	}
	switch {
	case err != nil:
	case *self == (len(rest) > 0), len(rest) > 1:
		err = errors.New("want one URL, or -self")
	case *self:
		if *accept == "" {
			h.Accept = []string{"application/json", "application/vnd.zmy", "application/msgpack"}
		}
		h.URL = "http://127.0.0.1" + *path // so that Check can check it before anything is started; the real port is set later
		err = h.Check(*remote)
	default:
		h.URL = rest[0]
		err = h.Check(*remote)
	}
	if err != nil {
		return misread(flags, err)
	}
	if *self {
		s, err := load.StartSelf(ctx, "", "serve", "-addr", "127.0.0.1:0", "-every", "0", "-mock")
		if err != nil {
			return err
		}
		defer s.Stop() //nolint:errcheck // its exit code says nothing of the measurement
		h.URL, h.CPU = s.URL+*path, s.CPU
	}
	if h.Progress, err = show.begin(c); err != nil {
		return err
	}
	points, err := h.Run(ctx)
	if len(points) == 0 {
		return show.finish(ctx, c, nil, err)
	}
	x, xerr := h.Experiment(points, run.Host{}, append([]string{"zmy", "load", "http"}, args...), show.started)
	return show.finish(ctx, c, x, errors.Join(err, xerr))
}

// writeExperiment writes the report to a file in the given form, unless name is "". The file is
// replaced atomically.
func writeExperiment(c *console, name string, x *run.Experiment, form func(io.Writer, *run.Experiment) error) error {
	if name == "" {
		return nil
	}
	out := &output{name: name}
	if err := out.open(c.stdout); err != nil {
		return err
	}
	defer out.abandon()
	if err := form(out, x); err != nil {
		return err
	}
	return out.commit()
}

// addToReport adds an experiment to the report in a folder, unless dir is "". If there is no report,
// it creates one.
func addToReport(dir string, x *run.Experiment) error {
	if dir == "" {
		return nil
	}
	r, err := loadRun(dir)
	if err != nil {
		if _, serr := os.Stat(filepath.Join(dir, report.FileJSON)); !errors.Is(serr, os.ErrNotExist) {
			return err // a report that cannot be read must not be overwritten
		}
		r = &run.Run{Schema: run.Schema, Tool: x.Command[0], Command: x.Command, Started: x.Started, Host: x.Host}
	}
	r.Put(x)
	return report.WriteDir(dir, r)
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
