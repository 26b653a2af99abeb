package codec_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/codec/codectest"
	"github.com/zmylab/zmy/examples/sse"
)

// Values and targets that are nothing, for every codec of the package: an error
// of class type, or what the codec has for nil; never a panic.
func TestNilValuesAndTargets(t *testing.T) {
	var event *sse.SSEEvent
	for _, c := range []codec.Codec{
		codec.StdJSON{}, codec.FXJSON{}, codec.Gob{}, codec.ZMY{}, codec.Guarded(codec.Gob{}),
		codec.Observe(codec.ZMY{}, codec.Observers{}), codec.Fallback(codec.ZMY{}, codec.WhenClass(), codec.Gob{}),
	} {
		good, err := c.Marshal(sse.SSEEvent{Event: "x"})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []any{nil, event} {
			b, err := codec.Append(c, []byte("dst"), v)
			if isJSON := strings.HasSuffix(c.Name(), "json"); isJSON && string(b) != "dstnull" {
				t.Errorf("%s: marshal %T: %q, want null", c.Name(), v, b)
			} else if !isJSON && (codec.ClassOf(err) != codec.ClassType && codec.ClassOf(err) != codec.ClassUnsupported ||
				string(b) != "dst") {
				t.Errorf("%s: marshal %T: %q, %v", c.Name(), v, b, err)
			}
			if err := c.Unmarshal(good, v); codec.ClassOf(err) != codec.ClassType {
				t.Errorf("%s: unmarshal %T: %v", c.Name(), v, err)
			}
		}
	}
}

func TestGuardedTurnsPanicsIntoErrors(t *testing.T) {
	c := codec.Guarded(panicking{})
	dst := make([]byte, 3, 100)
	copy(dst, "dst")
	for what, f := range map[string]func() error{
		"marshal int": func() error { _, err := c.Marshal(1); return err },
		"marshal int, appended": func() error {
			b, err := codec.Append(c, dst, 1)
			if string(b) != "dst" {
				t.Errorf("after a panic the result is %q", b)
			}
			return err
		},
		"marshal int, pooled": func() error {
			b, err := codec.MarshalPooled(c, new(codec.Pool), 1)
			if b != nil {
				t.Error("a buffer after a panic")
			}
			return err
		},
		"unmarshal *int": func() error { return c.Unmarshal(nil, new(int)) },
	} {
		err := f()
		op, _, _ := strings.Cut(what, ",")
		if want := "codec: json: " + op + ": panicked: half-way"; err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", what, err, want)
		}
		var p *codec.PanicError
		if !errors.As(err, &p) || p.Value != "half-way" || !bytes.Contains(p.Stack, []byte("panicking")) {
			t.Errorf("%s: not a PanicError with the stack: %v", what, err)
		}
		if !errors.Is(err, codec.ErrPanicked) || codec.ClassOf(err) != codec.ClassPanic {
			t.Errorf("%s: class %v", what, codec.ClassOf(err))
		}
	}
	cause := &codec.PanicError{Value: io.ErrShortWrite}
	if !errors.Is(cause, io.ErrShortWrite) {
		t.Error("a panic with an error hides it")
	}
}

// bomb is a value whose method panics when it is told to.
type bomb bool

func (b bomb) MarshalJSON() ([]byte, error) {
	if b {
		panic("half-way")
	}
	return []byte("true"), nil
}

// A panic within a message ends a guarded stream: nothing follows half a message.
func TestGuardedStreams(t *testing.T) {
	var buf bytes.Buffer
	e := codec.Stream(codec.Guarded(codec.StdJSON{}), 100).NewEncoder(&buf)
	if err := e.Encode([]bomb{false}); err != nil {
		t.Fatal(err)
	}
	first := e.Encode([]bomb{false, true})
	if !errors.Is(first, codec.ErrPanicked) {
		t.Fatalf("%v, want a panic as an error", first)
	}
	if err := e.Encode([]bomb{false}); err != first {
		t.Errorf("after a panic: %v, want %v again", err, first)
	}
	if got := buf.String(); got != "[true]\n" {
		t.Errorf("written: %q", got)
	}
	d := codec.Stream(codec.Guarded(codec.StdJSON{}), 100).NewDecoder(strings.NewReader("1 2"))
	if err := d.Decode(new(panics)); !errors.Is(err, codec.ErrPanicked) {
		t.Errorf("%v, want a panic as an error", err)
	}
	if err := d.Decode(new(int)); !errors.Is(err, codec.ErrPanicked) {
		t.Errorf("after a panic: %v", err)
	}
}

