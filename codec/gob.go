package codec

import (
	"bytes"
	"encoding/gob"
	"io"
	"strings"
)

// Gob is encoding/gob with self-contained messages: each one carries the
// description of its types, which is most of the bytes and of the time of a
// small message. A stream sends them once. Name "gob".
//
// Types that stand behind interfaces must be known to [gob.Register]. Gob does not
// promise to withstand hostile input; use it between programs that trust each other.
type Gob struct{}

var (
	_ Appender   = Gob{}
	_ Streamer   = Gob{}
	_ MediaTyped = Gob{}
)

// Name is "gob".
func (Gob) Name() string { return "gob" }

// MediaTypes has no registered type; application/x-gob is common usage.
func (Gob) MediaTypes() []string { return gobTypes }

var gobTypes = []string{"application/x-gob"}

// Marshal returns one self-contained message.
func (c Gob) Marshal(v any) ([]byte, error) { return c.AppendMarshal(nil, v) }

// AppendMarshal appends one self-contained message.
func (c Gob) AppendMarshal(dst []byte, v any) ([]byte, error) {
	if isNil(v) { // gob itself would panic
		return dst, NewError(c, OpMarshal, v, ErrNilValue)
	}
	w := appendWriter{dst}
	if err := gob.NewEncoder(&w).Encode(v); err != nil {
		return dst, NewError(c, OpMarshal, v, gobError(err))
	}
	return w.b, nil
}

// Unmarshal reads one self-contained message. Fields that b does not have, zero
// ones among them, keep the value that v has.
func (c Gob) Unmarshal(b []byte, v any) error {
	if isNil(v) { // gob itself would skip the message and report success
		return NewError(c, OpUnmarshal, v, ErrNilTarget)
	}
	r := bytes.NewReader(b) // an io.ByteReader: gob reads no further than the message
	err := gob.NewDecoder(r).Decode(v)
	switch {
	case err == io.EOF:
		err = io.ErrUnexpectedEOF // io.EOF is for streams
	case err == nil && r.Len() > 0:
		err = ErrTrailingData
	}
	return NewError(c, OpUnmarshal, v, gobError(err))
}

// NewEncoder returns a gob.Encoder, which sends each type's description once.
func (c Gob) NewEncoder(w io.Writer) Encoder { return encoder{c, gob.NewEncoder(w)} }

// NewDecoder returns a gob.Decoder.
func (c Gob) NewDecoder(r io.Reader) Decoder { return decoder{c, gob.NewDecoder(r)} }

// gobError gives an error of encoding/gob what its text alone tells:
// ErrTypeMismatch where message and type do not fit each other, else a class.
func gobError(err error) error {
	if err == nil || ClassOf(err) != ClassOther {
		return err
	}
	text := err.Error()
	for _, k := range gobTexts {
		if strings.Contains(text, k.part) {
			if k.class == ClassType {
				return &mismatch{err}
			}
			return WithClass(k.class, err)
		}
	}
	return err
}

// mismatch is an ErrTypeMismatch in the words of the codec.
type mismatch struct{ error }

func (m *mismatch) Is(target error) bool { return target == ErrTypeMismatch }
func (m *mismatch) Unwrap() error        { return m.error }

// gobTexts are parts of the texts of encoding/gob's errors, whose types are not
// exported. What is not found here comes from a method of the user's.
var gobTexts = []struct {
	part  string
	class Class
}{
	{"gob: type mismatch", ClassType},
	{"gob: decoding into local type", ClassType},
	{"gob: local interface type", ClassType},
	{"gob: wrong type (", ClassType},
	{"is not assignable to type", ClassType},
	{"length mismatch in", ClassType},
	{`" out of range`, ClassType},
	{"attempt to decode into a non-pointer", ClassType},
	{"cannot encode nil", ClassType},
	{"nil element", ClassType},
	{"gob: name not registered for interface", ClassSchema},
	{"gob: type not registered for interface", ClassUnsupported},
	{"can't handle type", ClassUnsupported},
	{"has no exported fields", ClassUnsupported},
	{"can't represent recursive pointer type", ClassUnsupported},
	{"message too big", ClassLimit},
	{"too big: ", ClassLimit},
	{"too large", ClassSyntax},
	{"exceeds input size", ClassSyntax},
	{"bad data", ClassSyntax},
	{"corrupted data", ClassSyntax},
	{"integer out of range", ClassSyntax},
	{"uint data length", ClassSyntax},
	{"slice length", ClassSyntax},
	{"invalid message length", ClassSyntax},
	{"invalid type name length", ClassSyntax},
	{"name too long", ClassSyntax},
	{"duplicate type received", ClassSyntax},
	{"extra data in buffer", ClassSyntax},
	{"invalid nesting depth", ClassSyntax},
	{"empty name for remote field", ClassSyntax},
}
