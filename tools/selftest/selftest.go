// Package selftest measures known things to show that the lab finds them: contenders that sleep,
// spin, allocate, stall, lose data, cheat and fail, copies of one program, and figures that go test
// has too.
//
// If noise can affect a row, the row is tried again with more rounds before it fails. If it stays
// undecided, it is inconclusive when the machine was busy, and always in the quick form, which
// continuous integration runs. Otherwise it has failed.
//
// NOTE, the map: selftest.go runs the families, bench.go opens subjects and times contenders. Each
// family of rows has a file: clocks.go (sleep, spin, allocations), copies.go (A/A and
// +20%, on recorded and simulated rounds), stopping.go (runs that may stop early), tails.go (stalls), bad.go (what must be caught,
// and what pretends to work), agree.go (go test -bench), tree.go (the user's files), page.go (the
// report in Chromium). Package inject makes the contenders.
package selftest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/harness"
)

// Outcomes of a row.
const (
	Pass      = "pass"
	Fail      = "FAIL"
	Skipped   = "skipped"
	Undecided = "INCONCLUSIVE"
)

// Row is the result of one test.
type Row struct {
	What     string
	Expected string
	Found    string // what was found; for a skipped row, the reason
	Outcome  string
	Tries    int // above 1: earlier tries met noise
	Seconds  float64
}

// Options are the settings of a run.
type Options struct {
	Quick   bool
	Seed    uint64
	Program string           // path of zmy, which some rows start and kill; "" skips those
	Table   []contender.Info // must have the baseline
	Only    []string         // families to run; empty for all
	Doing   func(text string)
	Done    func(r Row) // called with each row
}

// family is a group of rows that are measured together.
type family struct {
	name string
	run  func(ctx context.Context, b *bench) error
}

var families = []family{
	{"clocks", clocks},
	{"copies", copies},
	{"simulated", simulated},
	{"stopping", stopping},
	{"tails", tails},
	{"bad", bad},
	{"cheats", cheats},
	{"agree", agree},
	{"tree", tree},
	{"page", page}, // reads the report that bad wrote
}

// Families returns the names that Options.Only accepts.
func Families() (names []string) {
	for _, f := range families {
		names = append(names, f.name)
	}
	return names
}

// Run runs the families. If a family cannot run at all, that is a failed row. Run returns an error
// only if it had to stop.
func Run(ctx context.Context, o Options) (rows []Row, err error) {
	if err := harness.Supported(); err != nil {
		return nil, err
	}
	b, err := newBench(o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	for _, f := range families {
		if len(o.Only) > 0 && !slices.Contains(o.Only, f.name) {
			continue
		}
		b.o.Doing(f.name)
		err := f.run(ctx, b)
		if ctx.Err() != nil {
			return b.rows, ctx.Err()
		}
		if err != nil {
			b.add(Row{What: f.name, Expected: "can be tried", Found: err.Error(), Outcome: Fail})
		}
	}
	return b.rows, nil
}

// add adds a row.
func (b *bench) add(r Row) {
	r.Seconds = time.Since(b.last).Seconds()
	b.last = time.Now()
	b.rows = append(b.rows, r)
	b.o.Done(r)
}

// newRow returns a row that is either right or wrong.
func newRow(what, expected, found string, ok bool) Row {
	r := Row{What: what, Expected: expected, Found: found, Outcome: Fail}
	if ok {
		r.Outcome = Pass
	}
	return r
}

// check adds a row that noise cannot affect.
func (b *bench) check(what, expected, found string, ok bool) {
	b.add(newRow(what, expected, found, ok))
}

func (b *bench) skip(what, expected, why string) {
	b.add(Row{What: what, Expected: expected, Found: why, Outcome: Skipped})
}

// quickRetries is the time after which the quick form does not try rows again.
const quickRetries = 30 * time.Second

// tries is how often rows that noise can affect are measured at most.
const tries = 3

// timed measures rows that noise can affect. It repeats them with more rounds until all are right.
// measure returns a row as Undecided if its figures show neither right nor wrong. Such a row stays
// inconclusive after the last try, even on an idle machine.
func (b *bench) timed(ctx context.Context, measure func(ctx context.Context, try int) ([]Row, error)) error {
	for try := 1; ; try++ {
		got, err := measure(ctx, try)
		if err != nil {
			return err
		}
		bad := slices.ContainsFunc(got, func(r Row) bool { return r.Outcome != Pass })
		// On a busy machine the quick form does not retry: it would call the row inconclusive
		// anyway.
		if bad && try < tries && !(b.o.Quick && (b.busy() != "" || time.Since(b.start) > quickRetries)) {
			b.o.Doing(fmt.Sprintf("%s: noise, or wrong; try %d of %d", got[0].What, try+1, tries))
			continue
		}
		for _, r := range got {
			r.Tries = try
			if why := b.busy(); r.Outcome == Undecided || r.Outcome == Fail && (b.o.Quick || why != "") {
				r.Outcome = Undecided
				if why != "" {
					r.Found += "; " + why
				}
			}
			b.add(r)
		}
		return nil
	}
}

// busy returns a text if the machine has more work than processors, else "".
func busy() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(data), " ")
	load, err := strconv.ParseFloat(first, 64)
	if err != nil || load <= float64(runtime.NumCPU())+1 { // 1 for the lab itself
		return ""
	}
	return fmt.Sprintf("the machine was busy: load %.0f on %d processors", load, runtime.NumCPU())
}

// pick returns quick in the quick form, else full.
func pick[T any](b *bench, quick, full T) T {
	if b.o.Quick {
		return quick
	}
	return full
}

// Line returns a row as one line of plain text, for a terminal or a log.
func (r Row) Line() string {
	s := fmt.Sprintf("%-12s %s: expected %s; found %s", r.Outcome, r.What, r.Expected, r.Found)
	if r.Outcome == Skipped {
		s = fmt.Sprintf("%-12s %s: %s", r.Outcome, r.What, r.Found)
	}
	if r.Tries > 1 {
		s += fmt.Sprintf(" (try %d)", r.Tries)
	}
	return strings.Join(strings.FieldsFunc(s, func(c rune) bool { return c == '\n' || c == '\r' }), " ⏎ ")
}

// Summary prints the number of rows with each outcome. It reports whether none failed and whether
// all were decided.
func Summary(w io.Writer, rows []Row) (passed, decided bool, err error) {
	count, seconds := map[string]int{}, 0.0
	for _, r := range rows {
		count[r.Outcome]++
		seconds += r.Seconds
	}
	var parts []string
	for _, o := range []string{Pass, Fail, Undecided, Skipped} {
		if count[o] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[o], o))
		}
	}
	_, err = fmt.Fprintf(w, "\n%d rows: %s, in %.0f s\n", len(rows), strings.Join(parts, ", "), seconds)
	return count[Fail] == 0, count[Undecided] == 0, err
}
