package serve

import (
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/zmylab/zmy/internal/openloop"
	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/lab/worker/bench"
)

// verifyValues is the number of values that are judged again.
const verifyValues = 24

// verify collects the evidence that the codec did its work in timed calls.
func (b *binding[T, N]) verify(q *worker.Request) (*worker.Verified, error) {
	v := &worker.Verified{Idle: float64(b.keeper.idle + b.keeper.sinceLast()), Busy: float64(b.keeper.busy)}
	if text := b.mutated(); text != "" {
		v.Odd = append(v.Odd, worker.Odd{Op: "encode", Mode: "fresh", Check: worker.CheckValues, Text: text})
	}
	if err := b.Open(); err != nil {
		return nil, err
	}
	for _, c := range b.Cells {
		if c.Batch.Loop == nil {
			continue // the cell was never timed
		}
		odd, err := b.lookAgain(c)
		if err != nil {
			return nil, err
		}
		v.Odd = append(v.Odd, odd...)
	}
	if text := b.proof.changed(); text != "" {
		v.Odd = append(v.Odd, worker.Odd{Op: "encode", Mode: "fresh", Check: worker.CheckOutput, Text: text})
	}
	if text := b.stands.changed(); text != "" {
		v.Odd = append(v.Odd, worker.Odd{Op: "decode", Mode: "fresh", Check: worker.CheckApart, Text: text})
	}
	v.Wire, v.Fresh, v.Judged, v.Heap = bench.Mean(b.Wire), float64(b.proof.fresh), float64(b.proof.judged), float64(liveHeap())
	messages := b.proof.messages()
	v.Messages = len(messages)
	if q.Dump != "" {
		if err := worker.WriteMessages(q.Dump, messages); err != nil {
			return nil, err
		}
	}
	v.Settings = append(runtimeSettings(), surroundings()...)
	for _, op := range []string{"encode", "decode"} {
		c, err := b.Cell(op, "fresh")
		if err != nil {
			return nil, err
		}
		a, err := b.alone(c)
		if err != nil {
			return nil, err
		}
		v.Alone = append(v.Alone, a)
	}
	// Last, since a codec that caches would know these values afterwards.
	novel, odd, err := b.novel(q.Args)
	if err != nil {
		return nil, err
	}
	v.Novel, v.Odd = novel, append(v.Odd, odd...)
	b.keeper.last = 0 // CPU time from now on is the lab's, not that of a codec which should be idle
	return v, nil
}

// lookAgain runs a cell's own loop on random values and judges each result.
func (b *binding[T, N]) lookAgain(c *bench.Cell[N]) ([]worker.Odd, error) {
	l := &lookout[T, N]{b: b, c: c}
	begin := time.Now()
	for range min(verifyValues, len(b.Vals)) {
		i := int32(rand.IntN(len(b.Vals)))
		if err := c.Batch.Loop([]int32{i}); err != nil {
			return nil, err
		}
		l.at(i)
		if time.Since(begin) > aloneSpan*4 {
			break
		}
	}
	return l.judge(0) // no batch follows, so the looks need no budget
}

// span calls the codec until the calling thread has used aloneSpan of CPU time. Afterwards rest
// watches the process for late work, for at most aloneNaps times aloneRest. A nap in which the
// process uses at most aloneWake of CPU time does not count.
const (
	aloneSpan = 4 * time.Millisecond
	aloneMost = 100 * time.Millisecond // on a busy machine
	aloneRest = 2 * time.Millisecond
	aloneNaps = 20
	aloneWake = aloneRest / 6
)

// alone returns the quietest of several spans, since a busy machine can only add CPU time.
func (b *binding[T, N]) alone(c *bench.Cell[N]) (least worker.Alone, err error) {
	for try := range aloneTries {
		a, err := b.span(c)
		if err != nil {
			return a, err
		}
		if try == 0 || beside(&a) < beside(&least) {
			least = a
		}
		if beside(&least) < aloneQuiet {
			break
		}
	}
	return least, nil
}

// aloneTries bounds the number of spans. Once beside is below aloneQuiet, no further span is
// needed.
const (
	aloneTries = 4
	aloneQuiet = 0.1
)

// beside returns the CPU time of the process that is not the caller's, during a span and after it,
// divided by the caller's.
func beside(a *worker.Alone) float64 { return (a.CPU + a.After - a.Own) / max(1, a.Own) }

func (b *binding[T, N]) span(c *bench.Cell[N]) (worker.Alone, error) {
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	n := min(len(b.Order), 16)
	c0, t0, began := bench.CPUTime(), threadClock(), time.Now()
	for at := 0; threadClock()-t0 < aloneSpan && time.Since(began) < aloneMost; at += n {
		if at+n > len(b.Order) {
			at = 0
		}
		if err := c.Batch.Loop(b.Order[at : at+n]); err != nil {
			return worker.Alone{}, err
		}
	}
	own, all := threadClock()-t0, bench.CPUTime()-c0
	return worker.Alone{Op: c.Op, Own: float64(own), CPU: float64(all), After: float64(rest())}, nil
}

// started is the time from which threadClock counts if there is no thread clock.
var started = time.Now()

// threadClock returns the CPU time of the calling thread, or wall time if that is not known.
func threadClock() time.Duration {
	bench.CPUTime() // this call makes Linux update the thread's account, which a query for the thread does not
	if used, known := openloop.ThreadTime(); known {
		return used
	}
	return time.Since(started)
}

// rest waits until the process is idle, and returns the CPU time that it used until then. CPU time
// for waking up is not counted. On a busy machine a goroutine may have to wait for a processor, so
// rest waits on while a thread is waiting for one.
func rest() (used time.Duration) {
	for n, still := 0, 0; n < aloneNaps && still < 3; n++ {
		c0 := bench.CPUTime()
		time.Sleep(aloneRest)
		if took := bench.CPUTime() - c0; took > aloneWake {
			used, still = used+took, 0
		} else if !waiting() {
			still++
		}
	}
	return used
}

// one returns a value as the codec takes it.
func (b *binding[T, N]) one(v *T) (N, error) {
	if b.convert != nil {
		return b.convert(v)
	}
	return any(*v).(N), nil
}
