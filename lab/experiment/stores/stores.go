// Package stores measures messages on their way through the stores in which services keep them:
// Redis, PostgreSQL, and servers with MySQL's protocol. It answers how much of a request's time the
// codec takes and how much the store, and from which rate on the codec matters.
//
// NOTE, the map: stores.go is the experiment with its flags, place.go finds or starts the stores,
// climb.go puts the load on one, point.go holds what was measured, compare.go compares codecs with
// the baseline, forms.go and findings.go show the results, secret.go keeps passwords out of the
// report. The load itself runs in the workers (shelf.go and store_load.go of lab/worker/experiment)
// with the clients below the folder client, which are added to the workers. Package server starts
// servers.
package stores

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zmylab/zmy/internal/cmdline"
	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
)

// Experiment measures messages through stores. Make one with New.
type Experiment struct {
	Rates []float64         // requests a second, rising
	Conns int               // connections of the client
	For   time.Duration     // the duration of one visit to a rate; 0: what the budget allows
	Kinds []string          // stores to measure, of kinds
	URLs  map[string]string // by kind: addresses of stores that run already

	rates, only string
}

// kind is a kind of store: the name of its flag, what it is called, and what the flag takes.
type kind struct{ name, title, takes string }

// kinds are the stores, in the order in which they are measured.
var kinds = []kind{{"redis", "Redis", "ADDR"}, {"postgres", "PostgreSQL", "URL"}, {"mysql", "a MySQL-protocol store", "DSN"}}

// kindOf returns the kind of this name, or the zero kind.
func kindOf(name string) kind {
	return experiment.First(kinds, func(k kind) bool { return k.name == name })
}

// New returns the experiment with its defaults.
func New() *Experiment {
	return &Experiment{Conns: 32, URLs: map[string]string{}, rates: "100:10000", only: "redis,postgres,mysql"}
}

// About describes the experiment.
func (e *Experiment) About() experiment.About {
	return experiment.About{Name: "stores",
		Short: "messages through Redis, PostgreSQL and MariaDB: percentiles, memory, what the codec matters"}
}

// Flags adds the flags of the experiment to fs and returns their help.
func (e *Experiment) Flags(fs *flag.FlagSet) string {
	fs.StringVar(&e.rates, "rates", e.rates, "")
	fs.StringVar(&e.only, "stores", e.only, "")
	cmdline.OfferList(fs, "stores", strings.Split(e.only, ",")...)
	for _, k := range kinds {
		fs.Func(k.name, "", func(s string) error { e.URLs[k.name] = s; return nil })
	}
	fs.IntVar(&e.Conns, "conns", e.Conns, "")
	fs.DurationVar(&e.For, "for", 0, "")
	return `  -rates 100:10000 requests a second, half of them writes: from:to in five steps, or a list
                   100,1000. Each codec climbs until its store does not keep up
  -stores redis,postgres,mysql
                   the stores to measure. Those without an address are started from the servers
                   that are installed, with a data folder of their own that goes at the end
  -redis ADDR      a Redis: host:port, or redis://user:password@host:port/0
  -postgres URL    a PostgreSQL: postgres://user:password@host:port/database
  -mysql DSN       MariaDB, MySQL or TiDB: user:password@tcp(host:port)/database
                   Of a store that is given only a table or keys of a name of this run are
                   touched, and removed in the end; the load is real, so take none in use
  -conns 32        connections, and so the most requests that can be under way
  -for 2s          how long one visit to a rate lasts; by default what the budget allows
`
}

// Check parses the rates and makes sure that there is a store to measure.
func (e *Experiment) Check() (err error) {
	if e.Rates, err = openloop.Rates("-rates", e.rates); err != nil {
		return err
	}
	slices.Sort(e.Rates)
	e.Rates = slices.Compact(e.Rates)
	if len(e.Rates) == 0 {
		return errors.New("-rates: name at least one")
	}
	if e.Conns < 1 || e.Conns > 1000 {
		return fmt.Errorf("-conns %d: between 1 and 1000", e.Conns)
	}
	e.Kinds = nil
	for name := range strings.SplitSeq(e.only, ",") {
		name = strings.TrimSpace(name)
		if kindOf(name).name == "" {
			return fmt.Errorf("-stores %s: choose of redis, postgres and mysql", e.only)
		}
		if !slices.Contains(e.Kinds, name) {
			e.Kinds = append(e.Kinds, name)
		}
	}
	for name := range e.URLs {
		if !slices.Contains(e.Kinds, name) {
			return fmt.Errorf("-%s names a store that -stores %s leaves out", name, e.only)
		}
	}
	return e.available()
}

// client holds the sources of the stores' clients. `bin/maint pin experiment/stores/client` pins
// the versions of their modules again.
//
//go:embed client
var client embed.FS

// Beside returns the package of the clients.
func (e *Experiment) Beside() (*contender.Beside, error) {
	return contender.ReadBeside(client, "client", "stores")
}

