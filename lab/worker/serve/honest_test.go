package serve

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/zmylab/zmy/lab/worker"
	"github.com/zmylab/zmy/lab/worker/anatomy"
)

// part and whole are a subject with all that calls could share.
type part struct {
	Sku string
	Qty int
}

type whole struct {
	ID    string
	Items []part
	Tags  map[string]string
	Next  *part
	F     float64
}

func wholeValues(n int) []whole {
	out := make([]whole, n)
	for i := range out {
		id := strings.Repeat(string(rune('a'+i%26)), 12+i%7)
		out[i] = whole{ID: id, Items: []part{{"s" + id, i + 2}, {"t" + id, i + 3}}, Tags: map[string]string{"k": id},
			Next: &part{"n" + id, 7 + i}, F: 1.5 + float64(i)}
	}
	return out
}

// coder makes a contender of two functions.
func coder(enc func(v *whole) ([]byte, error), dec func(b []byte, v *whole) error) worker.Contender[whole] {
	if enc == nil {
		enc = func(v *whole) ([]byte, error) { return json.Marshal(v) }
	}
	if dec == nil {
		dec = func(b []byte, v *whole) error { return json.Unmarshal(b, v) }
	}
	return worker.Contender[whole]{Name: "x", Family: "json",
		Encoders: []worker.Encoder[whole]{{Mode: "fresh", New: func() func([]byte, *whole) ([]byte, error) {
			return func(_ []byte, v *whole) ([]byte, error) { return enc(v) }
		}}},
		Decoders: []worker.Decoder[whole]{{Mode: "fresh", New: func() func([]byte, *whole) error { return dec }}}}
}

// wholeBench has values that are made the same way each time.
func wholeBench(t *testing.T, c worker.Contender[whole]) *binding[whole, whole] {
	t.Helper()
	b := newBinding(worker.Subject[whole]{Name: "worker.whole", Leaf: func(v *whole) string { return v.ID }, LeafPath: "ID"}, c, nil)
	file := filepath.Join(t.TempDir(), "values.json")
	var docs []byte
	for _, v := range wholeValues(40) {
		docs = append(append(docs, mustJSON(t, v)...), '\n')
	}
	writeFile(t, file, docs)
	if _, err := b.values(&worker.Request{Cmd: worker.CmdValues, Seed: 1, N: 40, Sample: file}); err != nil {
		t.Fatal(err)
	}
	return b
}

// held is what the checks on sound input hold against a codec.
func held(b *binding[whole, whole]) (out []string) {
	sound := []worker.Check{verdict(worker.CheckOutput, b.checkOutput()), verdict(worker.CheckInput, b.checkInput())}
	for _, c := range append(sound, b.quiet()...) {
		if c.Result == "bad" {
			out = append(out, c.Name+": "+c.Detail)
		}
	}
	return out
}

// deep copies a value.
func deep(v *whole) whole {
	b, _ := json.Marshal(v)
	var w whole
	_ = json.Unmarshal(b, &w)
	return w
}

