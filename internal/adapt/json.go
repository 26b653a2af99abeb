package adapt

import (
	"encoding/json"
	"io"

	"github.com/zmylab/zmy/codec"
)

// JSONDecoder reads values of JSON one after the other: encoding/json finds where
// each ends, c unmarshals it. It is for libraries whose own streams lose bytes or do not tell a
// torn value from the end.
func JSONDecoder(c codec.Codec, r io.Reader) codec.Decoder {
	return &jsonDecoder{c: c, d: json.NewDecoder(r)}
}

type jsonDecoder struct {
	c   codec.Codec
	d   *json.Decoder
	raw json.RawMessage // reused: a codec keeps no reference to its input
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
