package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zmylab/zmy/lab/worker"
)

// keeping is a codec that keeps all that it encodes and decodes and copies it, and what it
// does with values that turn up after the first calls.
type keeping struct {
	enc, dec   map[string][]byte
	encs, decs int
	late       func(off *bool) error
	off        bool
}

func (k *keeping) codec() worker.Contender[whole] {
	k.enc, k.dec = map[string][]byte{}, map[string][]byte{}
	return coder(func(v *whole) ([]byte, error) {
		b, err := json.Marshal(v)
		if k.encs++; k.encs > 400 && k.enc[string(b)] == nil {
			if err := k.late(&k.off); err != nil {
				return nil, err
			}
		}
		k.enc[string(b)] = b
		work(!k.off && k.encs > 400)
		return bytes.Clone(b), err
	}, nil)
}

// work takes its time unless it is spared.
func work(spared bool) {
	if spared {
		return
	}
	for t0 := threadClock(); threadClock()-t0 < 100*time.Microsecond; {
	}
}

// TestNovelLate: a codec that sees by unknown values that it is looked at, and refuses them or
// works on all values from then on.
func TestNovelLate(t *testing.T) {
	verified := func(k *keeping) *worker.Verified {
		b := wholeBench(t, k.codec())
		for range 3 {
			if a := answer(b, &worker.Request{Cmd: worker.CmdRun, Op: "encode", Mode: "fresh", N: 400}); a.Err != nil {
				t.Fatal(a.Err)
			}
		}
		a := answer(b, &worker.Request{Cmd: worker.CmdVerify})
		if a.Err != nil {
			t.Fatal(a.Err)
		}
		return a.Verified
	}
	v := verified(&keeping{late: func(*bool) error { return errors.New("not today") }})
	if len(v.Odd) != 1 || v.Odd[0].Check != worker.CheckAgain || !strings.Contains(v.Odd[0].Text, "refused once it was changed: not today") {
		t.Errorf("it refuses what it does not know: %+v", v.Odd)
	}
	v = verified(&keeping{late: func(off *bool) error { *off = true; return nil }})
	if len(v.Novel) == 0 || v.Novel[0].Novel > 2*v.Novel[0].Timed || v.Novel[0].Timed < 2*v.Novel[0].Batch {
		t.Errorf("it works on all values once one is unknown: %+v", v.Novel)
	}
}

// TestNovelGarbage: what a codec makes of unknown values is judged.
func TestNovelGarbage(t *testing.T) {
	seen, n := map[string]bool{}, 0
	b := wholeBench(t, coder(func(v *whole) ([]byte, error) {
		d, err := json.Marshal(v)
		if n++; n > 400 && !seen[string(d)] {
			return []byte("{}"), nil
		}
		seen[string(d)] = true
		return d, err
	}, nil))
	if a := answer(b, &worker.Request{Cmd: worker.CmdRun, Op: "encode", Mode: "fresh", N: 400}); a.Err != nil {
		t.Fatal(a.Err)
	}
	a := answer(b, &worker.Request{Cmd: worker.CmdVerify})
	if a.Err != nil || len(a.Verified.Odd) == 0 || a.Verified.Odd[0].Check != worker.CheckAgain {
		t.Errorf("%+v %+v", a.Err, a.Verified)
	}
}

// TestNovelForeign: what decoding knows from encoding does not help with the messages of
// another process, and a message from there is judged.
func TestNovelForeign(t *testing.T) {
	file := filepath.Join(t.TempDir(), "novel")
	if a := answer(wholeBench(t, coder(nil, nil)), &worker.Request{Cmd: worker.CmdNovel, Dump: file}); a.Err != nil {
		t.Fatal(a.Err)
	}
	known := map[string]bool{}
	wrong := false
	enc := func(v *whole) ([]byte, error) { b, err := json.Marshal(v); known[string(b)] = true; return b, err }
	dec := func(b []byte, v *whole) error {
		work(known[string(b)])
		err := json.Unmarshal(b, v)
		if wrong && !known[string(b)] {
			v.F = 0
		}
		return err
	}
	a := answer(wholeBench(t, coder(enc, dec)), &worker.Request{Cmd: worker.CmdVerify, Args: file})
	if a.Err != nil || len(a.Verified.Odd) > 0 || len(a.Verified.Novel) != 2 || a.Verified.Novel[1].Novel < 2*a.Verified.Novel[1].Timed {
		t.Errorf("%+v %+v", a.Err, a.Verified)
	}
	wrong = true
	a = answer(wholeBench(t, coder(enc, dec)), &worker.Request{Cmd: worker.CmdVerify, Args: file})
	if a.Err != nil || len(a.Verified.Odd) == 0 || a.Verified.Odd[0].Check != worker.CheckReader {
		t.Errorf("%+v %+v", a.Err, a.Verified)
	}
	for _, broken := range []string{"", "[{}", `[{"try":99}]`, `[{"try":-1}]`, `[{"value":40}]`} {
		writeFile(t, file, []byte(broken))
		if _, err := wholeBench(t, coder(nil, nil)).readNovel(file); err == nil {
			t.Errorf("%q is read", broken)
		}
	}
}

