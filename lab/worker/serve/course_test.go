package serve

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/zmylab/zmy/lab/worker"
)

// TestCourse: what changes, in the course of a run, of what timed calls gave out, and what becomes
// of sizes and documents after the first calls.
func TestCourse(t *testing.T) {
	course := func(c worker.Contender[whole], dump string) *worker.Verified {
		b := wholeBench(t, c)
		for range 20 {
			for _, op := range []string{"encode", "decode"} {
				if a := answer(b, &worker.Request{Cmd: worker.CmdRun, Op: op, Mode: "fresh", N: 40, Looks: 3}); a.Err != nil || len(a.Run.Odd) > 0 {
					t.Fatalf("%+v %+v", a.Err, a.Run)
				}
			}
		}
		a := answer(b, &worker.Request{Cmd: worker.CmdVerify, Dump: dump})
		if a.Err != nil {
			t.Fatal(a.Err)
		}
		return a.Verified
	}
	ring, at := make([]byte, 64<<10), 0
	cut := func(b []byte) []byte {
		if at+len(b) > len(ring) {
			at = 0
		}
		out := ring[at : at+len(b) : at+len(b)]
		at += copy(out, b)
		return out
	}
	v := course(coder(func(v *whole) ([]byte, error) { b, err := json.Marshal(v); return cut(b), err }, nil), "")
	if len(v.Odd) == 0 || v.Odd[0].Check != worker.CheckOutput {
		t.Errorf("a ring of outputs that a batch does not fill: %+v", v.Odd)
	}
	clear(ring)
	v = course(coder(nil, func(b []byte, v *whole) error {
		err := json.Unmarshal(b, v)
		v.ID = unsafeString(cut(append([]byte(v.ID), make([]byte, 500)...))[:len(v.ID)])
		return err
	}), "")
	if len(v.Odd) == 0 || v.Odd[0].Check != worker.CheckApart {
		t.Errorf("a ring of strings that a batch does not fill: %+v", v.Odd)
	}
	n, dump := 0, filepath.Join(t.TempDir(), "messages")
	padded := func(v *whole) ([]byte, error) {
		b, err := json.Marshal(v)
		if n++; n > 100 {
			b = append(append([]byte{0}, b...), bytes.Repeat([]byte{' '}, len(b))...)
		}
		return b, err
	}
	unpad := func(b []byte, v *whole) error { return json.Unmarshal(bytes.Trim(b, "\x00"), v) }
	v = course(coder(padded, unpad), dump)
	if v.Judged == 0 || v.Fresh < 1.5*v.Judged || v.Wire == 0 {
		t.Errorf("messages that grew: %+v", v)
	}
	r := answer(wholeBench(t, coder(padded, unpad)), &worker.Request{Cmd: worker.CmdRead, Args: dump})
	if r.Err != nil || len(r.Read.Odd) == 0 || r.Read.Odd[0].Check != worker.CheckDocument {
		t.Errorf("messages that are no JSON any more: %+v %+v", r.Err, r.Read)
	}
	if v = course(coder(nil, nil), ""); len(v.Odd) > 0 || v.Fresh != v.Judged {
		t.Errorf("an honest codec: %+v", v)
	}
}

// TestPooledEmpties: a decoder that gives nil back as an empty list, once calls in other modes have
// left memory in a pool, does its work in timed calls, is a safe copy and agrees with its modes. An
// element more is still found.
func TestPooledEmpties(t *testing.T) {
	for _, c := range []struct {
		name string
		left []part
		odd  bool
	}{
		{"empty", []part{}, false},
		{"an element", []part{{}}, true},
	} {
		used := false
		codec := coder(func(v *whole) ([]byte, error) {
			w := *v
			w.Items = nil
			return json.Marshal(&w)
		}, func(b []byte, v *whole) error {
			if err := json.Unmarshal(b, v); err != nil {
				return err
			}
			if used {
				v.Items = c.left
			}
			return nil
		})
		codec.Decoders = append(codec.Decoders, worker.Decoder[whole]{Mode: "alias", Alias: true, New: codec.Decoders[0].New})
		b := wholeBench(t, codec)
		for i := range b.Vals {
			b.Vals[i].Items = nil
		}
		calls := map[string]int{}
		note := func(where string, odd []worker.Odd, err *worker.Failure) {
			if err != nil {
				t.Fatalf("%s: %s: %+v", c.name, where, err)
			}
			calls[where] += len(odd)
		}
		for _, used = range []bool{false, true} {
			a := answer(b, &worker.Request{Cmd: worker.CmdRun, Op: "decode", Mode: "fresh", N: 40, Looks: 3})
			note("looks", a.Run.Odd, a.Err)
			a = answer(b, &worker.Request{Cmd: worker.CmdRun, Op: "access", Mode: "full", N: 40, Looks: 3})
			note("looks", a.Run.Odd, a.Err)
		}
		a := answer(b, &worker.Request{Cmd: worker.CmdVerify})
		if a.Err != nil {
			t.Fatal(a.Err)
		}
		for _, o := range a.Verified.Odd {
			if o.Check == worker.CheckTimed {
				calls["verify"]++
			}
		}
		if got := calls["looks"] > 0 && calls["verify"] > 0; got != c.odd || !c.odd && calls["looks"]+calls["verify"] > 0 {
			t.Errorf("%s: %v", c.name, calls)
		}
		fresh, alias := codec.Decoders[0].New(), codec.Decoders[1]
		used = false
		plain := fresh
		fresh = func(b []byte, v *whole) error { used = false; return plain(b, v) }
		alias.New = func() func([]byte, *whole) error {
			return func(b []byte, v *whole) error { used = true; return plain(b, v) }
		}
		in, err := b.Encoded()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.sameDecodes(fresh, in, &alias, in); (err != nil) != c.odd {
			t.Errorf("%s: modes: %v", c.name, err)
		}
	}
}
