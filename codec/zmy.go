package codec

import "github.com/zmylab/zmy"

// ZMY is the native format: of types with generated code by that, of all others
// by reflection. Name "zmy", media type application/vnd.zmy. The zero value has the default limits. Both sides know the
// type of a message: its bytes do not tell.
type ZMY struct {
	MarshalOptions   zmy.MarshalOptions
	UnmarshalOptions zmy.UnmarshalOptions // NoCopy would break the promise of Codec and is ignored
}

var (
	_ Appender   = ZMY{}
	_ Stable     = ZMY{}
	_ MediaTyped = ZMY{}
)

// Name is "zmy".
func (ZMY) Name() string { return "zmy" }

// MediaTypes is one vendor type (RFC 6838, section 3.2).
func (ZMY) MediaTypes() []string { return zmyTypes }

var zmyTypes = []string{"application/vnd.zmy"}

// Marshal is zmy.Marshal under the options.
func (c ZMY) Marshal(v any) ([]byte, error) {
	b, err := c.MarshalOptions.Append(nil, v)
	return b, fail(c, "marshal", v, err)
}

// MarshalStable is Marshal: one value has one encoding.
func (c ZMY) MarshalStable(v any) ([]byte, error) { return c.Marshal(v) }

// AppendMarshal is zmy.Append under the options.
func (c ZMY) AppendMarshal(dst []byte, v any) ([]byte, error) {
	b, err := c.MarshalOptions.Append(dst, v)
	return b, fail(c, "marshal", v, err)
}

// Unmarshal is zmy.Unmarshal under the options.
func (c ZMY) Unmarshal(b []byte, v any) error {
	o := c.UnmarshalOptions
	o.NoCopy = false
	return fail(c, "unmarshal", v, o.Unmarshal(b, v))
}
