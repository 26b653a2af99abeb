package dynamic

import (
	"math/big"
	"strings"
	"testing"
)

// A few bytes of message must not cost seconds of printing: large exponents and long
// mantissas are shown in hexadecimal, and read back.
func TestFloatText(t *testing.T) {
	half := big.NewFloat(0.5).SetPrec(2)
	long := new(big.Float).SetPrec(5000).Quo(big.NewFloat(1), new(big.Float).SetPrec(5000).SetInt64(3))
	for _, c := range []struct {
		x    *big.Float
		want string
	}{
		{new(big.Float).SetMantExp(half, -65536), "0x.8p-65536"},
		{new(big.Float).SetMantExp(half, 65536), "0x.8p+65536"},
		{new(big.Float).Neg(new(big.Float).SetMantExp(half, 4097)), "-0x.8p+4097"},
		{long, "0x."},
		{big.NewFloat(1.5), "1.5"},
		{new(big.Float).SetInf(true), "-Inf"},
		{new(big.Float), "0"},
	} {
		p := printer{}
		p.bigFloat(c.x)
		text := strings.Trim(string(p.b), `"`)
		if !strings.HasPrefix(text, c.want) || len(c.want) > 3 && text != c.want {
			t.Errorf("%s, want %s", text, c.want)
		}
		if back, ok := parseExactFloat(exactFloat(c.x)); !ok || back.Cmp(c.x) != 0 || back.Prec() != c.x.Prec() {
			t.Errorf("%s comes back as %v", exactFloat(c.x), back)
		}
	}
}
