package serve

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/zmylab/zmy/lab/fidelity"
	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/lab/worker/anatomy"
	"github.com/zmylab/zmy/lab/worker/bench"
)

// A codec may behave while it is judged and not while it is timed, on purpose or because of a
// faulty cache. So some of the timed calls themselves are judged. They are drawn just before the
// batch, by the runtime's own random source. The clocks stop while a result is put aside; it is
// judged after the batch.

// looksPart bounds the time for judging the calls of a batch: 1/looksPart of the batch's time.
const looksPart = 20

// lookout judges some calls of one batch.
type lookout[T, N any] struct {
	b     *binding[T, N]
	c     *bench.Cell[N]
	stops []int // numbers of the drawn calls, from 1, ascending
	seen  []look[N]
	arena []byte // copies of what encoders returned
	spent bench.Stopwatch
	set   string // settings that were found altered
}

// look is the result of one drawn call.
type look[N any] struct {
	i      int32
	out    []byte // as the encoder returned it
	copied []byte // copy of out, made at once
	got    N      // the value that the decoder returned
	sum    uint64 // digest of got, taken at once
	diffs  []fidelity.Diff
	text   string
	err    error
}

// lookout draws the calls of a batch that are judged: q.Looks of them, or fewer if judging them
// would take too long.
func (b *binding[T, N]) lookout(c *bench.Cell[N], q *worker.Request) *lookout[T, N] {
	l := &lookout[T, N]{b: b, c: c}
	n := min(q.Looks, q.N)
	if most := c.Budget; c.Cost > 0 && float64(n)*c.Cost > most {
		n = int(most/c.Cost + rand.Float64())
	}
	if n <= 0 {
		return l
	}
	for range n {
		l.stops = append(l.stops, 1+rand.IntN(q.N))
	}
	slices.Sort(l.stops)
	l.stops = slices.Compact(l.stops)
	l.seen = make([]look[N], 0, len(l.stops))
	if c.Op == "encode" {
		l.arena = make([]byte, 0, int(2*float64(n)*(c.Wire+64)))
	}
	return l
}

// at puts aside the result of the call that has just returned, for value i.
func (l *lookout[T, N]) at(i int32) {
	l.spent.Start()
	defer l.spent.Stop()
	k := look[N]{i: i}
	switch t := l.c.Batch; {
	case t.Out != nil:
		out := t.Out()
		from := len(l.arena)
		l.arena = append(l.arena, out...)
		k.copied = l.arena[from:len(l.arena):len(l.arena)]
		if l.c.Fresh {
			k.out = out
		}
	case t.Text != nil:
		k.text = t.Text()
	case l.lasting():
		k.got = *t.Got()
		k.sum = anatomy.DigestOf(t.Got())
	default: // the next call overwrites the value, so judge it now
		k.diffs, k.err = l.b.judgeValue(int(i), t.Got(), l.c)
	}
	if len(l.seen) == 0 && l.set == "" {
		l.set = altered(l.b.keeper.began, runtimeSettings())
	}
	l.seen = append(l.seen, k)
}

// lasting reports whether a decoded value stays unchanged when later calls are made.
func (l *lookout[T, N]) lasting() bool { return l.c.Fresh && l.b.Codec.Compare == nil }

// judge judges the results that were put aside. wall is the duration of the batch.
func (l *lookout[T, N]) judge(wall time.Duration) ([]worker.Odd, error) {
	l.spent.Start()
	var odd []worker.Odd
	add := func(i int32, check, text string) {
		odd = append(odd, worker.Odd{Op: l.c.Op, Mode: l.c.Mode.Mode, Value: int(i), Check: check, Text: text})
	}
	if l.set != "" {
		add(0, worker.CheckSettings, l.set)
	}
	for n := range l.seen {
		k := &l.seen[n]
		switch {
		case k.err != nil:
			add(k.i, worker.CheckTimed, k.err.Error())
		case l.c.Batch.Out != nil:
			if l.c.Fresh && !bytes.Equal(k.out, k.copied) {
				add(k.i, worker.CheckOutput, fmt.Sprintf("the bytes of value %d changed when later values were encoded", k.i))
			}
			l.b.proof.add(message{worker.Message{Mode: l.c.Mode.Mode, Value: int(k.i), Data: k.copied}, k.out})
			if l.c.Fresh {
				l.b.proof.weigh(len(k.copied), len(l.b.Wire[k.i]))
			}
		case l.c.Batch.Text != nil:
			if want := l.b.subject.Leaf(&l.b.origin[k.i]); k.text != want {
				add(k.i, worker.CheckTimed, fmt.Sprintf("%.40q instead of %.40q", k.text, want))
			}
		default:
			diffs := k.diffs
			if l.lasting() {
				l.b.stands.add(k.i, k.got, k.sum, min(proofMessages, int(proofBytes/max(1, l.c.Wire))))
				if anatomy.DigestOf(&k.got) != k.sum {
					add(k.i, worker.CheckApart, fmt.Sprintf("value %d, once decoded, changed when later ones were", k.i))
				}
				var err error
				if diffs, err = l.b.judgeValue(int(k.i), &k.got, l.c); err != nil {
					return nil, err
				}
			}
			if len(diffs) > 0 {
				odd = append(odd, oddOf(l.c.Op, l.c.Mode.Mode, int(k.i), diffs))
			}
		}
	}
	l.spent.Stop()
	if n := len(l.seen); n > 0 {
		// On a busy machine a look may wait for a processor, and a codec's goroutines may add CPU
		// time. The smaller of both times is used. Otherwise looks would seem too expensive from
		// then on, and no more calls would be judged.
		l.c.Cost = float64(min(l.spent.Wall, l.spent.CPU)) / float64(n)
	}
	l.c.Budget = float64(wall) / looksPart
	return odd, nil
}

