//go:build !labonly

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	grpcload "github.com/zmylab/zmy/adapters/grpcx/load"
	"github.com/zmylab/zmy/cmd/zmy/load"
	"github.com/zmylab/zmy/internal/cmdline"
	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab"
)

const loadGRPCHelp = `usage: zmy load grpc [-self | HOST:PORT] [flags]
       zmy load grpc -serve HOST:PORT [-window WINDOW]

Measures gRPC calls of all kinds: megabytes and messages a second, latencies, processor time and allocations, one cell of a
matrix after the other, over loopback. The server is part of this process; with -self one in a process of its own, so that
both ends are told apart; or one that runs (zmy load grpc -serve). Without lists it goes along one axis at a time around
128 KB in 8 streams, 0.3 ms away, in about two minutes. Lists are combined, and what is not given stays as it is there.

  -kind LIST       unary, server, client (streams of responses, of requests), bidi; all but client by default
  -codec LIST      protobuf, vtprotobuf, json, fxjson, msgpack, flatbuffers, zmy, zmy-view (read in place), raw (no codec)
  -payload LIST    blob (one block of bytes), records (structs of four fields)
  -size LIST       of messages: 100,1KB,64KB,128KB,1MB
  -streams LIST    at a time, over one connection: 1,8,64
  -window LIST     of a stream, at both ends: BDP (gRPC's estimate),64KiB,256KiB,512KiB,1MiB,16MiB
  -rtt LIST        round trip that is put in at the client's end: 0,0.3ms,10ms,50ms
  -gzip LIST       off,on
  -all             every combination of the values above, but for lists that are given (hours; the time is told first)
  -conns N         instead: so many connections, unary calls at random times over all of them (an open loop), for each codec
                   and size; latencies, scheduling delays of the server, memory for each connection. Takes -self for granted
  -qps 2000        calls a second, with -conns; 100,1000 one after the other, 100:10000 is five from the one to the other
  -for 1s          how long each cell; 10s with -conns
  -rounds 1        how often all of it, in another order each time: medians are shown
  -seed N          of orders and times
  -remote          HOST is not this machine, and I may put load on it
  -json FILE       write what was measured as data
  -o FILE          write the report as a page to be opened in a browser
  -add DIR         add it to the report in this folder (run.json, report.md, index.html …), as zmy lab does
  -format FORMAT   what is printed: table (default), json, md, csv or html

Exit codes: 0 ok, 1 the measurement failed, 2 usage, 130 stopped by Ctrl-C, after what there is was printed.
`

// loadGRPC has the flags of zmy load grpc.
type loadGRPC struct {
	load.GRPC
	lists      map[string]*string
	all        bool
	remote     bool
	conns      int
	qps        string
	serve      string
	connWindow int
	show       reporting
	matrix     grpcload.Matrix
}

func runLoadGRPC(ctx context.Context, c *console, args []string) error {
	f := &loadGRPC{lists: map[string]*string{}}
	flags := flag.NewFlagSet("load grpc", flag.ContinueOnError)
	for _, name := range []string{"kind", "codec", "payload", "size", "streams", "window", "rtt", "gzip"} {
		f.lists[name] = flags.String(name, "", "")
	}
	cmdline.OfferList(flags, "kind", "unary", "server", "client", "bidi")
	cmdline.OfferList(flags, "payload", "blob", "records")
	cmdline.OfferList(flags, "gzip", "off", "on")
	flags.BoolVar(&f.Self, "self", false, "")
	flags.BoolVar(&f.all, "all", false, "")
	flags.IntVar(&f.conns, "conns", 0, "")
	flags.StringVar(&f.qps, "qps", "2000", "")
	flags.DurationVar(&f.For, "for", 0, "")
	flags.IntVar(&f.Rounds, "rounds", 1, "")
	flags.Uint64Var(&f.Seed, "seed", 1, "")
	flags.BoolVar(&f.remote, "remote", false, "")
	flags.StringVar(&f.serve, "serve", "", "")
	flags.IntVar(&f.connWindow, "conn-window", 0, "")
	f.show.register(flags)
	rest, err := parse(c, flags, loadGRPCHelp, args)
	if err != nil {
		return err
	}
	if err := f.complete(rest); err != nil {
		return misread(flags, err)
	}
	if f.serve != "" {
		return f.runServer(ctx, c)
	}
	return f.measure(ctx, c, args)
}

