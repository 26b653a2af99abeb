package codectest

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/zmylab/zmy/codec"
)

type record struct {
	Name string
	Tags []string
	Raw  []byte
}

var sound = Case{Name: "record", Value: record{"a", []string{"b", "c"}, []byte("raw")}}

func TestSoundCodecsPass(t *testing.T) {
	Run(t, codec.StdJSON{}, sound)
	Run(t, codec.Gob{}, sound)
	byPointer := sound
	r := sound.Value.(record)
	byPointer.Value = &r
	Run(t, codec.StdJSON{}, byPointer)
}

// What a codec cannot keep is excepted by name; the rest is checked.
func TestExceptions(t *testing.T) {
	lossy := hooked{"x", json.Marshal, func(b []byte, v any) error { return json.NewDecoder(bytes.NewReader(b)).Decode(v) }}
	RunExcept(t, lossy, Exceptions{"trailing": "the first message is taken"}, sound)
	for _, k := range checks {
		if err := k.needless(good(), []Case{sound}); err == nil {
			t.Errorf("%s: an exception for a sound codec is needed", k.name)
		}
	}
}

// hooked is a codec whose every part can be broken.
type hooked struct {
	name      string
	marshal   func(v any) ([]byte, error)
	unmarshal func(b []byte, v any) error
}

func (h hooked) Name() string                    { return h.name }
func (h hooked) Marshal(v any) ([]byte, error)   { return h.marshal(v) }
func (h hooked) Unmarshal(b []byte, v any) error { return h.unmarshal(b, v) }

func good() hooked { return hooked{"good", json.Marshal, json.Unmarshal} }

// Extensions that break their promise.
type (
	badAppender struct{ hooked }
	badStable   struct {
		hooked
		calls *atomic.Int32
	}
	badStream struct{ hooked }
	badPooled struct {
		hooked
		one *codec.Buffer
	}
	badMedia  struct{ hooked }
	badViewer struct{ hooked }
	badBound  struct{ hooked }
)

// AppendMarshal forgets what stood before.
func (badAppender) AppendMarshal(_ []byte, v any) ([]byte, error) { return json.Marshal(v) }

func (s badStable) MarshalStable(v any) ([]byte, error) {
	b, err := json.Marshal(v)
	return append(b, bytes.Repeat([]byte(" "), int(s.calls.Add(1)))...), err
}

// MarshalPooled hands out one buffer to all.
func (p badPooled) MarshalPooled(_ *codec.Pool, v any) (*codec.Buffer, error) {
	b, err := json.Marshal(v)
	p.one.B = append(p.one.B[:0], b...)
	return p.one, err
}

// badStream loses the end of the stream: a cut message looks like a clean end.
func (badStream) NewEncoder(w io.Writer) codec.Encoder { return json.NewEncoder(w) }
func (badStream) NewDecoder(r io.Reader) codec.Decoder { return eofDecoder{json.NewDecoder(r)} }

type eofDecoder struct{ d *json.Decoder }

func (e eofDecoder) Decode(v any) error {
	if err := e.d.Decode(v); err != nil {
		return io.EOF
	}
	return nil
}

// UnmarshalView makes the bytes its own.
func (badViewer) UnmarshalView(b []byte, v any) error {
	err := json.Unmarshal(b, v)
	clear(b)
	return err
}

// WithContext loses the powers.
func (b badBound) WithContext(context.Context) codec.Codec { return b.hooked }

func (badBound) MediaTypes() []string { return []string{"application/json"} }

func (badMedia) MediaTypes() []string { return []string{"Application/JSON; charset=utf-8"} }

