package latency

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

// Closed is the closed loop of one codec, summed over all launches.
type Closed struct {
	Codec    string             `json:"codec"`
	N        int                `json:"n"`
	Left     int                `json:"left,omitempty"` // requests that were not made for lack of time
	Rate     run.Estimate       `json:"rate"`           // requests per second
	Through  run.Estimate       `json:"through"`        // encoded bytes per second
	CPU      float64            `json:"cpu"`            // processors kept busy
	Cycles   float64            `json:"cycles"`         // garbage collections per 1000 requests
	Response openloop.Histogram `json:"response"`
	Service  openloop.Histogram `json:"service"`
	Capacity float64            `json:"capacity,omitempty"` // requests per second while one processor belongs to a generator

	launches       []*openloop.Histogram
	rates, through []float64
}

// whole is the time limit of a codec's closed loop in the first launch; a larger share of the
// budget extends it. The first launch gets more time because the far percentiles need all requests
// that the user asked for. The other launches only show by how much the figures differ between
// processes.
const whole = 15 * time.Second

// closed runs the closed loop of every codec once per launch, in a quarter of the budget. The open
// loop gets the rest.
func (e *Experiment) closed(ctx context.Context, b *experiment.Bench, res *Result) error {
	share := b.Budget() / 4 / time.Duration(b.Launches()*len(b.Contenders))
	var turns []experiment.Turn
	for _, c := range b.Contenders {
		k := &Closed{Codec: c.Name}
		res.Closed = append(res.Closed, k)
		turns = append(turns, experiment.Turn{Codec: c.Name, Doing: "closed loop of " + c.Name, Do: func(launch int) error {
			most := max(share, 200*time.Millisecond)
			if launch == 0 { // the first launch makes all requests that the user asked for, if it can
				most = max(share, whole)
			}
			got, err := experiment.Once[worker.Load](ctx, b, c.Worker, worker.CmdClosed, worker.ClosedLoop{
				Task: worker.Task{Op: e.Op}, Goroutines: e.Goroutines, Rounds: e.Rounds, Most: most}, most)
			if err == nil && got.N == 0 {
				err = errors.New("no request was done in time")
			}
			if err != nil {
				return fmt.Errorf("closed loop: %w", err)
			}
			k.add(got)
			return nil
		}})
	}
	broken, err := b.Turns(ctx, "closed", turns)
	res.Closed = slices.DeleteFunc(res.Closed, func(k *Closed) bool { return k.launches == nil || broken[k.Codec] })
	for _, k := range res.Closed {
		k.Rate, k.Through = experiment.Estimate(k.rates), experiment.Estimate(k.through)
		k.CPU, k.Cycles = k.CPU/float64(len(k.launches)), 1000*k.Cycles/float64(k.N)
		if k.Left > 0 {
			b.Warn("closed loop of %s: %s of %s requests of all launches fitted the budget", k.Codec,
				quantity.Count(float64(k.N)), quantity.Count(float64(k.N+k.Left)))
		}
	}
	return err
}

func (k *Closed) add(l *worker.Load) {
	k.N, k.Left = k.N+l.N, k.Left+l.Left
	k.rates, k.through = append(k.rates, float64(l.N)/l.Wall*1e9), append(k.through, l.Bytes/l.Wall*1e9)
	k.CPU += l.CPU / l.Wall
	k.Cycles += float64(l.Cycles)
	k.Response.Add(&l.Response)
	k.Service.Add(&l.Service)
	k.launches = append(k.launches, &l.Response)
}

func closedTable(res *Result) run.Table {
	t := run.Table{
		Title: fmt.Sprintf("Closed loop: %d goroutines × %d requests (%s)", res.Goroutines, res.Rounds, opText(res.Op)),
		Note: "Each caller waits for its answer before it asks again; a request lasts from when it is made, waiting for a processor " +
			"included. Ranges are those of the launches. " + lacking,
	}
	for _, k := range res.Closed {
		row := []run.Figure{run.Text(k.Codec).Under("codec", "")}
		for _, q := range quantiles {
			row = append(row, item(&k.Response, k.launches, q).Under(openloop.Name(q), run.UnitNS).
				Means("of all requests, this share is at most so slow"))
		}
		t.Add(append(row, run.Num(k.Response.Max()).Under("max", run.UnitNS),
			run.Num(k.Service.Quantile(0.5)).Under("own work", run.UnitNS).Means("P50 of the codec's own work, without waiting"),
			run.Est(k.Rate).Under("requests", run.UnitOps).Means("done a second"),
			run.Est(k.Through).Under("throughput", run.UnitRate).Means("encoded bytes a second"),
			run.Num(k.CPU).Under("CPU", run.UnitShare).Means("100% is one processor, garbage collection included"),
			run.Num(k.Cycles).Under("GCs/1000", "").Means("garbage collections per 1000 requests"))...)
	}
	return t
}

func closedChart(res *Result) run.Chart {
	return experiment.Lines(run.Chart{Title: "Closed loop: latency by percentile",
		X: run.Axis{Name: "one request in … is slower", Log: true},
		Y: run.Axis{Name: "latency", Unit: run.UnitNS, Log: true}, Note: "A curve ends where fewer than 100 requests lie beyond it."},
		res.codecs(), 1, func(codec string, s *run.Series) { s.X, s.Y = curve(&find(res, codec).Response) })
}

func opText(op string) string {
	if op == worker.OpTrip {
		return "encode and decode again"
	}
	return op
}
