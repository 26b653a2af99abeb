package serve

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/lab/worker/bench"
)

// checks makes the checks on sound input, which decide whether a contender is ranked. A check that
// cannot be made returns n/a. An error means that the codec cannot carry the values at all.
func (b *binding[T, N]) checks() ([]worker.Check, error) {
	if _, err := b.Encoded(); err != nil {
		return nil, err
	}
	out := []worker.Check{verdict(worker.CheckOutput, b.checkOutput()), verdict(worker.CheckInput, b.checkInput())}
	for _, c := range b.quiet() {
		if c.Result == "bad" {
			out = append(out, c)
		}
	}
	if c := verdict(worker.CheckAccess, b.checkAccess()); c.Result != "n/a" {
		out = append(out, c)
	}
	for _, c := range b.capable() {
		if c.Result != "n/a" { // n/a: these values cannot show it
			out = append(out, c)
		}
	}
	return out, nil
}

// quiet makes the checks of which only faults are reported. The last one sees what all calls before
// it did to the values.
func (b *binding[T, N]) quiet() []worker.Check {
	return []worker.Check{
		verdict(worker.CheckApart, b.checkApart()),
		verdict(worker.CheckAgain, b.checkAgain()),
		verdict(worker.CheckHolds, b.checkHolds()),
		verdict(worker.CheckValues, b.checkSpare()),
		verdict(worker.CheckValues, b.checkValues()),
	}
}

// checkValues reports a value that was changed by the calls so far.
func (b *binding[T, N]) checkValues() error {
	if text := b.mutated(); text != "" {
		return errors.New(text)
	}
	return nil
}

// cannotTell is the error of a check that cannot be made with these values or with this codec.
type cannotTell string

func (why cannotTell) Error() string { return string(why) }

// verdict is the result of a check that returns an error for a fault.
func verdict(name string, err error) worker.Check {
	switch why := cannotTell(""); {
	case err == nil:
		return worker.Check{Name: name, Result: "ok"}
	case errors.As(err, &why):
		return unknown(name, err.Error())
	}
	return bad(name, "%v", err)
}

// damaged makes the checks on damaged input, which the codec may not survive.
func (b *binding[T, N]) damaged() ([]worker.Check, error) {
	if _, err := b.Encoded(); err != nil {
		return nil, err
	}
	out := []worker.Check{b.checkRetention(), b.checkTruncation(), b.checkFlips()}
	if b.spoilt != "" {
		out = append(out, bad(worker.CheckAfter, "%s", b.spoilt))
	}
	return out, nil
}

func bad(name, format string, args ...any) worker.Check {
	return worker.Check{Name: name, Result: "bad", Detail: fmt.Sprintf(format, args...)}
}

// comparable returns a decoded value in the form that fidelity compares.
func (b *binding[T, N]) comparable(v *N) (any, error) {
	if b.Codec.Compare == nil {
		return *v, nil
	}
	return b.Codec.Compare(v)
}

// decoded decodes a message into a new value and returns it in the form that fidelity compares.
func (b *binding[T, N]) decoded(dec func([]byte, *N) error, in []byte) (out any, err error) {
	got := new(N)
	err = bench.Try(func() error {
		if err := dec(in, got); err != nil {
			return err
		}
		out, err = b.comparable(got)
		return err
	})
	return out, err
}

// checkAccess compares the strings that accessors return with the leaf itself. An accessor without
// Alias must own its string: it is compared after the input was overwritten.
func (b *binding[T, N]) checkAccess() error {
	if len(b.Codec.Accessors) == 0 || b.subject.Leaf == nil {
		return cannotTell("it has no accessor, or the subject no leaf")
	}
	for _, a := range b.Codec.Accessors {
		if a.Path != b.subject.LeafPath {
			return fmt.Errorf("mode %s reads %s, the subject's leaf is %s", a.Mode, a.Path, b.subject.LeafPath)
		}
		get := a.New()
		in, err := b.Read()
		if err != nil {
			return err
		}
		for i := range in {
			mine := bytes.Clone(in[i])
			s, err := get(mine)
			if err != nil {
				return fmt.Errorf("mode %s, value %d: %w", a.Mode, i, err)
			}
			overwritten := ""
			if want := b.subject.Leaf(&b.origin[i]); s == want && !a.Alias {
				for j := range mine {
					mine[j] ^= 0xff
				}
				overwritten = " once the input was overwritten"
			}
			if want := b.subject.Leaf(&b.origin[i]); s != want {
				return fmt.Errorf("mode %s, value %d: %.40q instead of %.40q%s", a.Mode, i, s, want, overwritten)
			}
		}
	}
	return nil
}