func TestHonestChecks(t *testing.T) {
	var ring [64]bytes.Buffer
	at := 0
	byAddress, byContent := map[*whole][]byte{}, map[string]*whole{}
	byStart := map[string]whole{}
	same := map[*whole][]byte{}
	type box struct{ b *bytes.Buffer }
	var mu sync.Mutex
	var free []*bytes.Buffer
	var docs [][]byte
	interned, scratch := map[string]string{}, new(bytes.Buffer)
	slab := func(room bool) func(b []byte, v *whole) error { // lists cut from one block
		block := make([]part, 0, 1<<12)
		return func(b []byte, v *whole) error {
			err := json.Unmarshal(b, v)
			from := len(block)
			if block = append(block, v.Items...); room {
				v.Items = block[from:]
			} else {
				v.Items = slices.Clip(block[from:])
			}
			return err
		}
	}
	for name, c := range map[string]struct {
		codec worker.Contender[whole]
		holds string // a regular expression; "" for an honest one
	}{
		"plain": {coder(nil, nil), ""},
		"a buffer for good": {coder(func(v *whole) ([]byte, error) {
			scratch.Reset()
			err := json.NewEncoder(scratch).Encode(v)
			return bytes.Clone(bytes.TrimSpace(scratch.Bytes())), err
		}, nil), ""},
		"interning": {coder(nil, func(b []byte, v *whole) error {
			err := json.Unmarshal(b, v)
			if s, ok := interned[v.ID]; ok {
				v.ID = s
			} else {
				interned[v.ID] = v.ID
			}
			return err
		}), ""},
		"lists from a block": {coder(nil, slab(false)), ""},
		"lists from a block, without ends": {coder(nil, slab(true)), worker.CheckApart +
			": value 0: an append to a list of one decoded value shows in another"},
		"marks the end of a list": {coder(func(v *whole) ([]byte, error) {
			marked := append(v.Items, part{})
			return json.Marshal(&whole{v.ID, marked[:len(v.Items)], v.Tags, v.Next, v.F})
		}, nil), worker.CheckValues + ": value 0: it writes behind the last element of a .*serve.part"},
		"ring of buffers": {coder(func(v *whole) ([]byte, error) {
			b := &ring[at%64]
			at++
			b.Reset()
			err := json.NewEncoder(b).Encode(v)
			return bytes.TrimSpace(b.Bytes()), err
		}, nil), worker.CheckOutput + ": the bytes of value"},
		"finalizers": {coder(func(v *whole) ([]byte, error) {
			b := new(bytes.Buffer)
			mu.Lock()
			if n := len(free); n > 0 {
				b, free = free[n-1], free[:n-1]
			}
			mu.Unlock()
			b.Reset()
			x := &box{b}
			runtime.SetFinalizer(x, func(x *box) { mu.Lock(); free = append(free, x.b); mu.Unlock() })
			err := json.NewEncoder(b).Encode(v)
			return bytes.TrimSpace(b.Bytes()), err
		}, nil), worker.CheckOutput + ": the bytes of value"},
		"same slice for the same value": {coder(func(v *whole) (out []byte, err error) {
			if b, ok := same[v]; ok {
				return b, nil
			}
			same[v], err = json.Marshal(v)
			return same[v], err
		}, nil), worker.CheckOutput + ": value 0 was encoded twice to the same memory"},
		"bytes by address": {coder(func(v *whole) (out []byte, err error) {
			if b, ok := byAddress[v]; ok {
				return bytes.Clone(b), nil
			}
			out, err = json.Marshal(v)
			byAddress[v] = bytes.Clone(out)
			return out, err
		}, nil), worker.CheckAgain + ": value 0 was changed and encoded again"},
		"values by bytes, shared": {coder(nil, func(b []byte, v *whole) error {
			if w, ok := byContent[string(b)]; ok {
				*v = *w
				return nil
			}
			err := json.Unmarshal(b, v)
			c := *v
			byContent[string(b)] = &c
			return err
		}), worker.CheckApart + ": value 0: a change of one decoded value shows in another"},
		"values by the start of the bytes": {coder(nil, func(b []byte, v *whole) error {
			key := string(b[:min(len(b), 24)])
			if w, ok := byStart[key]; ok {
				*v = deep(&w)
				return nil
			}
			err := json.Unmarshal(b, v)
			byStart[key] = deep(v)
			return err
		}), worker.CheckAgain + `: value \d+ was changed and encoded again`}, // values and places are drawn
		"empties the value": {coder(func(v *whole) ([]byte, error) { v.Items = nil; return json.Marshal(v) }, nil),
			worker.CheckValues + ": value 0, Items"},
		"writes to its input": {coder(nil, func(b []byte, v *whole) error {
			err := json.Unmarshal(b, v)
			clear(b)
			return err
		}), worker.CheckInput + ": it writes to its input"},
		"copies short strings only": {coder(nil, func(b []byte, v *whole) error {
			err := json.Unmarshal(b, v)
			if at := bytes.Index(b, []byte(v.ID)); at >= 0 && len(v.ID) > 40 {
				v.ID = unsafeString(b[at : at+len(v.ID)])
			}
			return err
		}), worker.CheckInput + ": ID changed when the input was overwritten"},
		"a number for a value": {coder(func(v *whole) ([]byte, error) {
			doc, err := json.Marshal(v)
			docs = append(docs, doc)
			return binary.LittleEndian.AppendUint32(nil, uint32(len(docs)-1)), err
		}, func(b []byte, v *whole) error {
			if len(b) != 4 || int(binary.LittleEndian.Uint32(b)) >= len(docs) {
				return errors.New("no such number")
			}
			return json.Unmarshal(docs[binary.LittleEndian.Uint32(b)], v)
		}), worker.CheckHolds + ": its messages have 160 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			b := wholeBench(t, c.codec)
			defer func() {
				if p := recover(); p != nil {
					if text, ok := b.Scribbled(p); !ok || c.holds == "" {
						t.Fatal(p, text)
					}
				}
			}()
			got := held(b)
			if c.holds == "" && len(got) > 0 {
				t.Errorf("an honest codec is said to break %q", got)
			}
			if text := strings.Join(got, "\n"); !regexp.MustCompile(c.holds).MatchString(text) {
				t.Errorf("found %q, want %q", got, c.holds)
			}
		})
	}
}

