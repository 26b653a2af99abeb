package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/zmylab/zmy/lab/worker"
)

type msg struct {
	ID   string
	N    int
	Any  any
	Next *msg
}

// jsonCodec is a plain contender to start from.
func jsonCodec() worker.Contender[msg] {
	return worker.Contender[msg]{
		Name: "json", Family: "json",
		Encoders: []worker.Encoder[msg]{worker.Marshal[msg]("fresh", json.Marshal),
			worker.Append[msg]("append", func() func([]byte, any) ([]byte, error) {
				return func(dst []byte, v any) ([]byte, error) {
					out, err := json.Marshal(v)
					return append(dst, out...), err
				}
			})},
		Decoders: worker.Unmarshal[msg](json.Unmarshal),
	}
}

func testBench(c worker.Contender[msg]) *binding[msg, msg] {
	s := worker.Subject[msg]{Name: "worker.msg", Leaf: func(v *msg) string { return v.ID }, LeafPath: "ID"}
	return newBinding(s, c, nil)
}

// talk sends commands to a bench and returns the answers.
func talk(t *testing.T, h handler, commands ...worker.Request) []worker.Reply {
	t.Helper()
	i := 0
	var out bytes.Buffer
	err := serve(h, func() ([]byte, bool) {
		if i == len(commands) {
			return nil, false
		}
		commands[i].ID = i + 1
		line := commands[i].Line()
		i++
		return line, true
	}, &out)
	if err != nil {
		t.Fatal(err)
	}
	var replies []worker.Reply
	for dec := json.NewDecoder(&out); dec.More(); {
		var a worker.Reply
		if err := dec.Decode(&a); err != nil {
			t.Fatal(err)
		}
		if replies = append(replies, a); a.ID != len(replies) {
			t.Errorf("answer %d has id %d", len(replies), a.ID)
		}
	}
	return replies
}

var makeValues = worker.Request{Cmd: worker.CmdValues, Seed: 3, N: 40}

func TestServe(t *testing.T) {
	got := talk(t, testBench(jsonCodec()),
		worker.Request{Cmd: worker.CmdModes}, makeValues, worker.Request{Cmd: worker.CmdFirst},
		worker.Request{Cmd: worker.CmdDescribe}, worker.Request{Cmd: worker.CmdFidelity},
		worker.Request{Cmd: worker.CmdDamage}, worker.Request{Cmd: worker.CmdSizes}, worker.Request{Cmd: worker.CmdModes},
		worker.Request{Cmd: "dance"},
		worker.Request{Cmd: worker.CmdRun, Op: "encode", Mode: "backwards", N: 1},
		worker.Request{Cmd: worker.CmdRun, Op: "access", Mode: "full", N: 100},
		worker.Request{Cmd: worker.CmdExit}, worker.Request{Cmd: worker.CmdSizes})
	if len(got) != 11 {
		t.Fatalf("%d answers, want 11: none after exit", len(got))
	}
	for i, text := range map[int]string{0: "before values", 8: `unknown command "dance"`, 9: "no op encode in mode backwards"} {
		if got[i].Err == nil || !strings.Contains(got[i].Err.What, text) {
			t.Errorf("answer %d: %+v, want an error with %q", i, got[i].Err, text)
		}
	}
	if v := got[1].Values; v == nil || v.N != 40 || v.Source != "field names and types" {
		t.Errorf("values: %+v", v)
	}
	if f := got[2].First; len(f) != 2 || f[0].Op != "encode" || f[1].Ns <= 0 {
		t.Errorf("first: %+v", f)
	}
	if d := got[3].Describe; len(d.JSON) != 40 || d.Digest == "" {
		t.Errorf("describe: %+v", d)
	}
	if f := got[4].Fidelity; f.Contract.Grade != "KEPT" {
		t.Errorf("fidelity: %+v", f)
	}
	for _, c := range got[5].Checks {
		if c.Result == "bad" {
			t.Errorf("check: %+v", c)
		}
	}
	if s := got[6].Sizes; s.Raw <= 0 || s.Gzip <= 0 || s.P95 < s.Raw || float64(s.Total) < 39*s.Mean {
		t.Errorf("sizes: %+v", s)
	}
	var modes []string
	for _, m := range got[7].Modes {
		modes = append(modes, m.Op+" "+m.Mode)
	}
	if want := "encode fresh,encode append,decode fresh,decode reused,access full"; strings.Join(modes, ",") != want {
		t.Errorf("modes: %s", strings.Join(modes, ","))
	}
	if r := got[10].Run; r == nil || r.N != 100 || r.Wall <= 0 || r.Allocs < 100 {
		t.Errorf("run: %+v", r)
	}
}