type panics struct{}

func (*panics) UnmarshalJSON([]byte) error { panic("half-way") }

func TestGuardedConformance(t *testing.T) {
	for _, c := range []codec.Codec{codec.StdJSON{}, codec.Gob{}, codec.ZMY{}, plain{codec.Gob{}}} {
		t.Run(c.Name(), func(t *testing.T) { conform(t, codec.Guarded(c)) })
	}
}

func gobOrJSON(primary codec.Codec) codec.Codec {
	return codec.Fallback(primary, codec.WhenClass(codec.ClassType, codec.ClassUnsupported), codec.StdJSON{})
}

func TestFallbackConformance(t *testing.T) {
	codectest.Run(t, gobOrJSON(codec.Gob{}), codectest.Values(values()...)...)
	codectest.Run(t, gobOrJSON(refusing{codec.Gob{}}), codectest.Values(values()...)...)
}

// refusing carries nothing.
type refusing struct{ codec.Codec }

func (refusing) Marshal(any) ([]byte, error) {
	return nil, fmt.Errorf("gob: %w", codec.ErrTypeMismatch)
}

// What each side writes and reads: bytes tell which codec wrote them.
func TestFallback(t *testing.T) {
	c := gobOrJSON(codec.Gob{})
	type local struct{ V any }
	for _, k := range []struct {
		v    any
		tag  byte
		body string // of JSON
	}{
		{"text", 0, ""},
		{local{struct{ A int }{1}}, 1, `{"V":{"A":1}}`}, // gob: type not registered for interface
		{(*int)(nil), 1, "null"},
		{hidden{1}, 1, "{}"}, // gob: type has no exported fields
	} {
		b, err := codec.Append(c, []byte("dst"), k.v)
		if err != nil || string(b[:3]) != "dst" || b[3] != k.tag || k.tag == 1 && string(b[4:]) != k.body {
			t.Errorf("%T: %q, %v", k.v, b, err)
		}
		_, by, err := codec.AppendFirst(nil, k.v, codec.WhenClass(codec.ClassType, codec.ClassUnsupported), codec.Gob{}, codec.StdJSON{})
		if err != nil || (by == codec.Codec(codec.StdJSON{})) != (k.tag == 1) {
			t.Errorf("%T: AppendFirst by %v, %v", k.v, by, err)
		}
	}
	js, err := codec.StdJSON{}.Marshal("text")
	if err != nil {
		t.Fatal(err)
	}
	gb, err := codec.Gob{}.Marshal("text")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		name string
		b    []byte
		want codec.Class
	}{
		{"gob", append([]byte{0}, gb...), codec.ClassNone},
		{"JSON", append([]byte{1}, js...), codec.ClassNone},
		{"JSON called gob", append([]byte{0}, js...), codec.ClassSyntax},
		{"gob called JSON", append([]byte{1}, gb...), codec.ClassSyntax},
		{"JSON as it is", js, codec.ClassSyntax},
		{"nothing", nil, codec.ClassSyntax},
		{"a tag alone", []byte{0}, codec.ClassSyntax},
	} {
		var s string
		if err := c.Unmarshal(k.b, &s); codec.ClassOf(err) != k.want || err == nil && s != "text" {
			t.Errorf("%s: %q, %v: %v", k.name, s, codec.ClassOf(err), err)
		}
	}
	want := `codec: gob+json: unmarshal *string: the first byte is 0x22, want 0 for gob or 1 for json; the writer needs the same Fallback`
	if err := c.Unmarshal(js, new(string)); err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

