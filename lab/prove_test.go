package lab

import (
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/lab/worker"
)

// TestConcluded: what the figures of processes say of their codec.
func TestConcluded(t *testing.T) {
	usual := &worker.Verified{Settings: []string{"GOGC 100"}, Heap: 10 << 20}
	one := func(v worker.Verified) []*worker.Verified { return []*worker.Verified{&v} }
	for _, c := range []struct{ name, got, want string }{
		{"as the baseline", unusual(one(*usual), one(*usual)), ""},
		{"a large table", unusual(one(*usual), one(worker.Verified{Heap: 50 << 20})), ""},
		{"a ballast", unusual(one(*usual), one(worker.Verified{Heap: 200 << 20})), "200 MiB on the heap, the baseline's 10"},
		{"a setting", unusual(one(*usual), one(worker.Verified{Settings: []string{"GOGC 400"}})), "GOGC 400, the baseline's has GOGC 100"},
		{"equal sizes", otherSize(one(worker.Verified{Wire: 100, Fresh: 1000, Judged: 1000}), 100), ""},
		{"compressed in any order", otherSize(one(worker.Verified{Wire: 104, Fresh: 1040, Judged: 1000}), 100), ""},
		{"larger processes", otherSize(one(worker.Verified{Wire: 200}), 100), "200 bytes on average where it is timed, 100 where it was judged"},
		{"larger calls", otherSize(one(worker.Verified{Wire: 100, Fresh: 1500, Judged: 1000}), 100), "1.50 times as many bytes"},
	} {
		if (c.want == "") != (c.got == "") || !strings.Contains(c.got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, c.got, c.want)
		}
	}
	lap := func(novel, timed, batch float64) worker.Novel {
		return worker.Novel{Op: "encode", Novel: novel, Timed: timed, Batch: batch}
	}
	for _, c := range []struct {
		name         string
		laps         []worker.Novel
		novel, later float64
	}{
		{"nothing", nil, 0, 0},
		{"honest", []worker.Novel{lap(120, 100, 90)}, 1.2, 100.0 / 90},
		{"a busy process", []worker.Novel{lap(900, 800, 100), lap(120, 100, 100)}, 1.2, 1},
		{"a cache", []worker.Novel{lap(300, 100, 100)}, 3, 1},
		{"a cache that was left", []worker.Novel{lap(300, 300, 100)}, 1, 3},
		{"no batch of all values", []worker.Novel{lap(120, 100, 0)}, 1.2, 0},
	} {
		var all []*worker.Verified
		for _, n := range c.laps {
			all = append(all, &worker.Verified{Novel: []worker.Novel{n}})
		}
		if novel, later := novelty(all, "encode"); novel != c.novel || later != c.later {
			t.Errorf("%s: %v and %v", c.name, novel, later)
		}
	}
}

// TestSlowed: what the machine adds after the rounds is taken off before a codec is blamed.
func TestSlowed(t *testing.T) {
	after := func(ratios ...float64) (out []*worker.Verified) {
		for _, x := range ratios {
			out = append(out, &worker.Verified{Novel: []worker.Novel{{Op: stats.Encode, Novel: 110 * x, Timed: 100 * x, Batch: 100}}})
		}
		return out
	}
	fresh := func(ratio float64) []*worker.Verified {
		return []*worker.Verified{{Novel: []worker.Novel{{Op: stats.Decode, Novel: 100 * ratio, Timed: 100, Batch: 100}}}}
	}
	for _, c := range []struct {
		name       string
		codec      []*worker.Verified
		baseline   []*worker.Verified
		load       float64
		wantBlamed bool
	}{
		{"honest", after(1.2), after(1), 0.5, false},
		{"a cache that was left", after(3), after(1.1), 0.5, true},
		{"a machine that became busy", after(3), after(2.4, 1.8), 0.5, false},
		{"a cache on such a machine", after(5), after(2.4, 1.8), 0.5, true},
		{"a machine that is crowded", after(3), after(1), 9, false},
		{"a cache on a crowded machine", after(5), after(1), 9, true},
		{"no baseline", after(3), nil, 0.5, true},
		{"a cache by content", fresh(2.2), after(1), 0.5, true},
		{"an unlucky try on a crowded machine", fresh(2.2), after(1), 9, false},
		{"a cache by content on such a machine", fresh(5), after(1), 9, true},
	} {
		x := &run.Contender{Name: "x"}
		ln := &Lane{name: "x", verified: c.codec}
		ln.conclude(x, c.baseline, &run.Host{Load1: c.load, Cores: 2})
		blamed := slices.ContainsFunc(x.Checks, func(k run.Check) bool { return k.Name == worker.CheckNovel && k.Result == "bad" })
		if blamed != c.wantBlamed {
			t.Errorf("%s: blamed %v, %+v", c.name, blamed, x.Checks)
		}
	}
}

