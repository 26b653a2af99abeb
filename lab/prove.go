package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/zmylab/zmy/lab/contender"
	"github.com/zmylab/zmy/lab/harness"
	"github.com/zmylab/zmy/lab/quantity"
	"github.com/zmylab/zmy/lab/run"
	"github.com/zmylab/zmy/lab/stats"
	"github.com/zmylab/zmy/lab/worker"
)

// NOTE: a codec is judged in one process and timed in others. prove.go makes sure that the timed
// processes did the work that was judged. Results of some timed calls are judged
// (worker/lookout.go). A process that never encoded reads the messages of timed calls. Work outside
// of the calls, such as in goroutines of its own, counts against a codec.

// looks is the number of calls of a timed batch whose results are judged.
const looks = 3

// fault is what a check found against a lane. The text is "" if it found nothing.
type fault struct{ check, text string }

// wrongOf says what is wrong with a result. A change is allowed if the judged values show changes
// of the same kind.
func wrongOf(kinds map[string]bool, o worker.Odd) (text string, wrong bool) {
	if len(o.Kinds) == 0 {
		return o.Text, true
	}
	for _, k := range o.Kinds {
		if !kinds[k.Kind] {
			return k.Text, true
		}
	}
	return "", false
}

// notDone is the error of a timed call that returned a wrong result.
type notDone struct{ text string }

func (e *notDone) Error() string { return e.text }

// take sorts the findings of a process. It returns an error, which ends the lane, if a timed call
// did not do its work. Other findings become faults.
func (ln *Lane) take(odd []worker.Odd) error {
	for _, o := range odd {
		text, wrong := wrongOf(ln.p.kinds, o)
		switch {
		case !wrong:
		case o.Check == worker.CheckTimed:
			return &notDone{fmt.Sprintf("%s, value %d: %s", calls(o.Op, o.Mode), o.Value, text)}
		default:
			ln.faults = append(ln.faults, fault{o.Check, text})
		}
	}
	return nil
}

// calls names the calls of one op in one mode.
func calls(op, mode string) string {
	if op == stats.Access && mode == "full" {
		return "reading a field by decoding the whole message"
	}
	return op + " in mode " + mode
}

// verify asks the lane's process, before it ends, for the evidence that its timed calls did their
// work.
func (ln *Lane) verify(ctx context.Context) error {
	if ln.proc == nil || !ln.proves {
		return nil
	}
	name := ln.p.worker.Scratch(fmt.Sprintf("%s-%d", strings.ReplaceAll(ln.name, "~", "-"), len(ln.proofs)))
	a, err := ln.proc.Do(ctx, worker.Request{Cmd: worker.CmdVerify, Dump: name, Args: ln.p.novel}, 0)
	if err != nil {
		return err
	}
	ln.proofs = append(ln.proofs, name)
	ln.verified = append(ln.verified, a.Verified)
	return ln.take(a.Verified.Odd)
}

