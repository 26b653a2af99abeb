package latency

import (
	"context"
	"fmt"
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
	Left     int                `json:"left,omitempty"` // requests that there was no time for
	Rate     run.Estimate       `json:"rate"`           // requests per second
	Through  run.Estimate       `json:"through"`        // encoded bytes per second
	CPU      float64            `json:"cpu"`            // processors kept busy
	Cycles   float64            `json:"cycles"`         // garbage collections per 1000 requests
	Response openloop.Histogram `json:"response"`
	Service  openloop.Histogram `json:"service"`
	Capacity float64            `json:"capacity,omitempty"` // requests per second while one processor belongs to a generator

	launches []*openloop.Histogram
}

// whole is the time that a codec's closed loop may take in the first launch, if its share of the
// budget is not larger.
const whole = 15 * time.Second

// closed runs the closed loop of every codec once per launch, in a new order each time.
func (e *Experiment) closed(ctx context.Context, b *experiment.Bench, res *Result) error {
	share := b.Budget() / 4 / time.Duration(max(1, b.Launches()*len(b.Contenders)))
	at := map[string]*Closed{}
	rates, through := map[string][]float64{}, map[string][]float64{}
	order := b.Rand("closed")
	broken := map[string]bool{}
	for l := range b.Launches() {
		for _, i := range order.Perm(len(b.Contenders)) {
			c := b.Contenders[i]
			if broken[c.Name] {
				continue
			}
			b.Progress(fmt.Sprintf("closed loop of %s, launch %d of %d", c.Name, l+1, b.Launches()))
			most := max(share, 200*time.Millisecond)
			if l == 0 { // the first launch makes all requests that the user asked for, if it can
				most = max(share, whole)
			}
			got, err := experiment.Once[worker.Load](ctx, b, c.Worker, worker.CmdClosed, worker.ClosedLoop{
				Task: worker.Task{Op: e.Op}, Goroutines: e.Goroutines, Rounds: e.Rounds, Most: most}, most)
			if ctx.Err() != nil {
				break
			}
			if err != nil || got.N == 0 {
				b.Drop(c.Name, fmt.Errorf("closed loop: %w", orNothing(err)))
				broken[c.Name] = true
				continue
			}
			k := at[c.Name]
			if k == nil {
				k = &Closed{Codec: c.Name}
				at[c.Name] = k
			}
			k.add(got)
			rates[c.Name] = append(rates[c.Name], float64(got.N)/got.Wall*1e9)
			through[c.Name] = append(through[c.Name], got.Bytes/got.Wall*1e9)
		}
	}
	for _, c := range b.Contenders {
		if k := at[c.Name]; k != nil && !broken[c.Name] {
			k.Rate, k.Through = experiment.Estimate(rates[c.Name]), experiment.Estimate(through[c.Name])
			k.CPU, k.Cycles = k.CPU/float64(len(k.launches)), 1000*k.Cycles/float64(k.N)
			res.Closed = append(res.Closed, *k)
			if k.Left > 0 {
				b.Warn("closed loop of %s: %s of %s requests of all launches fitted the budget", c.Name,
					quantity.Count(float64(k.N)), quantity.Count(float64(k.N+k.Left)))
			}
		}
	}
	return ctx.Err()
}

func (k *Closed) add(l *worker.Load) {
	k.N, k.Left = k.N+l.N, k.Left+l.Left
	k.CPU += l.CPU / l.Wall
	k.Cycles += float64(l.Cycles)
	k.Response.Add(&l.Response)
	k.Service.Add(&l.Service)
	k.launches = append(k.launches, &l.Response)
}

// closedForms adds the table and the percentile curves.
func (e *Experiment) closedForms(x *run.Experiment, res *Result) {
	t := run.Table{
		Title: fmt.Sprintf("Closed loop: %d goroutines × %d requests (%s)", res.Goroutines, res.Rounds, opText(res.Op)),
		Note: "Each caller waits for its answer before it asks again; a request lasts from when it is made, waiting for a processor " +
			"included. Ranges are those of the launches. " + lacking,
	}
	c := run.Chart{Kind: run.ChartLines, Title: "Closed loop: latency by percentile",
		X: run.Axis{Name: "one request in … is slower", Log: true},
		Y: run.Axis{Name: "latency", Unit: run.UnitNS, Log: true}, Note: "A curve ends where fewer than 100 requests lie beyond it."}
	for i := range res.Closed {
		k := &res.Closed[i]
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
		xs, ys := curve(&k.Response)
		c.Series = append(c.Series, run.Series{Name: k.Codec, X: xs, Y: ys})
	}
	x.Tables = append(x.Tables, run.Filled(t)...)
	x.Charts = append(x.Charts, c)
}

func opText(op string) string {
	if op == worker.OpTrip {
		return "encode and decode again"
	}
	return op
}

func orNothing(err error) error {
	if err == nil {
		return fmt.Errorf("no request was done in time")
	}
	return err
}
