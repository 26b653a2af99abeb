package dynamic

import (
	"errors"
	"fmt"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/wire"
)

// Codec reads messages of one schema. It may be used by several goroutines at once.
type Codec struct {
	s *schema.Schema
	l *schema.Layout
}

// New returns a codec for messages of the schema s, which must not change.
func New(s *schema.Schema) (*Codec, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	l, err := s.Layout()
	if err != nil {
		return nil, err
	}
	return &Codec{s, l}, nil
}

// Struct is a struct of a message.
type Struct struct {
	Name   string
	Fields []Field // in number order, reserved ones left out
}

// Field is a field of a Struct. The value is one of
//
//	nil                            for pointers and nilables that are nil, and any
//	bool, int64, uint64            for integers of each size
//	float32, float64, complex64, complex128
//	time.Time, time.Duration
//	string, []byte, json.RawMessage
//	*big.Int, *big.Float
//	*Struct, Map, []any            for structs, maps, lists and arrays
//
// or, for a field of type any, what zmy.Unmarshal stores in one.
type Field struct {
	*schema.Field
	Value any
}

// Map is a map in the order of its keys.
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

// DecodeOptions reads a message. Of the options it obeys the limits and NoCopy.
// Fields that the schema does not have are passed over; those that the message
// does not have are zero.
func (c *Codec) DecodeOptions(msg []byte, o zmy.UnmarshalOptions) (*Struct, error) {
	name := c.s.Types[0].Name
	d, left, err := o.Decoder(len(msg))
	if err == nil {
		err = wire.Verify(c.l.Table, 0, msg, left)
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

// Open reads the message of an envelope that brings its schema.
func Open(e zmy.Envelope, o zmy.UnmarshalOptions) (*Struct, error) {
	if e.Schema == nil {
		return nil, ErrNoSchema
	}
	s, err := schema.Parse(e.Schema)
	if err != nil {
		return nil, err
	}
	if e.Fingerprint != 0 && e.Fingerprint != s.Fingerprint() {
		return nil, fmt.Errorf("zmy: dynamic: the schema in the envelope has fingerprint %016x, the message %016x", s.Fingerprint(), e.Fingerprint)
	}
	c, err := New(s)
	if err != nil {
		return nil, err
	}
	return c.DecodeOptions(e.Message, o)
}

// ErrNoSchema is returned for an envelope without a schema block.
var ErrNoSchema = errors.New("zmy: dynamic: the envelope has no schema block")
