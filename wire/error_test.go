package wire

import (
	"math"
	"testing"
)

func TestErrorPath(t *testing.T) {
	for _, c := range []struct {
		err  *Error
		want string
	}{
		{Fail(ErrDomain, 0).At(3, 0).In("Items", 0), "Items[3]"},
		{Fail(ErrDomain, 0).In("Price", 0).At(3, 0), "[3].Price"},
		{Fail(ErrDomain, 0).AtInt(math.MinInt64, 0), "[-9223372036854775808]"},
		{Fail(ErrDomain, 0).AtUint(math.MaxUint64, 0), "[18446744073709551615]"},
		{Fail(ErrDomain, 0).AtKey("é\x00", 0).In("M", 0), `M["\u00e9\x00"]`},
	} {
		if c.err.Path != c.want {
			t.Errorf("%s, want %s", c.err.Path, c.want)
		}
	}
}