// TestSealed: what decoders are given while they are timed cannot be written to.
func TestSealed(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no read-only memory here")
	}
	c := coder(nil, func(b []byte, v *whole) error { b[0] = '{'; return json.Unmarshal(b, v) })
	a := answer(wholeBench(t, c), &worker.Request{Cmd: worker.CmdRun, Op: "decode", Mode: "fresh", N: 1})
	if a.Err == nil || !strings.Contains(a.Err.What, "it writes to its input") {
		t.Errorf("%+v", a.Err)
	}
	c = coder(nil, func(b []byte, v *whole) error { var p *whole; v.ID = p.ID; return nil })
	a = answer(wholeBench(t, c), &worker.Request{Cmd: worker.CmdRun, Op: "decode", Mode: "fresh", N: 1})
	if a.Err == nil || strings.Contains(a.Err.What, "input") {
		t.Errorf("any fault is called a write: %+v", a.Err)
	}
}

// timedOdd runs batches until looking at timed calls found something.
func timedOdd(t *testing.T, b *binding[whole, whole], op string) []worker.Odd {
	t.Helper()
	n := 200
	for range 40 {
		a := answer(b, &worker.Request{Cmd: worker.CmdRun, Op: op, Mode: "fresh", N: n, Looks: 3})
		if a.Err != nil {
			t.Fatal(a.Err)
		}
		if len(a.Run.Odd) > 0 {
			return a.Run.Odd
		}
		if a.Run.Wall < 1e6 { // looks may take a part of a batch's time: as in a run, it is no shorter than this
			n = min(4*n, 1<<18)
		}
	}
	return nil
}

// TestLooksGoOn: a look that has to wait, as on a busy machine, does not keep later calls from
// being looked at.
func TestLooksGoOn(t *testing.T) {
	c, looks := coder(nil, nil), 0
	c.Compare = func(v *whole) (any, error) {
		if looks++; looks == 1 {
			time.Sleep(100 * time.Millisecond)
		}
		return *v, nil
	}
	b := wholeBench(t, c)
	batch := func() {
		if a := answer(b, &worker.Request{Cmd: worker.CmdRun, Op: "decode", Mode: "fresh", N: 200, Looks: 3}); a.Err != nil {
			t.Fatal(a.Err)
		}
	}
	looks = 0
	batch()
	if looks == 0 {
		t.Fatal("nothing was looked at")
	}
	looks = 1
	for range 400 {
		batch()
	}
	if looks < 20 {
		t.Errorf("%d looks at 400 batches", looks-1)
	}
}

// TestTimedCalls: what is wrong in timed calls is seen in these calls.
func TestTimedCalls(t *testing.T) {
	n, last := 0, (*whole)(nil)
	var pc [64]uintptr
	later := make(chan func(), 1)
	go func() {
		for f := range later {
			time.Sleep(time.Millisecond)
			f()
		}
	}()
	var kept []part
	for name, c := range map[string]struct {
		op    string
		codec worker.Contender[whole]
		check string
	}{
		"honest": {"decode", coder(nil, nil), ""},
		"honest for a while": {"decode", coder(nil, func(b []byte, v *whole) error {
			if n++; n > 300 {
				return nil
			}
			return json.Unmarshal(b, v)
		}), worker.CheckTimed},
		"honest unless a loop calls": {"decode", coder(nil, func(b []byte, v *whole) error {
			frames := runtime.CallersFrames(pc[:runtime.Callers(0, pc[:])])
			for f, more := frames.Next(); more; f, more = frames.Next() {
				if strings.Contains(f.Function, "decodeLoop") {
					return nil
				}
			}
			return json.Unmarshal(b, v)
		}), worker.CheckTimed},
		"filled in later": {"decode", coder(nil, func(b []byte, v *whole) error {
			err := json.Unmarshal(b, v)
			if items := v.Items; err == nil && len(items) > 0 {
				was := items[0]
				items[0] = part{}
				select {
				case later <- func() { items[0] = was }:
				default:
				}
			}
			return err
		}), worker.CheckTimed},
		"memory used again": {"decode", coder(nil, func(b []byte, v *whole) error {
			v.Items = kept[:0]
			err := json.Unmarshal(b, v)
			kept, last = v.Items, v
			return err
		}), worker.CheckApart},
	} {
		t.Run(name, func(t *testing.T) {
			got := timedOdd(t, wholeBench(t, c.codec), c.op)
			if c.check == "" && len(got) > 0 {
				t.Errorf("an honest codec: %+v", got)
			}
			for _, o := range got {
				if o.Check == c.check || c.check == worker.CheckApart && o.Check == worker.CheckTimed {
					return
				}
			}
			if c.check != "" {
				t.Errorf("%+v, want %s", got, c.check)
			}
		})
	}
	_ = last
}