// checkRetention keeps only the leaf of each decoded value, and measures how much memory stays
// alive with it.
func (b *binding[T, N]) checkRetention() worker.Check {
	if b.Leaf == nil {
		return worker.Check{Name: worker.CheckRetention, Result: "n/a", Detail: "no string leaf on the decoded type"}
	}
	d := &b.Codec.Decoders[0]
	in, err := b.Input(d)
	if err != nil {
		return bad(worker.CheckRetention, "%v", err)
	}
	dec := d.New()
	if err := dec(bytes.Clone(in[0]), new(N)); err != nil { // warm up, so that the codec's caches are not counted
		return bad(worker.CheckRetention, "%v", err)
	}
	copies := max(1, min(4, attempts(in)/len(in)))
	kept := make([]string, 0, copies*len(in))
	own, total := 0, 0
	before := liveHeap()
	for range copies {
		for i := range in {
			v := new(N)
			if err := dec(bytes.Clone(in[i]), v); err != nil {
				return bad(worker.CheckRetention, "%v", err)
			}
			s := b.Leaf(v)
			kept = append(kept, s)
			own += len(s)
			total += len(in[i])
		}
	}
	n := float64(len(kept))
	perString := max(0, (float64(liveHeap())-float64(before))/n)
	runtime.KeepAlive(kept)
	c := worker.Check{Name: worker.CheckRetention, Result: "no",
		Detail: fmt.Sprintf("%.0f bytes stay alive behind a string of %.0f", perString, float64(own)/n)}
	if perString > float64(own)/n+float64(total)/n/2+32 {
		c.Result = "yes"
	}
	return c
}

// liveHeap collects twice, since a sync.Pool keeps its objects over one collection.
func liveHeap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// The number of damaged inputs that each robustness check decodes: fewer if they are large.
const (
	attemptsMost  = 512
	attemptsLeast = 32
	attemptsBytes = 8 << 20
	attemptsTime  = time.Second // of CPU time, for all but the least attempts: some codecs allocate by damaged lengths
)

func attempts(in [][]byte) int {
	return min(attemptsMost, max(attemptsLeast, int(attemptsBytes/max(1, bench.Mean(in)))))
}

// checkTruncation decodes inputs that are cut short. Formats without a length or an end mark
// (protobuf) accept some of them, which the result states but does not call bad. A panic is bad.
func (b *binding[T, N]) checkTruncation() worker.Check {
	accepted, tried := 0, 0
	c := b.damage(worker.CheckTruncation, func(in []byte, r *rand.Rand) []byte {
		if len(in) == 0 {
			return in
		}
		return in[:r.IntN(len(in))]
	}, func(err error) {
		tried++
		if err == nil {
			accepted++
		}
	})
	if c.Result == "ok" && accepted > 0 {
		c.Result, c.Detail = "no", fmt.Sprintf("%d of %d truncated inputs were accepted", accepted, tried)
	}
	return c
}

func (b *binding[T, N]) checkFlips() worker.Check {
	return b.damage(worker.CheckFlips, func(in []byte, r *rand.Rand) []byte {
		if len(in) == 0 {
			return in
		}
		out := bytes.Clone(in)
		for range 1 + r.IntN(3) {
			out[r.IntN(len(out))] ^= 1 << r.IntN(8)
		}
		return out
	}, func(error) {})
}

// damage decodes damaged copies of the inputs, the same ones in every run.
func (b *binding[T, N]) damage(name string, spoil func([]byte, *rand.Rand) []byte, seen func(error)) worker.Check {
	d := &b.Codec.Decoders[0]
	in, err := b.Input(d)
	if err != nil {
		return bad(name, "%v", err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	dec := d.New()
	next := b.newAftermath(b.Codec.Encoders[0].New(), dec)
	n, began := attempts(in), bench.CPUTime()
	for i := range n {
		if i >= attemptsLeast && bench.CPUTime()-began > attemptsTime {
			n = i
			break
		}
		mine := bytes.Clone(spoil(in[i%len(in)], r))
		err := bench.Try(func() error { return dec(mine, new(N)) })
		var p *bench.Panic
		if errors.As(err, &p) {
			return bad(name, "panic on attempt %d, an input of %d bytes: %v", i, len(mine), p.Value)
		}
		seen(err)
		if text := next.text(false); text != "" && b.spoilt == "" {
			b.spoilt = "after a damaged message " + text
		}
	}
	return worker.Check{Name: name, Result: "ok", Detail: fmt.Sprintf("%d attempts", n)}
}
