package load

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	grpcload "github.com/zmylab/zmy/adapters/grpcx/load"
	"github.com/zmylab/zmy/lab/quantity"
)

// NOTE, the map of gRPC: grpc.go says what is measured and runs it, grpc_show.go is the report on
// cells, grpc_crowd.go the report on many connections. The measuring itself is in package
// adapters/grpcx/load.

// GRPC is a measurement of gRPC: groups of cells, or a crowd of connections for each codec.
type GRPC struct {
	Addr   string // address of a running server; "" starts one
	Self   bool   // if a server is started, it is a process of its own
	Groups []grpcload.Group
	Crowds []grpcload.Crowd
	For    time.Duration
	Rounds int // how often everything is measured; each round has an order of its own
	Seed   uint64

	Progress func(what string)
}

// GRPCResult is the result of a measurement. A cell has one result for each round.
type GRPCResult struct {
	Cells  map[grpcload.Cell][]*grpcload.Result
	Crowds [][]*grpcload.CrowdResult // by the index of GRPC.Crowds
}

// Measured reports whether there are any results.
func (r *GRPCResult) Measured() bool {
	return len(r.Cells) > 0 || slices.ContainsFunc(r.Crowds, func(c []*grpcload.CrowdResult) bool { return len(c) > 0 })
}

// Takes returns approximately how long the measurement takes.
func (g *GRPC) Takes() time.Duration {
	b := g.bench()
	var sum time.Duration
	for _, c := range grpcload.Distinct(g.Groups) {
		sum += b.Takes(c) + g.start()
	}
	for _, c := range g.Crowds {
		sum += c.For + c.For/4 + time.Duration(c.Conns)*time.Millisecond + g.start()
	}
	return sum * time.Duration(g.Rounds)
}

// start returns approximately how long a server takes to start.
func (g *GRPC) start() time.Duration {
	if g.Self {
		return 100 * time.Millisecond
	}
	return 0
}

func (g *GRPC) bench() *grpcload.Bench {
	b := &grpcload.Bench{Start: grpcload.InProcess, For: g.For}
	switch {
	case g.Addr != "":
		b.Start = func(context.Context, int, int) (*grpcload.Target, error) { return &grpcload.Target{Addr: g.Addr}, nil }
	case g.Self:
		b.Start = startGRPC
	}
	return b
}

// startGRPC starts this program as a server in its own process.
func startGRPC(ctx context.Context, window, connWindow int) (*grpcload.Target, error) {
	s, err := StartSelf(ctx, "", "load", "grpc", "-serve", "127.0.0.1:0", "-window", fmt.Sprint(window),
		"-conn-window", fmt.Sprint(connWindow))
	if err != nil {
		return nil, err
	}
	return &grpcload.Target{Addr: strings.TrimPrefix(s.URL, "grpc://"), Stop: s.Stop}, nil
}

// Run runs the measurement. If ctx ends or a cell cannot be measured, it returns the results so far
// and the error.
func (g *GRPC) Run(ctx context.Context) (*GRPCResult, error) {
	defer grpcload.Settle()()
	b := g.bench()
	r := &GRPCResult{Cells: map[grpcload.Cell][]*grpcload.Result{}, Crowds: make([][]*grpcload.CrowdResult, len(g.Crowds))}
	cells := grpcload.Distinct(g.Groups)
	all, done := (len(cells)+len(g.Crowds))*g.Rounds, 0
	say := func(what string) {
		if done++; g.Progress != nil {
			g.Progress(fmt.Sprintf("%d of %d: %s", done, all, what))
		}
	}
	for round := range g.Rounds {
		order := rand.New(rand.NewPCG(g.Seed, uint64(round)))
		if round > 0 { // the first round keeps the listed order, for a user who watches
			order.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
		}
		for _, c := range cells {
			res, err := b.Run(ctx, c)
			if err != nil {
				return r, stopped(ctx, fmt.Errorf("%s: %w", c, err))
			}
			r.Cells[c] = append(r.Cells[c], res)
			say(fmt.Sprintf("%s: %s", c, cellLine(res)))
		}
		for _, i := range order.Perm(len(g.Crowds)) {
			c := g.Crowds[i]
			c.Seed += uint64(round)
			res, err := b.Crowd(ctx, c)
			if err != nil {
				return r, stopped(ctx, fmt.Errorf("%d connections, %s: %w", c.Conns, c.Codec, err))
			}
			r.Crowds[i] = append(r.Crowds[i], res)
			say(fmt.Sprintf("%d connections, %s: %s", c.Conns, c.Codec, crowdLine(res)))
		}
	}
	return r, nil
}

// stopped returns ctx's error if ctx has ended, since err is then a consequence of that; otherwise
// err.
func stopped(ctx context.Context, err error) error {
	return cmp.Or(ctx.Err(), err)
}

func cellLine(r *grpcload.Result) string {
	s := fmt.Sprintf("%s MB/s, %s messages/s", quantity.Figure(r.MBps()), quantity.Figure(r.Rate))
	if r.Latency.P99 > 0 {
		s += ", P99 " + quantity.Time(float64(r.Latency.P99))
	}
	if cpu, ok := r.CPU(); ok && r.Messages > 0 {
		s += fmt.Sprintf(", %s of CPU each", quantity.Time(float64(cpu/time.Duration(r.Messages))))
	}
	if n := r.Failed(); n > 0 {
		s += fmt.Sprintf(", %d failed (%s)", n, failures(r.Errors))
	}
	return s
}

func crowdLine(r *grpcload.CrowdResult) string {
	s := fmt.Sprintf("%s calls/s", quantity.Figure(float64(r.Answered)/r.Seconds))
	if r.Response.P50 > 0 {
		s += ", P50 " + quantity.Time(float64(r.Response.P50))
	}
	if r.Response.P99 > 0 {
		s += ", P99 " + quantity.Time(float64(r.Response.P99))
	}
	if r.Server != nil && r.Server.Delays.N() > 0 {
		s += fmt.Sprintf(", scheduling delay %s on average", quantity.Time(float64(r.Server.Delays.Mean())))
	}
	if n := r.Failed(); n > 0 {
		s += fmt.Sprintf(", %d failed (%s)", n, failures(r.Errors))
	}
	return s
}
