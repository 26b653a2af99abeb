package worker

import (
	"math/rand/v2"
	"reflect"
	"runtime"
	"runtime/debug"
	"time"
)

// Verified is what is found in a process once its last round is over.
type Verified struct {
	Odd      []Odd    `json:"odd,omitempty"`
	Messages int      `json:"messages"` // of timed calls, written to Request.Dump
	Settings []string `json:"settings"` // what its figures depend on: "GOGC 100"
	Busy     float64  `json:"busy"`     // CPU ns inside of timed batches
	Idle     float64  `json:"idle"`     // CPU ns from one batch to the next command, for which it had nothing to do

	Alone []Alone `json:"alone,omitempty"`
	Novel []Novel `json:"novel,omitempty"`
}

// Alone is a span without garbage collection: of a codec that works only while it is called,
// the process takes no more CPU time than the caller's thread, and none afterwards.
type Alone struct {
	Op    string  `json:"op"`
	Own   float64 `json:"own"`   // CPU ns of the caller's thread, or wall time where that is not known
	CPU   float64 `json:"cpu"`   // ns of the process
	After float64 `json:"after"` // CPU ns while nothing was asked of it
}

// Novel is the time of values that were never seen, and of as many timed ones: the least of
// several tries, since all that a busy machine does adds to it.
type Novel struct {
	Op    string  `json:"op"`
	Novel float64 `json:"novel"` // ns
	Timed float64 `json:"timed"` // ns
}

// verifyValues is how many values are looked at once more.
const verifyValues = 24

// verify looks whether the codec did its work.
func (b *bench[T, N]) verify(q *Request) (*Verified, error) {
	v := &Verified{Idle: float64(b.keeper.idle + b.keeper.sinceLast()), Busy: float64(b.keeper.busy)}
	if text := b.mutated(); text != "" {
		v.Odd = append(v.Odd, Odd{Op: "encode", Mode: "fresh", Check: CheckValues, Text: text})
	}
	if err := b.open(); err != nil {
		return nil, err
	}
	for _, c := range b.cells {
		if c.batch.loop == nil {
			continue // it was never timed
		}
		odd, err := b.lookAgain(c)
		if err != nil {
			return nil, err
		}
		v.Odd = append(v.Odd, odd...)
	}
	for _, m := range b.proof.modes {
		v.Messages += len(m.items)
	}
	if q.Dump != "" {
		if err := b.proof.keep(q.Dump); err != nil {
			return nil, err
		}
	}
	v.Settings = append(runtimeSettings(), surroundings()...)
	for _, op := range []string{"encode", "decode"} {
		c, err := b.cell(op, "fresh")
		if err != nil {
			return nil, err
		}
		a, err := b.alone(c)
		if err != nil {
			return nil, err
		}
		v.Alone = append(v.Alone, a)
	}
	v.Novel = b.novel()
	b.keeper.last = 0
	return v, nil
}

// lookAgain runs a cell's own loop on values drawn by chance and looks at each result.
func (b *bench[T, N]) lookAgain(c *cell[N]) ([]Odd, error) {
	l := &lookout[T, N]{b: b, c: c}
	begin := time.Now()
	for range min(verifyValues, len(b.vals)) {
		i := int32(rand.IntN(len(b.vals)))
		if err := c.batch.loop([]int32{i}); err != nil {
			return nil, err
		}
		l.at(i)
		if time.Since(begin) > aloneSpan*4 {
			break
		}
	}
	return l.judge(0)
}

// aloneSpan is the length of a span. Then work that was put off is waited for, aloneNaps
// times aloneRest at most.
const (
	aloneSpan = 4 * time.Millisecond
	aloneMost = 100 * time.Millisecond // on a busy machine
	aloneRest = 2 * time.Millisecond
	aloneNaps = 20
	aloneWake = aloneRest / 6
)

func (b *bench[T, N]) alone(c *cell[N]) (Alone, error) {
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	n := min(len(b.order), 16)
	c0, t0, began := cpuTime(), threadClock(), time.Now()
	for at := 0; threadClock()-t0 < aloneSpan && time.Since(began) < aloneMost; at += n {
		if at+n > len(b.order) {
			at = 0
		}
		if err := c.batch.loop(b.order[at : at+n]); err != nil {
			return Alone{}, err
		}
	}
	own, all := threadClock()-t0, cpuTime()-c0
	return Alone{Op: c.Op, Own: float64(own), CPU: float64(all), After: float64(rest())}, nil
}

// started is what a clock counts from where threads have none.
var started = time.Now()