// Errors of other kinds are returned, panics go on, and where both codecs fail the
// error is both.
// BenchmarkFallback measures what a fallback costs where its first codec works, and where that
// refuses the type.
func BenchmarkFallback(b *testing.B) {
	type line struct {
		Sku   string
		Count int
		Price float64
		Extra any
	}
	fits := line{"A-1009", 3, 129.9, "gift"}
	refused := line{"A-1009", 3, 129.9, struct{ Wrap string }{"gift"}} // gob: type not registered for interface
	both := gobOrJSON(codec.Gob{})
	for _, c := range []struct {
		name  string
		codec codec.Codec
		v     any
		tag   int // first byte of the message, -1 without a fallback
	}{
		{"gob", codec.Gob{}, fits, -1}, {"gob-in-fallback", both, fits, 0},
		{"json", codec.StdJSON{}, refused, -1}, {"json-in-fallback", both, refused, 1},
	} {
		b.Run(c.name, func(b *testing.B) {
			if m, err := codec.Append(c.codec, nil, c.v); err != nil || c.tag >= 0 && int(m[0]) != c.tag {
				b.Fatalf("%.20q, %v", m, err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.codec.Marshal(c.v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestFallbackOnlyWhen(t *testing.T) {
	limited := codec.Fallback(failing1{}, codec.WhenClass(codec.ClassType), codec.StdJSON{})
	if _, err := limited.Marshal(1); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("%v, want the error of the primary", err)
	}
	if _, err := gobOrJSON(codec.Gob{}).Marshal(make(chan int)); err == nil ||
		!strings.Contains(err.Error(), "codec: gob: ") || !strings.Contains(err.Error(), "codec: json: ") {
		t.Errorf("%v, want both errors", err)
	}
	func() {
		defer func() {
			if p := recover(); p != "half-way" {
				t.Errorf("the panic of the primary became %v", p)
			}
		}()
		_, _ = gobOrJSON(panicking{}).Marshal(1)
	}()
	guarded := codec.Fallback(codec.Guarded(panicking{}), codec.WhenClass(codec.ClassPanic), codec.StdJSON{})
	if b, err := guarded.Marshal(1); err != nil || string(b) != "\x011" {
		t.Errorf("%q, %v", b, err)
	}
}

type hidden struct{ a int }

type failing1 struct{ codec.StdJSON }

func (failing1) AppendMarshal(dst []byte, _ any) ([]byte, error) { return dst, io.ErrClosedPipe }

func TestFallbackIsObservedInside(t *testing.T) {
	var o recorder
	c := codec.Fallback(codec.Observe(codec.Gob{}, &o), codec.WhenClass(codec.ClassUnsupported), codec.Observe(codec.StdJSON{}, &o))
	ctx := context.WithValue(t.Context(), requestKey{}, "request 9")
	if _, err := codec.WithContext(ctx, c).Marshal(hidden{1}); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(o.story(), o.requests); got != "[gob:marshal codec_test.hidden 0 unsupported json:marshal "+
		"codec_test.hidden 2 none] [request 9 span 1 request 9 span 2]" {
		t.Error(got)
	}
}

// A request keeps the codec that it found, whatever becomes of the registry.
func TestCodecOutlivesItsRegistration(t *testing.T) {
	var o recorder
	r := codec.NewRegistry(codec.StdJSON{}, codec.Gob{})
	r.Observe(&o)
	held, err := r.Lookup("gob")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.Replace(refusing{codec.Gob{}}), r.Unregister("gob")); err != nil {
		t.Fatal(err)
	}
	r.Observe(nil)
	if _, err := r.Lookup("gob"); !errors.Is(err, codec.ErrNotRegistered) {
		t.Errorf("after Unregister: %v", err)
	}
	if b, err := held.Marshal("text"); err != nil || held.Unmarshal(b, new(string)) != nil {
		t.Errorf("the codec that was found before: %v", err)
	}
	if len(o.ended) != 2 {
		t.Errorf("%d operations of the held codec were told, want 2", len(o.ended))
	}
}

func TestUnregister(t *testing.T) {
	r := codec.NewRegistry(codec.FXJSON{}, codec.StdJSON{}, codec.Gob{})
	if err := errors.Join(codec.SetTypeFor[sse.SSEEvent](r, "gob"), r.Unregister("fxjson"), r.Unregister("gob")); err != nil {
		t.Fatal(err)
	}
	for by, f := range map[string]func() (codec.Codec, error){
		"media type": func() (codec.Codec, error) { return r.ByMediaType("application/json") },
		"default":    func() (codec.Codec, error) { return r.For(1) },
		"type":       func() (codec.Codec, error) { return r.For(sse.SSEEvent{}) },
	} {
		if c, err := f(); err != nil || c.Name() != "json" {
			t.Errorf("by %s: %v, %v; want json, the one that is left", by, c, err)
		}
	}
	if got := fmt.Sprint(r.Names(), r.MediaTypes()); got != "[json] [application/json text/json]" {
		t.Error(got)
	}
	if err := r.Unregister("gob"); !errors.Is(err, codec.ErrNotRegistered) {
		t.Errorf("%v, want ErrNotRegistered", err)
	}
	if err := r.Unregister("json"); err != nil {
		t.Fatal(err)
	}
	if _, err := r.For(1); !errors.Is(err, codec.ErrNotRegistered) {
		t.Errorf("an empty registry: %v", err)
	}
}

// Codecs come, change, are observed and go while requests look up, marshal and
// unmarshal: each request ends by the codec with which it began.
func TestRegistryInUse(t *testing.T) {
	r := codec.NewRegistry(codec.StdJSON{})
	done := make(chan struct{})
	var readers, writers sync.WaitGroup
	for range 4 {
		readers.Add(1)
		go func() {
			defer readers.Done()
			for {
				c, _, err := r.Negotiate("application/x-gob, application/json;q=0.5")
				if err != nil {
					t.Error(err)
					return
				}
				var v string
				b, err := codec.WithContext(t.Context(), c).Marshal("text")
				if err != nil || c.Unmarshal(b, &v) != nil || v != "text" {
					t.Errorf("%s: %q, %v", c.Name(), v, err)
					return
				}
				select {
				case <-done:
					return
				default:
				}
			}
		}()
	}
	for w := range 2 {
		writers.Add(1)
		go func() {
			defer writers.Done()
			for i := range 200 {
				switch (i + w) % 4 {
				case 0:
					_ = r.Register(codec.Gob{})
				case 1:
					_ = r.Replace(codec.Guarded(codec.Gob{}))
				case 2:
					r.Observe(codec.Observers{})
				case 3:
					_ = r.Unregister("gob")
					r.Observe(nil)
				}
			}
		}()
	}
	writers.Wait()
	close(done)
	readers.Wait()
}

// incomparable is a codec whose values cannot be compared: == panics.
type incomparable struct {
	codec.StdJSON
	fields map[string]string
	err    error
}

func (c incomparable) Marshal(v any) ([]byte, error) {
	if c.err != nil {
		return nil, c.err
	}
	return c.StdJSON.Marshal(v)
}

func (c incomparable) AppendMarshal(dst []byte, v any) ([]byte, error) {
	b, err := c.Marshal(v)
	return append(dst, b...), err
}

func TestIncomparableCodecs(t *testing.T) {
	good, bad := incomparable{}, incomparable{err: errors.New("broken")}
	for _, c := range []codec.Codec{
		codec.Guarded(good),
		codec.Guarded(codec.Guarded(good)),
		codec.Fallback(good, func(error) bool { return true }, good),
		codec.Fallback(bad, func(error) bool { return true }, good),
		codec.Observe(good, codec.Observers{}),
		codec.Observe(codec.Guarded(good), codec.Observers{}),
	} {
		x := codec.WithContext(t.Context(), c)
		b, err := x.Marshal("value")
		var got string
		if err == nil {
			err = x.Unmarshal(b, &got)
		}
		if err != nil || got != "value" {
			t.Errorf("%T: %q, %v", c, got, err)
		}
	}
	_, by, err := codec.AppendFirst(nil, 1, func(error) bool { return true }, bad, good)
	if x, ok := by.(incomparable); err != nil || !ok || x.err != nil {
		t.Errorf("AppendFirst by %v, %v", by, err)
	}
}
