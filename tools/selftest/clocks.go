package selftest

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/zmylab/zmy/lab/inject"
	"github.com/zmylab/zmy/lab/measure"
	"github.com/zmylab/zmy/lab/stats"
)

const block = 4096 // bytes that the added allocation takes

// clocks adds a sleep, a spin and an allocation to an encoder and checks that the lab measures
// each.
func clocks(ctx context.Context, b *bench) error {
	s, err := b.open(ctx,
		inject.Contender("plain", inject.Code{}),
		inject.Contender("sleeping", inject.Code{Encode: "time.Sleep(time.Millisecond)"}),
		inject.Contender("spinning", inject.Code{Encode: "for t := time.Now(); time.Since(t) < time.Millisecond; { }"}),
		inject.Contender("allocating", inject.Code{Decl: "var zzBlock []byte", Encode: fmt.Sprintf("zzBlock = make([]byte, %d)", block)}))
	if err != nil {
		return err
	}
	defer s.Close()
	if err := b.timed(ctx, func(ctx context.Context, try int) ([]Row, error) { return s.clocks(ctx, b, try) }); err != nil {
		return err
	}
	return s.allocations(ctx, b)
}

func (s *stand) clocks(ctx context.Context, b *bench, try int) ([]Row, error) {
	encode := []string{"encode"}
	cells, err := s.time(ctx, measure.Config{Launches: 2, Rounds: pick(b, 5, 10) * try, MinBatch: 10 * time.Millisecond,
		MaxBatch: 20 * time.Millisecond, Seed: b.o.Seed},
		lane{"plain", "plain", encode}, lane{"sleeping", "sleeping", encode}, lane{"spinning", "spinning", encode})
	if err != nil {
		return nil, err
	}
	more := func(name, clock string) float64 { // ms
		x := stats.Location(cells[name+" encode"].Samples, clock, 1).Point
		return (x - stats.Location(cells["plain encode"].Samples, clock, 1).Point) / 1e6
	}
	show := func(name string) string {
		return fmt.Sprintf("wall %+.3f ms, CPU %+.3f ms", more(name, stats.Wall), more(name, stats.CPU))
	}
	in := func(x, lo, hi float64) bool { return x >= lo && x <= hi }
	return []Row{
		newRow("+1 ms sleep", "wall +1 to +1.5 ms, CPU below +0.1 ms", show("sleeping"),
			in(more("sleeping", stats.Wall), 0.99, 1.5) && more("sleeping", stats.CPU) < 0.1),
		newRow("+1 ms spin", "wall and CPU +0.9 to +1.1 ms", show("spinning"),
			in(more("spinning", stats.Wall), 0.9, 1.1) && in(more("spinning", stats.CPU), 0.9, 1.1)),
	}, nil
}

// allocations compares allocations of two encoders, each by the least count of several batches: the
// runtime's own allocations can only add to a count.
func (s *stand) allocations(ctx context.Context, b *bench) error {
	count := func(name string) (allocs, bytes float64, err error) {
		ln, err := s.lane(ctx, lane{name, name, []string{"encode"}})
		if err != nil {
			return 0, 0, err
		}
		defer ln.Close()
		n := s.Run().Subject.Values
		allocs, bytes = math.Inf(1), math.Inf(1)
		for range 7 {
			r, err := ln.Run(ctx, measure.Batch{Op: "encode", Mode: "fresh", N: n, Block: n, Warm: true})
			if err != nil {
				return 0, 0, err
			}
			allocs, bytes = min(allocs, r.Allocs/float64(n)), min(bytes, r.Bytes/float64(n))
		}
		return allocs, bytes, nil
	}
	a0, n0, err := count("plain")
	if err != nil {
		return err
	}
	a1, n1, err := count("allocating")
	if err != nil {
		return err
	}
	b.check(fmt.Sprintf("+1 allocation of %d B", block), fmt.Sprintf("exactly +1 and +%d B an operation", block),
		fmt.Sprintf("%+g allocations, %+g B", a1-a0, n1-n0), a1-a0 == 1 && n1-n0 == block)
	return nil
}