// Result is what run.json keeps of the experiment.
type Result struct {
	Conns  int      `json:"conns"`
	Keys   int      `json:"keys"`
	Places []*Place `json:"stores"`
	Alone  []*Alone `json:"alone"`
	Points []*Point `json:"points"`
}

// Alone is what a codec takes for a value without any store: CPU time in ns and memory in bytes.
// Garbage collection is included.
type Alone struct {
	Codec       string  `json:"codec"`
	Encode      float64 `json:"encode"`
	Decode      float64 `json:"decode"`
	EncodeAlloc float64 `json:"encode_alloc"`
	DecodeAlloc float64 `json:"decode_alloc"`
}

// CPU returns the codec's mean CPU time for a request, in ns. Half of the requests are writes.
func (a *Alone) CPU() float64 { return (a.Encode + a.Decode) / 2 }

// Run measures all contenders and returns the tables, charts and findings.
func (e *Experiment) Run(ctx context.Context, b *experiment.Bench) (*run.Experiment, error) {
	if b.Options().Input != "" {
		return nil, &lab.UsageError{Text: "-input changes how documents are spelled that decoders read; a store returns what was written"}
	}
	x := &run.Experiment{Title: "Through stores", Question: "What does a codec change where messages go through a store, and " +
		"from which rate on?"}
	m := &measuring{e: e, b: b, begun: time.Now(), budget: e.budget(b), broken: map[string]bool{},
		res: &Result{Conns: e.Conns, Keys: keys(b)}}
	if err := m.tryGiven(ctx); err != nil {
		return nil, err
	}
	err := m.alone(ctx)
	if err == nil {
		err = m.stores(ctx, x)
	}
	res := m.res
	if len(res.Points) == 0 {
		return nil, errors.Join(err, errors.New("no load was put on any store"))
	}
	views := res.views()
	x.Tables, x.Charts, x.Findings = res.tables(views), res.charts(views), res.findings(views)
	x.Warnings = append(x.Warnings, m.doubts()...)
	return experiment.With(x, res, err)
}

// budget returns the time for the loads. Unless the user set it, each store gets the budget of an
// experiment, because stores are measured one after the other and each is a result of its own.
func (e *Experiment) budget(b *experiment.Bench) time.Duration {
	if o := b.Options(); o.Budget > 0 {
		return o.Budget
	}
	return time.Duration(len(e.Kinds)) * b.Depth.Budget()
}

// Bounds of the messages that a store holds: enough messages that requests do not queue for one
// row, and not more bytes than the store's caches hold.
const (
	leastKeys = 1024
	mostBytes = 64 << 20
)

// keys returns how many messages a store holds. It is a multiple of the number of values, so that
// every value is stored equally often. The codec with the largest messages decides for all, since
// all must fill the store with the same number.
func keys(b *experiment.Bench) int {
	largest := 1.0
	for _, c := range b.Contenders {
		largest = max(largest, c.Sizes.Mean)
	}
	n := max(b.Run().Subject.Values, 1)
	sets := (leastKeys + n - 1) / n
	return n * max(1, min(sets, int(mostBytes/largest)/n))
}

// alone times the codecs without a store, in interleaved rounds. These times are the codec's part
// of the CPU time of a request, which the load itself cannot tell from the client's part.
func (m *measuring) alone(ctx context.Context) error {
	cells, err := m.b.Time(ctx, experiment.Rounds{Name: "codecs alone", Budget: m.budget / 12, Cells: experiment.Fresh})
	for _, b := range m.b.Contenders {
		a := &Alone{Codec: b.Name}
		for _, c := range cells {
			switch cpu := stats.Median(experiment.CPU(c.Samples)); {
			case c.Codec != b.Name:
			case c.Op == "encode":
				a.Encode, a.EncodeAlloc = cpu, c.Bytes
			default:
				a.Decode, a.DecodeAlloc = cpu, c.Bytes
			}
		}
		if a.Encode > 0 && a.Decode > 0 {
			m.res.Alone = append(m.res.Alone, a)
		}
	}
	if err == nil && len(m.res.Alone) == 0 {
		err = errors.New("no codec could be timed")
	}
	return err
}

// doubts lists what a reader must know about this machine and this depth.
func (m *measuring) doubts() (out []string) {
	if slices.ContainsFunc(m.res.Places, func(p *Place) bool { return p.Own }) {
		out = append(out, "stores, client and generator share this machine's processors: where those are busy, all of them wait, "+
			"and a store on a machine of its own keeps up for longer")
	}
	if m.b.Run().Host.Virtual != "" {
		out = append(out, "a virtual machine: what its host takes away shows in the far percentiles, of all codecs alike")
	}
	return append(out, "intervals rest on what differs between launches, and each comparison by itself errs one time in twenty: "+
		"take codecs for different only where they differ at several rates")
}
