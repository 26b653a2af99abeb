package worker

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"time"

	"github.com/zmylab/zmy/lab/fidelity"
)

// Values that nobody has seen: timed ones with other digits and letters. A codec that keeps
// what it did before gains nothing by them. What it makes of them is judged, and their messages
// come from another process, so that nothing kept while encoding helps to decode them.

// Novel is the time of values that were never seen, and of as many timed ones: the least of
// several tries, since all that a busy machine does adds to it.
type Novel struct {
	Op    string  `json:"op"`
	Novel float64 `json:"novel"` // ns
	Timed float64 `json:"timed"` // ns
	Batch float64 `json:"batch"` // ns that the timed ones took in the quickest batch, 0 where no batch had them all
}

// novelValues is how many values are compared with such as were never seen, novelMost how many
// where their messages are shorter than novelShort; novelTries is how often, and novelSpan
// what all of it may take. Times below novelLeast tell nothing by a clock that counts
// microseconds.
const (
	novelValues = 64
	novelMost   = 256
	novelShort  = 1 << 10
	novelLeast  = 10 * time.Microsecond
	novelTries  = 5
	novelSpan   = 40 * time.Millisecond
	novelBytes  = 16 << 20 // of all messages from another process

	laterFrom  = 1.5 // times as long as in the rounds
	laterTries = 40
	laterPause = 10 * time.Millisecond
)

// foreignMessage is a changed value that another process encoded, and the digest of what that
// process decoded it to, 0 where two results differ.
type foreignMessage struct {
	message
	sum uint64
	k   int // its place among the values of one's own
}

// novel times values that were never seen. file holds messages of such from another process,
// "" where there are none. No result means that there is nothing to tell by.
func (b *bench[T, N]) novel(file string) (res []Novel, odd []Odd, err error) {
	anew := b.changeable()
	if len(anew) == 0 {
		return nil, nil, nil
	}
	tries, err := readNovel(file, len(b.vals))
	if err != nil {
		return nil, nil, err
	}
	in, err := b.read()
	if err != nil {
		return nil, nil, nil //nolint:nilerr // a codec that does not encode is told of elsewhere
	}
	n := &novelty[T, N]{b: b, in: in, enc: b.codec.Encoders[0].New(), dec: b.codec.Decoders[0].New()}
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
		own := n.encodes(vals, of, try > 0) // at first the codec's own code has to come into the caches
		from := own
		if try < len(tries) {
			from = tries[try]
		}
		if n.odd == nil {
			n.decodes(from, try > 0)
		}
		for k := range own {
			n.holds(&vals[own[k].k], int(own[k].i), own[k].data) // last, since a codec that keeps values would know them then
		}
		if n.odd != nil {
			return nil, []Odd{*n.odd}, nil
		}
	}
	weight := max(1, mean(in[:min(len(in), len(anew))])/max(1, mean(in))) // the first values may be larger than most
	n.encode.Batch *= weight * b.quickest("encode")
	n.decode.Batch *= weight * b.quickest("decode")
	n.encode.again(func() float64 {
		ns, _ := lap(len(n.timed), func(k int) error { _, err := n.enc(nil, &b.vals[n.timed[k]]); return err })
		return ns
	})
	n.decode.again(func() float64 {
		got := make([]N, len(n.timed))
		ns, _ := lap(len(n.timed), func(k int) error { return n.dec(in[n.timed[k]], &got[k]) })
		return ns
	})
	for _, x := range []Novel{n.encode, n.decode} {
		if max(x.Timed, x.Novel/3) >= float64(novelLeast) { // three times as long is beyond any doubt of the clock's
			res = append(res, x)
		}
	}
	return res, nil, nil
}