// TestPrimed: no first call is told of a codec that ran before.
func TestPrimed(t *testing.T) {
	c := jsonCodec()
	c.Primed = true
	if got := talk(t, testBench(c), makeValues, worker.Request{Cmd: worker.CmdFirst})[1]; got.Err != nil || len(got.First) != 0 {
		t.Errorf("first: %+v", got)
	}
}

// TestFirst: the first call is timed before anything else ran encoding/json, and not at
// all where it read the values.
func TestFirst(t *testing.T) {
	calls := 0
	c := jsonCodec()
	c.Encoders[0] = worker.Marshal[msg]("fresh", func(v any) ([]byte, error) { calls++; return json.Marshal(v) })
	q := makeValues
	q.First = true
	got := talk(t, testBench(c), q, worker.Request{Cmd: worker.CmdExit})[0]
	if got.Values == nil || len(got.First) != 2 || calls != 1 {
		t.Errorf("%+v after %d calls", got, calls)
	}
	file := t.TempDir() + "/x.json"
	if err := os.WriteFile(file, []byte(`{"ID":"a"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	q.Sample = file
	if got := talk(t, testBench(jsonCodec()), q)[0]; got.Err != nil || len(got.First) != 0 {
		t.Errorf("first calls of values read from JSON: %+v", got)
	}
}

// TestSameValues: the same seed gives the same values, another seed others.
func TestSameValues(t *testing.T) {
	digest := func(seed uint64) string {
		made := worker.Request{Cmd: worker.CmdValues, Seed: seed, N: 20}
		return talk(t, testBench(jsonCodec()), made, worker.Request{Cmd: worker.CmdDescribe})[1].Describe.Digest
	}
	if digest(1) != digest(1) || digest(1) == digest(2) {
		t.Errorf("digests %s %s %s", digest(1), digest(1), digest(2))
	}
}

// TestFaults puts one fault into the codec at a time and names what must show it.
func TestFaults(t *testing.T) {
	dec := func(f func(b []byte, v *msg) error) worker.Contender[msg] {
		c := jsonCodec()
		c.Decoders = []worker.Decoder[msg]{{Mode: "fresh", New: func() func([]byte, *msg) error { return f }}}
		return c
	}
	enc := func(f func(dst []byte, v *msg) ([]byte, error)) worker.Contender[msg] {
		c := jsonCodec()
		c.Encoders = []worker.Encoder[msg]{{Mode: "fresh", New: func() func([]byte, *msg) ([]byte, error) { return f }}}
		return c
	}
	var shared []byte
	cases := []struct {
		name  string
		codec worker.Contender[msg]
		cmd   string
		holds string // in the JSON of the answer
	}{
		{"lossy", dec(func(b []byte, v *msg) error { err := json.Unmarshal(b, v); v.N = -1; return err }), worker.CmdFidelity,
			`"contract":{"grade":"BROKEN"`},
		{"other document", enc(func(_ []byte, v *msg) ([]byte, error) { return json.Marshal(map[string]any{"ID": v.ID}) }), worker.CmdFidelity,
			`"grade":"BROKEN"`},
		{"decode error", dec(func([]byte, *msg) error { return errors.New("no thanks") }), worker.CmdFidelity, `"grade":"FAILS"`},
		{"panic", dec(func([]byte, *msg) error { panic("boom") }), worker.CmdFidelity, `"what":"panic: boom","panic":true`},
		{"shared output", enc(func(_ []byte, v *msg) ([]byte, error) {
			out, err := json.Marshal(v)
			shared = append(shared[:0], out...)
			return shared, err
		}), worker.CmdChecks, "changed when later values were encoded"},
		{"aliased input", dec(func(b []byte, v *msg) error {
			err := json.Unmarshal(b, v)
			v.Any = b
			return err
		}), worker.CmdChecks, "Any changed when the input was overwritten"},
		{"panic on damage", dec(func(b []byte, v *msg) error {
			err := json.Unmarshal(b, v)
			if err != nil {
				panic("index out of range")
			}
			return nil
		}), worker.CmdDamage, "panic on attempt"},
		{"truncation accepted", dec(func(b []byte, v *msg) error { _ = json.Unmarshal(b, v); return nil }), worker.CmdDamage,
			"truncated inputs were accepted"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a := talk(t, testBench(c.codec), makeValues, worker.Request{Cmd: c.cmd})[1]
			text, err := json.Marshal(a)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(text), c.holds) {
				t.Errorf("the answer lacks %q: %s", c.holds, text)
			}
			if a.Err != nil && a.Err.Panic && !strings.Contains(a.Err.Stack, "TestFaults") {
				t.Errorf("the stack does not begin at the panic:\n%s", a.Err.Stack)
			}
		})
	}
}

// TestAgree: a mode that does not do what mode fresh does is named.
func TestAgree(t *testing.T) {
	c := jsonCodec()
	c.Encoders = append(c.Encoders,
		worker.Marshal[msg]("empty", func(any) ([]byte, error) { return []byte("{}"), nil }),
		worker.Marshal[msg]("indented", func(v any) ([]byte, error) { return json.MarshalIndent(v, "", " ") }))
	c.Decoders = append(c.Decoders,
		worker.UnmarshalAs[msg]("lazy", func([]byte, any) error { return nil }),
		worker.UnmarshalAs[msg]("refusing", func([]byte, any) error { return errors.New("no") }))
	wrong := map[string]string{}
	for _, m := range talk(t, testBench(c), makeValues, worker.Request{Cmd: worker.CmdModes})[1].Modes {
		if m.Wrong != "" {
			wrong[m.Op+" "+m.Mode] = m.Wrong
		}
	}
	for name, text := range map[string]string{"encode empty": "it differs from mode fresh: ID",
		"decode lazy": "it differs from mode fresh: ID", "decode refusing": "value 0: no"} {
		if !strings.Contains(wrong[name], text) {
			t.Errorf("%s: %q, want %q", name, wrong[name], text)
		}
	}
	if len(wrong) != 3 {
		t.Errorf("wrong: %q", wrong)
	}
}

// TestAgreeReused: a mode that reuses its target is tried on one target. One that
// merges as encoding/json does is noted; one that leaves old values where the document
// has others is not measured.
func TestAgreeReused(t *testing.T) {
	reuse := func(mode string, f func([]byte, *bag) error) worker.Decoder[bag] {
		return worker.Decoder[bag]{Mode: mode, Reuse: true, New: func() func([]byte, *bag) error { return f }}
	}
	c := worker.Contender[bag]{Name: "bag", Family: "json",
		Encoders: []worker.Encoder[bag]{worker.Marshal[bag]("fresh", json.Marshal)},
		Decoders: append(worker.Unmarshal[bag](json.Unmarshal), // whose mode reused merges into maps
			reuse("clears", func(b []byte, v *bag) error { *v = bag{}; return json.Unmarshal(b, v) }),
			reuse("cheats", func(b []byte, v *bag) error {
				if v.ID != "" {
					return nil
				}
				return json.Unmarshal(b, v)
			}),
			reuse("keeps the list", func(b []byte, v *bag) error {
				old := slices.Clone(v.List)
				err := json.Unmarshal(b, v)
				if old != nil {
					v.List = old
				}
				return err
			}))}
	b := newBinding(worker.Subject[bag]{}, c, nil)
	vals := make([]bag, 10)
	for i := range vals {
		vals[i] = bag{ID: fmt.Sprint("id", i), Tags: map[string]int{fmt.Sprint("k", i): i}, List: []int{i}}
	}
	if err := b.load(vals, 1); err != nil {
		t.Fatal(err)
	}
	modes, err := b.modes()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ mode, wrong, note string }{
		{"fresh", "", ""},
		{"reused", "", "it adds to what the target held: after value 1, Tags"},
		{"clears", "", ""},
		{"cheats", "value 1: it differs from mode fresh: ID", ""},
		{"keeps the list", "value 1: it differs from mode fresh: ", ""},
	} {
		for _, m := range modes {
			if m.Op != "decode" || m.Mode != c.mode {
				continue
			}
			if !strings.HasPrefix(m.Wrong, c.wrong) || (m.Wrong == "") != (c.wrong == "") ||
				!strings.HasPrefix(m.Note, c.note) || (m.Note == "") != (c.note == "") {
				t.Errorf("%s: wrong %q, note %q; want %q, %q", c.mode, m.Wrong, m.Note, c.wrong, c.note)
			}
		}
	}
}

// TestAgreeKeeps: an encoder that says it appends leaves what the buffer holds where it is, with
// room in it and without; one that takes the buffer for its memory only is not asked.
func TestAgreeKeeps(t *testing.T) {
	encode := func(mode string, keeps bool, f func(dst, doc []byte) []byte) worker.Encoder[bag] {
		return worker.Encoder[bag]{Mode: mode, Keeps: keeps, New: worker.Stateless(func(dst []byte, v *bag) ([]byte, error) {
			doc, err := json.Marshal(v)
			return f(dst, doc), err
		})}
	}
	overwrites := func(dst, doc []byte) []byte { return append(dst[:0], doc...) }
	c := worker.Contender[bag]{Name: "bag", Family: "json", Decoders: worker.Unmarshal[bag](json.Unmarshal),
		Encoders: []worker.Encoder[bag]{
			worker.Marshal[bag]("fresh", json.Marshal),
			encode("append", true, func(dst, doc []byte) []byte { return append(dst, doc...) }),
			encode("buffer", false, overwrites),
			encode("overwrites", true, overwrites),
			encode("drops where it grows", true, func(dst, doc []byte) []byte {
				if cap(dst)-len(dst) < len(doc) {
					return append(make([]byte, len(dst)), doc...)
				}
				return append(dst, doc...)
			}),
			encode("takes the length for its own", true, func(dst, doc []byte) []byte { return append(dst, doc[min(len(dst), 1):]...) }),
		}}
	b := newBinding(worker.Subject[bag]{}, c, nil)
	if err := b.load([]bag{{ID: "a"}, {ID: "b", List: []int{1}}}, 1); err != nil {
		t.Fatal(err)
	}
	modes, err := b.modes()
	if err != nil {
		t.Fatal(err)
	}
	wrong := map[string]string{
		"overwrites":                   "value 0: the bytes that the buffer held are gone",
		"drops where it grows":         "value 0: the bytes that the buffer held are gone",
		"takes the length for its own": "value 0, appended to a buffer that is not empty: ",
	}
	for _, m := range modes {
		if want := wrong[m.Mode]; !strings.HasPrefix(m.Wrong, want) || (m.Wrong == "") != (want == "") {
			t.Errorf("%s %s: %q, want %q", m.Op, m.Mode, m.Wrong, want)
		}
	}
}

type bag struct {
	ID   string
	Tags map[string]int
	List []int
}

// TestAccess: an accessor that says it owns its string does.
func TestAccess(t *testing.T) {
	read := func(own bool) func() func([]byte) (string, error) {
		return func() func([]byte) (string, error) {
			return func(b []byte) (string, error) {
				b = b[bytes.Index(b, []byte(`"ID":"`))+6:]
				b = b[:bytes.IndexByte(b, '"')]
				if own {
					return string(b), nil
				}
				return unsafe.String(unsafe.SliceData(b), len(b)), nil
			}
		}
	}
	for _, c := range []struct {
		name string
		a    worker.Accessor
		want string
	}{
		{"own", worker.Accessor{Mode: "get", Path: "ID", New: read(true)}, "ok"},
		{"alias, and says so", worker.Accessor{Mode: "get-alias", Path: "ID", Alias: true, New: read(false)}, "ok"},
		{"alias in secret", worker.Accessor{Mode: "get", Path: "ID", New: read(false)}, "bad"},
	} {
		codec := jsonCodec()
		codec.Accessors = []worker.Accessor{c.a}
		b := testBench(codec)
		if err := b.load([]msg{{ID: "abc"}, {ID: "defg"}}, 1); err != nil {
			t.Fatal(err)
		}
		checks, err := b.checks()
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range checks {
			if k.Name == worker.CheckAccess && k.Result != c.want {
				t.Errorf("%s: %+v, want %s", c.name, k, c.want)
			}
		}
		modes, err := b.modes()
		if err != nil || modes[len(modes)-1].Alias != c.a.Alias {
			t.Errorf("%s: %+v, %v", c.name, modes, err)
		}
	}
}

