package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/zmylab/zmy/lab/fidelity"
	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/lab/worker/anatomy"
	"github.com/zmylab/zmy/lab/worker/bench"
)

// The functions below time a codec on values that it has never seen: timed values with other digits
// and letters. A codec that caches earlier results gains nothing with them. The results are judged.
// Messages to decode come from another process, so that nothing kept while encoding helps to decode
// them.

// Bounds of the comparison. It uses novelValues values, or novelMost if messages are shorter than
// novelShort bytes on average. A first try warms up. Then come at most novelTries tries, and no
// further one after novelSpan, but at least two. Times below novelLeast are ignored, since the
// clock counts in microseconds. Timed values that seem slower than in the rounds are timed again,
// at most laterTries times with a pause of laterPause.
const (
	novelValues = 64
	novelMost   = 256
	novelShort  = 1 << 10
	novelLeast  = 10 * time.Microsecond
	novelTries  = 5
	novelSpan   = 40 * time.Millisecond
	novelBytes  = 16 << 20 // bound on the messages from another process

	laterFrom  = 1.5 // factor over the time in the rounds beyond which timed values are timed again
	laterTries = 40
	laterPause = 10 * time.Millisecond
)

// foreignMessage is the message of a changed value.
type foreignMessage struct {
	worker.Message
	k int // index among the values that this process changed
}

// novel times values that were never seen. file holds messages of such values from another process,
// or is "". If there is nothing to compare, res is empty.
func (b *binding[T, N]) novel(file string) (res []worker.Novel, odd []worker.Odd, err error) {
	anew := b.changeable()
	if len(anew) == 0 {
		return nil, nil, nil
	}
	tries, err := b.readNovel(file)
	if err != nil {
		return nil, nil, err
	}
	in, err := b.Read()
	if err != nil {
		return nil, nil, nil //nolint:nilerr // a codec that does not encode is told of elsewhere
	}
	n := &novelty[T, N]{b: b, in: in, enc: b.Codec.Encoders[0].New(), dec: b.Codec.Decoders[0].New()}
	n.encode.Op, n.decode.Op = "encode", "decode"
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	r := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	begin := time.Now()
	for try := 0; try <= novelTries && (try < 3 || time.Since(begin) < novelSpan); try++ {
		vals, of := b.changed(anew, r)
		if len(vals) == 0 {
			return nil, nil, nil
		}
		own := n.encodes(vals, of, try > 0) // the first try only brings code into the caches
		from := own
		if len(tries[try]) > 0 {
			from = tries[try]
		}
		if n.odd == nil {
			n.decodes(from, try > 0)
		}
		for k := range own {
			n.holds(&vals[own[k].k], own[k].Value, own[k].Data) // last: a caching codec knows them afterwards
		}
		if n.odd != nil {
			return nil, []worker.Odd{*n.odd}, nil
		}
	}
	weight := max(1, bench.Mean(in[:min(len(in), len(anew))])/max(1, bench.Mean(in))) // the first values may be larger than most
	n.encode.Batch *= weight * b.quickest("encode")
	n.decode.Batch *= weight * b.quickest("decode")
	timeAgain(&n.encode, func() float64 {
		ns, _ := lap(len(n.timed), func(k int) error { _, err := n.enc(nil, &b.Vals[n.timed[k]]); return err })
		return ns
	})
	timeAgain(&n.decode, func() float64 {
		got := make([]N, len(n.timed))
		ns, _ := lap(len(n.timed), func(k int) error { return n.dec(in[n.timed[k]], &got[k]) })
		return ns
	})
	for _, x := range []worker.Novel{n.encode, n.decode} {
		if max(x.Timed, x.Novel/3) >= float64(novelLeast) { // three times as long cannot be an error of the clock
			res = append(res, x)
		}
	}
	return res, nil, nil
}

// timeAgain times the timed values again while they seem to take longer than in the rounds, since
// the machine may be busy for a while.
func timeAgain(x *worker.Novel, lap func() float64) {
	for range laterTries {
		if x.Timed <= laterFrom*x.Batch || x.Batch == 0 {
			return
		}
		time.Sleep(laterPause)
		if ns := lap(); ns > 0 {
			x.Timed = min(x.Timed, ns)
		}
	}
}

