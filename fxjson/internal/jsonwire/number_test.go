package jsonwire

import (
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// padded is the document that kernels read.
func padded(s string) []byte { return Padded(nil, []byte(s)) }

// floats calls f with the values where formatting and parsing go wrong: powers
// of two and ten with their neighbours, short decimals, random bits.
func floats(n int, f func(float64)) {
	r := rand.New(rand.NewPCG(1, 2))
	around := func(x float64) {
		f(x)
		f(math.Nextafter(x, 0))
		f(math.Nextafter(x, math.Inf(1)))
	}
	for e := -1074; e < 1024; e++ {
		around(math.Ldexp(1, e))
	}
	for e := -323; e < 309; e++ {
		around(math.Pow10(e))
		around(math.Pow10(e) * 5)
	}
	for _, x := range []float64{0, math.Copysign(0, -1), math.MaxFloat64, 1e21, 999999999999999934463, 1e-6, 1e-7,
		123456789012345680, 1 << 53, 1<<53 + 2, 5e-324} {
		around(x)
	}
	for range runs(n) {
		f(math.Float64frombits(r.Uint64()))
		f(r.Float64())
		f(-math.Round(r.Float64()*1e7) / 1000)
		around(float64(r.Int64()>>(24+r.IntN(39))) / 1e6) // see appendMillionths
		f(float64(r.Int64()>>r.IntN(63)) * math.Pow10(r.IntN(44)-22))
		f(math.Ldexp(float64(r.IntN(1000)), r.IntN(2000)-1000))
	}
}

// TestParseSubnormal parses the smallest floats, what lies half way between them, and all of it cut
// to digits that a word holds, up and down.
func TestParseSubnormal(t *testing.T) {
	r := rand.New(rand.NewPCG(75, 76))
	check := func(s string) {
		checkParseFloat(t, s)
		digits, exp, _ := strings.Cut(s, "e")
		for n := 15; n <= 20; n++ {
			if len(digits) > n {
				cut := digits[:n] + "e" + exp
				checkParseFloat(t, cut)
				checkParseFloat(t, cut[:n-1]+string('0'+byte(r.IntN(10)))+cut[n:])
			}
		}
	}
	for i := range runs(1500) {
		x := r.Uint64() & (1<<52 - 1) >> r.IntN(52)
		f := math.Float64frombits(x)
		check(strconv.FormatFloat(f, 'e', -1, 64))
		half := new(big.Float).SetPrec(2000).SetFloat64(f) // and half of the smallest float more
		half.Add(half, new(big.Float).SetMantExp(big.NewFloat(1), -1075))
		check(half.Text('e', 40))
		if i%10 == 0 {
			check(half.Text('e', 900))
		}
	}
	for _, s := range []string{"2.4703282292062327e-324", "2.4703282292062328e-324", "2.470328229206232e-324", "1e-330", "9e-345",
		"9999999999999999999e-349",
		"2.2250738585072011e-308", "2.2250738585072012e-308", "2.2250738585072014e-308", "2.225073858507201e-308", "4.9e-324",
		"7.4e-324", "7.5e-324"} {
		check(s)
	}
}

func TestAppendFloat64(t *testing.T) {
	floats(60_000, func(f float64) {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return
		}
		checkFloat64(t, f)
	})
}

func checkFloat64(t *testing.T, f float64) {
	t.Helper()
	want := stdFloat(f, 64)
	if got := string(AppendFloat64(nil, f)); got != want {
		t.Fatalf("%x: have %s, want %s", math.Float64bits(f), got, want)
	}
	var room [FloatRoom]byte
	if got := string(room[:PutFloat64(room[:], 0, f)]); got != want {
		t.Fatalf("%x in a list: have %s, want %s", math.Float64bits(f), got, want)
	}
}

func TestAppendFloat32(t *testing.T) {
	step := uint32(32771) // a prime: over all exponents
	if testing.Short() {
		step = 400_009
	}
	for b := uint32(0); b < math.MaxUint32-step; b += step {
		for _, x := range []uint32{b, b << 23 & 0x7f800000} { // powers of two as well
			f := math.Float32frombits(x)
			if f != f || math.IsInf(float64(f), 0) {
				continue
			}
			checkFloat32(t, f)
		}
	}
}

func checkFloat32(t *testing.T, f float32) {
	t.Helper()
	if got, want := string(AppendFloat32(nil, f)), stdFloat(float64(f), 32); got != want {
		t.Fatalf("%x: have %s, want %s", math.Float32bits(f), got, want)
	}
}

// stdFloat is encoding/json's own answer.
func stdFloat(f float64, bits int) string {
	var v any = f
	if bits == 32 {
		v = float32(f)
	}
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func TestParseFloat(t *testing.T) {
	for _, s := range []string{
		"0", "-0", "0.0", "-0.0e0", "00", "01", "-", "+1", ".5", "5.", "5.e1", "1e", "1e+", "1E-0", "1e5", "1e400", "-1e400", "1e-400",
		"1e999999999999999999999", "0e999999999999999999999", "1.7976931348623157e308", "1.7976931348623159e308", "4.9e-324", "2.4e-324",
		"9007199254740993", "9007199254740992.5", "0.000000000000000000000000000000000000000000012345678901234567890",
		"12345678901234567890123456789", "0.1234567890123456789", "0.12345678901234567890",
		"1.00000000000000011102230246251565404236316680908203125",
		"1.00000000000000011102230246251565404236316680908203124", "16777217", "1.17549429e-38", "3.4028236e38", "0x10", "1_0",
		"Infinity", "NaN", "",
	} {
		checkParseFloat(t, s)
	}
	floats(15_000, func(f float64) {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return
		}
		checkParseFloat(t, strconv.FormatFloat(f, 'e', -1, 64))
		checkParseFloat(t, stdFloat(f, 64))
		checkParseFloat(t, strconv.FormatFloat(f, 'e', 20, 64))
	})
}

