package shadow_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/codectest"
	"github.com/zmylab/zmy/codec/shadow"
	"github.com/zmylab/zmy/codec/shadow/diff"
	"github.com/zmylab/zmy/examples/session"
)

type Order struct {
	ID    string         `zmy:"0"`
	Items []Item         `zmy:"1"`
	Meta  map[string]any `zmy:"2"`
}

type Item struct {
	Sku   string      `zmy:"0"`
	Price json.Number `zmy:"1"`
}

func sample() *Order {
	return &Order{ID: "A-1", Items: []Item{{"tea", "1.10"}, {"cup", "2"}}, Meta: map[string]any{"note": "x"}}
}

// bent is JSON with a fault.
type bent struct {
	codec.StdJSON
	marshal   func(v any) ([]byte, error)
	unmarshal func(b []byte, v any) error
	media     []string
}

func (bent) Name() string { return "bent" }

func (c bent) MediaTypes() []string {
	if c.media != nil {
		return c.media
	}
	return c.StdJSON.MediaTypes()
}

func (c bent) Marshal(v any) ([]byte, error) {
	if c.marshal != nil {
		return c.marshal(v)
	}
	return c.StdJSON.Marshal(v)
}

func (c bent) Unmarshal(b []byte, v any) error {
	if c.unmarshal != nil {
		return c.unmarshal(b, v)
	}
	return c.StdJSON.Unmarshal(b, v)
}

// replacing marshals JSON in which one text stands for another.
func replacing(from, to string) func(v any) ([]byte, error) {
	return func(v any) ([]byte, error) {
		b, err := json.Marshal(v)
		return bytes.ReplaceAll(b, []byte(from), []byte(to)), err
	}
}

var errBroken = errors.New("broken: A-1")

// always tries everything and shows it.
var always = shadow.Options{Share: 1, ShowValues: true}

func TestFindings(t *testing.T) {
	other := []string{"application/x-bent"}
	with := func(change func(*shadow.Options)) shadow.Options {
		o := always
		change(&o)
		return o
	}
	tests := []struct {
		name      string
		candidate codec.Codec
		opt       shadow.Options
		want      []string // op kind: finding, "shared" before what the incumbent does too
	}{
		{"the same codec", bent{}, always, nil},
		{"fxjson", codec.FXJSON{}, always, nil},
		{"another format", codec.ZMY{}, always, nil},
		{"a field changes", bent{marshal: replacing("1.10", "1.1")}, always,
			[]string{`marshal value: Order.Items[0].Price: "1.10" vs "1.1"`}},
		{"contents hidden", bent{marshal: replacing("1.10", "1.1")}, shadow.Options{Share: 1},
			[]string{`marshal value: Order.Items[0].Price: json.Number of length 4 vs json.Number of length 3`}},
		{"a field changes in another format", bent{marshal: replacing("1.10", "1.1"), media: other}, always,
			[]string{`marshal value: Order.Items[0].Price: "1.10" vs "1.1"`, `unmarshal value: Order.Items[0].Price: "1.10" vs "1.1"`}},
		{"the same format by another name", bent{marshal: replacing("1.10", "1.1"), media: other},
			with(func(o *shadow.Options) { o.Format = shadow.SameFormat }),
			[]string{`marshal value: Order.Items[0].Price: "1.10" vs "1.1"`}},
		{"other bytes, the same value", bent{marshal: replacing(",", " , ")}, always, nil},
		{"marshal fails", bent{marshal: func(any) ([]byte, error) { return nil, errBroken }}, always,
			[]string{"marshal error: Order: no error vs broken: A-1"}},
		{"marshal fails, hidden", bent{marshal: func(any) ([]byte, error) { return nil, errBroken }}, shadow.Options{Share: 1},
			[]string{"marshal error: Order: no error vs error of class other"}},
		{"marshal panics", bent{marshal: func(any) ([]byte, error) { panic("help") }}, always,
			[]string{"marshal panic: Order: no error vs panicked: help"}},
		{"unmarshal panics", bent{unmarshal: func([]byte, any) error { panic(errBroken) }}, shadow.Options{Share: 1},
			[]string{"unmarshal panic: Order: no error vs error of class panic"}},
		{"unmarshal refuses", bent{unmarshal: func([]byte, any) error { return errBroken }}, always,
			[]string{"unmarshal error: Order: no error vs broken: A-1"}},
		{"writes what nobody reads", bent{marshal: replacing("{", "[")}, always,
			[]string{"marshal unreadable: Order: no error vs codec: json: unmarshal *shadow_test.Order: invalid character ':' " +
				"after array element"}},
		{"reads nothing", bent{unmarshal: func([]byte, any) error { return nil }}, always, []string{
			"unmarshal length: Order.Items: []shadow_test.Item of length 2 vs nil []shadow_test.Item",
			`unmarshal missing: Order.Meta["note"]: "x" vs nothing`,
			`unmarshal value: Order.ID: "A-1" vs ""`,
		}},
		{"ignored", bent{marshal: replacing("1.10", "1.1")},
			with(func(o *shadow.Options) { o.Compare.Ignore = []string{"Order.Items[].Price"} }), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := shadow.New(codec.StdJSON{}, tt.candidate, tt.opt)
			b, err := s.Marshal(sample())
			if want, _ := json.Marshal(sample()); err != nil || !bytes.Equal(b, want) {
				t.Fatalf("answer %q, %v; want the incumbent's", b, err)
			}
			var o Order
			if err := s.Unmarshal(b, &o); err != nil || !diff.Compare(&o, sample(), diff.Options{}).Equal() {
				t.Fatalf("answer %+v, %v; want the incumbent's", o, err)
			}
			r := s.Report()
			if got := list(r); !slices.Equal(got, tt.want) {
				t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
			if r.Marshal.Trials != 1 || r.Unmarshal.Trials != 1 {
				t.Errorf("%d and %d trials, want one each", r.Marshal.Trials, r.Unmarshal.Trials)
			}
			if r.Clean() != (len(tt.want) == 0) {
				t.Errorf("Clean is %v", r.Clean())
			}
			if r.Marshal.Measured != 1 || r.Marshal.Incumbent.Bytes != uint64(len(b)) {
				t.Errorf("costs of marshal %+v", r.Marshal)
			}
			if _, err := json.Marshal(r); err != nil {
				t.Error(err)
			}
		})
	}
}