// judgeValue returns the differences between a decoded value and value i. In a mode that reuses its
// target, data left from earlier values is no difference: mode fresh decodes the same bytes, and
// its result decides.
func (b *binding[T, N]) judgeValue(i int, got *N, c *bench.Cell[N]) ([]fidelity.Diff, error) {
	after, err := b.comparable(got)
	if err != nil {
		return nil, err
	}
	diffs := fidelity.Compare(b.original(i), after, b.later())
	if len(diffs) == 0 || !c.Reuse {
		return diffs, nil
	}
	d := &b.Codec.Decoders[0]
	in, err := b.Input(d)
	if err != nil {
		return nil, err
	}
	fresh, err := b.decoded(d.New(), in[i])
	if err != nil {
		return nil, fmt.Errorf("mode fresh: %w", err)
	}
	diffs = fidelity.Compare(fresh, after, fidelity.Options{})
	if fidelity.Grade(diffs) == fidelity.GradeLossy && !anatomy.Merged(fresh, after) {
		return diffs, nil
	}
	return nil, nil
}

// oddOf reports the differences of a value. The coordinator decides whether they are allowed.
func oddOf(op, mode string, i int, diffs []fidelity.Diff) worker.Odd {
	o := worker.Odd{Op: op, Mode: mode, Value: i, Check: worker.CheckTimed, Text: diffs[0].String()}
	for _, d := range diffs[:min(len(diffs), oddKinds)] {
		o.Kinds = append(o.Kinds, worker.Kind{Kind: kindOf(d), Text: d.String()})
	}
	return o
}

// oddKinds bounds the number of differences that are reported of one value.
const oddKinds = 16

// kindOf names a kind of change: its place and its cause.
func kindOf(d fidelity.Diff) string { return d.Pattern + " " + d.Kind + " " + d.Cause }

// proof holds outputs of timed calls, to be decoded by a process that never encoded.
type proof struct {
	modes []modeProof
	bytes int

	fresh, judged int // bytes of outputs in mode fresh, and of the same values as first encoded
}

// weigh adds the size n of an output in mode fresh, and the size of the same value as first
// encoded.
func (p *proof) weigh(n, judged int) { p.fresh, p.judged = p.fresh+n, p.judged+judged }

// changed describes an output that changed after its call returned, or returns "".
func (p *proof) changed() string {
	for _, m := range p.modes {
		for _, k := range m.items {
			if k.out != nil && !bytes.Equal(k.out, k.Data) {
				return fmt.Sprintf("the bytes of value %d changed in the course of the run", k.Value)
			}
		}
	}
	return ""
}

// messages returns the outputs, for a process that never encoded.
func (p *proof) messages() (all []worker.Message) {
	for _, m := range p.modes {
		for _, k := range m.items {
			all = append(all, k.Message)
		}
	}
	return all
}

// standing holds values decoded by timed calls, with their digests at that time.
type standing[N any] struct {
	items []stood[N]
	seen  int
}

type stood[N any] struct {
	i   int32
	got N
	sum uint64
}

// add keeps a value. If len(s.items) has reached most, a random choice decides which value is
// dropped, so that all values seen are equally likely to be kept.
func (s *standing[N]) add(i int32, got N, sum uint64, most int) {
	s.seen++
	if len(s.items) < most {
		s.items = append(s.items, stood[N]{i, got, sum})
	} else if at := rand.IntN(s.seen); at < len(s.items) {
		s.items[at] = stood[N]{i, got, sum}
	}
}

// changed describes a value that changed after its call returned, or returns "".
func (s *standing[N]) changed() string {
	for k := range s.items {
		if x := &s.items[k]; anatomy.DigestOf(&x.got) != x.sum {
			return fmt.Sprintf("value %d, once decoded, changed in the course of the run", x.i)
		}
	}
	return ""
}

type modeProof struct {
	mode  string
	seen  int
	items []message
}

type message struct {
	worker.Message
	out []byte // as the encoder returned it, if it must stay unchanged
}

// Bounds on what a process keeps: messages of each mode, and bytes in all.
const (
	proofMessages = 48
	proofBytes    = 8 << 20
)

// add keeps a message. If there is no room, a random choice decides which one is dropped, so that
// all messages of a mode have about the same chance to be kept.
func (p *proof) add(item message) {
	m := slices.IndexFunc(p.modes, func(m modeProof) bool { return m.mode == item.Mode })
	if m < 0 {
		m, p.modes = len(p.modes), append(p.modes, modeProof{mode: item.Mode})
	}
	k := &p.modes[m]
	k.seen++
	item.Data = bytes.Clone(item.Data)
	data := item.Data
	if len(k.items) < proofMessages && p.bytes+len(data) <= proofBytes {
		k.items, p.bytes = append(k.items, item), p.bytes+len(data)
		return
	}
	if at := rand.IntN(k.seen); at < len(k.items) && p.bytes-len(k.items[at].Data)+len(data) <= proofBytes {
		p.bytes += len(data) - len(k.items[at].Data)
		k.items[at] = item
	}
}