// checkParseFloat compares with encoding/json, which accepts white space around s.
func checkParseFloat(t *testing.T, s string) {
	t.Helper()
	if s != strings.TrimSpace(s) {
		return
	}
	b := padded(s)
	got, end := ParseFloat64(b, 0)
	var want float64
	if err := json.Unmarshal([]byte(s), &want); err != nil {
		if end == len(s) {
			t.Fatalf("%q: accepted as %v, want %v", s, got, err)
		}
	} else if end != len(s) || math.Float64bits(got) != math.Float64bits(want) {
		t.Fatalf("%q: have %v to %d, want %v to %d", s, got, end, want, len(s))
	}
	got32, end := ParseFloat32(b, 0)
	var want32 float32
	if err := json.Unmarshal([]byte(s), &want32); err != nil {
		if end == len(s) {
			t.Fatalf("%q: accepted as %v, want %v", s, got32, err)
		}
	} else if end != len(s) || math.Float32bits(got32) != math.Float32bits(want32) {
		t.Fatalf("%q: have %v to %d, want %v to %d", s, got32, end, want32, len(s))
	}
}

func TestIntegers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 64 {
		for d := -2; d <= 2; d++ {
			checkInteger(t, 1<<i+uint64(d))
		}
	}
	for _, p := range pow10 {
		checkInteger(t, p-1)
		checkInteger(t, p)
		checkInteger(t, p+1)
	}
	for range 50_000 {
		checkInteger(t, r.Uint64()>>r.IntN(64))
	}
	for _, s := range []string{
		"", "-", "-0", "00", "-01", "1.0", "1e2", "1E2", "10.", "18446744073709551615", "18446744073709551616", "19999999999999999999",
		"28446744073709551615", "99999999999999999999", "100000000000000000000", "9223372036854775808", "-9223372036854775808",
		"-9223372036854775809", "12345678", "123456789", "1234567x", "+1", " 1",
	} {
		parseInts(t, s)
	}
}

func checkInteger(t *testing.T, u uint64) {
	t.Helper()
	if got, want := string(AppendUint(nil, u)), strconv.FormatUint(u, 10); got != want {
		t.Fatalf("have %s, want %s", got, want)
	}
	if got, want := string(AppendInt(nil, int64(u))), strconv.FormatInt(int64(u), 10); got != want {
		t.Fatalf("have %s, want %s", got, want)
	}
	parseInts(t, strconv.FormatUint(u, 10))
	parseInts(t, strconv.FormatInt(int64(u), 10))
}

// parseInts compares with encoding/json, which accepts white space around s.
func parseInts(t *testing.T, s string) {
	t.Helper()
	if s != strings.TrimSpace(s) {
		return
	}
	b := padded(s)
	var u uint64
	gotU, end := ParseUint(b, 0)
	err := json.Unmarshal([]byte(s), &u)
	if ok := end == len(s); ok != (err == nil) || ok && gotU != u {
		t.Fatalf("%q: have %d to %d, want %d, %v", s, gotU, end, u, err)
	}
	var v int64
	gotV, end := ParseInt(b, 0)
	err = json.Unmarshal([]byte(s), &v)
	if ok := end == len(s); ok != (err == nil) || ok && gotV != v {
		t.Fatalf("%q: have %d to %d, want %d, %v", s, gotV, end, v, err)
	}
}

func FuzzNumber(f *testing.F) {
	for _, s := range []string{"0", "-12.5e-3", "18446744073709551615", "1e400", "1.e1", "0.1234567890123456789e-5"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		b := padded(s)
		var want float64
		got, end := ParseFloat64(b, 0)
		err := json.Unmarshal([]byte(s), &want)
		if len(s) > 0 && s[0] > ' ' && s[len(s)-1] > ' ' && s != "null" {
			if ok := end == len(s); ok != (err == nil) || ok && math.Float64bits(got) != math.Float64bits(want) {
				t.Fatalf("%q: have %v to %d, want %v, %v", s, got, end, want, err)
			}
			parseInts(t, s)
		}
	})
}

func BenchmarkAppendFloat(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	unit, cents := make([]float64, 4096), make([]float64, 4096)
	for i := range unit {
		unit[i] = r.Float64()
		cents[i] = math.Round(r.Float64()*1e6) / 100
	}
	buf := make([]byte, 0, 128)
	for _, c := range []struct {
		name string
		vals []float64
	}{{"unit", unit}, {"cents", cents}} {
		b.Run(c.name+"/fxjson", func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				AppendFloat64(buf, c.vals[i&4095])
			}
		})
		b.Run(c.name+"/strconv", func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				strconv.AppendFloat(buf, c.vals[i&4095], 'f', -1, 64)
			}
		})
	}
}

func BenchmarkParseFloat(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	var docs [4096][]byte
	var strs [4096]string
	for i := range docs {
		strs[i] = strconv.FormatFloat(r.Float64(), 'f', -1, 64)
		docs[i] = padded(strs[i])
	}
	b.Run("fxjson", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			ParseFloat64(docs[i&4095], 0)
		}
	})
	b.Run("strconv", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			strconv.ParseFloat(strs[i&4095], 64)
		}
	})
}
