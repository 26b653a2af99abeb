package zmyvector

import (
	"bytes"
	"fmt"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmymodel"
)

// checks are what must hold of any bytes, be they vectors, mutants of them or what a
// fuzzer found. One goroutine has one: the buffers are kept from call to call.
type checks struct {
	buf, again, in []byte
	held           map[*Reader]Message
}

var writing = zmy.MarshalOptions{MaxWire: 1 << 26}

// agree holds generated code and the verifier against the model.
func (*checks) agree(r *Reader, exact bool, b []byte) error {
	_, err := Agree(*r, b, zmymodel.Limits{Exact: exact})
	return err
}

// identity: unmarshal and the verifier give one verdict, at one place. What is
// accepted as this version is written as it was read; what is of another becomes
// this version once, and then stays as it is.
func (c *checks) identity(r *Reader, exact bool, b []byte) error {
	o := zmy.UnmarshalOptions{NoCopy: true, Exact: exact}
	v := r.New()
	err := v.UnmarshalZMYOptions(b, o)
	got := Wire(err)
	if got == nil || got.Code != "VERSION" && got.Code != "BUDGET" {
		if err := same("unmarshal, verify", got, Wire(r.Verify(b, o)), false); err != nil {
			return err
		}
	}
	if err != nil {
		return nil
	}
	if c.buf, err = v.AppendZMYOptions(c.buf[:0], writing); err != nil {
		return err
	}
	if o.Exact {
		if !bytes.Equal(c.buf, b) {
			return fmt.Errorf("read %x, written %x", b, c.buf)
		}
		return nil
	}
	o.Exact = true
	w := r.New()
	if err := w.UnmarshalZMYOptions(c.buf, o); err != nil && Wire(err).Code != "VERSION" {
		return fmt.Errorf("%x became %x: %w", b, c.buf, err)
	} else if err != nil {
		o.Exact = false // it carries what a newer version has
		if err := w.UnmarshalZMYOptions(c.buf, o); err != nil {
			return err
		}
	}
	if c.again, err = w.AppendZMYOptions(c.again[:0], writing); err != nil || !bytes.Equal(c.again, c.buf) {
		return fmt.Errorf("%x became %x, then %x: %w", b, c.buf, c.again, err)
	}
	return nil
}

// views calls every accessor of views, verified and not: it must not panic.
func (*checks) views(r *Reader, _ bool, b []byte) error {
	if v, err := r.View(b, zmy.UnmarshalOptions{}); err == nil {
		Walk(v)
	}
	if v, err := r.Lazy(b); err == nil {
		Walk(v)
	}
	return nil
}

// modes reads in each mode, into a value that held another one: all write the
// same, and where copies were asked for nothing points into the input.
func (c *checks) modes(r *Reader, _ bool, b []byte) error {
	v := r.New()
	if v.UnmarshalZMYOptions(b, zmy.UnmarshalOptions{NoCopy: true}) != nil {
		return nil
	}
	var err error
	if c.again, err = v.AppendZMYOptions(c.again[:0], writing); err != nil {
		return err
	}
	if c.held == nil {
		c.held = map[*Reader]Message{}
	}
	if c.held[r] == nil {
		c.held[r] = r.New()
	}
	for i, v := range []Message{r.New(), r.New(), c.held[r]} {
		c.in = append(c.in[:0], b...)
		if err := v.UnmarshalZMYOptions(c.in, zmy.UnmarshalOptions{CopyEach: i == 1, Reuse: i == 2}); err != nil {
			return fmt.Errorf("mode %d: %w", i, err)
		}
		for j := range c.in {
			c.in[j] ^= 0xa5
		}
		if c.buf, err = v.AppendZMYOptions(c.buf[:0], writing); err != nil || !bytes.Equal(c.buf, c.again) {
			return fmt.Errorf("mode %d: %x written as %x, not %x: %w", i, b, c.buf, c.again, err)
		}
	}
	return nil
}