// TestRead: messages are read by a process that never encoded, and what it cannot read or
// reads as something else is told.
func TestRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "messages")
	timed := wholeBench(t, coder(nil, nil))
	for range 3 {
		if a := answer(timed, &worker.Request{Cmd: worker.CmdRun, Op: "encode", Mode: "fresh", N: 50, Looks: 3}); a.Err != nil {
			t.Fatal(a.Err)
		}
	}
	a := answer(timed, &worker.Request{Cmd: worker.CmdVerify, Dump: name})
	if a.Err != nil || a.Verified.Messages == 0 || len(a.Verified.Odd) > 0 {
		t.Fatalf("%+v %+v", a.Err, a.Verified)
	}
	encodes := 0
	count := func(v *whole) ([]byte, error) { encodes++; return json.Marshal(v) }
	r := answer(wholeBench(t, coder(count, nil)), &worker.Request{Cmd: worker.CmdRead, Args: name})
	if r.Err != nil || r.Read.N != a.Verified.Messages || len(r.Read.Odd) > 0 || encodes > 0 {
		t.Errorf("%+v %+v after %d encodes", r.Err, r.Read, encodes)
	}
	r = answer(wholeBench(t, coder(nil, func([]byte, *whole) error { return errors.New("unknown number") })),
		&worker.Request{Cmd: worker.CmdRead, Args: name})
	if r.Err != nil || len(r.Read.Odd) == 0 || !strings.Contains(r.Read.Odd[0].Text, "unknown number") {
		t.Errorf("%+v %+v", r.Err, r.Read)
	}
	r = answer(wholeBench(t, coder(nil, func(b []byte, v *whole) error { err := json.Unmarshal(b, v); v.F = 0; return err })),
		&worker.Request{Cmd: worker.CmdRead, Args: name})
	if r.Err != nil || len(r.Read.Odd) == 0 || len(r.Read.Odd[0].Kinds) != 1 || !strings.HasPrefix(r.Read.Odd[0].Kinds[0].Kind, "F lossy") {
		t.Errorf("%+v %+v", r.Err, r.Read)
	}
	for _, broken := range []string{"", `[{"data":"a`, `[{"value":40}]`, `[{"value":-1}]`} {
		writeFile(t, name, []byte(broken))
		if r = answer(timed, &worker.Request{Cmd: worker.CmdRead, Args: name}); r.Err == nil {
			t.Errorf("%q is read as %+v", broken, r.Read)
		}
	}
}