func TestBrokenCodecsAreCaught(t *testing.T) {
	shared := make([]byte, 0, 1<<10)
	var kept []byte
	cases := []struct {
		name  string
		codec codec.Codec
		fails []string // every check that must fail
	}{
		{"nothing broken", good(), nil},
		{"name", hooked{"Bad Name", json.Marshal, json.Unmarshal}, []string{"name"}},
		{"loses a field", hooked{"x", json.Marshal, func(b []byte, v any) error {
			err := json.Unmarshal(b, v)
			if r, ok := v.(*record); ok && err == nil && r != nil {
				r.Tags = nil
			}
			return err
		}}, []string{"round-trip", "pointer", "output-is-owned", "input-is-not-kept", "concurrent", "pooled", "context", "stream"}},
		{"refuses pointers", hooked{"x", func(v any) ([]byte, error) {
			if _, ok := v.(*record); ok {
				return nil, fmt.Errorf("no pointers")
			}
			return json.Marshal(v)
		}, json.Unmarshal}, []string{"pointer"}},
		{"reuses its output", hooked{"x", func(v any) ([]byte, error) {
			b, err := json.Marshal(v)
			shared = append(shared[:0], b...)
			return shared, err
		}, json.Unmarshal}, []string{"output-is-owned"}},
		{"aliases its input", hooked{"x", func(v any) ([]byte, error) {
			return json.Marshal(v)
		}, func(b []byte, v any) error {
			err := json.Unmarshal(b, v)
			if r, ok := v.(*record); ok && err == nil && r != nil {
				if i := bytes.Index(b, []byte(`"cmF3"`)); i >= 0 { // stands for bytes in place
					copy(b[i+1:], "raw")
					r.Raw = b[i+1 : i+4]
				}
			}
			return err
		}}, []string{"round-trip", "input-is-not-kept"}},
		{"panics on bad input", hooked{"x", json.Marshal, func(b []byte, v any) error {
			if err := json.Unmarshal(b, v); err != nil {
				panic(err)
			}
			return nil
		}}, []string{"bad-target", "truncated", "trailing", "lengths"}},
		{"makes room for what is announced", hooked{"x", json.Marshal, func(b []byte, v any) error {
			for i := range max(0, len(b)-4) {
				if b[i] == 0xdd {
					runtime.KeepAlive(make([]byte, 8*binary.BigEndian.Uint32(b[i+1:])))
				}
			}
			return json.Unmarshal(b, v)
		}}, []string{"lengths"}},
		{"takes what it can get", hooked{"x", json.Marshal, func(b []byte, v any) error {
			err := json.NewDecoder(bytes.NewReader(b)).Decode(v)
			if err != nil && v != nil {
				return nil
			}
			return err
		}}, []string{"bad-target", "truncated", "trailing"}},
		{"keeps state", hooked{"x", func(v any) ([]byte, error) {
			if kept == nil {
				kept, _ = json.Marshal(v)
			}
			return kept, nil
		}, json.Unmarshal}, []string{"output-is-owned"}},
		{"appender", badAppender{good()}, []string{"appender", "stream"}},
		{"pooled", badPooled{good(), new(codec.Buffer)}, []string{"pooled"}},
		{"context", badBound{good()}, []string{"context"}},
		{"viewer", badViewer{good()}, []string{"viewer"}},
		{"stable", badStable{good(), new(atomic.Int32)}, []string{"stable"}},
		{"stream", badStream{good()}, []string{"stream"}},
		{"media type", badMedia{good()}, []string{"media-types"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, k := range checks {
				if k.name == "concurrent" && (c.name == "reuses its output" || c.name == "aliases its input" || c.name == "keeps state") {
					continue // a data race by design
				}
				err := k.run(c.codec, sound)
				if want := slices.Contains(c.fails, k.name); (err != nil) != want && !mayFail(c.name, k.name) {
					t.Errorf("%s: %v, want a failure: %v", k.name, err, want)
				}
			}
		})
	}
}

// mayFail lists checks whose outcome follows from an earlier one's side effects.
func mayFail(codecName, check string) bool {
	return codecName == "keeps state" && check != "output-is-owned" ||
		codecName == "aliases its input" && check == "stream"
}
