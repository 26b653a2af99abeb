package canary_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/canary"
)

// panicky is a value that no codec of JSON can write or read.
type panicky struct{ A string }

func (panicky) MarshalJSON() ([]byte, error)  { panic("help") }
func (*panicky) UnmarshalJSON(b []byte) error { panic("help") }

// brokenPipe is a stream whose other end has gone.
type brokenPipe struct{}

func (brokenPipe) Read([]byte) (int, error)  { return 0, errors.New("reset by peer") }
func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("reset by peer") }

// TestBlame: a canary is rolled back by what the candidate alone fails at, and by
// nothing that a client can send to both.
func TestBlame(t *testing.T) {
	failing := func(err error) timed { return timed{name: "new", do: func() error { return err }} }
	panics := timed{name: "new", do: func() error { panic("help") }}
	media := func(c timed) timed { c.media = "application/x-new"; return c }
	bad, good := []byte(`{"A":`), []byte(`{"A":"a"}`)
	read := func(b []byte) func(codec.Codec) error {
		return func(c codec.Codec) error { return c.Unmarshal(b, new(doc)) }
	}
	readUsed := func(b []byte) func(codec.Codec) error {
		return func(c codec.Codec) error { return c.Unmarshal(b, &doc{"used"}) }
	}
	view := func(b []byte) func(codec.Codec) error {
		return func(c codec.Codec) error { return codec.UnmarshalView(c, b, new(doc)) }
	}
	write := func(v any) func(codec.Codec) error {
		return func(c codec.Codec) error { _, err := c.Marshal(v); return err }
	}
	appended := func(v any) func(codec.Codec) error {
		return func(c codec.Codec) error { _, err := codec.Append(c, nil, v); return err }
	}
	pooled := func(v any) func(codec.Codec) error {
		return func(c codec.Codec) error { _, err := codec.MarshalPooled(c, new(codec.Pool), v); return err }
	}
	stable := func(v any) func(codec.Codec) error {
		return func(c codec.Codec) error { _, err := codec.MarshalStable(c, v); return err }
	}
	decode := func(r func() io.Reader) func(codec.Codec) error {
		return func(c codec.Codec) error { return codec.Stream(c, 1<<20).NewDecoder(r()).Decode(new(doc)) }
	}
	encode := func(w io.Writer, v any) func(codec.Codec) error {
		return func(c codec.Codec) error { return codec.Stream(c, 1<<20).NewEncoder(w).Encode(v) }
	}
	ok, strict := failing(nil), canary.Options{Strict: true}
	unsupported := failing(codec.ErrUnsupported)
	tests := []struct {
		name      string
		candidate timed
		opt       canary.Options
		do        func(codec.Codec) error
		blamed    bool
	}{
		{"garbage", ok, canary.Options{}, read(bad), false},
		{"garbage, view", ok, canary.Options{}, view(bad), false},
		{"garbage, strict", ok, strict, read(bad), false},
		{"garbage, target in use", ok, canary.Options{}, readUsed(bad), false},
		{"garbage, other media type", media(ok), canary.Options{}, read(bad), false},
		{"garbage, stream", ok, canary.Options{}, decode(func() io.Reader { return bytes.NewReader(bad) }), false},
		{"no target", ok, canary.Options{}, func(c codec.Codec) error { return c.Unmarshal(good, nil) }, false},
		{"connection lost, decode", ok, canary.Options{}, decode(func() io.Reader { return brokenPipe{} }), false},
		{"connection lost, encode", ok, canary.Options{}, encode(brokenPipe{}, doc{}), false},
		{"value of neither", ok, canary.Options{}, write(make(chan int)), false},
		{"value of neither, append", ok, canary.Options{}, appended(make(chan int)), false},
		{"value of neither, pooled", ok, canary.Options{}, pooled(make(chan int)), false},
		{"value of neither, stable", ok, canary.Options{}, stable(make(chan int)), false},
		{"value of neither, strict", ok, strict, write(make(chan int)), false},
		{"value of neither, other media type", media(ok), canary.Options{}, write(make(chan int)), false},
		{"both panic, read", ok, canary.Options{}, func(c codec.Codec) error { return c.Unmarshal(good, new(panicky)) }, false},
		{"both panic, write", ok, canary.Options{}, write(panicky{}), false},
		{"request is over", failing(context.Canceled), canary.Options{}, read(good), false},

		{"refuses good bytes", failing(errBroken), canary.Options{}, read(good), true},
		{"refuses good bytes, view", failing(errBroken), canary.Options{}, view(good), true},
		{"refuses good bytes, strict", failing(errBroken), strict, read(good), true},
		{"refuses good bytes, target in use", failing(errBroken), canary.Options{}, readUsed(good), true},
		{"panics at garbage", panics, canary.Options{}, read(bad), true},
		{"panics, strict", panics, strict, read(good), true},
		{"panics, other media type", media(panics), canary.Options{}, read(good), true},
		{"cannot read at all, other media type", media(unsupported), canary.Options{}, read(good), true},
		{"cannot write", failing(errBroken), canary.Options{}, write(doc{}), true},
		{"cannot write, append", failing(errBroken), canary.Options{}, appended(doc{}), true},
		{"cannot write, pooled", failing(errBroken), canary.Options{}, pooled(doc{}), true},
		{"cannot write, stable", failing(errBroken), canary.Options{}, stable(doc{}), true},
		{"cannot write, strict", failing(errBroken), strict, write(doc{}), true},
		{"cannot write, other media type", media(failing(errBroken)), canary.Options{}, write(doc{}), true},
		{"cannot write, stream", ok, canary.Options{}, encode(io.Discard, make(chan int)), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCanary(t, codec.StdJSON{}, tt.candidate, tt.opt)
				must(t, c.Start(""))
				const n = 50
				for range 1000 {
					must(t, read(good)(c.Codec(canary.Incumbent)))
					must(t, write(doc{})(c.Codec(canary.Incumbent)))
				}
				for range n {
					func() {
						defer func() { _ = recover() }()
						_ = tt.do(c.Codec(c.Choose(canary.HeaderCandidate, "")))
					}()
				}
				var errs, refused uint64
				for _, s := range c.State().Total.Candidate {
					errs, refused = errs+s.Errors, refused+s.Refused
				}
				want, phase := [2]uint64{0, n}, canary.Running
				if tt.blamed {
					want, phase = [2]uint64{n, 0}, canary.RolledBack
				}
				if got := [2]uint64{errs, refused}; got != want {
					t.Errorf("errors and refused %v, want %v", got, want)
				}
				serve(t, c, 5, 0)
				if s := c.State(); s.Phase != phase {
					t.Errorf("%s (%s), want %s", s.Phase, s.Reason, phase)
				}
			})
		})
	}
}

// TestGarbageHidesNothing: what clients send to the incumbent does not cover what
// the candidate alone fails at.
func TestGarbageHidesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		c := newCanary(t, codec.StdJSON{}, timed{name: "new", do: func() error {
			if n++; n%10 == 0 {
				return errBroken
			}
			return nil
		}}, canary.Options{})
		must(t, c.Start(""))
		for i := range 2000 {
			b := []byte(`{"A":"a"}`)
			_ = c.Codec(canary.Candidate).Unmarshal(b, new(doc))
			if i%2 == 0 {
				b = b[:3]
			}
			_ = c.Codec(canary.Incumbent).Unmarshal(b, new(doc))
		}
		time.Sleep(time.Second)
		serve(t, c, 5, 0)
		if s := c.State(); s.Phase != canary.RolledBack {
			t.Errorf("%s, although the candidate refuses a tenth of the good messages: %+v", s.Phase, s.Total)
		}
	})
}
