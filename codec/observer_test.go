package codec_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/zmylab/zmy/codec"
	orderlite "github.com/zmylab/zmy/examples/order-lite"
	"github.com/zmylab/zmy/examples/sse"
)

// recorder writes down what it is told.
type recorder struct {
	begun, ended []codec.Event
	requests     []string // what End found in its context
}

type requestKey struct{}
type spanKey struct{}

func (r *recorder) Begin(ctx context.Context, e codec.Event) context.Context {
	r.begun = append(r.begun, e)
	return context.WithValue(ctx, spanKey{}, len(r.begun))
}

func (r *recorder) End(ctx context.Context, e codec.Event) {
	r.ended = append(r.ended, e)
	r.requests = append(r.requests, fmt.Sprint(ctx.Value(requestKey{}), " span ", ctx.Value(spanKey{})))
}

// story is one line for each operation.
func (r *recorder) story() []string {
	var out []string
	for _, e := range r.ended {
		size := fmt.Sprint(e.Size)
		if e.Op == codec.OpDecode {
			size = "some" // decoders read ahead: see decoded
		}
		out = append(out, fmt.Sprintf("%s:%v %v %s %v", e.Codec, e.Op, e.Type(), size, e.Class()))
	}
	return out
}

// decoded is the sum of the sizes of all decode operations.
func (r *recorder) decoded() (sum int) {
	for _, e := range r.ended {
		if e.Op == codec.OpDecode {
			sum += e.Size
		}
	}
	return sum
}