// prove ends the rounds. It verifies the last processes. It has other processes read the messages
// that timed processes wrote, and records what counts against each contender.
func (l *Opened) prove(ctx context.Context, lanes []*Lane) error {
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	errs := make([]error, len(lanes))
	var wg sync.WaitGroup
	for i, ln := range lanes {
		if l.gone(ln.name) {
			continue
		}
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			errs[i] = ln.verify(ctx)
			ln.Close()
			if errs[i] == nil && ln.name != run.Twin {
				errs[i] = l.readProofs(ctx, ln)
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var usual []*worker.Verified
	for _, ln := range lanes {
		if ln.name == run.Baseline {
			usual = ln.verified
		}
	}
	for i, ln := range lanes {
		c := stats.Contender(l.run, ln.name)
		switch {
		case c == nil || c.Status != run.StatusMeasured: // the twin, or a contender that failed before
		case errs[i] != nil:
			l.drop(c, run.StatusFailed, brokeProof(c, errs[i]))
		default:
			ln.conclude(c, usual, &l.run.Host)
		}
	}
	return nil
}

// brokeProof says why a contender that failed after the rounds is taken out of the run. Whether a
// wrong result of a timed call is seen depends on chance. So a reason not to rank the contender,
// which is found in every run, is told too.
func brokeProof(c *run.Contender, err error) run.Why {
	var n *notDone
	if errors.As(err, &n) {
		reason := n.text
		if unfit := cmp.Or(c.Rankless, stats.Unfit(c)); unfit != "" {
			reason += "; it would not be ranked either: " + unfit
		}
		return run.Why{What: wrongResult, Reason: reason,
			Next: "leave it out, or run again with the same -seed: the values came back right before they were timed"}
	}
	why := failure(err)
	why.Where = strings.TrimSpace(why.Where + " after the rounds")
	return why
}

// wrongResult is what the report says of a contender whose timed calls, or some of them, did not do
// the work that was judged.
const wrongResult = "a timed call returned a wrong result"

// readProofs has a process that never encoded decode the messages of timed calls. It returns
// *notDone if one is wrong.
func (l *Opened) readProofs(ctx context.Context, ln *Lane) error {
	c := stats.Contender(l.run, ln.name)
	if len(ln.proofs) == 0 || isBad(c, worker.CheckReader) {
		return nil
	}
	w, err := ln.p.worker.Elsewhere("reader")
	if err != nil {
		return err
	}
	q := ln.values
	q.Input = worker.InputAsWritten // this process encodes nothing
	p, err := w.Open(ctx, harness.Opening{Values: q, Note: l.warn})
	if err != nil {
		return err
	}
	defer p.Close()
	for i, name := range ln.proofs {
		a, err := p.Do(ctx, worker.Request{Cmd: worker.CmdRead, Args: filepath.Clean(name)}, 0)
		if err != nil {
			return err
		}
		for _, o := range a.Read.Odd {
			if o.Check == worker.CheckDocument && c.Contract.Grade == run.Broken {
				continue // the broken contract is known already
			}
			if text, wrong := wrongOf(ln.p.kinds, o); wrong {
				return &notDone{fmt.Sprintf("%s, value %d, launch %d, as another process reads it: %s", calls("encode", o.Mode), o.Value, i+1, text)}
			}
		}
	}
	return nil
}

// conclude records what counts against a contender. usual is what the baseline's processes
// reported.
func (ln *Lane) conclude(c *run.Contender, usual []*worker.Verified, h *run.Host) {
	found := append(ln.faults, fault{worker.CheckSettings, unusual(usual, ln.verified)},
		fault{worker.CheckSize, otherSize(ln.verified, c.Sizes.Mean)}, fault{worker.CheckAlone, elsewhere(ln.verified)})
	for _, f := range found { // if one check has several faults, blame keeps the first
		if f.text != "" {
			blame(c, f.check, f.text)
		}
	}
	for _, op := range []string{stats.Encode, stats.Decode} {
		novel, later := novelty(ln.verified, op)
		switch {
		case novel > novelMost*crowded(h):
			blame(c, worker.CheckNovel, fmt.Sprintf("%s of a value that differs in digits and letters from those that were timed takes %.1f times "+
				"as long: it keeps what it did before", op, novel))
		case later > novelMost*slowed(usual, op, h):
			blame(c, worker.CheckNovel, fmt.Sprintf("%s takes %.1f times as long as in the rounds once values turn up that it never saw, also for "+
				"those that were timed: it keeps what it did before", op, later))
		}
	}
}

// slowed returns by which factor op may have become slower after the rounds merely because the
// machine became busy. That is the factor of the baseline, and at least the factor of crowded.
func slowed(usual []*worker.Verified, op string, h *run.Host) float64 {
	_, later := novelty(usual, op)
	return max(crowded(h), later)
}

// crowded returns by which factor a codec may seem slower merely because the machine is busy. It is
// 2 if the load at the start exceeds the number of processors, since some processes and tries are
// then luckier than others. Otherwise it is 1.
func crowded(h *run.Host) float64 {
	if h.Load1 > float64(h.Cores) {
		return 2
	}
	return 1
}

// unusual describes a process with settings that the baseline's first process does not have, or
// with a heap so much larger that the garbage collector runs seldom. It returns "" if there is
// none.
func unusual(baseline, all []*worker.Verified) string {
	if len(baseline) == 0 {
		return ""
	}
	usual := baseline[0]
	for _, v := range all {
		for _, s := range v.Settings {
			if !slices.Contains(usual.Settings, s) {
				return fmt.Sprintf("its process has %s, the baseline's has %s", s, alike(s, usual.Settings))
			}
		}
		if v.Heap > 4*usual.Heap+heapMost { // some contenders keep the values in a form of their own
			return fmt.Sprintf("its process keeps %s on the heap, the baseline's %s: the garbage collector runs seldom",
				quantity.Bytes(v.Heap), quantity.Bytes(usual.Heap))
		}
	}
	return ""
}

// heapMost is how many bytes a codec may keep for itself, in addition to four times the baseline's
// heap.
const heapMost = 64 << 20

// otherSize describes a difference in size, of more than sizeMost times, between messages in the
// rounds and messages that were judged. It returns "" if there is none.
func otherSize(all []*worker.Verified, judged float64) string {
	var fresh, same float64
	for _, v := range all {
		fresh, same = fresh+v.Fresh, same+v.Judged
		if v.Wire > 0 && judged > 0 && apart(v.Wire, judged) {
			return fmt.Sprintf("a message has %.0f bytes on average where it is timed, %.0f where it was judged", v.Wire, judged)
		}
	}
	if same > 0 && apart(fresh, same) {
		return fmt.Sprintf("messages of timed calls have %.2f times as many bytes as those of the same values before", fresh/same)
	}
	return ""
}

// apart reports whether one size is more than sizeMost times the other.
func apart(x, y float64) bool { return x > sizeMost*y || y > sizeMost*x }

const sizeMost = 1.25

// alike returns the usual setting with the same name as s, or "none".
func alike(s string, usual []string) string {
	name := s[:max(0, strings.LastIndexByte(s, ' '))]
	for _, u := range usual {
		if name != "" && strings.HasPrefix(u, name+" ") {
			return u
		}
	}
	return "none"
}

// Bounds on the work that a codec does outside its calls. parallelMost bounds the CPU time of other
// threads, as a share of the caller's. idleMost bounds CPU time between calls, as a share of the
// CPU time of timed batches. novelMost bounds the time of a value that was never timed, as a
// multiple of the time of timed values.
const (
	parallelMost = 0.25
	idleMost     = 0.15
	novelMost    = 2
)

// elsewhere describes the work that a codec does while it is not called, or on threads other than
// the caller's. It returns "" if that work is within the bounds.
func elsewhere(all []*worker.Verified) string {
	var idle, busy, own, cpu, after float64
	for _, v := range all {
		idle, busy = idle+v.Idle, busy+v.Busy
		for _, a := range v.Alone {
			own, cpu, after = own+a.Own, cpu+a.CPU, after+a.After
		}
	}
	switch {
	case busy > 0 && idle > idleMost*busy:
		return fmt.Sprintf("its process works on between the calls: %s of their CPU time", quantity.Share(idle/busy))
	case own > 0 && after > parallelMost*own:
		return fmt.Sprintf("its process works on after the calls: %s of their CPU time", quantity.Share(after/own))
	case own > 0 && cpu+after-own > parallelMost*own:
		return fmt.Sprintf("goroutines of its own work beside the calls: %s of their CPU time, without any garbage collection",
			quantity.Share((cpu+after-own)/own))
	}
	return ""
}

// novelty compares times of op that were measured after the rounds, over all processes. novel is
// the shortest time of values that were never seen before, divided by the shortest time of as many
// timed values. later is the least ratio of the timed values' time after the rounds to their time
// in the rounds. Both are 0 if nothing was measured.
func novelty(all []*worker.Verified, op string) (novel, later float64) {
	var fresh, timed []float64
	for _, v := range all {
		for _, n := range v.Novel {
			if n.Op != op || n.Timed <= 0 {
				continue
			}
			fresh, timed = append(fresh, n.Novel), append(timed, n.Timed)
			if by := n.Timed / n.Batch; n.Batch > 0 && (later == 0 || by < later) {
				later = by
			}
		}
	}
	if len(timed) == 0 {
		return 0, 0
	}
	return slices.Min(fresh) / slices.Min(timed), later
}

// unrank notes why a contender is not ranked, unless a reason is noted already.
func unrank(c *run.Contender, why string) {
	if c.Rankless == "" {
		c.Rankless = why
	}
}

// broken lists the checks that set the grades to Broken and Fails if they are bad, with what each
// means.
var broken = map[string]string{
	worker.CheckReader: "another process cannot read its messages",
	worker.CheckHolds:  "its messages do not hold the values",
	worker.CheckAgain:  "it encodes or decodes something else than it is given",
	worker.CheckValues: "it changes what it is given",

	worker.CheckTogether: "it mixes the calls of goroutines",
	worker.CheckAfter:    "what it refuses spoils what comes next",
}

// typeMixes replaces the text for CheckTogether if encoding/json fails it too. Encoding/json itself
// is safe for goroutines, so that methods of the type are not.
const typeMixes = "methods of your type mix the calls of goroutines, with encoding/json too"

// ofType blames the type, in place of contender c, for a fault of goroutines that the baseline has
// too.
func ofType(c, baseline *run.Contender) {
	if baseline == nil || !isBad(baseline, worker.CheckTogether) || !isBad(c, worker.CheckTogether) {
		return
	}
	codec := broken[worker.CheckTogether]
	c.Rankless = strings.Replace(c.Rankless, codec, typeMixes, 1)
	for _, g := range []*run.Grade{&c.Contract, &c.Value} {
		for i := range g.Diffs {
			if g.Diffs[i].Before == codec {
				g.Diffs[i].Before = typeMixes
			}
		}
	}
}

func isBad(c *run.Contender, check string) bool {
	return slices.ContainsFunc(c.Checks, func(k run.Check) bool { return k.Name == check && k.Result == "bad" })
}

// blame notes that a check is bad, so that the contender is not ranked. If the check is in the list
// broken, the contract's grade becomes Broken and the value's grade Fails. No check counts against
// a floor, which knows the values beforehand.
func blame(c *run.Contender, check, text string) {
	if c.Family == contender.FamilyFloor {
		return
	}
	if isBad(c, check) {
		return
	}
	if unfit := stats.Unfit(c); unfit != "" { // found in the values themselves, thus in every run
		unrank(c, unfit)
	}
	c.Checks = append(slices.DeleteFunc(c.Checks, func(k run.Check) bool { return k.Name == check }),
		run.Check{Name: check, Result: "bad", Detail: text})
	switch {
	case broken[check] != "":
		d := []run.Diff{{Path: check, Before: broken[check], After: text, Kind: "lossy", Count: 1}}
		c.Contract.Grade, c.Contract.Diffs = run.Broken, append(d, c.Contract.Diffs...)
		c.Value.Grade, c.Value.Diffs = run.Fails, append(d, c.Value.Diffs...)
		unrank(c, broken[check]+": "+text)
	case check == worker.CheckInput || check == worker.CheckOutput || check == worker.CheckApart:
		unrank(c, "mode fresh is not a safe copy: "+text)
	default:
		unrank(c, text)
	}
}