// complete checks the flags before anything is started, and parses flags that are lists.
func (f *loadGRPC) complete(rest []string) error {
	given, err := f.readLists()
	if err != nil {
		return err
	}
	if f.For == 0 {
		f.For = time.Second
		if f.conns > 0 {
			f.For = 10 * time.Second
		}
	}
	switch {
	case len(rest) > 1, len(rest) == 1 && f.Self:
		return errors.New("want one HOST:PORT, or -self, or neither")
	case f.serve != "":
		return f.completeServer(rest, given)
	case f.For < 10*time.Millisecond:
		return fmt.Errorf("-for %s: want at least 10ms", f.For)
	case f.Rounds < 1 || f.Rounds > 1000:
		return fmt.Errorf("-rounds %d: want 1 to 1000", f.Rounds)
	case f.conns < 0 || f.conns > 1<<16:
		return fmt.Errorf("-conns %d: want up to 65536", f.conns)
	case len(rest) == 1:
		f.Addr = rest[0]
		if err := f.checkAddr(); err != nil {
			return err
		}
	}
	if f.conns > 0 {
		return f.completeConns(given)
	}
	switch {
	case len(given) == 0 && !f.all:
		f.Groups = grpcload.Slices([]grpcload.Kind{grpcload.Unary, grpcload.ServerStream, grpcload.BidiStream})
	case len(given) == 1 && given[0] == "kind" && !f.all:
		f.Groups = grpcload.Slices(f.matrix.Kinds)
	default:
		f.Groups = []grpcload.Group{{Title: "Cells", Cells: f.matrix.Cells()}}
	}
	return f.matrix.Check()
}

// checkAddr refuses hosts other than this machine unless -remote is set, since a load is an attack
// on a host that does not expect it.
func (f *loadGRPC) checkAddr() error {
	host, _, err := net.SplitHostPort(f.Addr)
	switch {
	case err != nil:
		return fmt.Errorf("%q is no address of a server: want 127.0.0.1:50051", f.Addr)
	case !f.remote && !load.IsHere(host):
		return fmt.Errorf("%s is not this machine; add -remote if you may put load on it", host)
	}
	return nil
}

// completeConns adds a crowd of connections for each rate, payload, size and codec.
func (f *loadGRPC) completeConns(given []string) error {
	for _, name := range given {
		if !slices.Contains([]string{"codec", "payload", "size"}, name) {
			return fmt.Errorf("-%s is not for -conns: it makes unary calls over plain connections", name)
		}
	}
	if f.all {
		return errors.New("-all is not for -conns")
	}
	if !slices.Contains(given, "codec") {
		f.matrix.Codecs = []string{"protobuf", "vtprotobuf", "json", "fxjson", "flatbuffers", "zmy"}
	}
	if !slices.Contains(given, "size") {
		f.matrix.Sizes = []int{1_000}
	}
	if !slices.Contains(given, "payload") {
		f.matrix.Blobs = []bool{false}
	}
	if err := f.matrix.Check(); err != nil {
		return err
	}
	f.Self = f.Addr == ""
	conns := f.show.affordable(f.conns, 1)
	rates, err := openloop.Rates("-qps", f.qps)
	if err != nil {
		return err
	}
	if len(rates) == 0 || slices.Max(rates) > 1e6 {
		return fmt.Errorf("-qps %s: want more than 0 and at most 1000000 calls a second", f.qps)
	}
	for _, qps := range rates {
		for _, blob := range f.matrix.Blobs {
			for _, size := range f.matrix.Sizes {
				for _, codec := range f.matrix.Codecs {
					f.Crowds = append(f.Crowds, grpcload.Crowd{Codec: codec, Blob: blob, Size: size, Conns: conns, QPS: qps, For: f.For, Seed: f.Seed})
				}
			}
		}
	}
	return nil
}

func (f *loadGRPC) completeServer(rest, given []string) error {
	for _, name := range given {
		if name != "window" {
			return fmt.Errorf("-%s is not for -serve", name)
		}
	}
	if len(rest) > 0 || f.Self || f.conns > 0 || f.all || len(f.matrix.Windows) != 1 {
		return errors.New("-serve HOST:PORT goes with one -window alone")
	}
	return f.matrix.Check()
}

// runServer runs a server for zmy load grpc HOST:PORT until ctx ends.
func (f *loadGRPC) runServer(ctx context.Context, c *console) error {
	l, err := listen(c, "load grpc", "-serve", f.serve, "keep this machine busy")
	if err != nil {
		return err
	}
	defer grpcload.Settle()()
	s, err := grpcload.NewServer(l, f.matrix.Windows[0], f.connWindow)
	if err != nil {
		l.Close()
		return err
	}
	fmt.Fprintf(c.stdout, "grpc://%s\n", l.Addr())
	<-ctx.Done()
	return s.Stop()
}

