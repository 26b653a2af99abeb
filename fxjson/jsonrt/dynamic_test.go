package jsonrt

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"
)

// checkDynamic compares EncodeDynamic with encoding/json.
func checkDynamic(t *testing.T, v any) {
	t.Helper()
	want, err := json.Marshal(v)
	e := NewEnc(false)
	got := EncodeDynamic(e, []byte("x"), v)
	if ok := e.Done(); ok != (err == nil) || ok && string(got) != "x"+string(want) {
		t.Errorf("%T %v: have %s, %v, want %s, %v", v, v, got, ok, want, err)
	}
}

// TestEncodeDynamic goes through the kinds that have a path of their own, alone
// and within maps and slices.
func TestEncodeDynamic(t *testing.T) {
	big1, _ := new(big.Int).SetString("-123456789012345678901234567890123456789", 10)
	huge := new(big.Int).Lsh(big.NewInt(1), 4000)
	at := time.Date(2026, 10, 5, 12, 34, 56, 123456789, time.UTC)
	values := []any{
		nil, "a<b>\u2028é\xff", 1.5, math.NaN(), math.Inf(1), true, -1, int8(-8), int16(-16), int32(-32), int64(-64),
		uint(1), uint8(8), uint16(16), uint32(32), uint64(math.MaxUint64), float32(0.1), float32(math.Inf(-1)),
		at, at.In(time.FixedZone("", 3600)), time.Time{}, at.AddDate(9000, 0, 0), time.Second,
		json.Number("1e3"), json.Number(""), json.Number("x"),
		json.RawMessage(" {\"a\" : \"<\"} "), json.RawMessage(nil), json.RawMessage("{"), json.RawMessage(""),
		[]byte("bytes"), []byte{}, []byte(nil),
		big.NewInt(0), big.NewInt(-5), big1, huge, (*big.Int)(nil), *big1,
		big.NewFloat(129.9), big.NewFloat(-0.5), big.NewFloat(1e30), big.NewFloat(0), big.NewFloat(math.Inf(1)), (*big.Float)(nil),
		new(big.Float), *big.NewFloat(1.5),
		[]string{"a", "b"}, []string(nil), []int{1, 2}, []float64{1, 0.5}, []float64{math.NaN()},
		map[string]string{"b": "1", "a": "2"}, map[string]string(nil), []map[string]any{{"a": 1}, nil},
		map[string]any{"b": []any{1, at}, "a": map[string]any{"z": big1}}, map[string]any(nil), []any(nil), []any{},
		struct{ A any }{at}, map[int]any{2: 1, 10: 2}, new(int),
	}
	for _, v := range values {
		checkDynamic(t, v)
		checkDynamic(t, map[string]any{"k": v})
		checkDynamic(t, []any{v, v})
	}
}

func TestBig(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for range 20_000 {
		x := new(big.Int).Lsh(big.NewInt(r.Int64()), uint(r.IntN(600)))
		if r.IntN(2) == 0 {
			x.Neg(x)
		}
		checkDynamic(t, x)
		f := new(big.Float).SetPrec(uint(1 + r.IntN(80))).SetInt64(r.Int64N(1e9) - 5e8)
		f.Quo(f, new(big.Float).SetInt64([]int64{1, 10, 100, 1000, 7}[r.IntN(5)]))
		checkDynamic(t, f)
	}
}

func BenchmarkBigFloat(b *testing.B) {
	x, _ := new(big.Float).SetString("129.95")
	buf := make([]byte, 0, 128)
	b.Run("fxjson", func(b *testing.B) {
		b.ReportAllocs()
		e := NewEnc(false)
		for b.Loop() {
			e.bigFloat(buf, x)
		}
		e.Done()
	})
	b.Run("big", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			x.Append(buf, 'g', -1)
		}
	})
}

type floatKey float64

func (k floatKey) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "k%v", float64(k)), nil }

// TestMapOfNaN has a key that no look-up finds.
func TestMapOfNaN(t *testing.T) {
	m := map[floatKey]int{floatKey(math.NaN()): 5, 1: 7}
	want, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	e := NewEnc(false)
	got := EncodeMapOf(e, nil, &m, KeyText, EncodeInt)
	if !e.Done() || string(got) != string(want) {
		t.Errorf("have %s, want %s", got, want)
	}
}
