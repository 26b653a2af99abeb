package codec

import "github.com/zmylab/zmy"

// ZMY is the native format: of types with generated code by that, of all others by reflection. Name
// "zmy", media type application/vnd.zmy. The zero value has the default limits. Both sides know the
// type of a message: its bytes do not tell.
type ZMY struct {
	MarshalOptions   zmy.MarshalOptions
	UnmarshalOptions zmy.UnmarshalOptions // NoCopy would break the promise of Unmarshal and is ignored
}

var (
	_ Appender   = ZMY{}
	_ Stable     = ZMY{}
	_ Viewer     = ZMY{}
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
	return b, c.failed(OpMarshal, v, err)
}

// MarshalStable is Marshal: one value has one encoding.
func (c ZMY) MarshalStable(v any) ([]byte, error) { return c.Marshal(v) }

// AppendMarshal is zmy.Append under the options.
func (c ZMY) AppendMarshal(dst []byte, v any) ([]byte, error) {
	b, err := c.MarshalOptions.Append(dst, v)
	return b, c.failed(OpMarshal, v, err)
}

// Unmarshal is zmy.Unmarshal under the options.
func (c ZMY) Unmarshal(b []byte, v any) error {
	o := c.UnmarshalOptions
	o.NoCopy = false
	return c.failed(OpUnmarshal, v, o.Unmarshal(b, v))
}

// UnmarshalView is Unmarshal with zmy.UnmarshalOptions.NoCopy: strings and byte
// slices of v are parts of b.
func (c ZMY) UnmarshalView(b []byte, v any) error {
	o := c.UnmarshalOptions
	o.NoCopy = true
	return c.failed(OpUnmarshal, v, o.Unmarshal(b, v))
}

// failed says by the errors of this package what is wrong with v itself.
func (c ZMY) failed(op Op, v any, err error) error {
	switch {
	case err == nil:
		return nil
	case isNil(v) && op == OpMarshal:
		err = ErrNilValue
	case isNil(v):
		err = ErrNilTarget
	}
	return NewError(c, op, v, err)
}
