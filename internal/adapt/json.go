package adapt

import (
	"encoding/json"
	"io"

	"github.com/zmylab/zmy/codec"
)

// JSONDecoder returns a decoder of JSON values, one after the other. encoding/json finds the end of
// each value, and c unmarshals it. It is for libraries whose own stream decoders lose bytes, or
// cannot tell a truncated value from the end of the stream.
func JSONDecoder(c codec.Codec, r io.Reader) codec.Decoder {
	return &jsonDecoder{c: c, d: json.NewDecoder(r)}
}

type jsonDecoder struct {
	c   codec.Codec
	d   *json.Decoder
	raw json.RawMessage // reused, since a codec keeps no reference to its input
}

func (d *jsonDecoder) Decode(v any) error {
	if err := d.d.Decode(&d.raw); err != nil {
		if err == io.EOF {
			return io.EOF
		}
		return codec.NewError(d.c, codec.OpDecode, v, err)
	}
	return d.c.Unmarshal(d.raw, v)
}