// TestNative: a contender with a type of its own is given converted values.
func TestNative(t *testing.T) {
	type own struct{ Name string }
	c := worker.Contender[own]{Name: "own", Family: "binary",
		Encoders: []worker.Encoder[own]{worker.Marshal[own]("fresh", json.Marshal)},
		Decoders: worker.Unmarshal[own](json.Unmarshal),
		Compare:  func(v *own) (any, error) { return msg{ID: v.Name}, nil },
		Mapped:   func(v *own) (any, error) { return msg{ID: v.Name}, nil },
	}
	b := newBinding(worker.Subject[msg]{}, c, func(v *msg) (own, error) { return own{v.ID}, nil })
	got := talk(t, b, makeValues, worker.Request{Cmd: worker.CmdFidelity}, worker.Request{Cmd: worker.CmdModes})
	f := got[1].Fidelity
	if f == nil || f.Contract.Grade != "KEPT" || f.Value.Grade != "LOSSY" {
		t.Errorf("fidelity: %+v, want the contract kept and the value lossy", f)
	}
	if len(got[2].Modes) != 3 {
		t.Errorf("modes: %+v: there is no access on another type", got[2].Modes)
	}
}

// TestTagOfAnotherCodec: a field that messages do not have is left out by contract only where the
// codec reads the tag that says so; its messages hold the values then, however long the field is.
func TestTagOfAnotherCodec(t *testing.T) {
	type noted struct {
		ID   string
		Note string `json:"note" msgpack:"-"`
	}
	r := rand.New(rand.NewPCG(1, 2))
	vals := make([]noted, 64)
	for i := range vals {
		vals[i] = noted{fmt.Sprint(r.Uint64()), fmt.Sprintf("%x%x%x%x", r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64())}
	}
	for _, c := range []struct {
		of                     string
		tags                   []string
		contract, value, holds string
	}{
		{"a codec that reads json", nil, "BROKEN", "LOSSY", "bad"},
		{"a codec that reads no tags", []string{}, "BROKEN", "LOSSY", "bad"},
		{"a codec that reads msgpack", []string{"msgpack"}, "KEPT", "NORMALISED", "ok"},
	} {
		b := newBinding(worker.Subject[noted]{}, worker.Contender[noted]{Name: "forgetful", Family: "binary", Tags: c.tags,
			Encoders: []worker.Encoder[noted]{{Mode: "fresh", New: func() func([]byte, *noted) ([]byte, error) {
				return func(_ []byte, v *noted) ([]byte, error) { return []byte(v.ID), nil }
			}}},
			Decoders: []worker.Decoder[noted]{{Mode: "fresh", New: func() func([]byte, *noted) error {
				return func(b []byte, v *noted) error { v.ID = string(b); return nil }
			}}}}, nil)
		if err := b.load(vals, 1); err != nil {
			t.Fatal(err)
		}
		f, err := b.fidelity()
		if err != nil || f.Contract.Grade != c.contract || f.Value.Grade != c.value {
			t.Errorf("%s: %+v, %v", c.of, f, err)
		}
		if got := verdict(worker.CheckHolds, b.checkHolds()); got.Result != c.holds {
			t.Errorf("%s: its messages: %+v", c.of, got)
		}
	}
}

// TestShortFrom: two long documents are shown where they differ.
func TestShortFrom(t *testing.T) {
	long := strings.Repeat("a", 500)
	x, y := []byte(`{"id":1,"text":"`+long+`","due":null}`), []byte(`{"id":1,"text":"`+long+`","due":"0001"}`)
	if got, want := shortFrom(x, y), `…aaaaaaaa","due":null}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := shortFrom(x[:30], y[:30]); got != short(x[:30]) {
		t.Errorf("equal starts: %s", got)
	}
}