func list(r shadow.Report) (out []string) {
	for _, f := range r.Findings {
		s := f.Op + " " + string(f.Kind) + ": " + f.String()
		if f.Shared {
			s = "shared " + s
		}
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}

// An int behind any is what JSON gives back as float64, whichever library.
func TestSharedAndRoundTrip(t *testing.T) {
	v := sample()
	v.Meta["n"] = 7
	const want = `marshal type: Order.Meta["n"]: int(7) vs float64(7)`
	run := func(candidate codec.Codec, o shadow.Options) shadow.Report {
		s := shadow.New(codec.StdJSON{}, candidate, o)
		if _, err := s.Marshal(v); err != nil {
			t.Fatal(err)
		}
		return s.Report()
	}
	spaced := bent{marshal: replacing(",", " , ")} // so that the bytes are read
	if r := run(spaced, always); !slices.Equal(list(r), []string{"shared " + want}) || !r.Clean() || r.Marshal.Different != 0 {
		t.Errorf("JSON beside JSON: %v, clean %v; want one finding that is shared", list(r), r.Clean())
	}
	roundTrip := always
	roundTrip.Baseline = shadow.RoundTrip
	if r := run(spaced, roundTrip); len(r.Findings) > 0 {
		t.Errorf("JSON beside JSON, against what readers get: %v", list(r))
	}
	if r := run(codec.ZMY{}, always); len(r.Findings) > 0 {
		t.Errorf("ZMY keeps the int, found %v", list(r))
	}
	const retyped = `marshal type: Order.Meta["n"]: float64(7) vs int(7)`
	if r := run(codec.ZMY{}, roundTrip); !slices.Equal(list(r), []string{retyped}) {
		t.Errorf("readers of JSON get a float64, of ZMY an int; found %v", list(r))
	}
	roundTrip.Compare.LooseNumbers = true
	if r := run(codec.ZMY{}, roundTrip); !r.Clean() {
		t.Errorf("with loose numbers: %v", list(r))
	}
}

func TestErrorsOfTheIncumbent(t *testing.T) {
	s := shadow.New(codec.StdJSON{}, codec.FXJSON{}, always)
	if _, err := s.Marshal(func() {}); err == nil {
		t.Error("a function is marshaled")
	}
	var o Order
	if err := s.Unmarshal([]byte(`{"ID":1}`), &o); err == nil {
		t.Error("a number is read into a string")
	}
	if err := s.Unmarshal(nil, nil); err == nil {
		t.Error("a nil target")
	}
	_, _ = s.Marshal(nil)
	_, _ = s.Marshal((*Order)(nil))
	if r := s.Report(); !r.Clean() || r.Marshal.Skipped != 2 || r.Unmarshal.Skipped != 1 {
		t.Errorf("both refuse, found %v; skipped %d, %d; want nothing found, two and one skipped", list(r),
			r.Marshal.Skipped, r.Unmarshal.Skipped)
	}
	s = shadow.New(bent{marshal: func(any) ([]byte, error) { return nil, errBroken }}, codec.StdJSON{}, always)
	if _, err := s.Marshal(sample()); !errors.Is(err, errBroken) {
		t.Errorf("error %v, want the incumbent's", err)
	}
	if got, want := list(s.Report()), "marshal error: Order: broken: A-1 vs no error"; len(got) != 1 || got[0] != want {
		t.Errorf("found %v, want %s", got, want)
	}
}

func TestSkips(t *testing.T) {
	o := always
	o.MaxBytes = 10
	s := shadow.New(codec.StdJSON{}, codec.FXJSON{}, o)
	if _, err := s.Marshal(sample()); err != nil {
		t.Fatal(err)
	}
	used := sample() // a target that is in use
	if err := s.Unmarshal([]byte(`{}`), used); err != nil {
		t.Fatal(err)
	}
	if r := s.Report(); r.Marshal.Skipped != 1 || r.Unmarshal.Skipped != 1 || r.Marshal.Trials+r.Unmarshal.Trials != 0 || r.Clean() {
		t.Errorf("%+v, want one each skipped", r)
	}
}

func TestMaxPaths(t *testing.T) {
	o := always
	o.MaxPaths = 2
	s := shadow.New(codec.StdJSON{}, bent{unmarshal: func([]byte, any) error { return nil }}, o)
	b, _ := json.Marshal(sample())
	for range 5 {
		if err := s.Unmarshal(b, new(Order)); err != nil {
			t.Fatal(err)
		}
	}
	r := s.Report()
	if len(r.Findings) != 2 || r.Findings[0].Count != 5 || r.Uncounted != 5 {
		t.Errorf("%d findings, the first %d times, %d uncounted; want 2, 5, 5", len(r.Findings), r.Findings[0].Count, r.Uncounted)
	}
	s.Reset()
	if r := s.Report(); len(r.Findings) != 0 || r.Unmarshal.Trials != 0 || r.Uncounted != 0 {
		t.Errorf("after Reset: %+v", r)
	}
}

func TestShare(t *testing.T) {
	const n = 200_000
	for _, share := range []float64{0, 0.01, 1} {
		s := shadow.New(codec.StdJSON{}, codec.StdJSON{}, shadow.Options{Share: -1})
		s.SetShare(share)
		for range n {
			if _, err := s.Marshal(1); err != nil {
				t.Fatal(err)
			}
		}
		// 0.01 has a standard deviation of 44 trials: six of them on each side.
		want, slack := share*n, 270.0
		if share == 0 || share == 1 {
			slack = 0
		}
		if got := float64(s.Report().Marshal.Trials); got < want-slack || got > want+slack {
			t.Errorf("share %v: %v trials of %d", share, got, n)
		}
	}
	if got := shadow.New(codec.StdJSON{}, codec.StdJSON{}, shadow.Options{}).Share(); got < 0.0099 || got > 0.0101 {
		t.Errorf("share by default %v", got)
	}
}

func TestQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		var once sync.Once
		first := func(v any) ([]byte, error) {
			stuck := false
			once.Do(func() { stuck = true })
			if stuck {
				<-hang
			}
			return json.Marshal(v)
		}
		o := always
		o.Queue = 4
		s := shadow.New(codec.StdJSON{}, bent{marshal: first}, o)
		v := sample()
		for range 10 {
			if _, err := s.Marshal(v); err != nil { // nobody waits
				t.Fatal(err)
			}
			synctest.Wait() // the worker has taken the first, and hangs
			v.ID += "x"     // a queued trial must not look at v any more
		}
		time.Sleep(time.Minute)
		r := s.Report()
		if r.Waiting != 4 || r.Marshal.Dropped != 5 || r.Running != 1 || r.Oldest != time.Minute {
			t.Errorf("waiting %d, dropped %d, running %d for %v; want 4, 5, 1 for a minute", r.Waiting,
				r.Marshal.Dropped, r.Running, r.Oldest)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := s.Drain(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Drain while the candidate hangs: %v", err)
		}
		close(hang)
		if err := s.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		if r := s.Report(); !r.Clean() || r.Marshal.Trials != 5 || r.Waiting+r.Running != 0 {
			t.Errorf("%+v, %v, want 5 clean trials", r.Marshal, list(r))
		}
	})
}