func TestObserverIsTold(t *testing.T) {
	v := sse.SSEEvent{Event: "tick"}
	want, err := codec.StdJSON{}.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	size := len(want)
	const one, ptr = "sse.SSEEvent", "*sse.SSEEvent"
	for _, k := range []struct {
		name string
		do   func(c codec.Codec) error
		want []string
	}{
		{"marshal", func(c codec.Codec) error { _, err := c.Marshal(v); return err },
			[]string{fmt.Sprintf("json:marshal %s %d none", one, size)}},
		{"append", func(c codec.Codec) error { _, err := codec.Append(c, []byte("before"), &v); return err },
			[]string{fmt.Sprintf("json:marshal %s %d none", ptr, size)}},
		{"stable", func(c codec.Codec) error { _, err := codec.MarshalStable(c, v); return err },
			[]string{fmt.Sprintf("json:marshal %s %d none", one, size)}},
		{"pooled", func(c codec.Codec) error { _, err := codec.MarshalPooled(c, new(codec.Pool), v); return err },
			[]string{fmt.Sprintf("json:marshal %s %d none", one, size)}},
		{"unmarshal", func(c codec.Codec) error { return c.Unmarshal(want, new(sse.SSEEvent)) },
			[]string{fmt.Sprintf("json:unmarshal %s %d none", ptr, size)}},
		{"view", func(c codec.Codec) error { return codec.UnmarshalView(c, want, new(sse.SSEEvent)) },
			[]string{fmt.Sprintf("json:unmarshal %s %d none", ptr, size)}},
		{"stream", func(c codec.Codec) error {
			var buf bytes.Buffer
			s := codec.Stream(c, 1<<20)
			e, d := s.NewEncoder(&buf), s.NewDecoder(&buf)
			if err := errors.Join(e.Encode(v), e.Encode(v)); err != nil {
				return err
			}
			for range 2 {
				if err := d.Decode(new(sse.SSEEvent)); err != nil {
					return err
				}
			}
			if err := d.Decode(new(sse.SSEEvent)); err != io.EOF {
				return fmt.Errorf("%v, want io.EOF", err)
			}
			return nil
		}, []string{
			fmt.Sprintf("json:encode %s %d none", one, size+1), fmt.Sprintf("json:encode %s %d none", one, size+1),
			fmt.Sprintf("json:decode %s some none", ptr), fmt.Sprintf("json:decode %s some none", ptr),
			fmt.Sprintf("json:decode %s some none", ptr),
		}},
		{"errors", func(c codec.Codec) error {
			_, err := c.Marshal(make(chan int))
			return errors.Join(wantError(err), wantError(c.Unmarshal([]byte("{"), &v)), wantError(c.Unmarshal([]byte("[]"), &v)))
		}, []string{"json:marshal chan int 0 unsupported", fmt.Sprintf("json:unmarshal %s 1 syntax", ptr),
			fmt.Sprintf("json:unmarshal %s 2 type", ptr)}},
		{"nothing", func(c codec.Codec) error { return wantError(c.Unmarshal(want, nil)) },
			[]string{fmt.Sprintf("json:unmarshal <nil> %d type", size)}},
	} {
		t.Run(k.name, func(t *testing.T) {
			var o recorder
			ctx := context.WithValue(t.Context(), requestKey{}, "request 7")
			if err := k.do(codec.WithContext(ctx, codec.Observe(codec.StdJSON{}, &o))); err != nil {
				t.Fatal(err)
			}
			if read := o.decoded(); read != 0 && read != 2*size+2 {
				t.Errorf("%d bytes were read in all, want %d", read, 2*size+2)
			}
			if got := o.story(); !slices.Equal(got, k.want) {
				t.Errorf("told\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(k.want, "\n"))
			}
			for i, e := range o.ended {
				if b := o.begun[i]; b.Codec != e.Codec || b.Op != e.Op || b.Type() != e.Type() || b.Size != 0 ||
					b.Err != nil || b.Duration != 0 {
					t.Errorf("began as %+v, ended as %+v", b, e)
				}
				if want := fmt.Sprint("request 7 span ", i+1); o.requests[i] != want {
					t.Errorf("context of operation %d: %s, want %s", i, o.requests[i], want)
				}
				if e.Duration <= 0 {
					t.Errorf("operation %d took %v", i, e.Duration)
				}
			}
		})
	}
}

func wantError(err error) error {
	if err == nil {
		return errors.New("no error")
	}
	return nil
}

// panicking panics half-way.
type panicking struct{ codec.StdJSON }

func (panicking) Marshal(any) ([]byte, error) { panic("half-way") }

func (panicking) AppendMarshal(dst []byte, _ any) ([]byte, error) {
	_ = append(dst, "half"...)
	panic("half-way")
}

func (panicking) Unmarshal([]byte, any) error { panic("half-way") }

// A panic is told and goes on.
func TestObserverSeesPanics(t *testing.T) {
	var o recorder
	c := codec.Observe(panicking{}, &o)
	for _, do := range []func(){
		func() { _, _ = c.Marshal(1) },
		func() { _, _ = codec.Append(c, nil, 1) },
		func() { _ = c.Unmarshal(nil, nil) },
	} {
		func() {
			defer func() {
				if p := recover(); p != "half-way" {
					t.Errorf("recovered %v", p)
				}
			}()
			do()
		}()
	}
	if got := fmt.Sprint(o.story()); got != "[json:marshal int 0 panic json:marshal int 0 panic json:unmarshal <nil> 0 panic]" {
		t.Errorf("told %s", got)
	}
}

// pooling is a codec with the power Pooled.
type pooling struct{ plain }

func (c pooling) MarshalPooled(p *codec.Pool, v any) (*codec.Buffer, error) {
	return codec.MarshalPooled(c.plain, p, v)
}

// A wrapped codec has exactly the powers of the codec, found by As; by a type
// assertion a wrapper claims none.
func TestWrappersHaveThePowersOfWhatTheyWrap(t *testing.T) {
	var o recorder
	wrap := map[string]func(codec.Codec) codec.Codec{
		"observed":       func(c codec.Codec) codec.Codec { return codec.Observe(c, &o) },
		"observed twice": func(c codec.Codec) codec.Codec { return codec.Observe(codec.Observe(c, &o), &o) },
		"with context": func(c codec.Codec) codec.Codec {
			return codec.WithContext(t.Context(), codec.Observe(c, &o))
		},
		"guarded":          codec.Guarded,
		"guarded observed": func(c codec.Codec) codec.Codec { return codec.Guarded(codec.Observe(c, &o)) },
		"observed guarded": func(c codec.Codec) codec.Codec { return codec.Observe(codec.Guarded(c), &o) },
		"registry": func(c codec.Codec) codec.Codec {
			r := codec.NewRegistry(c)
			r.Observe(&o)
			c, err := r.Lookup(c.Name())
			if err != nil {
				t.Fatal(err)
			}
			return c
		},
	}
	for how, f := range wrap {
		for _, c := range []codec.Codec{codec.StdJSON{}, codec.FXJSON{}, codec.Gob{}, codec.ZMY{},
			plain{codec.Gob{}}, pooling{plain{codec.ZMY{}}}} {
			w := f(c)
			if codec.Unwrap(w) != c || w.Name() != c.Name() || codec.MediaType(w) != codec.MediaType(c) {
				t.Errorf("%s %T: hides what it wraps", how, c)
			}
			check := func(power string, plainly, claims, found bool) {
				if claims {
					t.Errorf("%s %T claims to be %s", how, c, power)
				}
				if found != plainly {
					t.Errorf("%s %T: As[%s] is %v, of the codec itself %v", how, c, power, found, plainly)
				}
			}
			check(powers[codec.Appender]("Appender", c, w))
			check(powers[codec.Stable]("Stable", c, w))
			check(powers[codec.Pooled]("Pooled", c, w))
			check(powers[codec.Viewer]("Viewer", c, w))
			check(powers[codec.Streamer]("Streamer", c, w))
			check(powers[codec.MediaTyped]("MediaTyped", c, w))
			check(powers[fmt.Formatter]("a power unknown to wrappers", c, w))
		}
	}
}

func powers[P any](name string, c, w codec.Codec) (power string, plainly, claims, found bool) {
	_, plainly = c.(P)
	_, claims = w.(P)
	_, found = codec.As[P](w)
	return name, plainly, claims, found
}

// A power that the wrapper does not know must not be found: it would run unseen.
func TestUnknownPowersAreNotPassedOn(t *testing.T) {
	c := stringer{codec.StdJSON{}}
	if _, ok := codec.As[fmt.Stringer](c); !ok {
		t.Error("As does not find a method")
	}
	if _, ok := codec.As[fmt.Stringer](codec.Observe(c, new(recorder))); ok {
		t.Error("As finds a method that the wrapper does not have")
	}
}

type stringer struct{ codec.Codec }

func (stringer) String() string { return "" }

func TestObservedConformance(t *testing.T) {
	for _, c := range []codec.Codec{codec.StdJSON{}, codec.FXJSON{}, codec.Gob{}, codec.ZMY{}, plain{codec.Gob{}}} {
		t.Run(reflect.TypeOf(c).Name(), func(t *testing.T) {
			conform(t, codec.Observe(c, codec.Observers{}))
		})
	}
}

func TestRegistryHandsOutObservedCodecs(t *testing.T) {
	var o recorder
	r := codec.NewRegistry(codec.StdJSON{}, codec.Gob{})
	if err := codec.SetTypeFor[sse.SSEEvent](r, "gob"); err != nil {
		t.Fatal(err)
	}
	before, err := r.Lookup("json")
	if err != nil {
		t.Fatal(err)
	}
	r.Observe(&o)
	if err := r.Register(codec.ZMY{}); err != nil {
		t.Fatal(err)
	}
	find := func() (out []codec.Codec) {
		for _, f := range []func() (codec.Codec, error){
			func() (codec.Codec, error) { return r.Lookup("json") },
			func() (codec.Codec, error) { return r.ByMediaType("application/vnd.zmy") },
			func() (codec.Codec, error) { return r.For(sse.SSEEvent{}) },
			func() (codec.Codec, error) { return r.For(1) },
			func() (codec.Codec, error) { c, _, err := r.Negotiate("application/x-gob"); return c, err },
		} {
			c, err := f()
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, c)
		}
		return out
	}
	v := orderlite.Order{ID: "A"}
	for _, c := range append(find(), before) {
		if _, err := c.Marshal(v); err != nil {
			t.Error(err)
		}
	}
	var names []string
	for _, e := range o.ended {
		names = append(names, e.Codec)
	}
	if got := strings.Join(names, " "); got != "json zmy gob json gob" {
		t.Errorf("told of %s", got)
	}
	r.Observe(nil)
	for _, c := range find() {
		if codec.Unwrap(c) != c {
			t.Errorf("%T is wrapped though there is no observer", c)
		}
	}
}