// TestFoundEachTime: a reason that is found in every run comes before one that depends on chance.
func TestFoundEachTime(t *testing.T) {
	broken := func() *run.Contender {
		return &run.Contender{Name: "x", Status: run.StatusMeasured, Value: run.Grade{Grade: run.Lossy},
			Contract: run.Grade{Grade: run.Broken, Diffs: []run.Diff{{Path: "Price", Before: "1", After: "0"}}}}
	}
	const want = "contract broken: Price 1 → 0"
	calm, busy := broken(), broken()
	blame(busy, worker.CheckTogether, "with 4 goroutines")
	for _, c := range []*run.Contender{calm, busy} {
		r := &run.Run{Contenders: []*run.Contender{c}}
		stats.Fill(r)
		if c.Rankless != want {
			t.Errorf("not ranked: %s", c.Rankless)
		}
		if why := brokeProof(c, &notDone{"decode"}); !strings.Contains(why.Reason, want) || !strings.HasPrefix(why.Reason, "decode") {
			t.Errorf("failed: %+v", why)
		}
	}
	if !isBad(busy, worker.CheckTogether) {
		t.Error("the other reason is gone")
	}
	sound := &run.Contender{Contract: run.Grade{Grade: run.Kept}, Value: run.Grade{Grade: run.Lossless}}
	if why := brokeProof(sound, &notDone{"decode"}); why.Reason != "decode" {
		t.Errorf("failed: %+v", why)
	}
	blame(sound, worker.CheckTogether, "with 4 goroutines")
	if sound.Rankless != "it mixes the calls of goroutines: with 4 goroutines" {
		t.Errorf("not ranked: %s", sound.Rankless)
	}
}

// TestOfType: where encoding/json fails with goroutines, the type is to blame and not each codec.
func TestOfType(t *testing.T) {
	mixes := func() *run.Contender {
		c := &run.Contender{}
		blame(c, worker.CheckTogether, "value 3")
		return c
	}
	for _, c := range []struct {
		name     string
		baseline *run.Contender
		want     string
	}{
		{"no baseline", nil, "it mixes the calls of goroutines: value 3"},
		{"a sound type", &run.Contender{}, "it mixes the calls of goroutines: value 3"},
		{"a type that is to blame", mixes(), typeMixes + ": value 3"},
	} {
		x := mixes()
		ofType(x, c.baseline)
		if x.Rankless != c.want || x.Value.Diffs[0].Before+": value 3" != c.want || x.Contract.Diffs[0].Before+": value 3" != c.want {
			t.Errorf("%s: %q %+v", c.name, x.Rankless, x.Value.Diffs)
		}
	}
	sound := &run.Contender{}
	if ofType(sound, mixes()); sound.Rankless != "" {
		t.Errorf("sound: %q", sound.Rankless)
	}
}

// TestCalls: the names of ops and modes in a sentence.
func TestCalls(t *testing.T) {
	for _, c := range [][3]string{{"access", "full", "reading a field by decoding the whole message"},
		{"access", "lazy", "access in mode lazy"}, {"decode", "alias", "decode in mode alias"}} {
		if got := calls(c[0], c[1]); got != c[2] {
			t.Errorf("%s %s: %s", c[0], c[1], got)
		}
	}
}
