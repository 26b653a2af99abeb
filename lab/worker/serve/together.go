package serve

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/zmylab/zmy/lab/fidelity"
	"github.com/zmylab/zmy/lab/worker/anatomy"
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
	togetherBytes   = 4 << 20 // of messages, but two values at least
	togetherAgain   = 3       // more tries after a fault, until it shows again
	togetherVaries  = 64      // calls that find out whether a value's bytes vary
)

// checkTogether calls the codec from several goroutines at once, each with its own encoder and
// decoder, and checks that they get the same results as one goroutine alone. A codec that writes to
// shared memory without a lock mixes the requests of a server. If the runtime detects that first,
// it ends the process.
//
// A fault counts if it shows a second time, or if no goroutine alone gets sound results any more.
func (b *binding[T, N]) checkTogether() error {
	first := b.together()
	if first == nil || errors.As(first, new(cannotTell)) {
		return first
	}
	for range togetherAgain {
		again := b.together()
		if again == nil {
			continue
		}
		if errors.As(again, new(cannotTell)) && !b.spoiltForGood() {
			return again
		}
		return first
	}
	return cannotTell(fmt.Sprintf("once, and not again in %d tries, %v", togetherAgain, first))
}

// together makes one try. It returns a cannotTell if one goroutine alone does not get the same
// results twice.
func (b *binding[T, N]) together() error {
	all := make([]*lone[N], togetherCallers)
	for g := range all {
		var err error
		if all[g], err = b.lone(); err != nil {
			return cannotTell("one goroutine alone: " + err.Error())
		}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(togetherCallers, runtime.GOMAXPROCS(0))))
	var enough atomic.Bool
	found := make([]error, togetherCallers)
	wait := bench.LineUp(togetherCallers, func(g int) func() {
		return func() {
			call := b.caller(all[g])
			for k := 0; found[g] == nil && !enough.Load(); k++ {
				found[g] = bench.Try(func() error { return call((g + k*(g+1)) % len(all[g].in)) })
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

// spoiltForGood reports whether one goroutine alone never gets sound results.
func (b *binding[T, N]) spoiltForGood() bool {
	for range togetherVaries {
		if _, err := b.lone(); err == nil {
			return false
		}
	}
	return true
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

// lone holds the results that one goroutine gets alone. It is one goroutine's own, since methods of
// a type may write to the values that they are called on, for instance to keep a text.
type lone[N any] struct {
	vals []N      // what is encoded
	wire [][]byte // vals as encoded
	sent []any    // vals as decoded from wire; nil if the decoder does not read what encoders write
	in   [][]byte // what is decoded
	held []N      // as decoded from in; no method is called on them
	want []any    // the same values, in the form that fidelity compares
	vary []bool   // without sent: the bytes of a value vary, so they say nothing
}

// lone returns an error if the codec refuses something, or if the results vary by more than their
// form: by the order of a map, or by nil for an empty list.
func (b *binding[T, N]) lone() (a *lone[N], err error) {
	err = bench.Try(func() error {
		a, err = b.makeLone()
		return err
	})
	return a, err
}

func (b *binding[T, N]) makeLone() (*lone[N], error) {
	d := &b.Codec.Decoders[0]
	in, err := b.Input(d)
	if err != nil {
		return nil, err
	}
	vals, err := b.shared(min(len(in), togetherValues))
	if err != nil {
		return nil, err
	}
	a := &lone[N]{vals: vals}
	enc, dec, bytesIn := b.Codec.Encoders[0].New(), d.New(), 0
	for i := range vals {
		if err := b.addLone(a, enc, dec, in[i], d.Input == nil); err != nil {
			return nil, fmt.Errorf("value %d: %w", i, err)
		}
		if bytesIn += len(in[i]); bytesIn > togetherBytes && i > 0 {
			break
		}
	}
	return a, nil
}

// addLone adds the results for the next value. reads says that the decoder reads what the encoder
// writes.
func (b *binding[T, N]) addLone(a *lone[N], enc func([]byte, *N) ([]byte, error), dec func([]byte, *N) error, in []byte, reads bool) error {
	i := len(a.in)
	out, err := enc(nil, &a.vals[i])
	if err != nil {
		return err
	}
	out = bytes.Clone(out)
	var sent any
	vary := false
	if reads {
		if sent, err = b.decoded(dec, bytes.Clone(out)); err != nil {
			return err
		}
	}
	for range togetherVaries {
		again, err := enc(nil, &a.vals[i])
		if err != nil {
			return err
		}
		vary = !bytes.Equal(out, again)
		if vary && reads {
			if text := b.otherThan(sent, dec, again); text != "" {
				return fmt.Errorf("encoded again, it %s", text)
			}
		}
		if vary || reads {
			break
		}
	}
	held, other := new(N), new(N)
	for _, v := range []*N{held, other} {
		if err := dec(bytes.Clone(in), v); err != nil {
			return err
		}
	}
	want, err := b.comparable(other)
	if err != nil {
		return err
	}
	a.wire, a.sent, a.vary = append(a.wire, out), append(a.sent, sent), append(a.vary, vary)
	a.in, a.held, a.want = append(a.in, in), append(a.held, *held), append(a.want, want)
	return nil
}

// otherThan says how the message differs from the value want, "" if it holds the same.
func (b *binding[T, N]) otherThan(want any, dec func([]byte, *N) error, msg []byte) string {
	got, err := b.decoded(dec, bytes.Clone(msg))
	if err != nil {
		return "is encoded as a message that is refused: " + err.Error()
	}
	if lost := lossy(fidelity.Compare(want, got, fidelity.Options{})); len(lost) > 0 {
		return "is encoded as another value: " + lost[0].String()
	}
	return ""
}

// shared returns the first n values for one goroutine. Goroutines share them, so that a codec that
// writes to them is found, unless methods of the type itself might write to them.
func (b *binding[T, N]) shared(n int) ([]N, error) {
	if b.convert != nil || !anatomy.OwnCode(reflect.TypeFor[T]()) {
		return b.Vals[:n], nil
	}
	if own := b.copies(n); len(own) == n {
		return own, nil
	}
	return nil, errors.New("the values cannot be made again, and methods of the type may write to them")
}

// caller returns a function for one goroutine. It encodes and decodes value i, and returns an
// error for a result that differs from a's.
func (b *binding[T, N]) caller(a *lone[N]) func(i int) error {
	enc, dec := b.Codec.Encoders[0].New(), b.Codec.Decoders[0].New()
	return func(i int) error {
		out, err := enc(nil, &a.vals[i])
		if err != nil {
			return fmt.Errorf("value %d is refused: %w", i, err)
		}
		runtime.Gosched()
		switch {
		case bytes.Equal(out, a.wire[i]) || a.vary[i] && a.sent[i] == nil:
		case a.sent[i] == nil:
			return fmt.Errorf("value %d is encoded as other bytes than by one alone", i)
		default: // the bytes may differ by the order of a map
			if text := b.otherThan(a.sent[i], dec, out); text != "" {
				return fmt.Errorf("value %d %s", i, text)
			}
		}
		var v N
		if err := dec(a.in[i], &v); err != nil {
			return fmt.Errorf("message %d is refused: %w", i, err)
		}
		runtime.Gosched()
		if reflect.DeepEqual(v, a.held[i]) {
			return nil
		}
		got, err := b.comparable(&v)
		if err != nil {
			return fmt.Errorf("message %d cannot be compared: %w", i, err)
		}
		if lost := lossy(fidelity.Compare(a.want[i], got, fidelity.Options{})); len(lost) > 0 {
			return fmt.Errorf("message %d is decoded as another value than by one alone: %s", i, lost[0])
		}
		return nil
	}
}
