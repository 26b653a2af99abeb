package stores

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/modfile"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/worker"
)

func TestCheck(t *testing.T) {
	with := func(set func(e *Experiment)) *Experiment {
		e := New()
		e.URLs["redis"] = "somewhere:1" // so that nothing needs to be installed
		set(e)
		return e
	}
	e := with(func(e *Experiment) { e.rates, e.only = "300, 100,300", "mysql,redis,mysql" })
	if err := e.Check(); err != nil || !slices.Equal(e.Rates, []float64{100, 300}) || !slices.Equal(e.Kinds, []string{"mysql", "redis"}) {
		t.Errorf("%+v, %v", e, err)
	}
	for name, c := range map[string]struct {
		want string
		set  func(e *Experiment)
	}{
		"rates":     {"-rates fast", func(e *Experiment) { e.rates = "fast" }},
		"no rates":  {"at least one", func(e *Experiment) { e.rates = "0" }},
		"conns":     {"-conns 0", func(e *Experiment) { e.Conns = 0 }},
		"stores":    {"choose of redis, postgres and mysql", func(e *Experiment) { e.only = "redis,oracle" }},
		"left out":  {"-redis names a store that", func(e *Experiment) { e.only = "mysql" }},
		"no stores": {"choose of", func(e *Experiment) { e.only = "" }},
	} {
		if err := with(c.set).Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

func TestRedact(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"localhost:6379", "localhost:6379"},
		{"redis://localhost:6379/0", "redis://localhost:6379/0"},
		{"redis://:s3cret@localhost:6379/0", "redis://:***@localhost:6379/0"},
		{"postgres://me:s3cret@host:5432/db?sslmode=disable", "postgres://me:***@host:5432/db?sslmode=disable"},
		{"postgres://me@host/db?password=s3cret&sslmode=disable", "postgres://me@host/db?password=***&sslmode=disable"},
		{"postgres://me:%zz s3cret@host/db", "postgres://me:***@host/db"},
		{"postgres://me:12/s3cret@host/db", "postgres://me:***@host/db"},
		{"postgres://me@host/db?sslmode=disable&sslpassword=s3cret's own", "postgres://me@host/db?sslmode=disable&sslpassword=***"},
		{"redis://:s3c@ret@[::1]:6379/0", "redis://:***@[::1]:6379/0"},
		{"host=h password = s3cret dbname=x", "host=h password = *** dbname=x"},
		{"host=h password='s3 cret' dbname=x", "host=h password=*** dbname=x"},
		{`host=h PASSWORD = 's3\' cret' dbname=x`, "host=h PASSWORD = *** dbname=x"},
		{`host=h password=s3\ cret&1 dbname=x`, "host=h password=*** dbname=x"},
		{"host=h password='s3 cret dbname=x", "host=h password=***"},
		{"host=h passfile=.pgpass", "host=h passfile=.pgpass"},
		{"me:s3cret@tcp(127.0.0.1:3306)", "me:***@tcp(127.0.0.1:3306)"},
		{"mysql://me:s3cret@tcp(127.0.0.1:3306)", "mysql://me:***@tcp(127.0.0.1:3306)"},
		{"me:s3://cret@tcp(127.0.0.1:3306)", "me:***@tcp(127.0.0.1:3306)"},
		{"me:s3cret@", "me:***@"},
		{"host=/run user=me password=s3cret dbname=x", "host=/run user=me password=*** dbname=x"},
		{"me:s3/c@ret@tcp(127.0.0.1:3306)/db", "me:***@tcp(127.0.0.1:3306)/db"},
		{"mysql://me:s3cret@tcp(host)/db", "mysql://me:***@tcp(host)/db"},
		{"me@tcp(127.0.0.1:3306)/db", "me@tcp(127.0.0.1:3306)/db"},
		{"/db", "/db"},
		{"", ""},
	} {
		if got := redact(c.in); got != c.want {
			t.Errorf("%s: %s, want %s", c.in, got, c.want)
		}
	}
	command := strings.Fields("zmy lab stores ./redis -redis redis://:s3cret@h:1 --mysql=me:s3cret@tcp(h)/d -type T -postgres")
	got := strings.Join(New().Redact(command), " ")
	if want := "zmy lab stores ./redis -redis redis://:***@h:1 --mysql=me:***@tcp(h)/d -type T -postgres"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if !strings.Contains(strings.Join(command, " "), "s3cret") {
		t.Error("the command itself was changed")
	}
}