// TestRefuses: a codec that takes no value but those that are timed is not merely limited.
func TestRefuses(t *testing.T) {
	known := map[string]bool{}
	for _, v := range wholeValues(40) {
		known[string(mustJSON(t, v))] = true
	}
	b := wholeBench(t, coder(func(v *whole) ([]byte, error) {
		d, err := json.Marshal(v)
		if !known[string(d)] {
			return nil, errors.New("unknown")
		}
		return d, err
	}, nil))
	c := verdict(worker.CheckAgain, b.checkAgain())
	if c.Result != "bad" || !strings.Contains(c.Detail, "refused once it was changed: unknown") {
		t.Errorf("%+v", c)
	}
}

// TestNothingToChange: where no value can be changed nothing is compared, and nobody is blamed
// for what an empty lap takes.
func TestNothingToChange(t *testing.T) {
	type flags struct{ On bool }
	b := newBinding(worker.Subject[flags]{}, worker.Contender[flags]{Name: "x", Family: "json",
		Encoders: []worker.Encoder[flags]{{Mode: "fresh", New: func() func([]byte, *flags) ([]byte, error) {
			return func(_ []byte, v *flags) ([]byte, error) { return json.Marshal(v) }
		}}},
		Decoders: []worker.Decoder[flags]{{Mode: "fresh", New: func() func([]byte, *flags) error {
			return func(b []byte, v *flags) error { return json.Unmarshal(b, v) }
		}}}}, nil)
	if _, err := b.values(&worker.Request{Cmd: worker.CmdValues, Seed: 1, N: 40}); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if res, odd, err := b.novel(""); len(res)+len(odd) > 0 || err != nil {
			t.Fatalf("%+v %+v %v", res, odd, err)
		}
	}
}

// stamped has a form of its own, so that values of it are not changed.
type stamped struct{ N int }

func (s stamped) MarshalJSON() ([]byte, error)  { return json.Marshal(s.N) }
func (s *stamped) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &s.N) }

// TestNovelNone: where no value can be changed, or all of them take less time than the clock
// can tell, a codec is not said to remember values.
func TestNovelNone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "values.json")
	writeFile(t, file, []byte("1\n2\n"))
	b := newBinding(worker.Subject[stamped]{Name: "worker.stamped"},
		worker.Contender[stamped]{Name: "x", Family: "json", Encoders: []worker.Encoder[stamped]{worker.Marshal[stamped]("fresh", json.Marshal)},
			Decoders: []worker.Decoder[stamped]{{Mode: "fresh", New: func() func([]byte, *stamped) error {
				return func(b []byte, v *stamped) error { return json.Unmarshal(b, v) }
			}}}}, nil)
	if _, err := b.values(&worker.Request{Seed: 1, N: 64, Sample: file}); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if n, odd, err := b.novel(""); len(n)+len(odd) > 0 || err != nil {
			t.Fatalf("%+v", n)
		}
	}

	quick := newBinding(worker.Subject[reading]{Name: "worker.reading"}, worker.Contender[reading]{Name: "x", Family: "binary",
		Encoders: []worker.Encoder[reading]{{Mode: "fresh", New: func() func([]byte, *reading) ([]byte, error) {
			return func([]byte, *reading) ([]byte, error) { return nil, nil }
		}}}, Decoders: []worker.Decoder[reading]{{Mode: "fresh", New: func() func([]byte, *reading) error {
			return func([]byte, *reading) error { return nil }
		}}}}, nil)
	if _, err := quick.values(&worker.Request{Seed: 1, N: 8}); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		n, _, _ := quick.novel("")
		for _, x := range n {
			if x.Timed < float64(novelLeast) {
				t.Fatalf("%+v", n)
			}
		}
	}
}