// changeable returns values that may be changed, or nil for a codec that cannot be judged by them.
func (b *binding[T, N]) changeable() []T {
	if b.keeper.made.Grow > 0 || b.Codec.Family == "floor" || b.Codec.Decoders[0].Input != nil || b.Respelled != nil {
		return nil
	}
	wire, err := b.Encoded()
	if err != nil {
		return nil
	}
	n := novelValues
	if bench.Mean(wire) < novelShort {
		n = novelMost
	}
	anew, err := b.anew(n)
	if err != nil {
		return nil
	}
	return anew
}

// novelty is the state of the comparison.
type novelty[T, N any] struct {
	b              *binding[T, N]
	in             [][]byte
	enc            func([]byte, *N) ([]byte, error)
	dec            func([]byte, *N) error
	encode, decode worker.Novel
	timed          []int       // indices of the timed values that were encoded for comparison
	odd            *worker.Odd // what was wrong with a result
}

func (n *novelty[T, N]) blame(op string, i int, check, text string) {
	if n.odd == nil {
		n.odd = &worker.Odd{Op: op, Mode: "fresh", Value: i, Check: check, Text: text}
	}
}

// encodes times the encoding of changed values and of the timed values that they were made from. It
// returns the messages of the changed ones.
func (n *novelty[T, N]) encodes(vals []N, of []int, counts bool) (out []foreignMessage) {
	n.timed = of
	anatomy.Digests(vals) // brings vals into the processor's caches, where the timed values are already
	wire := make([][]byte, len(vals))
	timed, _ := lap(len(of), func(k int) error { _, err := n.enc(nil, &n.b.Vals[of[k]]); return err })
	novel, refused := lap(len(of), func(k int) (err error) { wire[k], err = n.enc(nil, &vals[k]); return err })
	if 2*refused.n > len(of) && n.b.takes(&vals[refused.k]) {
		i := of[refused.k]
		n.blame("encode", i, worker.CheckAgain, fmt.Sprintf("value %d is refused once it was changed: %v", i, refused.err))
	}
	if counts {
		least(&n.encode, novel, timed, len(of))
	}
	for k, w := range wire {
		if w != nil {
			out = append(out, foreignMessage{worker.Message{Value: of[k], Data: w}, k})
		}
	}
	return out
}

// holds checks that w is a message of v, which was value i before it was changed. Kinds of change
// that value i shows are allowed.
func (n *novelty[T, N]) holds(v *N, i int, w []byte) {
	var was, got N
	if n.b.Codec.Compare != nil || n.odd != nil || n.dec(bytes.Clone(n.in[i]), &was) != nil {
		return
	}
	if err := n.dec(bytes.Clone(w), &got); err != nil {
		if !n.b.takes(v) {
			return // a method of the type refuses the value
		}
		n.blame("encode", i, worker.CheckAgain, fmt.Sprintf("value %d was changed and encoded, and cannot be decoded: %v", i, err))
		return
	}
	known := map[string]bool{}
	for _, d := range fidelity.Compare(n.b.Vals[i], was, n.b.later()) {
		known[kindOf(d)] = true
	}
	for _, d := range fidelity.Compare(*v, got, n.b.later()) {
		if !known[kindOf(d)] {
			n.blame("encode", i, worker.CheckAgain, fmt.Sprintf("value %d was changed and encoded again: %s", i, d))
			return
		}
	}
}

// decodes times the decoding of messages from another process, and of timed messages.
func (n *novelty[T, N]) decodes(from []foreignMessage, counts bool) {
	was, got := make([]N, len(from)), make([]N, len(from))
	timed, _ := lap(len(from), func(k int) error { return n.dec(n.in[from[k].Value], &was[k]) })
	novel, refused := lap(len(from), func(k int) error { return n.dec(from[k].Data, &got[k]) })
	if 2*refused.n > len(from) {
		n.blame("decode", from[refused.k].Value, worker.CheckReader, fmt.Sprintf("decoding a changed value fails: %v", refused.err))
		return
	}
	if counts {
		least(&n.decode, novel, timed, len(from))
	}
	for k := range from {
		if refused.n == 0 && from[k].Sum != 0 && anatomy.DigestOf(&got[k]) != from[k].Sum {
			n.blame("decode", from[k].Value, worker.CheckReader, fmt.Sprintf("value %d, once changed, is decoded to something else than "+
				"where it was encoded", from[k].Value))
			return
		}
	}
}