// TestSaid: a client that repeats its address does not tell the password.
func TestSaid(t *testing.T) {
	const url = "redis://:s3cret@host:6379/x"
	got := said(fmt.Errorf("parse %q: invalid database number", url), url).Error()
	if got != `parse "redis://:***@host:6379/x": invalid database number` {
		t.Error(got)
	}
}

// TestBeside: what the clients import is pinned, with its hash.
func TestBeside(t *testing.T) {
	p, err := New().Beside()
	if err != nil {
		t.Fatal(err)
	}
	f, err := modfile.Parse("mod.txt", p.Mod, nil)
	if err != nil || f.Module.Mod.Path != contender.ModulePath || len(p.Files) != 4 {
		t.Fatalf("%v, %d files", err, len(p.Files))
	}
	for _, r := range f.Require {
		if !strings.Contains(string(p.Sum), r.Mod.Path+" "+r.Mod.Version+" h1:") && !r.Indirect {
			t.Errorf("go.sum lacks %s; run bin/maint pin experiment/stores/client", r.Mod)
		}
	}
	for name, src := range p.Files {
		if !strings.HasPrefix(string(src), "//go:build ignore\n") {
			t.Errorf("%s is a part of the lab's own builds", name)
		}
	}
}

// histogram is of n requests that take about as long as given.
func histogram(n int, ns float64, seed uint64) openloop.Histogram {
	var h openloop.Histogram
	r := rand.New(rand.NewPCG(seed, uint64(ns)))
	for range n {
		h.Record(int64(ns * (0.9 + 0.2*r.Float64())))
	}
	return h
}

// point is one of five launches, with n writes and n reads that take ns, of which the codec
// takes own. Of steady launches the medians lie within some tenths of a percent.
func point(store, codec string, rate float64, n int, ns, own float64) *Point {
	return uneven(store, codec, rate, n, own, ns, ns, ns, ns, ns)
}

// uneven is a point whose launches take so many ns each.
func uneven(store, codec string, rate float64, n int, own float64, ns ...float64) *Point {
	p := &Point{Store: store, Codec: codec, Rate: rate, Wall: 1e9, CPU: 50_000, Alloc: 4000, Mapped: 10e6, Heap: 5e6,
		late: histogram(2*n, 1000, 1)}
	for l, ns := range ns {
		k := n / 5
		part := func(op uint64) worker.Part {
			return worker.Part{Response: histogram(k, ns, 100*op+10*uint64(len(codec))+uint64(l)), Codec: own * float64(k),
				Store: (ns - own) * float64(k)}
		}
		p.merge(&worker.Stored{Load: worker.Load{Served: openloop.Served{N: 2 * k}}, Write: part(1), Read: part(2)}, time.Second, l)
		p.Launches[l].Mapped = 10e6
	}
	return p
}

func place(kind, about string, codecs ...string) *Place {
	p := &Place{Kind: kind, About: about, Shelves: map[string]*worker.Shelf{}}
	for i, c := range codecs {
		p.Shelves[c] = &worker.Shelf{About: about, Bytes: float64(700 - 100*i), Kept: float64(900 - 100*i)}
	}
	return p
}

const base = run.Baseline

// found are the findings about these points.
func found(places []*Place, points ...*Point) string {
	res := &Result{Conns: 32, Keys: 1024, Places: places, Points: points,
		Alone: []*Alone{{Codec: base, Encode: 10_000, Decode: 30_000}, {Codec: "zmy", Encode: 1000, Decode: 3000}}}
	return strings.Join(res.findings(res.views()), "\n")
}