func TestQueueFindsAndRecovers(t *testing.T) {
	for _, immutable := range []bool{false, true} {
		o := always
		o.Queue, o.Workers, o.Immutable = 100, 2, immutable
		o.OnFinding = func(shadow.Finding) { panic("a callback that panics") }
		s := shadow.New(codec.StdJSON{}, bent{marshal: replacing("1.10", "1.1"), unmarshal: func([]byte, any) error { panic(1) }}, o)
		b, err := s.Marshal(sample())
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Unmarshal(bytes.Clone(b), new(Order)); err != nil {
			t.Fatal(err)
		}
		if !immutable {
			clear(b) // the caller's own
		}
		if err := s.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := []string{`marshal value: Order.Items[0].Price: "1.10" vs "1.1"`, "unmarshal panic: Order: no error vs panicked: 1"}
		if got := list(s.Report()); !slices.Equal(got, want) {
			t.Errorf("immutable %v: found %v, want %v", immutable, got, want)
		}
	}
}

// TestContract: whatever its candidate does, a shadow keeps what the incumbent
// promises.
func TestContract(t *testing.T) {
	broken := bent{
		marshal:   func(any) ([]byte, error) { panic("marshal") },
		unmarshal: func([]byte, any) error { panic("unmarshal") },
	}
	for _, c := range []codec.Codec{codec.StdJSON{}, codec.Gob{}, codec.ZMY{}} {
		for _, queue := range []int{0, 8} {
			o := always
			o.Queue = queue
			s := shadow.New(c, broken, o)
			var except codectest.Exceptions
			if c.Name() == "gob" {
				except = codectest.Exceptions{"lengths": "gob makes room for what a message announces"}
			}
			codectest.RunExcept(t, s, except, codectest.Case{Name: "plain", Value: *sample()})
			if err := s.Drain(t.Context()); err != nil {
				t.Fatal(err)
			}
			if s.Report().Marshal.Panics == 0 {
				t.Error("the candidate was not asked")
			}
		}
	}
}