// least lowers the times of x to those of two laps of n calls, unless one of the laps failed. It
// sets x.Batch to n; novel then multiplies that by the time of a call in the rounds.
func least(x *worker.Novel, novel, timed float64, n int) {
	if novel == 0 || timed == 0 {
		return
	}
	if x.Novel == 0 {
		x.Novel, x.Timed = novel, timed
	}
	x.Novel, x.Timed, x.Batch = min(x.Novel, novel), min(x.Timed, timed), float64(n)
}

// refusals counts the calls of a lap that failed, and keeps the first error.
type refusals struct {
	n, k int
	err  error
}

func (r *refusals) add(k int, err error) {
	if r.n++; r.n == 1 {
		r.k, r.err = k, err
	}
}

// takes reports whether encoding/json carries a value. If it does not, the type cannot have this
// value, and any codec may refuse it.
func (b *binding[T, N]) takes(v *N) bool {
	data, err := json.Marshal(v)
	return err == nil && json.Unmarshal(data, new(N)) == nil
}

// lap returns the CPU time of n calls on this thread in ns, or 0 if one fails.
func lap(n int, f func(k int) error) (ns float64, r refusals) {
	t0 := threadClock()
	for k := range n {
		if err := f(k); err != nil {
			r.add(k, err)
		}
	}
	took := threadClock() - t0
	if r.n > 0 || n == 0 {
		return 0, r
	}
	return float64(max(1, took)), r
}

// changed perturbs values in place. It returns them as the codec takes them, with the indices of
// the timed values that they were.
func (b *binding[T, N]) changed(anew []T, r *rand.Rand) (vals []N, of []int) {
	for i := range min(len(anew), len(b.Vals)) {
		if !anatomy.Perturb(&anew[i], r, anatomy.EveryPart) {
			continue
		}
		if n, err := b.one(&anew[i]); err == nil {
			vals, of = append(vals, n), append(of, i)
		}
	}
	return vals, of
}

// quickest returns the CPU ns per call in the quickest batch that went over all values, or 0 if
// there was none.
func (b *binding[T, N]) quickest(op string) float64 {
	for _, c := range b.Cells {
		if c.Op == op && c.Fresh {
			return c.Best
		}
	}
	return 0
}

// writeNovel encodes changed values into a file, for other processes to decode.
func (b *binding[T, N]) writeNovel(file string) error {
	anew := b.changeable()
	enc, dec := b.Codec.Encoders[0].New(), b.Codec.Decoders[0].New()
	r := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	var out []worker.Message
	for try, size := 0, 0; try <= novelTries && size < novelBytes; try++ {
		vals, of := b.changed(anew, r)
		for k := range vals {
			data, err := enc(nil, &vals[k])
			if err != nil {
				continue
			}
			data = bytes.Clone(data)
			var x, y N
			if dec(bytes.Clone(data), &x) != nil || dec(bytes.Clone(data), &y) != nil {
				continue
			}
			sum := anatomy.DigestOf(&x)
			if anatomy.DigestOf(&y) != sum {
				sum = 0
			}
			out, size = append(out, worker.Message{Value: of[k], Data: data, Try: try, Sum: sum}), size+len(data)
		}
	}
	return worker.WriteMessages(file, out)
}

// readNovel reads the file of writeNovel, if there is one, and returns the messages of each try.
func (b *binding[T, N]) readNovel(file string) (tries [novelTries + 1][]foreignMessage, err error) {
	if file == "" {
		return tries, nil
	}
	all, err := b.messages(file)
	for _, m := range all {
		if m.Try < 0 || m.Try > novelTries {
			return tries, fmt.Errorf("%s is damaged: it has a try %d", file, m.Try)
		}
		tries[m.Try] = append(tries[m.Try], foreignMessage{m, 0})
	}
	return tries, err
}