func (f *loadGRPC) measure(ctx context.Context, c *console, args []string) error {
	var err error
	if f.Progress, err = f.show.begin(c); err != nil {
		return err
	}
	fmt.Fprintf(c.stderr, "%s, about %v; Ctrl-C shows what there is\n", f.plan(), f.Takes().Round(time.Second))
	host := lab.Machine()
	result, err := f.Run(ctx)
	if !result.Measured() {
		return f.show.finish(ctx, c, nil, err)
	}
	x, xerr := f.Experiment(result, host, append([]string{"zmy", "load", "grpc"}, args...), f.show.started)
	return f.show.finish(ctx, c, x, errors.Join(err, xerr))
}

// plan returns a summary of the measurement.
func (f *loadGRPC) plan() string {
	if len(f.Crowds) > 0 {
		return fmt.Sprintf("%d × %d connections for %v each", len(f.Crowds)*f.Rounds, f.Crowds[0].Conns, f.For)
	}
	return fmt.Sprintf("%d cells of %v", len(grpcload.Distinct(f.Groups))*f.Rounds, f.For)
}

// readLists parses the given flags that are lists into the matrix, and returns their names. A list
// that is not given has the values of -all, or the value of the base cell.
func (f *loadGRPC) readLists() (given []string, err error) {
	f.matrix = grpcload.Point(grpcload.Base(grpcload.Unary))
	f.matrix.Kinds = []grpcload.Kind{grpcload.Unary, grpcload.ServerStream, grpcload.BidiStream}
	if f.all {
		f.matrix = grpcload.Full()
	}
	m := &f.matrix
	for _, list := range []struct {
		name string
		read func(s string) error
	}{
		{"kind", each(&m.Kinds, "unary, server, client or bidi",
			func(s string) (k grpcload.Kind, err error) { return k, k.UnmarshalText([]byte(s)) })},
		{"codec", each(&m.Codecs, "", func(s string) (string, error) { return s, nil })},
		{"payload", each(&m.Blobs, "blob or records", word("records", "blob"))},
		{"size", each(&m.Sizes, "100, 64KB or 1MiB", byteSize)},
		{"streams", each(&m.Streams, "1 or 64", strconv.Atoi)},
		{"window", each(&m.Windows, "BDP, 64KiB or 1MiB", windowSize)},
		{"rtt", each(&m.RTTs, "0, 0.3ms or 10ms", time.ParseDuration)},
		{"gzip", each(&m.Gzips, "off or on", word("off", "on"))},
	} {
		if s := *f.lists[list.name]; s != "" {
			given = append(given, list.name)
			if err := list.read(s); err != nil {
				return nil, fmt.Errorf("-%s %s: %w", list.name, s, err)
			}
		}
	}
	return given, nil
}

// each returns a function that parses a list, separated by commas, into *into. read parses one
// element, and want says in errors what an element looks like.
func each[T any](into *[]T, want string, read func(string) (T, error)) func(string) error {
	return func(s string) error {
		*into = nil
		for part := range strings.SplitSeq(s, ",") {
			v, err := read(strings.TrimSpace(part))
			if err != nil {
				return fmt.Errorf("%q: want %s, or several, with commas between", part, want)
			}
			*into = append(*into, v)
		}
		return nil
	}
}

// word returns a function that parses one of two words.
func word(no, yes string) func(string) (bool, error) {
	return func(s string) (bool, error) {
		if s != no && s != yes {
			return false, errors.New("neither")
		}
		return s == yes, nil
	}
}

// byteSize parses sizes such as 100, 64KB (powers of ten) and 64KiB (powers of two).
func byteSize(s string) (int, error) {
	text := strings.ToLower(strings.ReplaceAll(s, " ", ""))
	for _, u := range []struct {
		name string
		n    int
	}{{"kib", 1 << 10}, {"mib", 1 << 20}, {"kb", 1e3}, {"mb", 1e6}, {"b", 1}, {"", 1}} {
		if digits, ok := strings.CutSuffix(text, u.name); ok {
			n, err := strconv.Atoi(digits)
			if err == nil && (n < 0 || n > (1<<30)/u.n) {
				err = strconv.ErrRange
			}
			return n * u.n, err
		}
	}
	return 0, strconv.ErrSyntax
}

func windowSize(s string) (int, error) {
	if strings.EqualFold(s, "BDP") {
		return 0, nil
	}
	return byteSize(s)
}
