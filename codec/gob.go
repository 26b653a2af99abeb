package codec

import (
	"encoding/gob"
	"io"
)

// Gob is encoding/gob with self-contained messages. Each message has the description of its types,
// which is most of the bytes of a small one. A stream sends the description once. The name is
// "gob".
//
// If each message had a new gob.Encoder or gob.Decoder, a small message would spend most of its
// time there: describing the types, or compiling their description. So Gob keeps used ones for the
// next message with the same description. That gives the same bytes and values as new ones, and is
// several times as fast. Types that contain interfaces are an exception, since their description
// depends on the value.
//
// Types of values in interfaces must be registered by [gob.Register]. Gob does not promise to
// withstand hostile input: in Go 1.26 a message of 200 bytes can ask for a map of billions of
// entries, and gets the memory for it. Use it between programs that trust each other.
type Gob struct{}

var (
	_ Appender   = Gob{}
	_ Streamer   = Gob{}
	_ MediaTyped = Gob{}
)

// Name returns "gob".
func (Gob) Name() string { return "gob" }

// MediaTypes returns application/x-gob, which is commonly used. No media type is registered for
// gob.
func (Gob) MediaTypes() []string { return gobTypes }

var gobTypes = []string{"application/x-gob"}

// Marshal returns one self-contained message.
func (c Gob) Marshal(v any) ([]byte, error) { return c.AppendMarshal(nil, v) }

// AppendMarshal appends one self-contained message.
func (c Gob) AppendMarshal(dst []byte, v any) ([]byte, error) {
	if isNil(v) { // gob itself would panic
		return dst, NewError(c, OpMarshal, v, ErrNilValue)
	}
	b, err := gobCacheOf(v).appendMessage(dst, v)
	return b, NewError(c, OpMarshal, v, gobError(err))
}

// Unmarshal reads one self-contained message. A message omits fields that were zero when it was
// marshaled. Fields that b omits keep their values in v.
func (c Gob) Unmarshal(b []byte, v any) error {
	if isNil(v) { // gob itself would skip the message and report success
		return NewError(c, OpUnmarshal, v, ErrNilTarget)
	}
	return NewError(c, OpUnmarshal, v, gobError(gobCacheOf(v).read(b, v)))
}

// NewEncoder returns a gob.Encoder, which sends each type's description once.
func (c Gob) NewEncoder(w io.Writer) Encoder { return encoder(c, gob.NewEncoder(w)) }

// NewDecoder returns a gob.Decoder.
func (c Gob) NewDecoder(r io.Reader) Decoder { return decoder(c, gob.NewDecoder(r)) }
