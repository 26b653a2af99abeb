package serve

import (
	"bytes"
	"fmt"
	"reflect"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/zmylab/zmy/lab/fidelity"
	"github.com/zmylab/zmy/lab/worker/bench"
)

// checkTogether runs togetherCallers goroutines on togetherValues values, for togetherTime at
// least. If the machine has two processors, the process must have used togetherTime/2 of CPU time
// beyond that of one processor. On a busy machine that takes longer; checkTogether ends after
// togetherMost.
const (
	togetherCallers = 4
	togetherTime    = 100 * time.Millisecond
	togetherMost    = 2 * time.Second
	togetherValues  = 32
)

// checkTogether calls the codec from several goroutines at once, each with its own encoder and
// decoder, and checks that they get the same results as one goroutine alone. A codec that writes to
// shared memory without a lock mixes the requests of a server. If the runtime detects that first,
// it ends the process.
func (b *binding[T, N]) checkTogether() error {
	alone, err := b.lone()
	if err != nil {
		return err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(togetherCallers, runtime.GOMAXPROCS(0))))
	var enough atomic.Bool
	found := make([]error, togetherCallers)
	wait := bench.LineUp(togetherCallers, func(g int) func() {
		return func() {
			call := b.caller(alone)
			for k := 0; found[g] == nil && !enough.Load(); k++ {
				found[g] = bench.Try(func() error { return call((g + k*(g+1)) % len(alone.wire)) })
			}
		}
	})()
	awaitParallel()
	enough.Store(true)
	wait()
	for _, err := range found {
		if err != nil {
			return fmt.Errorf("with %d goroutines, each with its own encoder and decoder, %w", togetherCallers, err)
		}
	}
	return nil
}

// awaitParallel returns once togetherTime has passed and the process has used enough CPU time
// beyond that of one processor. It returns after togetherMost at the latest.
func awaitParallel() {
	begin, used := time.Now(), bench.CPUTime()
	for {
		time.Sleep(togetherTime / 10)
		elapsed := time.Since(begin)
		beside := bench.CPUTime() - used - elapsed
		if elapsed >= togetherTime && (beside >= togetherTime/2 || runtime.NumCPU() < 2) || elapsed >= togetherMost {
			return
		}
	}
}

// lone holds the results that one goroutine gets alone.
type lone[N any] struct {
	in, wire [][]byte
	vals     []N
	same     bool // encoding the same value twice gives the same bytes
	deep     bool // values decoded from the same bytes are equal by reflect.DeepEqual
}

func (b *binding[T, N]) lone() (*lone[N], error) {
	d := &b.Codec.Decoders[0]
	in, err := b.Input(d)
	if err != nil {
		return nil, err
	}
	n := min(len(in), togetherValues)
	a := &lone[N]{in: in[:n], same: true, deep: true}
	enc, dec := b.Codec.Encoders[0].New(), d.New()
	for i := range n {
		out, err := enc(nil, &b.Vals[i])
		if err != nil {
			return nil, err
		}
		out = bytes.Clone(out)
		var v, w N
		if err := dec(bytes.Clone(in[i]), &v); err != nil {
			return nil, err
		}
		if err := dec(bytes.Clone(in[i]), &w); err != nil {
			return nil, err
		}
		again, err := enc(nil, &b.Vals[i])
		if err != nil {
			return nil, err
		}
		a.same = a.same && bytes.Equal(out, again)
		a.deep = a.deep && reflect.DeepEqual(v, w)
		a.wire, a.vals = append(a.wire, out), append(a.vals, v)
	}
	return a, nil
}

// caller returns a function for one goroutine. It encodes and decodes value i, and returns an
// error for a result that differs from a's.
func (b *binding[T, N]) caller(a *lone[N]) func(i int) error {
	enc, dec := b.Codec.Encoders[0].New(), b.Codec.Decoders[0].New()
	return func(i int) error {
		out, err := enc(nil, &b.Vals[i])
		if err != nil {
			return fmt.Errorf("value %d is refused: %w", i, err)
		}
		runtime.Gosched()
		if a.same && !bytes.Equal(out, a.wire[i]) {
			return fmt.Errorf("value %d is encoded as other bytes than by one alone", i)
		}
		var v N
		if err := dec(a.in[i], &v); err != nil {
			return fmt.Errorf("message %d is refused: %w", i, err)
		}
		runtime.Gosched()
		if a.deep {
			if !reflect.DeepEqual(v, a.vals[i]) {
				return fmt.Errorf("message %d is decoded as another value than by one alone", i)
			}
			return nil
		}
		got, err := b.comparable(&v)
		if err != nil {
			return fmt.Errorf("message %d cannot be compared: %w", i, err)
		}
		want, err := b.comparable(&a.vals[i])
		if err != nil {
			return fmt.Errorf("message %d cannot be compared: %w", i, err)
		}
		if lost := lossy(fidelity.Compare(want, got, fidelity.Options{})); len(lost) > 0 {
			return fmt.Errorf("message %d is decoded as another value than by one alone: %s", i, lost[0])
		}
		return nil
	}
}