// TestVerify: what a process did beside encoding and decoding. The figures are of real clocks:
// where a busy machine hides what a codec does, another process may look again.
func TestVerify(t *testing.T) {
	verified := func(c worker.Contender[whole]) *worker.Verified {
		b := wholeBench(t, c)
		for _, op := range []string{"encode", "decode"} {
			if a := answer(b, &worker.Request{Cmd: worker.CmdRun, Op: op, Mode: "fresh", N: 400, Looks: 2}); a.Err != nil {
				t.Fatal(a.Err)
			}
		}
		a := answer(b, &worker.Request{Cmd: worker.CmdVerify})
		if a.Err != nil {
			t.Fatal(a.Err)
		}
		return a.Verified
	}
	// expect wants shows to hold for one of a few processes with the codec that make returns.
	expect := func(what string, make func() worker.Contender[whole], shows func(v *worker.Verified) bool) {
		t.Helper()
		var v *worker.Verified
		for range 6 {
			if v = verified(make()); shows(v) {
				return
			}
		}
		t.Errorf("%s: %+v", what, v)
	}
	ratio := func(v *worker.Verified, op int) float64 { return v.Novel[op].Novel / v.Novel[op].Timed }

	expect("an honest codec is no slower on values that it never saw, and does nothing beside its calls",
		func() worker.Contender[whole] { return coder(nil, nil) },
		func(v *worker.Verified) bool {
			beside := slices.ContainsFunc(v.Alone, func(a worker.Alone) bool { return a.CPU+a.After > 1.25*a.Own })
			return len(v.Novel) == 2 && ratio(v, 0) <= 1.8 && ratio(v, 1) <= 1.8 && !beside
		})

	expect("a cache of whole values, which copies them, is slower on those that it never saw", func() worker.Contender[whole] {
		enc, dec := map[string][]byte{}, map[string]*whole{}
		return coder(func(v *whole) ([]byte, error) {
			key := v.ID + v.Items[0].Sku + v.Items[1].Sku + v.Next.Sku + string(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v.F))) +
				string([]byte{byte(v.Items[0].Qty), byte(v.Items[1].Qty), byte(v.Next.Qty)}) + v.Tags["k"]
			if b, ok := enc[key]; ok {
				return bytes.Clone(b), nil
			}
			b, err := json.Marshal(v)
			enc[key] = bytes.Clone(b)
			return b, err
		}, func(b []byte, v *whole) error {
			if w, ok := dec[string(b)]; ok {
				p := *w.Next
				*v = whole{w.ID, append([]part(nil), w.Items...), map[string]string{"k": w.Tags["k"]}, &p, w.F}
				return nil
			}
			err := json.Unmarshal(b, v)
			w := deep(v)
			dec[string(b)] = &w
			return err
		})
	}, func(v *worker.Verified) bool {
		return len(v.Odd) == 0 && len(v.Novel) == 2 && ratio(v, 0) >= 1.8 && ratio(v, 1) >= 2
	})

	var over atomic.Bool
	defer over.Store(true)
	expect("work beside the calls shows", func() worker.Contender[whole] {
		var putOff atomic.Bool
		return coder(nil, func(b []byte, v *whole) error {
			if putOff.CompareAndSwap(false, true) {
				go func() { // as much as can be had, so that a busy machine does not hide it
					for !over.Load() {
						_ = json.Unmarshal(b, new(whole))
					}
				}()
			}
			return json.Unmarshal(b, v)
		})
	}, func(v *worker.Verified) bool {
		a := v.Alone[1]
		return a.CPU+a.After >= 1.25*a.Own || v.Idle >= 0.2*v.Busy
	})
}

// TestSeldomSet: a field that no value sets is judged all the same.
func TestSeldomSet(t *testing.T) {
	b := wholeBench(t, coder(func(v *whole) ([]byte, error) {
		c := *v
		c.Next = nil
		return json.Marshal(&c)
	}, nil))
	for i := range b.Vals {
		b.Vals[i].Next = nil
	}
	b.keeper.digests = anatomy.Digests(b.origin)
	f, err := b.fidelity()
	if err != nil || f.Value.Grade != "LOSSY" || f.Contract.Grade != "BROKEN" || len(f.Value.Diffs) != 1 || f.Value.Diffs[0].Path != "Next" {
		t.Errorf("%v %+v", err, f)
	}
}

// TestSettings: a codec that changes the runtime's settings is seen.
func TestSettings(t *testing.T) {
	if got := altered([]string{"GOGC 100", "GOMAXPROCS 2"}, []string{"GOGC off", "GOMAXPROCS 2"}); got != "GOGC 100 became GOGC off" {
		t.Error(got)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	b := wholeBench(t, coder(nil, func(b []byte, v *whole) error {
		if runtime.GOMAXPROCS(0) != 7 {
			runtime.GOMAXPROCS(7)
		}
		return json.Unmarshal(b, v)
	}))
	if got := timedOdd(t, b, "decode"); len(got) == 0 || got[0].Check != worker.CheckSettings ||
		!strings.Contains(got[0].Text, "became GOMAXPROCS 7") {
		t.Errorf("%+v", got)
	}
}

func unsafeString(b []byte) string { return unsafe.String(&b[0], len(b)) }

func writeFile(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestSurroundings: a child process is seen while it runs, and when it was waited for.
func TestSurroundings(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("known on Linux only")
	}
	if os.Getenv("ZMY_SURROUNDINGS") != "" {
		before := surroundings()
		if err := exec.Command(os.Args[0], "-test.run=^$").Run(); err != nil {
			t.Fatal(err)
		}
		if after := surroundings(); slices.Contains(before, "child processes") || !slices.Contains(after, "child processes") {
			t.Errorf("before %q, after %q", before, after)
		}
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestSurroundings$") // a process without children of other tests
	cmd.Env = append(os.Environ(), "ZMY_SURROUNDINGS=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