func TestObserversShareContexts(t *testing.T) {
	var a, b recorder
	c := codec.Observe(codec.StdJSON{}, codec.Observers{&a, &b})
	if _, err := c.Marshal(1); err != nil {
		t.Fatal(err)
	}
	if len(a.ended) != 1 || len(b.ended) != 1 {
		t.Errorf("told %d and %d times, want once each", len(a.ended), len(b.ended))
	}
}

// nobody is an observer that does nothing.
type nobody struct{}

func (nobody) Begin(ctx context.Context, _ codec.Event) context.Context { return ctx }
func (nobody) End(context.Context, codec.Event)                         {}

// nothing is a codec that does nothing: what is measured is all around it.
type nothing struct{}

func (nothing) Name() string                { return "nothing" }
func (nothing) Marshal(any) ([]byte, error) { return nil, nil }
func (nothing) Unmarshal([]byte, any) error { return nil }
func (nothing) AppendMarshal(dst []byte, _ any) ([]byte, error) {
	return dst, nil
}

func TestObservingDoesNotAllocate(t *testing.T) {
	v := any(&sse.SSEEvent{})
	dst := make([]byte, 0, 64)
	r := codec.NewRegistry(nothing{})
	work := func() {
		c, _ := r.For(v)
		_, _ = codec.Append(c, dst, v)
		_ = c.Unmarshal(dst, v)
	}
	for _, o := range []codec.Observer{nil, nobody{}} {
		r.Observe(o)
		if n := testing.AllocsPerRun(100, work); n != 0 {
			t.Errorf("observer %v: %v allocations, want none", o, n)
		}
	}
	r.Observe(nil)
	ctx := t.Context()
	if n := testing.AllocsPerRun(100, func() {
		c, _ := r.For(v)
		_, _ = codec.Append(codec.WithContext(ctx, c), dst, v)
	}); n != 0 {
		t.Errorf("WithContext without an observer: %v allocations, want none", n)
	}
}

// BenchmarkObserver compares calls of a codec that does nothing: plain calls
// itself, unset comes from a registry without an observer, set from one with.
func BenchmarkObserver(b *testing.B) {
	r := codec.NewRegistry(nothing{})
	unset, _ := r.Lookup("nothing")
	r.Observe(nobody{})
	set, _ := r.Lookup("nothing")
	v := any(&sse.SSEEvent{})
	ctx := b.Context()
	for _, k := range []struct {
		name string
		c    codec.Codec
	}{{"plain", nothing{}}, {"unset", unset}, {"set", set}} {
		b.Run(k.name+"/unmarshal", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = k.c.Unmarshal(nil, v)
			}
		})
		b.Run(k.name+"/unmarshal-with-context", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = codec.WithContext(ctx, k.c).Unmarshal(nil, v)
			}
		})
	}
}