func TestFindings(t *testing.T) {
	redis := []*Place{place("redis", "Redis 7", base, "zmy")}
	at := func(codec string, rate, ns, own float64) *Point { return point("redis", codec, rate, 20_000, ns, own) }
	for _, c := range []struct {
		name   string
		points []*Point
		want   []string
		not    []string
	}{
		{"the store takes the time", []*Point{at(base, 100, 200e3, 14e3), at("zmy", 100, 200e3, 2e3), at(base, 1000, 200e3, 14e3),
			at("zmy", 1000, 200e3, 2e3)},
			[]string{"Redis 7, its client and waiting take 93% of a request's time with std-json at 1000 requests a second, 99% with zmy. ",
				"P50: the codec does not matter here. Against std-json, zmy is within ±5% at 100 and 1000 a second.",
				"P99: the codec does not matter here.",
				"keeps up with 1000 requests a second, the highest rate, with every codec",
				"below 2500 requests a second the work of std-json (20 µs a request) is less than 5% of a processor; with zmy (2 µs) below 25,000",
				"600 B of zmy, against 700 B of std-json; with its own overhead Redis 7 takes 800 B for the one and 900 B for the other",
				"P99 with std-json, over that of a low rate: Redis 7 write"},
			[]string{"spare", "the codec matters", "memory"}},
		{"little of its own, and yet it matters", []*Point{at(base, 100, 200e3, 14e3), at("zmy", 100, 150e3, 2e3),
			at(base, 1000, 200e3, 14e3), at("zmy", 1000, 120e3, 2e3)},
			[]string{"P50: the codec matters. Against std-json, zmy is lower at 100 and 1000 a second (0.6 [0.599, 0.603] times at 1000)",
				"P99: the codec matters."}, []string{"does not matter"}},
		{"slower than the baseline", []*Point{at(base, 100, 200e3, 14e3), at("zmy", 100, 250e3, 2e3), at(base, 1000, 200e3, 14e3),
			at("zmy", 1000, 260e3, 2e3)},
			[]string{"P50: the codec matters. Against std-json, zmy is higher at 100 and 1000 a second (1.3 [1.3, 1.3] times at 1000)"},
			[]string{"does not matter", "lower"}},
		{"one rate is no proof", []*Point{at(base, 100, 200e3, 14e3), at("zmy", 100, 200e3, 2e3), at(base, 1000, 300e3, 14e3),
			at("zmy", 1000, 200e3, 2e3)},
			[]string{"P50: not decided on the whole. Against std-json, zmy is lower at 1000 a second (0.6",
				"is within ±5% at 100 a second"}, []string{"matter"}},
		{"launches differ more than codecs", []*Point{at(base, 100, 200e3, 14e3),
			uneven("redis", "zmy", 100, 20_000, 2e3, 100e3, 150e3, 180e3, 190e3, 230e3),
			at(base, 1000, 200e3, 14e3), uneven("redis", "zmy", 1000, 20_000, 2e3, 230e3, 100e3, 180e3, 190e3, 150e3)},
			[]string{"P50: not decided, with any codec", "P99: not decided, with any codec"}, []string{"matter"}},
		{"two launches prove nothing", []*Point{uneven("redis", base, 100, 50_000, 1, 200e3, 200e3),
			uneven("redis", "zmy", 100, 50_000, 1, 100e3, 100e3)},
			[]string{"P50: not decided, with any codec", "P99: not decided, with any codec"}, []string{"matter", "over that of a low rate"}},
		{"too few requests for P99", []*Point{point("redis", base, 100, 500, 200e3, 60e3), point("redis", "zmy", 100, 500, 100e3, 6e3)},
			[]string{"P50: the codec matters.", "P99: not decided, with any codec"}, nil},
		{"saturated alike", []*Point{at(base, 100, 200e3, 14e3), at("zmy", 100, 200e3, 2e3),
			saturated(point("redis", base, 1000, 700, 9e6, 14e3)), saturated(point("redis", "zmy", 1000, 800, 9e6, 2e3))},
			[]string{"keeps up with 100 requests a second and not with 1000, whatever the codec", "at about 1600"}, nil},
		{"one codec alone keeps up", []*Point{at(base, 100, 200e3, 14e3), at("zmy", 100, 200e3, 2e3),
			saturated(point("redis", base, 1000, 700, 9e6, 14e3)), point("redis", "zmy", 1000, 800, 900e3, 2e3)},
			[]string{"keeps up with 1000 requests a second with zmy, and not with std-json"}, nil},
		{"requests pile up", []*Point{at(base, 100, 200e3, 14e3), at("zmy", 100, 200e3, 2e3),
			uneven("redis", base, 1000, 20_000, 1, 200e3, 200e3, 1100e3, 200e3, 200e3), at("zmy", 1000, 200e3, 2e3),
			at(base, 3000, 1200e3, 14e3), at("zmy", 3000, 200e3, 2e3)},
			[]string{"keeps up with 3000 requests a second with zmy, and not with std-json", "time with std-json at 100 requests a second"}, nil},
		{"a launch did not come to it", []*Point{at(base, 100, 200e3, 14e3), at("zmy", 100, 200e3, 2e3),
			missed(at(base, 1000, 200e3, 14e3)), at("zmy", 1000, 200e3, 2e3)},
			[]string{"keeps up with 1000 requests a second with zmy, and not with std-json"}, nil},
		{"nobody keeps up", []*Point{saturated(point("redis", base, 100, 700, 9e6, 14e3)), saturated(point("redis", "zmy", 100, 700, 9e6, 2e3))},
			[]string{"at no rate did all codecs keep up", "does not keep up with 100 requests a second, the lowest rate, whatever the " +
				"codec: about 1400"}, nil},
		{"memory that grows", []*Point{at(base, 100, 200e3, 14e3), at("zmy", 100, 200e3, 2e3),
			holds(at(base, 1000, 200e3, 14e3), 20e6, 21e6, 19e6, 20e6, 20e6), holds(at("zmy", 1000, 200e3, 2e3), 11e6, 11e6, 11e6, 11e6, 11e6)},
			[]string{"memory at the highest common rate, over that at the lowest: Redis 7 2 times with std-json, 1.1 times with zmy."}, nil},
		{"memory that may grow", []*Point{at(base, 100, 200e3, 14e3), at("zmy", 100, 200e3, 2e3),
			holds(at(base, 1000, 200e3, 14e3), 20e6, 9e6, 19e6, 10e6, 20e6),
			holds(at("zmy", 1000, 200e3, 2e3), 11e6, 11e6, 11e6, 11e6, 11e6)}, nil, []string{"memory"}},
	} {
		got := found(redis, c.points...)
		for _, s := range c.want {
			if !strings.Contains(got, s) {
				t.Errorf("%s: no %q in\n%s", c.name, s, got)
			}
		}
		for _, s := range c.not {
			if strings.Contains(got, s) {
				t.Errorf("%s: %q in\n%s", c.name, s, got)
			}
		}
	}
}

