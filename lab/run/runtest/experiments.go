package runtest

import (
	"fmt"
	"math"
	"time"

	"github.com/zmylab/zmy/lab/run"
)

// Experiments returns one simulated experiment of each form that reports draw: lines with bands,
// marks and points that are not valid; bars; heatmaps of sizes and of ratios; points; flame graphs,
// plain and differential; tables of every unit.
func Experiments() []*run.Experiment {
	out := []*run.Experiment{latency(), sweep(), contention(), profile()}
	for i, e := range out {
		e.Command = []string{"zmy", "lab", e.Name, "./order", "-type", "Order", "-seed", "42"}
		e.Started = time.Date(2026, 11, 21, 10, i, 0, 0, time.UTC)
		e.Seconds, e.Depth = 41.5, "standard"
		e.Host = run.Host{OS: "linux", Arch: "amd64", CPU: "AMD EPYC 9B14", Cores: 2, Virtual: "KVM", Load1: 1.4, Go: "go1.26.8"}
	}
	return out
}

// Many adds an experiment of many figures to r.
func Many(r *run.Run) {
	e := &run.Experiment{Name: "many", Title: "Many figures", Findings: []string{"There are many."}}
	for _, x := range Experiments() {
		e.Charts, e.Tables = append(e.Charts, x.Charts[0]), append(e.Tables, x.Tables...)
	}
	e.Charts[2].Beside = true
	r.Put(e)
}

var served = []struct {
	name string
	ns   float64
}{{"zmy", 900}, {"fxjson", 3600}, {"goccy", 3700}, {"std-json", 12700}}

func latency() *run.Experiment {
	e := &run.Experiment{Name: "latency", Title: "Latency under load", Question: "How long does a caller wait when many call at once?",
		Findings: []string{"Up to 60,000 calls a second nobody waits; beyond, std-json's P99 grows 40-fold while that of zmy stays below 1 ms.",
			"Closed loop hides it: its P99 of std-json is a ninth of the open loop's at the same rate."},
		Warnings: []string{"2 of 32 points are not valid: the generator itself was late by more than 10% of P50"},
		Absent:   []string{"cache misses: no hardware counters on this machine"}}
	rates := []float64{100, 300, 1000, 3000, 10000, 20000, 40000, 70000}
	sweep := run.Chart{Kind: run.ChartLines, Title: "P99 over offered load", Note: "Open loop: latency counts from the moment a call was due.",
		X: run.Axis{Name: "offered", Unit: run.UnitOps, Log: true}, Y: run.Axis{Name: "P99", Unit: run.UnitNS,
			Log: true}, Marks: []run.Mark{{X: 62000, Text: "capacity of std-json"}}}
	curve := run.Chart{Kind: run.ChartLines, Title: "Percentiles at 10,000 calls a second",
		X: run.Axis{Name: "calls that took longer: one in", Unit: run.UnitCount, Log: true}, Y: run.Axis{Name: "latency", Unit: run.UnitNS,
			Log: true}}
	table := run.Table{Title: "Closed loop, 1000 goroutines × 100 rounds", Note: "A percentile is printed only with 100 samples beyond it."}
	for i, c := range served {
		s, p := run.Series{Name: c.name}, run.Series{Name: c.name, Faint: c.name == "std-json"}
		for k, q := range rates {
			y := c.ns * 6 * (1 + 40*math.Pow(q/75000, 4)*c.ns/12700)
			s.X, s.Y, s.Lo, s.Hi = append(s.X, q), append(s.Y, y), append(s.Lo, y*0.85), append(s.Hi, y*1.22)
			s.Void = append(s.Void, k == 0 && i == 0 || k == len(rates)-1 && i == 3)
		}
		for q := 1.0; q < 10000; q *= 1.08 {
			p.X, p.Y = append(p.X, q), append(p.Y, c.ns*(1+0.4*math.Pow(math.Log10(q)+0.1, 2)))
		}
		sweep.Series, curve.Series = append(sweep.Series, s), append(curve.Series, p)
		ratio := 12700 / c.ns
		mark := map[int]string{0: "good", 2: "doubt", 3: "bad"}[i]
		table.Add(run.Text(c.name).Under("codec", ""),
			run.Between(c.ns, c.ns*0.97, c.ns*1.03).Under("P50", run.UnitNS).Means("half of the calls took less"),
			run.Num(c.ns*9).Under("P99", run.UnitNS), run.Num(c.ns*31).Marked(mark, true).Under("P99.9", run.UnitNS),
			run.Num(1.9e12/c.ns).Under("throughput", run.UnitRate), run.Num(1e9/c.ns).Under("calls", run.UnitOps),
			run.Num(0.31*ratio/8).Under("CPU", run.UnitShare), run.Between(ratio, ratio*0.95, ratio*1.06).Under("× json", run.UnitTimes))
	}
	e.Tables, e.Charts = []run.Table{table}, []run.Chart{sweep, curve}
	return e
}

