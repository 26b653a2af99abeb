package codec

import "github.com/zmylab/zmy"

// ZMY is ZMY native. It uses generated code for types that have it, and reflection for all others.
// Its name is "zmy", its media type application/vnd.zmy. The zero value has the default limits. The
// bytes of a message do not name its type, so both sides must know it.
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

// Name returns "zmy".
func (ZMY) Name() string { return "zmy" }

// MediaTypes returns application/vnd.zmy, a vendor type (RFC 6838, section 3.2).
func (ZMY) MediaTypes() []string { return zmyTypes }

var zmyTypes = []string{"application/vnd.zmy"}

// Marshal is zmy.Marshal with the options.
func (c ZMY) Marshal(v any) ([]byte, error) {
	b, err := c.MarshalOptions.Append(nil, v)
	return b, c.failed(OpMarshal, v, err)
}

// MarshalStable is Marshal, since a value has one encoding.
func (c ZMY) MarshalStable(v any) ([]byte, error) { return c.Marshal(v) }

// AppendMarshal is zmy.Append with the options.
func (c ZMY) AppendMarshal(dst []byte, v any) ([]byte, error) {
	b, err := c.MarshalOptions.Append(dst, v)
	return b, c.failed(OpMarshal, v, err)
}

// Unmarshal is zmy.Unmarshal with the options, except NoCopy.
func (c ZMY) Unmarshal(b []byte, v any) error {
	o := c.UnmarshalOptions
	o.NoCopy = false
	return c.failed(OpUnmarshal, v, o.Unmarshal(b, v))
}

// UnmarshalView is Unmarshal with zmy.UnmarshalOptions.NoCopy: strings and byte slices of v are
// parts of b.
func (c ZMY) UnmarshalView(b []byte, v any) error {
	o := c.UnmarshalOptions
	o.NoCopy = true
	return c.failed(OpUnmarshal, v, o.Unmarshal(b, v))
}

// failed wraps err. If v itself is nil, it replaces err by ErrNilValue or ErrNilTarget.
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