// saturated is a point at which one of the launches left requests.
func saturated(p *Point) *Point {
	p.Launches[2].Left = 500
	return p
}

func missed(p *Point) *Point {
	p.Missed = 1
	return p
}

// holds is a point after whose launches the client holds so many bytes.
func holds(p *Point, bytes ...float64) *Point {
	for i, n := range bytes {
		p.Launches[i].Mapped = n
	}
	return p
}

// TestPercentile: launches are what an interval rests on, not requests. Those of one launch
// wait behind the same stall.
func TestPercentile(t *testing.T) {
	for _, c := range []struct {
		n        int // of five launches
		q        float64
		launches int
		shown    bool
		mark     string
	}{{5, 0.5, 5, false, "doubt"}, {195, 0.5, 5, false, "doubt"}, {200, 0.5, 5, true, ""}, {1000, 0.5, 5, true, ""},
		{9_995, 0.99, 5, false, "doubt"},
		{10_000, 0.99, 5, true, ""}, {10_000, 0.99, 2, false, "doubt"}, {100_000, 0.99, 2, true, "doubt"},
		{4_995, 0.999, 5, false, "doubt"}, {100_000, 0.999, 5, true, ""}} {
		p := point("redis", base, 100, c.n, 1e6, 1)
		p.Launches = p.Launches[:c.launches]
		x := percentile(p, opWrite, c.q)
		if shown := x.Value != nil; shown != c.shown || x.Mark != c.mark {
			t.Errorf("P%g of %d in %d launches: shown %t, %q", 100*c.q, c.n, c.launches, shown, x.Mark)
		} else if (x.Lo != nil) != (shown && c.launches >= leastLaunches) {
			t.Errorf("P%g of %d in %d launches: an interval %t", 100*c.q, c.n, c.launches, x.Lo != nil)
		} else if x.Lo != nil && (*x.Lo > *x.Value || *x.Hi < *x.Value) {
			t.Errorf("P%g of %d: %g in [%g, %g]", 100*c.q, c.n, *x.Value, *x.Lo, *x.Hi)
		}
	}
	late := point("redis", base, 100, 10_000, 1e6, 1)
	late.late = histogram(100, 5e5, 1)
	if x := percentile(late, opWrite, 0.99); x.Value == nil || x.Mark != "doubt" {
		t.Errorf("P99 of a late generator: %+v", x)
	}
	x := percentile(uneven("redis", base, 100, 100_000, 1, 1e6, 1.5e6, 2e6, 2.5e6, 1.2e6), opRead, 0.5)
	if *x.Lo > 1.2e6 || *x.Hi < 2e6 {
		t.Errorf("launches from 1 to 2.5 ms with ever so many requests: [%g, %g]", *x.Lo, *x.Hi)
	}
}

