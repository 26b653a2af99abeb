package dynamic

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/schema"
	"github.com/zmylab/zmy/schema/dissect"
	"github.com/zmylab/zmy/wire"
)

// Codec reads and writes messages of one schema. It is safe for concurrent use.
type Codec struct {
	s     *schema.Schema
	l     *schema.Layout
	names []atomic.Pointer[names] // for each struct, made on first use
}

// New returns a codec for messages of the schema s, which must not change afterwards. It refuses a
// schema whose names in JSON would take far more memory than the schema itself, because its structs
// embed each other thousands of times.
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

// Schema returns the schema that the codec was made for.
func (c *Codec) Schema() *schema.Schema { return c.s }

// Struct is the tree of a struct.
type Struct struct {
	Name string
	// Fields are in number order, without reserved fields. A Struct to be encoded need not have all
	// fields: missing ones are zero.
	Fields []Field
	// Unknown keeps the fields of a newer version, which the schema does not have, and the content
	// of reserved fields. Encoding writes them back.
	Unknown zmy.Unknown

	names *names // nil in a Struct that no Codec made
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
// or, for a field of type any, what zmy.Unmarshal stores in such a field. In a Struct to be encoded
// nil is the zero value of every type, and maps need no order.
type Field struct {
	*schema.Field
	Value any
}

// Union is the tree of a union: one of several structs.
type Union struct {
	Number uint16  // number of the arm
	Name   string  // name of the arm, "" if the schema does not have the arm
	Value  *Struct // nil if the schema does not have the arm
	Raw    []byte  // slot of an arm that the schema does not have
}

// Map is the tree of a map. Decoded maps are in the order of their keys.
type Map []Pair

// Pair is an entry of a Map.
type Pair struct {
	Key, Value any
}

// Field returns the value of the field called name, and whether s has it.
func (s *Struct) Field(name string) (any, bool) {
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return s.Fields[i].Value, true
		}
	}
	return nil, false
}

// Find returns the value under a string key, and whether m has it.
func (m Map) Find(key string) (any, bool) {
	for i := range m {
		if m[i].Key == key {
			return m[i].Value, true
		}
	}
	return nil, false
}

// nodeCost is the cost of one value of a tree, in units of the budget. A value in a Struct takes a
// Field, and the memory that the Field's Value points to.
const nodeCost = 48

// Decode reads a message with the default limits.
func (c *Codec) Decode(msg []byte) (*Struct, error) {
	return c.DecodeOptions(msg, zmy.UnmarshalOptions{})
}

// DecodeOptions reads a message. It obeys the limits, NoCopy and Exact of the options. Fields that
// the schema does not have are kept as Unknown. Fields that the message does not have are zero.
func (c *Codec) DecodeOptions(msg []byte, o zmy.UnmarshalOptions) (*Struct, error) {
	name := c.s.Types[0].Name
	d, left, err := o.Decoder(len(msg))
	if err == nil {
		err = c.placed(msg, wire.Verify(c.l.Table, 0, msg, left))
	}
	if err != nil {
		return nil, zmy.Decoded(name, err)
	}
	// Verify charged nothing. The walk charges for the tree.
	w := walker{c, &d, left, nil}
	v := w.message(d.Message(msg))
	if w.err != nil {
		return nil, zmy.Decoded(name, w.err)
	}
	return v, nil
}

// Verify checks a message as deeply as Decode does, but makes no tree.
func (c *Codec) Verify(msg []byte, o zmy.UnmarshalOptions) error {
	_, left, err := o.Decoder(len(msg))
	if err == nil {
		err = c.placed(msg, wire.Verify(c.l.Table, 0, msg, left))
	}
	return zmy.Decoded(c.s.Types[0].Name, err)
}

// Open reads the message of an envelope that contains a schema block.
func Open(e zmy.Envelope, o zmy.UnmarshalOptions) (*Struct, error) {
	c, err := Of(e)
	if err != nil {
		return nil, err
	}
	return c.DecodeOptions(e.Message, o)
}

// Of returns a codec for the schema block of an envelope or a stream. e is what zmy.Open or
// Reader.About returned.
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

// placed adds a path to an error of wire.Verify, which knows no names. It is the path of the field
// at the error's offset. If the message ends too early, it is the path of the field before that
// offset. If words are out of order, it is the path of the list or struct that contains them.
func (c *Codec) placed(msg []byte, err *wire.Error) *wire.Error {
	if err == nil {
		return nil
	}
	err.Path = ""
	at := err.Offset
	if err.Code == wire.ErrTruncated && at > 0 {
		at--
	}
	for p := range (dissect.Options{}).Message(c.s, msg) {
		if p.Offset > at {
			break
		}
		if p.Role != dissect.Group && at < p.Offset+p.Len {
			err.Path = p.Path
			break
		}
	}
	return err
}