func TestPowers(t *testing.T) {
	s := shadow.New(codec.Gob{}, codec.StdJSON{}, always)
	if _, ok := codec.As[codec.Stable](s); ok {
		t.Error("gob is not stable, its shadow claims to be")
	}
	if _, ok := codec.As[codec.Streamer](s); !ok {
		t.Error("gob has streams, its shadow has not")
	}
	s = shadow.New(codec.ZMY{}, codec.StdJSON{}, always)
	var pool codec.Pool
	v := struct {
		A string `zmy:"0"`
	}{"a"}
	b, err := codec.MarshalPooled(s, &pool, v)
	if err != nil {
		t.Fatal(err)
	}
	if err := codec.UnmarshalView(s, b.B, &v); err != nil {
		t.Fatal(err)
	}
	out, err := codec.Append(s, []byte("x"), v)
	if err != nil || !bytes.Equal(out[1:], b.B) {
		t.Errorf("appended %q, %v", out, err)
	}
	if _, err := codec.MarshalStable(s, v); err != nil {
		t.Error(err)
	}
	if r := s.Report(); r.Marshal.Trials != 3 || !r.Clean() {
		t.Errorf("%+v %v, want three clean trials", r.Marshal, list(r))
	}
}

type contextual struct {
	codec.StdJSON
	name string
}

func (c contextual) Name() string { return c.name }
func (c contextual) WithContext(ctx context.Context) codec.Codec {
	return contextual{name: ctx.Value(key{}).(string)}
}

type key struct{}

func TestWithContext(t *testing.T) {
	s := shadow.New(contextual{name: "before"}, codec.FXJSON{}, always)
	c := codec.WithContext(context.WithValue(t.Context(), key{}, "after"), codec.Codec(s))
	if c.Name() != "after" {
		t.Errorf("the incumbent did not get the context: %q", c.Name())
	}
	if _, err := c.Marshal(1); err != nil || s.Report().Marshal.Trials != 1 {
		t.Errorf("trials %d, %v", s.Report().Marshal.Trials, err)
	}
}

func TestConcurrent(t *testing.T) {
	o := always
	o.Queue, o.Workers = 16, 3
	s := shadow.New(codec.StdJSON{}, codec.FXJSON{}, o)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				b, err := s.Marshal(sample())
				if err == nil {
					err = s.Unmarshal(b, new(Order))
				}
				if err != nil {
					t.Error(err)
				}
				_ = s.Report()
			}
		})
	}
	wg.Wait()
	if err := s.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := s.Report()
	if n := r.Marshal.Trials + r.Marshal.Dropped; n != 400 || len(r.Findings) > 0 {
		t.Errorf("%d trials and drops, found %v; want 400 and nothing", n, list(r))
	}
}

func BenchmarkMarshal(b *testing.B) {
	v := session.SampleUserSession(rand.New(rand.NewPCG(1, 0)))
	off := shadow.New(codec.FXJSON{}, codec.ZMY{}, shadow.Options{Share: -1})
	for _, bb := range []struct {
		name string
		c    codec.Codec
	}{
		{"incumbent", codec.FXJSON{}},
		{"share=0", off},
		{"share=1%", shadow.New(codec.FXJSON{}, codec.ZMY{}, shadow.Options{})},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := bb.c.Marshal(&v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
