package stores

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab"
	"github.com/zmylab/zmy/lab/experiment"
	"github.com/zmylab/zmy/lab/experiment/experimenttest"
	"github.com/zmylab/zmy/lab/experiment/stores/server"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/report"
	"github.com/zmylab/zmy/lab/run"
)

// small is the experiment with little load.
func small(kinds ...string) *Experiment {
	e := New()
	e.Kinds, e.Rates, e.Conns, e.For = kinds, []float64{200, 400}, 8, 300*time.Millisecond
	return e
}

// installed are the servers that tests can start.
func installed(t *testing.T) (out []string) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds programs and starts servers")
	}
	for _, k := range kinds {
		if err := server.Installed(k.name); err != nil {
			t.Log(err)
		} else {
			out = append(out, k.name)
		}
	}
	if len(out) == 0 {
		t.Skip("no server is installed")
	}
	return out
}

// TestLaunches: an interval takes three of them, and five where their visits are long enough.
func TestLaunches(t *testing.T) {
	for _, c := range []struct {
		depth  lab.Depth
		budget time.Duration
		visit  time.Duration
		want   int
	}{{lab.Quick, 3 * time.Minute, 0, 5}, {lab.Quick, 10 * time.Second, 0, 3}, {lab.Quick, time.Hour, time.Second, 3},
		{lab.Standard, time.Second, 0, 5}, {lab.Paper, time.Second, time.Second, 7}} {
		e := small("redis")
		e.For = c.visit
		m := &measuring{e: e, b: &experiment.Bench{Depth: c.depth}, budget: c.budget, res: &Result{Alone: make([]*Alone, 4)}}
		if got := m.launches(); got != c.want {
			t.Errorf("%s of %s, visits of %s: %d launches, want %d", c.depth, c.budget, c.visit, got, c.want)
		}
	}
}

// TestRun measures a small subject at the servers that are installed, too briefly for its
// figures to mean anything.
func TestRun(t *testing.T) {
	there := installed(t)
	x := experimenttest.Run(t, small(there...), 300*time.Millisecond)
	res := new(Result)
	if err := json.Unmarshal(x.Data, res); err != nil {
		t.Fatal(err)
	}
	if len(res.Places) != len(there) || len(res.Alone) != 2 || res.Keys < 1024 || len(x.Absent) > 0 {
		t.Fatalf("%d of %d stores, %d codecs, %d keys, absent: %q", len(res.Places), len(there), len(res.Alone), res.Keys, x.Absent)
	}
	for _, p := range res.Places {
		if !p.Own || p.Lost != "" || !strings.Contains(p.About, " ") || len(p.Shelves) != 2 {
			t.Errorf("%+v", p)
		}
		for codec, s := range p.Shelves {
			if s.Bytes <= 0 || s.Kept != 0 && s.Kept < s.Bytes {
				t.Errorf("%s: %g bytes of %s take %g", p.About, s.Bytes, codec, s.Kept)
			}
		}
	}
	for _, p := range res.Points { // a busy machine may leave requests, and stop a climb
		if p.Visits == 0 || p.N+p.Left == 0 || p.LateP99 < p.LateP50 || answered(p) != uint64(p.N) || len(p.Launches) != p.Visits ||
			p.Mapped == 0 {
			t.Errorf("%s of %s at %g: %d done, %d left, %g ns late, %g bytes", p.Codec, p.Store, p.Rate, p.N, p.Left, p.LateP50, p.Mapped)
		}
	}
	if len(res.Points) < 2*len(there) {
		t.Errorf("%d points", len(res.Points))
	}
}

// answered is how many requests the launches of a point kept.
func answered(p *Point) (n uint64) {
	for i := range p.Launches {
		n += p.Launches[i].responses("").N()
	}
	return n
}

// start starts a server that the experiment is then given.
func start(t *testing.T, kind string) *server.Server {
	t.Helper()
	temp, err := harness.NewTemp("")
	if err == nil {
		err = os.Chmod(temp.Dir, 0o711)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.Start(t.Context(), kind, temp.Dir)
	if err != nil {
		t.Fatal(errors.Join(err, temp.Close()))
	}
	t.Cleanup(func() {
		if err := errors.Join(s.Close(), temp.Close()); err != nil {
			t.Error(err)
		}
	})
	return s
}

// watcher is a lab.UI that calls a function when the load on a store reaches a place.
type watcher struct {
	lab.UI
	place string
	once  sync.Once
	do    func()
}

func (w *watcher) Rounds(phase string, _, _ time.Duration) {
	if strings.Contains(phase, w.place) {
		w.once.Do(w.do)
	}
}

// TestLost: a store that goes away ends its own part only. What was measured is in the report,
// which says what happened; other stores are measured.
func TestLost(t *testing.T) {
	there := installed(t)
	s := start(t, there[0])
	o := experimenttest.Options(t, 300*time.Millisecond)
	o.Codecs = []string{run.Baseline}
	e := small(there[:min(2, len(there))]...)
	e.URLs[there[0]] = s.URL
	o.Command = []string{"zmy", "lab", "stores", "-" + there[0], s.URL}
	ui := &watcher{UI: experimenttest.UI(), place: "launch 2 of 3", do: func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}}
	_, x, err := experiment.Run(t.Context(), e, o, ui)
	if err == nil || !strings.Contains(err.Error(), "is lost at 200 requests a second") {
		t.Fatalf("%v", err)
	}
	res := new(Result)
	if err := json.Unmarshal(x.Data, res); err != nil {
		t.Fatal(err)
	}
	if len(res.Places) != len(e.Kinds) || res.Places[0].Lost == "" || res.Points[0].Rate != 200 || res.Points[0].N == 0 {
		t.Errorf("%d stores, the first lost %q, %d points", len(res.Places), res.Places[0].Lost, len(res.Points))
	}
	if len(e.Kinds) > 1 && (res.Places[1].Lost != "" || res.Points[len(res.Points)-1].Store != there[1]) {
		t.Errorf("%s was to be measured all the same: %+v", there[1], res.Places[1])
	}
	text, rerr := os.ReadFile(filepath.Join(o.Out, report.FileJSON))
	if rerr != nil || !x.Partial || !strings.Contains(strings.Join(x.Findings, "\n"), "is lost at 200") {
		t.Errorf("partial %t, %v, %q", x.Partial, rerr, x.Findings)
	}
	if strings.Contains(string(text), password(s.URL)) {
		t.Error("the report tells the password")
	}
}