// again times values that were timed in the rounds once more while they seem to take longer
// than there: a machine that was busy meanwhile is so for a while.
func (x *Novel) again(lap func() float64) {
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

// changeable are values that may be changed; none for a codec that cannot be judged by them.
func (b *bench[T, N]) changeable() []T {
	if b.keeper.made.Grow > 0 || b.codec.Family == "floor" || b.codec.Decoders[0].Input != nil || b.respelled != nil {
		return nil
	}
	wire, err := b.encoded()
	if err != nil {
		return nil
	}
	n := novelValues
	if mean(wire) < novelShort {
		n = novelMost
	}
	anew, err := b.anew(n)
	if err != nil {
		return nil
	}
	return anew
}

// novelty is the comparison at work.
type novelty[T, N any] struct {
	b              *bench[T, N]
	in             [][]byte
	enc            func([]byte, *N) ([]byte, error)
	dec            func([]byte, *N) error
	encode, decode Novel
	timed          []int // the timed values beside which others were encoded
	odd            *Odd  // what is wrong with a result
}

func (n *novelty[T, N]) blame(op string, i int, check, text string) {
	if n.odd == nil {
		n.odd = &Odd{Op: op, Mode: "fresh", Value: i, Check: check, Text: text}
	}
}

// encodes times the encoding of changed values and of those that they were, and returns what
// was written.
func (n *novelty[T, N]) encodes(vals []N, of []int, counts bool) (out []foreignMessage) {
	n.timed = of
	digests(vals) // they are in the processor's caches then, as the timed ones are
	wire := make([][]byte, len(vals))
	timed, _ := lap(len(of), func(k int) error { _, err := n.enc(nil, &n.b.vals[of[k]]); return err })
	novel, refused := lap(len(of), func(k int) (err error) { wire[k], err = n.enc(nil, &vals[k]); return err })
	if 2*refused.n > len(of) && n.b.takes(&vals[refused.k]) {
		n.blame("encode", of[refused.k], CheckAgain, fmt.Sprintf("value %d is refused once it was changed: %v", of[refused.k], refused.err))
	}
	if counts {
		n.encode.least(novel, timed, len(of))
	}
	for k, w := range wire {
		if w != nil {
			out = append(out, foreignMessage{message: message{i: int32(of[k]), data: w}, k: k})
		}
	}
	return out
}

// holds looks whether a message is that of v, which was value i before it was changed. What
// is lost of that value may be lost of v.
func (n *novelty[T, N]) holds(v *N, i int, w []byte) {
	var was, got N
	if n.b.codec.Compare != nil || n.odd != nil || n.dec(bytes.Clone(n.in[i]), &was) != nil {
		return
	}
	if err := n.dec(bytes.Clone(w), &got); err != nil {
		if !n.b.takes(v) {
			return // a method of the type refuses it
		}
		n.blame("encode", i, CheckAgain, fmt.Sprintf("value %d was changed and encoded, and cannot be decoded: %v", i, err))
		return
	}
	known := map[string]bool{}
	for _, d := range fidelity.Compare(n.b.vals[i], was, n.b.allowed()) {
		known[kindOf(d)] = true
	}
	for _, d := range fidelity.Compare(*v, got, n.b.allowed()) {
		if !known[kindOf(d)] {
			n.blame("encode", i, CheckAgain, fmt.Sprintf("value %d was changed and encoded again: %s", i, d))
			return
		}
	}
}

// decodes times the decoding of messages from another process, and of timed ones.
func (n *novelty[T, N]) decodes(from []foreignMessage, counts bool) {
	was, got := make([]N, len(from)), make([]N, len(from))
	timed, _ := lap(len(from), func(k int) error { return n.dec(n.in[from[k].i], &was[k]) })
	novel, refused := lap(len(from), func(k int) error { return n.dec(from[k].data, &got[k]) })
	if 2*refused.n > len(from) {
		n.blame("decode", int(from[refused.k].i), CheckReader, fmt.Sprintf("decoding a changed value fails: %v", refused.err))
		return
	}
	if counts {
		n.decode.least(novel, timed, len(from))
	}
	for k := range from {
		if refused.n == 0 && from[k].sum != 0 && digestOf(&got[k]) != from[k].sum {
			n.blame("decode", int(from[k].i), CheckReader, fmt.Sprintf("value %d, once changed, is decoded to something else than "+
				"where it was encoded", from[k].i))
			return
		}
	}
}

// least keeps the least of several laps, of n calls each.
func (x *Novel) least(novel, timed float64, n int) {
	if novel == 0 || timed == 0 {
		return
	}
	if x.Novel == 0 {
		x.Novel, x.Timed = novel, timed
	}
	x.Novel, x.Timed, x.Batch = min(x.Novel, novel), min(x.Timed, timed), float64(n)
}

// refusals are calls of a lap that failed: how many, and the first.
type refusals struct {
	n, k int
	err  error
}

func (r *refusals) add(k int, err error) {
	if r.n++; r.n == 1 {
		r.k, r.err = k, err
	}
}

// takes reports whether encoding/json carries a value: one that the type cannot have is
// refused by any codec.
func (b *bench[T, N]) takes(v *N) bool {
	data, err := json.Marshal(v)
	return err == nil && json.Unmarshal(data, new(N)) == nil
}

// lap is the time in ns that n calls take on this thread, 0 where one fails.
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

// changed perturbs values in place and returns them as the codec takes them, with the numbers
// of the timed ones that they were.
func (b *bench[T, N]) changed(anew []T, r *rand.Rand) (vals []N, of []int) {
	for i := range min(len(anew), len(b.vals)) {
		if !perturb(reflect.ValueOf(&anew[i]).Elem(), r, everyPart) {
			continue
		}
		if n, err := b.one(&anew[i]); err == nil {
			vals, of = append(vals, n), append(of, i)
		}
	}
	return vals, of
}

// quickest is what a call took in the quickest batch that went over all values, in ns of CPU
// time; 0 where none did.
func (b *bench[T, N]) quickest(op string) float64 {
	for _, c := range b.cells {
		if c.Op == op && c.fresh {
			return c.best
		}
	}
	return 0
}

// writeNovel encodes changed values, for other processes to decode them.
func (b *bench[T, N]) writeNovel(file string) error {
	anew := b.changeable()
	enc, dec := b.codec.Encoders[0].New(), b.codec.Decoders[0].New()
	r := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	var out []byte
	for try := 0; try <= novelTries && len(out) < novelBytes; try++ {
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
			sum := digestOf(&x)
			if digestOf(&y) != sum {
				sum = 0
			}
			out = binary.AppendUvarint(out, uint64(try))
			out = binary.AppendUvarint(out, uint64(of[k]))
			out = binary.AppendUvarint(out, sum)
			out = binary.AppendUvarint(out, uint64(len(data)))
			out = append(out, data...)
		}
	}
	return os.WriteFile(file, out, 0o600)
}

// readNovel reads what writeNovel wrote: the messages of each try.
func readNovel(file string, values int) (tries [][]foreignMessage, err error) {
	if file == "" {
		return nil, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for len(data) > 0 {
		var head [4]uint64 // try, value, digest, length
		for i := range head {
			x, k := binary.Uvarint(data)
			if k <= 0 {
				return nil, errCut
			}
			head[i], data = x, data[k:]
		}
		if head[0] > novelTries || head[1] >= uint64(values) || head[3] > uint64(len(data)) {
			return nil, fmt.Errorf("%s is damaged", file)
		}
		for len(tries) <= int(head[0]) {
			tries = append(tries, nil)
		}
		tries[head[0]] = append(tries[head[0]], foreignMessage{message{i: int32(head[1]), data: data[:head[3]:head[3]]}, head[2], 0})
		data = data[head[3]:]
	}
	return tries, nil
}
