package codectest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"reflect"
	"regexp"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"

	"github.com/zmylab/zmy/codec"
)

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9+._-]{0,31}$`)

func checkName(c codec.Codec, _ Case) error {
	if n := c.Name(); !nameForm.MatchString(n) {
		return fmt.Errorf("name %q is not short and lower case (%s)", n, nameForm)
	}
	if a, b := c.Name(), c.Name(); a != b {
		return fmt.Errorf("name changes from %q to %q", a, b)
	}
	return nil
}

func checkRoundTrip(c codec.Codec, cs Case, b []byte) error {
	before := bytes.Clone(b)
	if err := cs.unmarshal(c, b); err != nil {
		return err
	}
	if !bytes.Equal(b, before) {
		return errors.New("unmarshal changes its input")
	}
	return nil
}

func checkPointer(c codec.Codec, cs Case) error {
	if reflect.TypeOf(cs.Value).Kind() == reflect.Pointer {
		return nil // every other check uses this pointer
	}
	p := reflect.New(reflect.TypeOf(cs.Value))
	p.Elem().Set(reflect.ValueOf(cs.Value))
	b, err := marshal(c, p.Interface())
	if err != nil {
		return fmt.Errorf("through a pointer: %w", err)
	}
	return cs.unmarshal(c, b)
}

func checkOutputOwned(c codec.Codec, cs Case) error {
	first, err := marshal(c, cs.Value)
	if err != nil {
		return err
	}
	saved := bytes.Clone(first)
	second, err := marshal(c, cs.Value)
	if err != nil {
		return err
	}
	if !bytes.Equal(first, saved) {
		return errors.New("the next marshal overwrites bytes that the caller owns")
	}
	// Changes that the caller makes to its bytes must affect neither the next result nor the codec.
	for i := range first {
		first[i] = ^first[i]
	}
	if err := cs.unmarshal(c, second); err != nil {
		return fmt.Errorf("after the caller wrote over the result of another call: %w", err)
	}
	third, err := marshal(c, cs.Value)
	if err != nil {
		return err
	}
	return cs.unmarshal(c, third)
}

func checkInputNotKept(c codec.Codec, cs Case, b []byte) error {
	v := cs.target()
	if err := safely(func() error { return c.Unmarshal(b, v) }); err != nil {
		return err
	}
	for i := range b {
		b[i] = 0xA5
	}
	if err := cs.compare(v); err != nil {
		return fmt.Errorf("the decoded value points into the input, which was overwritten: %w", err)
	}
	return nil
}

func checkBadTarget(c codec.Codec, cs Case, b []byte) error {
	for name, target := range map[string]any{
		"nil":           nil,
		"a nil pointer": reflect.Zero(reflect.PointerTo(cs.typ())).Interface(),
		"a non-pointer": reflect.Zero(cs.typ()).Interface(),
	} {
		if err := mustFail(func() error { return c.Unmarshal(b, target) }); err != nil {
			return fmt.Errorf("unmarshal into %s: %w", name, err)
		}
	}
	return nil
}

func checkTruncated(c codec.Codec, cs Case, b []byte) error {
	if w, ok := codec.As[codec.Viewer](c); ok {
		if err := cs.refusesCuts(bytes.Clone(b), w.UnmarshalView); err != nil {
			return err
		}
	}
	return cs.refusesCuts(b, c.Unmarshal)
}

// refusesCuts returns an error if unmarshal takes b without its end. It tries every length, or 256
// of them spread evenly, and the message without its last byte.
func (cs Case) refusesCuts(b []byte, unmarshal func([]byte, any) error) error {
	step := max(1, len(b)/256)
	for n := 0; n < len(b); n = max(n+1, min(n+step, len(b)-1)) {
		if err := mustFail(func() error { return unmarshal(b[:n:n], cs.target()) }); err != nil {
			return fmt.Errorf("first %d of %d bytes: %w", n, len(b), err)
		}
	}
	return nil
}

// lengths are spellings of 16 to 256 million, as lengths in binary formats are written.
var lengths = [][]byte{
	{0xff},
	{0xfe, 0xff, 0xff, 0x0f},             // varint, also zigzag
	{0x80, 0x80, 0x80, 0x80, 0x01},       // varint
	{0x00, 0xff, 0xff, 0xff},             // four bytes, big-endian
	{0xff, 0xff, 0xff, 0x00},             // four bytes, little-endian
	{0xdd, 0x00, 0xff, 0xff, 0xff},       // array of MessagePack
	{0xdf, 0x00, 0xff, 0xff, 0xff},       // map of MessagePack
	{0x9a, 0x00, 0xff, 0xff, 0xff},       // array of CBOR
	{0xba, 0x00, 0xff, 0xff, 0xff},       // map of CBOR
	{0xc6, 0x00, 0xff, 0xff, 0xff},       // bytes of MessagePack
	{0xfc, 0x00, 0xff, 0xff, 0xff, 0x00}, // unsigned integer of gob
}

// mostMemory is what unmarshalling a damaged message may allocate, in bytes.
const mostMemory = 32 << 20

// checkLengths replaces each byte of the message by lengths that nothing follows. A codec that makes
// room for as many elements as a message announces can be brought down by a few bytes.
func checkLengths(c codec.Codec, cs Case, b []byte) error {
	step := max(1, len(b)/128)
	for i := 0; i < len(b); i += step {
		for _, length := range lengths {
			for _, rest := range [][]byte{b[i+1:], nil} {
				m := slices.Concat(b[:i], length, rest)
				before := allocated()
				err := safely(func() error { return c.Unmarshal(m, cs.target()) })
				if n := allocated() - before; n > mostMemory+uint64(len(b)) {
					return fmt.Errorf("with %x at byte %d, unmarshalling a message of %d bytes allocates %d MiB", length, i, len(m), n>>20)
				}
				if p := (*panicked)(nil); errors.As(err, &p) {
					return fmt.Errorf("with %x at byte %d: %w", length, i, err)
				}
			}
		}
	}
	return nil
}

// allocated returns how many bytes the process has allocated on the heap.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

func checkTrailing(c codec.Codec, cs Case, b []byte) error {
	two := append(bytes.Clone(b), b...)
	if err := mustFail(func() error { return c.Unmarshal(two, cs.target()) }); err != nil {
		return fmt.Errorf("two messages in one: %w", err)
	}
	return nil
}

// mustFail calls f. It returns nil if f returns an error, and otherwise an error that says what f
// did.
func mustFail(f func() error) error {
	err := safely(f)
	if err == nil {
		return errors.New("no error")
	}
	if p, ok := err.(*panicked); ok { // a codec may wrap a panic itself; only ours is the outermost error
		return p
	}
	return nil
}

func checkConcurrent(c codec.Codec, cs Case) error {
	const goroutines, rounds = 8, 10
	errs := make([]error, goroutines)
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			for range rounds {
				b, err := marshal(c, cs.Value)
				if err == nil {
					err = cs.unmarshal(c, b)
				}
				if err != nil {
					errs[g] = err
					return
				}
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

func checkAppender(c codec.Codec, cs Case) error {
	a, ok := codec.As[codec.Appender](c)
	if !ok {
		return nil
	}
	prefix := []byte("prefix")
	for _, spare := range []int{0, 1, 1 << 16} {
		dst := append(make([]byte, 0, len(prefix)+spare), prefix...)
		var out []byte
		err := safely(func() (err error) {
			out, err = a.AppendMarshal(dst, cs.Value)
			return err
		})
		if err != nil {
			return fmt.Errorf("append: %w", err)
		}
		rest, found := bytes.CutPrefix(out, prefix)
		if !found {
			return fmt.Errorf("the bytes before are lost: %q", out[:min(len(out), 32)])
		}
		if err := cs.unmarshal(c, rest); err != nil {
			return fmt.Errorf("appended with %d bytes of spare capacity: %w", spare, err)
		}
	}
	out, err := a.AppendMarshal(prefix, make(chan int))
	if err == nil {
		return errors.New("a channel is marshalled without an error")
	}
	if !bytes.Equal(out, prefix) {
		return fmt.Errorf("after an error the result is %q, want the bytes handed in", out)
	}
	return nil
}

// checkPooled uses the codec's own MarshalPooled, or the package's. Both must keep the promise.
func checkPooled(c codec.Codec, cs Case) error {
	var p codec.Pool
	first, err := codec.MarshalPooled(c, &p, cs.Value)
	if err != nil {
		return err
	}
	second, err := codec.MarshalPooled(c, &p, cs.Value)
	if err != nil {
		return err
	}
	for i := range second.B { // a buffer belongs to its caller until it is released
		second.B[i] = 0xA5
	}
	if err := cs.unmarshal(c, first.B); err != nil {
		return fmt.Errorf("two buffers share their bytes: %w", err)
	}
	first.Release()
	second.Release()
	third, err := codec.MarshalPooled(c, &p, cs.Value)
	if err != nil {
		return err
	}
	defer third.Release()
	return cs.unmarshal(c, third.B)
}

// checkContext checks that the codec for a request has the same powers, and that its messages can
// be read without that request.
func checkContext(c codec.Codec, cs Case) error {
	w := codec.WithContext(context.Background(), c)
	for name, has := range map[string]func(codec.Codec) bool{
		"Appender": has[codec.Appender], "Stable": has[codec.Stable], "Pooled": has[codec.Pooled],
		"Viewer": has[codec.Viewer], "Streamer": has[codec.Streamer], "MediaTyped": has[codec.MediaTyped],
	} {
		if has(c) != has(w) {
			return fmt.Errorf("for a request it is %s: %v; before it was: %v", name, has(w), has(c))
		}
	}
	b, err := marshal(w, cs.Value)
	if err != nil {
		return err
	}
	return cs.unmarshal(c, b)
}

func has[P any](c codec.Codec) bool {
	_, ok := codec.As[P](c)
	return ok
}

// checkViewer checks that reading in place gives the same value, does not change the bytes, and
// refuses damaged messages as Unmarshal does.
func checkViewer(c codec.Codec, cs Case) error {
	w, ok := codec.As[codec.Viewer](c)
	if !ok {
		return nil
	}
	b, err := marshal(c, cs.Value)
	if err != nil {
		return err
	}
	before := bytes.Clone(b)
	v := cs.target()
	if err := safely(func() error { return w.UnmarshalView(b, v) }); err != nil {
		return err
	}
	if err := cs.compare(v); err != nil {
		return err
	}
	if !bytes.Equal(b, before) {
		return errors.New("reading in place changes the bytes")
	}
	return nil
}

func checkStable(c codec.Codec, cs Case) error {
	s, ok := codec.As[codec.Stable](c)
	if !ok {
		return nil
	}
	first, err := s.MarshalStable(cs.Value)
	if err != nil {
		return err
	}
	for range 20 {
		again, err := s.MarshalStable(cs.Value)
		if err != nil {
			return err
		}
		if !bytes.Equal(first, again) {
			return errors.New("two calls give different bytes for one value")
		}
	}
	return cs.unmarshal(c, first)
}

func checkStream(c codec.Codec, cs Case) error {
	s, ok := codec.As[codec.Streamer](c)
	if !ok {
		s = codec.Framed(c, 1<<30)
	}
	const n = 3
	var buf bytes.Buffer
	enc := s.NewEncoder(&buf)
	for range n {
		if err := enc.Encode(cs.Value); err != nil {
			return fmt.Errorf("encode: %w", err)
		}
	}
	dec := s.NewDecoder(oneByteReader{bytes.NewReader(buf.Bytes())})
	for i := range n {
		v := cs.target()
		if err := dec.Decode(v); err != nil {
			return fmt.Errorf("decode message %d: %w", i, err)
		}
		if err := cs.compare(v); err != nil {
			return fmt.Errorf("message %d: %w", i, err)
		}
	}
	if err := dec.Decode(cs.target()); err != io.EOF {
		return fmt.Errorf("after the last message: %v, want io.EOF", err)
	}
	// A stream that is cut within its last message must not look finished. Line feeds at the end
	// are not cut, since a separator after the last message may be missing.
	whole := bytes.TrimRight(buf.Bytes(), "\n")
	dec = s.NewDecoder(bytes.NewReader(whole[:len(whole)-1]))
	var err error
	for i := 0; i < n && err == nil; i++ {
		err = dec.Decode(cs.target())
	}
	if err == nil || err == io.EOF {
		return fmt.Errorf("a stream without its last byte gives %v, want an error other than io.EOF", err)
	}
	return nil
}

// oneByteReader returns one byte at a time, so that a decoder which expects whole reads fails.
type oneByteReader struct{ r io.Reader }

func (o oneByteReader) Read(p []byte) (int, error) {
	if len(p) > 1 {
		p = p[:1]
	}
	return o.r.Read(p)
}

func checkMediaTypes(c codec.Codec, _ Case) error {
	m, ok := codec.As[codec.MediaTyped](c)
	if !ok {
		return nil
	}
	types := m.MediaTypes()
	if len(types) == 0 {
		return errors.New("no media types")
	}
	for _, s := range types {
		base, params, err := mime.ParseMediaType(s)
		if err != nil {
			return fmt.Errorf("media type %q: %w", s, err)
		}
		if base != s || len(params) > 0 || !strings.Contains(s, "/") {
			return fmt.Errorf("media type %q has parameters, upper-case letters or spaces", s)
		}
	}
	return nil
}