// onBench is an experiment whose workers have the clients, and which does what a test says.
type onBench struct {
	*Experiment
	do func(ctx context.Context, b *experiment.Bench)
}

func (o onBench) Run(ctx context.Context, b *experiment.Bench) (*run.Experiment, error) {
	o.do(ctx, b)
	return &run.Experiment{Title: "done"}, nil
}

// TestGiven: of stores that are given, those that do not work are refused before anything is
// measured, and the others are left as they were, also where the run is stopped.
func TestGiven(t *testing.T) {
	there := installed(t)
	o := experimenttest.Options(t, 300*time.Millisecond)
	o.Codecs, o.Out = []string{run.Baseline}, ""
	_, _, err := experiment.Run(t.Context(), onBench{New(), func(_ context.Context, b *experiment.Bench) {
		for _, kind := range there {
			t.Run(kind, func(t *testing.T) {
				s := start(t, kind)
				stopped(t, b, kind, s.URL)
				refused(t, b, kind, s.URL)
			})
		}
	}}, o, experimenttest.UI())
	if err != nil {
		t.Error(err)
	}
}

// stopped has a run at a store end in the middle.
func stopped(t *testing.T, b *experiment.Bench, kind, url string) {
	t.Helper()
	e := small(kind)
	e.URLs[kind] = url
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	old := b.UI
	defer func() { b.UI = old }()
	filled := 0
	b.UI = &watcher{UI: old, place: "launch 2 of 3", do: func() { filled = things(t, kind, url); stop() }}
	x, err := e.Run(ctx, b)
	if !errors.Is(err, context.Canceled) || x == nil || len(x.Tables) == 0 {
		t.Errorf("stopped: %v", err)
	}
	if left := things(t, kind, url); left != 0 || filled == 0 {
		t.Errorf("%d keys or tables while it ran, %d are left", filled, left)
	}
}

// refused gives addresses that are wrong.
func refused(t *testing.T, b *experiment.Bench, kind, url string) {
	t.Helper()
	end := func(of, to string) string { return url[:strings.LastIndex(url, of)] + to }
	cases := map[string]string{ // address → what is said
		strings.Replace(url, password(url), "wrong", 1): map[string]string{"redis": "WRONGPASS",
			"postgres": "password authentication failed", "mysql": "Access denied"}[kind],
		strings.Replace(url, ports.FindString(url), "127.0.0.1:1", 1): "refused",
	}
	if kind == "mysql" {
		cases[end("/zmylab", "/zmylab?maxAllowedPacket=90")] = "maxAllowedPacket of the DSN is 90: raise it"
		cases[end("/zmylab", "/")] = "names no database"
	}
	for address, want := range cases {
		e := small(kind)
		e.URLs[kind] = address
		x, err := e.Run(t.Context(), b)
		var usage *lab.UsageError
		if !errors.As(err, &usage) || x != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", redact(address), err, want)
		} else if strings.Contains(err.Error(), password(url)) {
			t.Errorf("the password is told: %v", err)
		}
	}
}

var (
	passwords = regexp.MustCompile(`:([A-Z0-9]+)@`)
	ports     = regexp.MustCompile(`127\.0\.0\.1:\d+`)
)

func password(url string) string { return passwords.FindStringSubmatch(url)[1] }

// things counts what lies in a store by other means than the experiment's.
func things(t *testing.T, kind, url string) int {
	t.Helper()
	host, port, err := net.SplitHostPort(ports.FindString(url))
	if err != nil {
		t.Fatal(err)
	}
	ask := map[string][]string{
		"redis":    {"redis-cli", "-h", host, "-p", port, "-a", password(url), "--no-auth-warning", "dbsize"},
		"postgres": {"psql", url, "-Atc", "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"},
		"mysql": {"mariadb", "--no-defaults", "-h", host, "-P", port, "-u", "zmylab", "-p" + password(url), "-Ne",
			"SELECT count(*) FROM information_schema.tables WHERE table_schema = 'zmylab'"},
	}[kind]
	program, err := exec.LookPath(ask[0])
	if err != nil {
		t.Skip(err)
	}
	out, err := exec.Command(program, ask[1:]...).Output()
	if err != nil {
		t.Fatalf("%s: %v: %s", ask[0], err, out)
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		t.Fatal(err)
	}
	return n
}
