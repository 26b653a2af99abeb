package codec

import (
	"bytes"
	"encoding/gob"
	"io"
	"maps"
	"reflect"
	"sync"
	"sync/atomic"
)

// NOTE: why used encoders and decoders can make messages that stand alone.
//
// A message that stands alone is what a new gob.Encoder writes for one value: the definitions of
// its types, then the value. The definitions depend on the type only, unless the type contains an
// interface. A gob.Encoder that has written one value writes the next one without definitions. So
// the definitions, followed by what a used encoder writes, are the bytes of a new encoder. A
// gob.Decoder that has read the definitions can read any value that follows the same definitions.
//
// The slow way is a new gob.Encoder or gob.Decoder for each message. Tests compare with it, and it
// handles the messages that this code does not understand.

// gobCache keeps encoders and decoders for one Go type. T and *T have one each.
type gobCache struct {
	fixed       bool // the definitions do not depend on the value
	definitions atomic.Pointer[[]byte]
	encoders    sync.Pool // of *gobEncoder that have written the definitions
	known       atomic.Pointer[gobDecoders]
}

// gobDecoders maps definitions to pools of decoders that have read them. The definitions of one Go
// type differ if the sender is another program or version.
type gobDecoders map[string]*sync.Pool // of *gobDecoder

var gobCaches sync.Map // reflect.Type → *gobCache

func gobCacheOf(v any) *gobCache {
	t := reflect.TypeOf(v)
	if c, ok := gobCaches.Load(t); ok {
		return c.(*gobCache)
	}
	c, _ := gobCaches.LoadOrStore(t, &gobCache{fixed: !reaches(t, reflect.Interface, map[reflect.Type]bool{})})
	return c.(*gobCache)
}

// reaches reports whether a value of type t, as gob sends it, may contain a value of that kind. If
// in doubt it returns true.
func reaches(t reflect.Type, kind reflect.Kind, seen map[reflect.Type]bool) bool {
	if t.Kind() == kind {
		return true
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return reaches(t.Elem(), kind, seen)
	case reflect.Map:
		return reaches(t.Key(), kind, seen) || reaches(t.Elem(), kind, seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); (f.IsExported() || f.Anonymous) && reaches(f.Type, kind, seen) {
				return true
			}
		}
	}
	return false
}

type gobEncoder struct {
	enc *gob.Encoder
	w   appendWriter
}

func newGobEncoder() *gobEncoder {
	e := new(gobEncoder)
	e.enc = gob.NewEncoder(&e.w)
	return e
}

// appendMessage appends the bytes that a new gob.Encoder writes for v. An encoder that has failed
// or panicked is not used again.
func (c *gobCache) appendMessage(dst []byte, v any) ([]byte, error) {
	e, used := c.encoders.Get().(*gobEncoder)
	if used {
		e.w.b = append(dst, *c.definitions.Load()...)
	} else {
		e = newGobEncoder()
		e.w.b = dst
	}
	if err := e.enc.Encode(v); err != nil {
		return dst, err
	}
	b := e.w.b
	e.w.b = nil
	if c.fixed && (used || c.learn(b[len(dst):])) {
		c.encoders.Put(e)
	}
	return b, nil
}

// learn keeps the definitions from the first message of a new encoder. It reports whether the
// definitions are known now.
func (c *gobCache) learn(message []byte) bool {
	if c.definitions.Load() != nil {
		return true
	}
	n, _, ok := splitGob(message)
	if ok {
		d := bytes.Clone(message[:n])
		c.definitions.Store(&d)
	}
	return ok
}

type gobDecoder struct {
	dec *gob.Decoder
	r   bytes.Reader // as an io.ByteReader, it makes gob read no further than the message
}

// read unmarshals b with a decoder that has read the definitions of b already, if there is one, or
// else with a new one.
func (c *gobCache) read(b []byte, v any) error {
	n, value, ok := splitGob(b)
	if !ok || value == gobInterface {
		_, err := readGob(b, v)
		return err
	}
	if decoders := c.decoders(b[:n]); decoders != nil {
		if d, ok := decoders.Get().(*gobDecoder); ok {
			return d.next(b[n:], v, decoders)
		}
	}
	d, err := readGob(b, v)
	if err == nil && len(b) <= gobKept && n <= gobMaxDefinitions && gobDefinesNoInterface(b[:n]) {
		c.file(b[:n]).Put(d)
	}
	return err
}

const (
	gobKept           = 64 << 10 // a decoder that has read a larger message holds its bytes, so it is not kept
	gobMaxDefinitions = 4 << 10  // larger definitions are not kept
	gobMaxKnown       = 16       // maximum number of definitions kept for one Go type; the next one replaces them all
)

// next reads a value whose definitions d has read before. A decoder that has failed or panicked is
// not used again.
func (d *gobDecoder) next(value []byte, v any, home *sync.Pool) error {
	err := d.decode(value, v)
	if err == nil && len(value) <= gobKept {
		home.Put(d)
	}
	return err
}

// readGob reads one message with a new decoder.
func readGob(b []byte, v any) (*gobDecoder, error) {
	d := new(gobDecoder)
	d.dec = gob.NewDecoder(&d.r)
	return d, d.decode(b, v)
}

// decode reads b, and fails if bytes are left.
func (d *gobDecoder) decode(b []byte, v any) error {
	d.r.Reset(b)
	err := d.dec.Decode(v)
	switch {
	case err == io.EOF:
		err = io.ErrUnexpectedEOF // io.EOF is for streams
	case err == nil && d.r.Len() > 0:
		err = ErrTrailingData
	}
	d.r.Reset(nil)
	return err
}

func (c *gobCache) decoders(definitions []byte) *sync.Pool {
	if m := c.known.Load(); m != nil {
		return (*m)[string(definitions)]
	}
	return nil
}

// file returns the pool of decoders for the definitions, and makes one if there is none. Senders
// decide how many different definitions arrive, so at most gobMaxKnown are kept.
func (c *gobCache) file(definitions []byte) *sync.Pool {
	for {
		old := c.known.Load()
		next := gobDecoders{}
		if old != nil {
			if p := (*old)[string(definitions)]; p != nil {
				return p
			}
			if len(*old) < gobMaxKnown {
				next = maps.Clone(*old)
			}
		}
		p := new(sync.Pool)
		next[string(definitions)] = p
		if c.known.CompareAndSwap(old, &next) {
			return p
		}
	}
}
