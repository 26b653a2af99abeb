package jsonwire

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestAppendBinary compares with big.Float on decimals of few digits, on random
// mantissas and near powers of two.
func TestAppendBinary(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	took := 0
	for i := range 200_000 {
		x := new(big.Float).SetPrec(1 + uint(r.IntN(64)))
		switch i % 4 {
		case 0, 1:
			x.SetPrec([]uint{64, 53, 24}[r.IntN(3)])
			x.Quo(new(big.Float).SetInt64(1+r.Int64N(1e9)), new(big.Float).SetInt64(int64(pow10[r.IntN(8)])))
		case 2:
			x.SetMantExp(new(big.Float).SetUint64(r.Uint64()>>r.IntN(64)|1), r.IntN(30)-60)
		case 3:
			x.SetMantExp(new(big.Float).SetUint64(1<<r.IntN(60)+uint64(r.IntN(3))), -r.IntN(60))
		}
		exp := x.MantExp(nil)
		m, acc := new(big.Float).SetMantExp(x, 64-exp).Uint64()
		if acc != big.Exact || m>>63 == 0 {
			t.Fatalf("%v: mantissa %x", x, m)
		}
		got, ok := AppendBinary([]byte("x"), m, exp-64, x.Prec())
		if !ok {
			if string(got) != "x" {
				t.Fatalf("%v: changed to %s", x, got)
			}
			continue
		}
		took++
		if want := x.Text('g', -1); string(got[1:]) != want {
			t.Fatalf("prec %d, %b: have %s, want %s", x.Prec(), x, got[1:], want)
		}
	}
	if took < 50_000 {
		t.Errorf("the fast path took only %d numbers", took)
	}
}

// TestAppendWords compares with big.Int.
func TestAppendWords(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for range 20_000 {
		w := make([]uint64, r.IntN(9))
		x := new(big.Int)
		for i := len(w) - 1; i >= 0; i-- {
			w[i] = r.Uint64() >> r.IntN(64)
			if r.IntN(4) == 0 {
				w[i] = 0
			}
			x.Or(x.Lsh(x, 64), new(big.Int).SetUint64(w[i]))
		}
		if got := AppendWords(nil, w); string(got) != x.String() {
			t.Fatalf("have %s, want %v", got, x)
		}
	}
	for n := range 150 { // powers of ten have the most zeros
		s := "1" + strings.Repeat("0", n)
		x, _ := new(big.Int).SetString(s, 10)
		var w []uint64
		for y := new(big.Int).Set(x); y.Sign() != 0; y.Rsh(y, 64) {
			w = append(w, new(big.Int).And(y, new(big.Int).SetUint64(1<<64-1)).Uint64())
		}
		if got := AppendWords(nil, w); string(got) != s {
			t.Fatalf("have %s, want %s", got, s)
		}
	}
}
