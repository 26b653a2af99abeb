package protox

import (
	"io"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/zmylab/zmy/codec"
	"github.com/zmylab/zmy/internal/adapt"
)

// JSON is the JSON form of protobuf messages (ProtoJSON), by package protojson. It is for gateways
// whose clients use JSON and whose types are messages. Its name is "protojson", its media type
// application/json. The library inserts spaces, which differ between builds of a program, so this
// codec is not Stable.
type JSON struct {
	MarshalOptions   protojson.MarshalOptions
	UnmarshalOptions protojson.UnmarshalOptions
}

var (
	_ codec.Appender   = JSON{}
	_ codec.Streamer   = JSON{}
	_ codec.MediaTyped = JSON{}
)

// Name returns "protojson".
func (JSON) Name() string { return "protojson" }

// MediaTypes returns the media types of JSON.
func (JSON) MediaTypes() []string { return codec.StdJSON{}.MediaTypes() }

// Marshal returns one document.
func (c JSON) Marshal(v any) ([]byte, error) { return c.AppendMarshal(nil, v) }

// AppendMarshal appends one document.
func (c JSON) AppendMarshal(dst []byte, v any) ([]byte, error) {
	if adapt.IsNil(v) {
		return dst, codec.NewError(c, codec.OpMarshal, v, codec.ErrNilValue)
	}
	m, ok := adapt.Pointer(v).(proto.Message)
	if !ok {
		return dst, codec.NewError(c, codec.OpMarshal, v, noMessage)
	}
	b, err := c.MarshalOptions.MarshalAppend(dst, m)
	if err != nil {
		return dst, codec.NewError(c, codec.OpMarshal, v, classes.Of(err))
	}
	return b, nil
}

// Unmarshal reads one document.
func (c JSON) Unmarshal(b []byte, v any) error {
	if adapt.IsNil(v) {
		return codec.NewError(c, codec.OpUnmarshal, v, codec.ErrNilTarget)
	}
	m, ok := v.(proto.Message)
	if !ok {
		return codec.NewError(c, codec.OpUnmarshal, v, noMessage)
	}
	return codec.NewError(c, codec.OpUnmarshal, v, classes.Of(c.UnmarshalOptions.Unmarshal(b, m)))
}

// NewEncoder returns an encoder that writes documents, each followed by a line feed.
func (c JSON) NewEncoder(w io.Writer) codec.Encoder { return adapt.AppendEncoder(c, w, "\n") }

// NewDecoder returns a decoder of documents.
func (c JSON) NewDecoder(r io.Reader) codec.Decoder { return adapt.JSONDecoder(c, r) }
