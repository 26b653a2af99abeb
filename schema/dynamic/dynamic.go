package dynamic

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/wire"
)

// Codec reads and writes messages of one schema. It may be used by several
// goroutines at once.
type Codec struct {
	s     *schema.Schema
	l     *schema.Layout
	names []atomic.Pointer[names] // of each struct, made on first use
}

// New returns a codec for messages of the schema s, which must not change. It
// refuses schemas of which the names in JSON would take more memory than they do
// themselves: structs that embed each other by the thousand.
func New(s *schema.Schema) (*Codec, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	l, err := s.Layout()
	if err != nil {
		return nil, err
	}
	c := &Codec{s, l, make([]atomic.Pointer[names], len(s.Types))}
	if err := c.checkNames(); err != nil {
		return nil, err
	}
	return c, nil
}

// Schema is what New was given.
func (c *Codec) Schema() *schema.Schema { return c.s }

// Struct is a struct of a message.
type Struct struct {
	Name string
	// Fields are in number order, reserved ones left out. Where a Struct is to be
	// written any may be missing: they are zero.
	Fields []Field
	// Unknown is what a newer version of the type has and the schema does not
	// know, and what stands in reserved fields. It is written back.
	Unknown zmy.Unknown

	names *names // nil for one made by hand
}

// Field is a field of a Struct. The value is one of
//
//	nil                            for pointers and nilables that are nil, unions and any
//	bool, int64, uint64            for integers of each size
//	float32, float64, complex64, complex128
//	time.Time, time.Duration
//	string, []byte, json.RawMessage
//	*big.Int, *big.Float
//	*Struct, *Union, Map           for structs, unions, maps
//	[]any                          for lists and arrays; lists of uint8 are []byte
//
// or, for a field of type any, what zmy.Unmarshal stores in one. Where a Struct is
// to be written nil is the zero value of all types, and maps need no order.
type Field struct {
	*schema.Field
	Value any
}

// Union is one of several structs.
type Union struct {
	Number uint16  // of the arm
	Name   string  // of the arm, "" if the schema does not know it
	Value  *Struct // nil if the schema does not know the arm
	Raw    []byte  // its slot then
}

// Map is a map, in the order of its keys where it was read from a message.
type Map []Pair

// Pair is an entry of a Map.
type Pair struct {
	Key, Value any
}

// Field returns the value of the field of that name.
func (s *Struct) Field(name string) (any, bool) {
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return s.Fields[i].Value, true
		}
	}
	return nil, false
}

// Find returns the value under a key of type string.
func (m Map) Find(key string) (any, bool) {
	for i := range m {
		if m[i].Key == key {
			return m[i].Value, true
		}
	}
	return nil, false
}

// nodeCost is what one value of the tree is charged, in units of the budget.
const nodeCost = 48

// Decode reads a message under the default limits.
func (c *Codec) Decode(msg []byte) (*Struct, error) {
	return c.DecodeOptions(msg, zmy.UnmarshalOptions{})
}

// DecodeOptions reads a message. Of the options it obeys the limits, NoCopy and
// Exact. Fields that the schema does not have are kept as Unknown; those that the
// message does not have are zero.
func (c *Codec) DecodeOptions(msg []byte, o zmy.UnmarshalOptions) (*Struct, error) {
	name := c.s.Types[0].Name
	d, left, err := o.Decoder(len(msg))
	if err == nil {
		err = c.placed(msg, wire.Verify(c.l.Table, 0, msg, left))
	}
	if err != nil {
		return nil, zmy.Decoded(name, err)
	}
	w := walker{c, &d, left, nil}
	v := w.message(d.Message(msg))
	if w.err != nil {
		return nil, zmy.Decoded(name, w.err)
	}
	return v, nil
}

// Verify checks a message as deep as Decode does, and makes nothing of it.
func (c *Codec) Verify(msg []byte, o zmy.UnmarshalOptions) error {
	_, left, err := o.Decoder(len(msg))
	if err == nil {
		err = c.placed(msg, wire.Verify(c.l.Table, 0, msg, left))
	}
	return zmy.Decoded(c.s.Types[0].Name, err)
}

// Open reads the message of an envelope that brings its schema.
func Open(e zmy.Envelope, o zmy.UnmarshalOptions) (*Struct, error) {
	c, err := Of(e)
	if err != nil {
		return nil, err
	}
	return c.DecodeOptions(e.Message, o)
}

// Of returns a codec for the schema that an envelope brings, or a stream: what
// Open and Reader.About of package zmy return.
func Of(e zmy.Envelope) (*Codec, error) {
	if e.Schema == nil {
		return nil, ErrNoSchema
	}
	s, err := schema.Parse(e.Schema)
	if err != nil {
		return nil, err
	}
	if e.Fingerprint != 0 && e.Fingerprint != s.Fingerprint() {
		return nil, fmt.Errorf("zmy: dynamic: the schema in the envelope has fingerprint %016x, the message %016x", s.Fingerprint(),
			e.Fingerprint)
	}
	return New(s)
}

// ErrNoSchema is returned for an envelope without a schema block.
var ErrNoSchema = errors.New("zmy: dynamic: the envelope has no schema block")