// threadClock is the CPU time of the calling thread, or wall time where that is not known.
func threadClock() time.Duration {
	cpuTime() // Linux brings a thread's account up to date when the process is asked for, not the thread
	if used, known := threadTime(); known {
		return used
	}
	return time.Since(started)
}

// rest waits until the process does nothing more, and returns the CPU time that it took to
// get there. On a busy machine a goroutine may have to wait for its processor. What waking up
// takes is not counted.
func rest() (used time.Duration) {
	for n, still := 0, 0; n < aloneNaps && still < 3; n++ {
		c0 := cpuTime()
		time.Sleep(aloneRest)
		if took := cpuTime() - c0; took > aloneWake {
			used, still = used+took, 0
		} else if !waiting() {
			still++
		}
	}
	return used
}

// novelValues is how many values are compared with such as were never seen, novelTries how
// often, and novelSpan what all of it may take. Times below novelLeast tell nothing by a clock
// that counts microseconds; as many values as novelMost take longer.
const (
	novelValues = 64
	novelMost   = 256
	novelTries  = 5
	novelSpan   = 40 * time.Millisecond
	novelLeast  = 10 * time.Microsecond
)

// novel times values that differ from the timed ones in a digit or letter of each struct. A
// codec that keeps what it did before gains nothing by them. Nil where there is nothing to
// tell by.
func (b *bench[T, N]) novel() []Novel {
	if b.keeper.made.Grow > 0 || b.codec.Family == "floor" || b.codec.Decoders[0].Input != nil || b.respelled != nil {
		return nil
	}
	for _, n := range []int{novelValues, novelMost} {
		out := b.novelOf(n)
		if len(out) == 0 || min(out[0].Timed, out[1].Timed) >= float64(novelLeast) {
			return out
		}
	}
	return nil
}

func (b *bench[T, N]) novelOf(n int) []Novel {
	anew, err := b.anew(n)
	if err != nil || len(anew) == 0 {
		return nil
	}
	enc, dec := b.codec.Encoders[0].New(), b.codec.Decoders[0].New()
	in, err := b.read()
	if err != nil {
		return nil
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	r := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	encode, decode := Novel{Op: "encode"}, Novel{Op: "decode"}
	begin := time.Now()
	for try := 0; try <= novelTries && (try < 3 || time.Since(begin) < novelSpan); try++ {
		vals, of := b.changed(anew, r)
		if len(of) == 0 {
			return nil // types with forms of their own are not changed
		}
		digests(vals) // they are in the processor's caches then, as the timed ones are
		wire := make([][]byte, len(vals))
		timed := lap(len(of), func(k int) error { _, err := enc(nil, &b.vals[of[k]]); return err })
		novel := lap(len(of), func(k int) (err error) { wire[k], err = enc(nil, &vals[k]); return err })
		target, zero := new(N), *new(N)
		timedIn := lap(len(of), func(k int) error { *target = zero; return dec(in[of[k]], target) })
		novelIn := lap(len(of), func(k int) error { *target = zero; return dec(wire[k], target) })
		if min(timed, novel, timedIn, novelIn) == 0 {
			return nil // such values are none to this codec
		}
		if try > 0 { // at first the codec's own code has to come into the caches
			encode.least(novel, timed)
			decode.least(novelIn, timedIn)
		}
	}
	return []Novel{encode, decode}
}

func (n *Novel) least(novel, timed float64) {
	if n.Novel == 0 {
		n.Novel, n.Timed = novel, timed
	}
	n.Novel, n.Timed = min(n.Novel, novel), min(n.Timed, timed)
}

// changed perturbs values in place and returns them as the codec takes them, with the numbers
// of the timed ones that they were.
func (b *bench[T, N]) changed(anew []T, r *rand.Rand) (vals []N, of []int) {
	for i := range min(len(anew), len(b.vals)) {
		if !perturb(reflect.ValueOf(&anew[i]).Elem(), r) {
			continue
		}
		if n, err := b.one(&anew[i]); err == nil {
			vals, of = append(vals, n), append(of, i)
		}
	}
	return vals, of
}

// one is a value as the codec takes it.
func (b *bench[T, N]) one(v *T) (N, error) {
	if b.convert != nil {
		return b.convert(v)
	}
	return any(*v).(N), nil
}

// lap is the time in ns that n calls take on this thread, 0 where one fails.
func lap(n int, f func(k int) error) float64 {
	t0 := threadClock()
	for k := range n {
		if f(k) != nil {
			return 0
		}
	}
	return float64(max(1, threadClock()-t0))
}
