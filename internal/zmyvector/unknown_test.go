package zmyvector

import (
	"errors"
	"strings"
	"testing"

	"github.com/zmylab/zmy"
	"github.com/zmylab/zmy/wire"
)

// What was carried for one type and is then copied into another may not fit
// there. It is refused when written, by generated code and by reflection.
func TestUnknownMisplaced(t *testing.T) {
	type reflected struct {
		A     uint16 `zmy:"0"`
		Carry zmy.Unknown
	}
	large := wire.MakeUnknown(make([]byte, wire.MaxScalars-1), nil, nil)
	fits := wire.MakeUnknown(append(make([]byte, wire.MaxScalars-3), 1), nil, nil)
	many := wire.MakeUnknown(nil, make([][]byte, wire.MaxTails), nil)
	both := wire.MakeUnknown(make([]byte, wire.MaxScalars+1), make([][]byte, 1<<18-1), nil) // the header would overflow to itself
	for _, c := range []struct {
		name string
		v    any
		want error
		text string
	}{
		{"fits", &KeepPart1{A: 1, unknown: fits}, nil, ""},
		{"scalars", &KeepPart1{A: 1, unknown: large}, zmy.ErrTooLarge,
			"zmy: marshal KeepPart1: larger than the limit: its zmy.Unknown has 16382 bytes of scalars and 0 tails, besides 2 and 0 of " +
				"its own; was it copied from a struct of another type?"},
		{"tails", &KeepPart2{unknown: many}, zmy.ErrTooLarge, "0 bytes of scalars and 16383 tails, besides 2 and 1"},
		{"both", &KeepPart1{unknown: both}, zmy.ErrTooLarge, "16384 bytes of scalars and 262143 tails"},
		{"field", &Keep1{One: KeepPart1{unknown: large}}, zmy.ErrTooLarge, "marshal Keep1.One: "},
		{"list", &Keep1{List: []KeepPart1{{A: 1}, {A: 2, unknown: fits}, {A: 3, unknown: large}}}, zmy.ErrTooLarge, "marshal Keep1.List[2]: "},
		{"reflection", &reflected{Carry: large}, zmy.ErrTooLarge, "marshal reflected: larger than the limit: its zmy.Unknown has 16382 bytes"},
		{"sparse", &Sparse2{unknown: wire.MakeUnknown(make([]byte, wire.MaxScalars), nil, []byte{0, 0, 1})}, nil, ""},
		{"sparse scalars", &Sparse2{A: 1, unknown: wire.MakeUnknown(make([]byte, wire.MaxScalars), nil, []byte{0, 0, 1})},
			zmy.ErrTooLarge, "16383 bytes of scalars"},
		{"sparse, own field", &Sparse2{unknown: wire.MakeUnknown([]byte{1}, nil, []byte{0, 1})}, zmy.ErrSparse,
			"bitmap does not fit the struct: its zmy.Unknown"},
		{"sparse, first unknown field", &Sparse2{unknown: wire.MakeUnknown([]byte{1}, nil, []byte{0, 2})}, nil, ""},
		{"sparse, of a dense struct", &Sparse2{unknown: fits}, zmy.ErrSparse, "bitmap does not fit the struct: its zmy.Unknown"},
	} {
		b, err := zmy.Marshal(c.v)
		if !errors.Is(err, c.want) || err != nil && !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v", c.name, err)
		}
		if err == nil {
			err = zmy.Unmarshal(b, c.v)
		}
		if c.want == nil && err != nil {
			t.Errorf("%s: what was written is not read: %v", c.name, err)
		}
	}
}
