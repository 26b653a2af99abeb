package zmyvector

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/internal/zmymodel"
	"github.com/zmylab/zmy/wire"
)

// Options returns the options of package zmy for the limits of a vector.
func Options(l zmymodel.Limits) zmy.UnmarshalOptions {
	return zmy.UnmarshalOptions{MaxWire: l.MaxWire, MaxRaw: l.MaxRaw, MaxDepth: l.MaxDepth, Budget: l.Budget, Exact: l.Exact}
}

// Wire returns an error of package zmy as a fault of the model. It returns nil if err is not about
// a message.
func Wire(err error) *zmymodel.Fault {
	var e *zmy.DecodeError
	var c wire.Code
	if !errors.As(err, &e) || !errors.As(err, &c) {
		return nil
	}
	return &zmymodel.Fault{Code: c.Name(), Offset: e.Offset, Path: e.Path}
}

// Agree compares generated code and the verifier with the model on the bytes b. They must give the
// same verdict at the same offset, the same value, and the same bytes when the value is marshalled.
// If b is accepted, generated code also reads it with NoCopy, and must marshal that value to the
// same bytes. Agree returns the marshalled bytes, or nil if b is refused.
func Agree(r Reader, b []byte, l zmymodel.Limits) (again []byte, err error) {
	want, fault := zmymodel.Decode(r.Type, b, l)
	o := Options(l)
	v := r.New()
	if err := same("unmarshal", Wire(v.UnmarshalZMYOptions(b, o)), fault, true); err != nil {
		return nil, err
	}
	if verifies(fault) {
		if err := same("verify", Wire(r.Verify(b, o)), fault, false); err != nil {
			return nil, err
		}
	}
	if fault != nil {
		return nil, nil
	}
	written := zmymodel.Encode(r.Type, want)
	if got, model := r.Type.Spell(r.Value(v)), r.Type.Spell(want); got != model {
		return nil, fmt.Errorf("value\n %s, model\n %s", got, model)
	}
	big := zmy.MarshalOptions{MaxWire: 1 << 30, MaxDepth: l.MaxDepth}
	again, err = v.AppendZMYOptions([]byte("front"), big)
	if err != nil || !bytes.Equal(again[5:], written) {
		return nil, fmt.Errorf("written again (%v) as\n %x, by the model as\n %x", err, again, written)
	}
	o.NoCopy = true
	alias := r.New()
	if err := alias.UnmarshalZMYOptions(bytes.Clone(b), o); err != nil {
		return nil, fmt.Errorf("without copying: %w", err)
	}
	if x, err := alias.AppendZMYOptions(nil, big); err != nil || !bytes.Equal(x, written) {
		return nil, fmt.Errorf("without copying: written again (%v) as\n %x, want\n %x", err, x, written)
	}
	return written, nil
}

// verifies reports whether the verifier must find the same fault as the model. It has no budget,
// and does not know the option Exact.
func verifies(f *zmymodel.Fault) bool { return f == nil || f.Code != "BUDGET" && f.Code != "VERSION" }

func same(who string, got, want *zmymodel.Fault, path bool) error {
	switch {
	case got == nil && want == nil:
		return nil
	case got == nil || want == nil, got.Code != want.Code, got.Offset != want.Offset, path && got.Path != want.Path:
		return fmt.Errorf("%s: %v, model: %v", who, got, want)
	}
	return nil
}
