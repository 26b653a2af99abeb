package selftest

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/run"
)

// recorded are simulated rounds in the form of live ones, of which some are changed.
func recorded(change func(l *live)) *live {
	l := &live{per: 3, launches: 3 * groups}
	p := machines[0].programs(rand.New(rand.NewPCG(1, 2)), copiesOf+1, l.launches, 8)
	for i := range l.copies {
		l.copies[i] = p[i]
	}
	l.more = p[copiesOf]
	slowed(l.more, 1.2)
	change(l)
	return l
}

// The rows of the live run are right on right data, and wrong on wrong data.
func TestLiveRowsCanFail(t *testing.T) {
	b := &bench{o: Options{Quick: true, Seed: 1}}
	for _, c := range []struct {
		name        string
		change      func(l *live)
		same, fifth bool
	}{
		{"as it should be", func(*live) {}, true, true},
		{"a copy that is faster", func(l *live) { slowed(l.copies[3], 0.7) }, false, false}, // as a twin it widens the floor
		{"no more work", func(l *live) { slowed(l.more, 1/1.2) }, true, false},
		{"less work called more", func(l *live) { slowed(l.more, 0.5) }, true, false},
	} {
		l := recorded(c.change)
		same, fifth := l.same(b), l.fifth(b)
		if (same.Outcome == Pass) != c.same || (fifth.Outcome == Pass) != c.fifth {
			t.Errorf("%s: A/A %s (%s), +20%% %s (%s); want %v, %v", c.name, same.Outcome, same.Found, fifth.Outcome, fifth.Found, c.same, c.fifth)
		}
	}
}

// TestTimed: noise is tried again; what stays wrong is inconclusive in the quick form or
// where nothing could be shown, else it failed.
func TestTimed(t *testing.T) {
	for _, c := range []struct {
		name        string
		quick, open bool
		busy        string
		right       int // try that is right, 0 for none
		outcome     string
		tries       int
	}{
		{"right at once", false, false, "", 1, Pass, 1},
		{"right at last", false, false, "", 3, Pass, 3},
		{"never, quick", true, false, "", 0, Undecided, 3},
		{"never, nothing shown", false, true, "", 0, Undecided, 3},
		{"never, quick on a busy machine", true, false, "load 9", 0, Undecided, 1},
		{"never, on a busy machine", false, false, "load 9", 0, Undecided, 3},
		{"never", false, false, "", 0, Fail, 3},
	} {
		b, err := newBench(Options{Quick: c.quick})
		if err != nil {
			t.Fatal(err)
		}
		b.busy = func() string { return c.busy }
		err = b.timed(t.Context(), func(_ context.Context, try int) ([]Row, error) {
			r := newRow("x", "", "", try == c.right)
			if c.open {
				r.Outcome = Undecided
			}
			return []Row{r}, nil
		})
		if err := errors.Join(err, b.close()); err != nil {
			t.Fatal(err)
		}
		if r := b.rows[0]; r.Outcome != c.outcome || r.Tries != c.tries || !strings.HasSuffix(r.Found, c.busy) {
			t.Errorf("%s: %s after %d tries, found %q; want %s after %d", c.name, r.Outcome, r.Tries, r.Found, c.outcome, c.tries)
		}
	}
}

func TestLines(t *testing.T) {
	rows := []Row{
		{What: "a", Expected: "b", Found: "c\nd", Outcome: Pass, Tries: 2},
		{What: "a", Expected: "b", Found: "why", Outcome: Skipped},
	}
	if got := rows[0].Line(); got != "pass         a: expected b; found c ⏎ d (try 2)" {
		t.Errorf("%q", got)
	}
	if got := rows[1].Line(); got != "skipped      a: why" {
		t.Errorf("%q", got)
	}
	var b strings.Builder
	passed, decided, err := Summary(&b, append(rows, Row{Outcome: Fail}))
	if passed || !decided || err != nil || !strings.Contains(b.String(), "3 rows: 1 pass, 1 FAIL, 1 skipped") {
		t.Errorf("%v %v %v %q", passed, decided, err, b.String())
	}
}

// TestSimulated: every simulated row holds, and a row on waiting sees a codec that sleeps.
func TestSimulated(t *testing.T) {
	b := &bench{o: Options{Seed: 3, Quick: true, Done: func(Row) {}}}
	if err := simulated(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	if len(b.rows) != 4 {
		t.Errorf("%d rows", len(b.rows))
	}
	for _, r := range b.rows {
		t.Logf("%+v", r)
		if r.Outcome != Pass {
			t.Errorf("%+v", r)
		}
	}
	r := &run.Run{Contenders: []*run.Contender{{Rankless: "encode waits: 9.0× more"}, {Rankless: "contract broken"}, {}}}
	if waiting(r) != 1 || !strings.Contains(r.Contenders[0].Rankless, " waits: ") {
		t.Errorf("%d waiting", waiting(r))
	}
}