// TestDrift: the ratio to the lowest rate that has a P99, with an interval that holds it.
func TestDrift(t *testing.T) {
	res := &Result{Places: []*Place{place("redis", "Redis 7", base)},
		Points: []*Point{point("redis", base, 10, 40, 500e3, 1), point("redis", base, 100, 10_000, 200e3, 1),
			holds(point("redis", base, 1000, 40_000, 300e3, 1), 11e6, 11e6, 11e6, 11e6, 11e6)}}
	v := res.views()[0]
	if x := v.drift(v.at(base, 10), opWrite); x.Value != nil {
		t.Errorf("without a P99: %g", *x.Value)
	}
	if x := v.drift(v.at(base, 100), opRead); x.Value == nil || *x.Value != 1 {
		t.Errorf("the first: %+v", x)
	}
	x := v.drift(v.at(base, 1000), opWrite)
	if x.Value == nil || *x.Value < 1.45 || *x.Value > 1.55 || *x.Lo > *x.Value || *x.Hi < *x.Value || x.Mark != "" {
		t.Errorf("drift: %+v", x)
	}
	if g := v.growth(v.at(base, 1000)); fmt.Sprintf("%.2f", *g.Value) != "1.10" {
		t.Errorf("growth: %g", *g.Value)
	}
}

// TestBars: every series has a bar for every category.
func TestBars(t *testing.T) {
	res := &Result{Places: []*Place{place("redis", "Redis 7", base, "zmy"), place("mysql", "MariaDB 10", base)},
		Alone: []*Alone{{Codec: base, Encode: 2, Decode: 4}, {Codec: "zmy", Encode: 1, Decode: 1}},
		Points: []*Point{point("redis", base, 100, 100, 200e3, 14e3), point("redis", "zmy", 100, 100, 200e3, 2e3),
			point("mysql", base, 100, 100, 200e3, 14e3)}}
	for _, c := range []run.Chart{timeChart(res.views()), res.cpuChart(res.views())} {
		if len(c.Series) != 1 || c.Series[0].Name != base || len(c.Series[0].Y) != len(c.Categories) || c.Title == "" {
			t.Errorf("%q: %d series over %q", c.Title, len(c.Series), c.Categories)
		}
	}
}
