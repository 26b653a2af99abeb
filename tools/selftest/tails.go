package selftest

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/inject"
	"github.com/zmylab/zmy/lab/worker"
)

// The encoder stalls for stallTime once in stallEvery operations.
const (
	stallEvery = 500
	stallTime  = 10 * time.Millisecond
)

// tails checks that a rare stall shows in P99.9 and not in P50. In an open loop it must also show
// for the requests that wait behind the stalled one, which a closed loop would not see.
func tails(ctx context.Context, b *bench) error {
	s, err := b.open(ctx, inject.Contender("stalling", inject.Code{
		Decl: "var (\n\tzzLock sync.Mutex\n\tzzCalls int\n)",
		Encode: fmt.Sprintf("zzLock.Lock()\ndefer zzLock.Unlock()\nif zzCalls++; zzCalls %% %d == 0 { time.Sleep(%d) }",
			stallEvery, stallTime.Nanoseconds())}))
	if err != nil {
		return err
	}
	defer s.Close()
	return b.timed(ctx, func(ctx context.Context, try int) ([]Row, error) { return s.tails(ctx, b, try) })
}

func (s *stand) tails(ctx context.Context, b *bench, try int) ([]Row, error) {
	p, err := s.built["stalling"].Worker.Open(ctx, harness.Opening{Values: s.Values()})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	load := func(cmd string, args any) (*worker.Load, error) {
		text, err := json.Marshal(args)
		if err != nil {
			return nil, err
		}
		a, err := p.Do(ctx, worker.Request{Cmd: cmd, Args: string(text)}, time.Minute)
		if err != nil {
			return nil, err
		}
		l := new(worker.Load)
		return l, json.Unmarshal(a.Data, l)
	}
	task := worker.Task{Op: "encode"}
	// Of 100,000 requests, 100 lie beyond P99.9.
	closed, err := load(worker.CmdClosed, worker.ClosedLoop{Task: task, Goroutines: 1, Rounds: 100_000})
	if err != nil {
		return nil, err
	}
	ms := func(h *openloop.Histogram, q float64) float64 { return h.Quantile(q) / 1e6 }
	whole := float64(stallTime) / 1e6
	out := []Row{newRow(fmt.Sprintf("a stall of %s once in %d", stallTime, stallEvery),
		fmt.Sprintf("P50 below 0.5 ms, P99.9 at least %g ms", whole),
		fmt.Sprintf("closed loop P50 %.4f ms, P99 %.3f ms, P99.9 %.1f ms of %d requests", ms(&closed.Response, 0.5),
			ms(&closed.Response, 0.99), ms(&closed.Response, 0.999), closed.N),
		ms(&closed.Response, 0.5) < 0.5 && ms(&closed.Response, 0.999) >= whole*0.99)}
	const what, expected = "open against closed loop", "P99 of the open loop is the larger, and at least 1 ms"
	if closed.Procs < 2 {
		b.skip(what, expected, "the generator of an open loop needs a second processor")
		return out, nil
	}
	open, err := load(worker.CmdOpen, worker.OpenLoop{Task: task,
		Schedule: openloop.Schedule{Rate: 2000, For: time.Duration(5*try) * time.Second, Seed: b.o.Seed}})
	if err != nil {
		return nil, err
	}
	o, c := ms(&open.Response, 0.99), ms(&closed.Response, 0.99)
	return append(out, newRow(what, expected,
		fmt.Sprintf("P99 %.3f ms open, %.3f ms closed; %d requests at 2000/s, %d left over", o, c, open.N, open.Left),
		o > c && o >= 1 && open.Left == 0)), nil
}