func sweep() *run.Experiment {
	e := &run.Experiment{Name: "sweep", Title: "Size sweep", Question: "Where do the ranks change as messages grow?", Partial: true,
		Findings: []string{"zmy leads at every size; its lead grows up to 64 KiB and then stays.",
			"The knee of zmy lies at 128 KiB, where chunks begin."}}
	speed := run.Chart{Kind: run.ChartHeatmap, Title: "Decode throughput", X: run.Axis{Name: "message"},
		Y: run.Axis{Name: "throughput", Unit: run.UnitRate, Log: true}}
	ratio := run.Chart{Kind: run.ChartHeatmap, Title: "Decode speed against std-json", X: run.Axis{Name: "message"},
		Y: run.Axis{Name: "ratio", Unit: run.UnitTimes}}
	knee := run.Chart{Kind: run.ChartLines, Title: "Time per byte", X: run.Axis{Name: "message", Unit: run.UnitBytes, Log: true},
		Y:     run.Axis{Name: "time a byte", Unit: run.UnitNS},
		Marks: []run.Mark{{X: 131072, Text: "chunks begin"}, {X: 120000, Text: "knee of zmy"}}}
	sizes := []float64{256, 1024, 8192, 65536, 131072, 1 << 20, 4 << 20}
	for _, s := range sizes {
		name := fmt.Sprintf("%g KiB", s/1024)
		speed.Categories, ratio.Categories = append(speed.Categories, name), append(ratio.Categories, name)
	}
	for i := range 14 {
		name := fmt.Sprintf("codec-%d", i+1)
		if i < len(served) {
			name = served[i].name
		}
		a, b, l := run.Series{Name: name}, run.Series{Name: name}, run.Series{Name: name}
		for _, s := range sizes {
			ns := (0.3 + 0.14*float64(i)) * (1 + 900/s)
			l.X, l.Y = append(l.X, s), append(l.Y, ns)
			a.Y, b.Y = append(a.Y, 1e9/ns), append(b.Y, 1.1/ns)
		}
		speed.Series, ratio.Series, knee.Series = append(speed.Series, a), append(ratio.Series, b), append(knee.Series, l)
	}
	e.Charts = []run.Chart{knee, speed, ratio}
	return e
}

func contention() *run.Experiment {
	e := &run.Experiment{Name: "contention", Title: "Contention", Question: "What do sixteen goroutines cost each other?",
		Findings: []string{"A channel that hands over values of 1 MiB costs 300 times one that hands over pointers."}}
	bars := run.Chart{Kind: run.ChartBars, Title: "Hand-over by a channel", Y: run.Axis{Name: "time a message", Unit: run.UnitNS, Log: true},
		Categories: []string{"value of 1 MiB", "pointer", "encoded bytes", "view"},
		Series: []run.Series{{Name: "1 goroutine", Y: []float64{61000, 180, 2100, 420}, Lo: []float64{58000, 171, 2000, 400},
			Hi: []float64{66000, 190, 2210, 440}},
			{Name: "16 goroutines", Y: []float64{88000, 310, 2600, 610}, Void: []bool{false, false, true, false}}}}
	hits := run.Chart{Kind: run.ChartBars, Title: "Pool hits", Y: run.Axis{Name: "hits", Unit: run.UnitShare},
		Categories: []string{"fxjson", "zmy"}, Series: []run.Series{{Name: "hits", Y: []float64{0.93, 0.99}}}}
	change := run.Chart{Kind: run.ChartBars, Title: "What padding changes", Y: run.Axis{Name: "change", Unit: run.UnitShare},
		Categories: []string{"counters side by side", "counters apart"}, Series: []run.Series{{Name: "change", Y: []float64{0.4, -0.22},
			Lo: []float64{0.3, -0.3}, Hi: []float64{0.5, -0.15}}}}
	points := run.Chart{Kind: run.ChartScatter, Title: "Allocations against time", X: run.Axis{Name: "allocations", Unit: run.UnitCount},
		Y: run.Axis{Name: "time", Unit: run.UnitNS}}
	for i, c := range served {
		points.Series = append(points.Series, run.Series{Name: c.name, X: []float64{float64(5 + 9*i)}, Y: []float64{c.ns},
			Lo: []float64{c.ns * 0.9}, Hi: []float64{c.ns * 1.1}})
	}
	e.Charts = []run.Chart{bars, hits, change, points}
	return e
}

func profile() *run.Experiment {
	e := &run.Experiment{Name: "profile", Title: "Profiles", Question: "Where does the time go?",
		Findings: []string{"goccy spends 41% in runtime.mallocgc: decode into a reused target, or pool what you decode into."}}
	for _, c := range []string{"zmy", "goccy"} {
		e.Charts = append(e.Charts, run.Chart{Kind: run.ChartFlame, Title: "CPU: " + c, Y: run.Axis{Name: "CPU time", Unit: run.UnitNS},
			Flame: frames(c, 0, 2.1e9, 0)})
	}
	e.Charts = append(e.Charts, run.Chart{Kind: run.ChartFlame, Title: "goccy − zmy", Note: "Each at its own width; colours tell the change.",
		Y: run.Axis{Name: "CPU time", Unit: run.UnitNS}, Flame: frames("goccy", 0, 2.1e9, 0.2)})
	return e
}

// frames returns a tree of calls about as deep and wide as a decoder's.
func frames(codec string, depth int, v, delta float64) *run.Frame {
	names := []string{"main.loop", "github.com/zmylab/zmy/lab/worker.decode", "github.com/goccy/go-json." + codec + ".Unmarshal",
		"github.com/goccy/go-json/internal/decoder.(*structDecoder).Decode",
		"runtime.mallocgc", "reflect.Value.Set", "strconv.ParseFloat", "runtime.memmove", "encoding/json.checkValid"}
	f := &run.Frame{Name: names[min(depth, 3)], Value: v, Delta: delta * v * math.Sin(float64(depth))}
	if depth > 3 {
		f.Name = names[3+(depth*7+int(v))%(len(names)-3)]
	}
	if depth > 13 || v < 4e6 {
		return f
	}
	for i, part := range []float64{0.55, 0.25, 0.1, 0.05} {
		f.Calls = append(f.Calls, frames(codec, depth+1+i%2, v*part, delta*map[bool]float64{true: -1, false: 1}[i%2 == 1]))
	}
	return f
}
