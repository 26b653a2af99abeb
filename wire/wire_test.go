package wire

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// The one-copy form of packed lists against its loops.
func TestPackedTwins(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := range 20 {
		twinInts[int8](t, r, n, 1)
		twinInts[uint16](t, r, n, 2)
		twinInts[int32](t, r, n, 4)
		twinInts[int64](t, r, n, 8)
		twinInts[int](t, r, n, 8)
		twinInts[uint](t, r, n, 8)
		twinInts[time.Duration](t, r, n, 8)
		twinFloats[float32](t, r, n, 4)
		twinFloats[float64](t, r, n, 8)
	}
}

func twinInts[E Integer](t *testing.T, r *rand.Rand, n, size int) {
	t.Helper()
	s, back, slow := make([]E, n), make([]E, n), make([]E, n)
	for i := range s {
		s[i] = E(r.Uint64())
	}
	fast, want := make([]byte, n*size), make([]byte, n*size)
	PutInts(fast, s, size)
	putInts(want, s, size)
	Ints(back, want, size)
	ints(slow, want, size)
	if !bytes.Equal(fast, want) || !reflect.DeepEqual(back, s) || !reflect.DeepEqual(slow, s) ||
		!bytes.Equal(AppendInts(nil, s, size), want) && n > 0 {
		t.Fatalf("%T: %x, %x", s, fast, want)
	}
}

func twinFloats[E Float](t *testing.T, r *rand.Rand, n, size int) {
	t.Helper()
	s, back, slow := make([]E, n), make([]E, n), make([]E, n)
	for i := range s {
		s[i] = E(r.NormFloat64())
	}
	fast, want := make([]byte, n*size), make([]byte, n*size)
	PutFloats(fast, s, size)
	putFloats(want, s, size)
	Floats(back, want, size)
	floats(slow, want, size)
	if !bytes.Equal(fast, want) || !reflect.DeepEqual(back, s) || !reflect.DeepEqual(slow, s) ||
		!bytes.Equal(AppendFloats(nil, s, size), want) && n > 0 {
		t.Fatalf("%T: %x, %x", s, fast, want)
	}
}

// Valid and ValidString against unicode/utf8, every length and every place.
func TestValid(t *testing.T) {
	for n := range 40 {
		for at := 0; at <= n; at++ {
			for _, mid := range []string{"", "é", "\xc3", "日", "\xed\xa0\x80", "😀", "\x80", "\xff"} {
				s := strings.Repeat("a", at) + mid + strings.Repeat("b", n-at)
				if want := utf8.ValidString(s); ValidString(s) != want || Valid([]byte(s)) != want {
					t.Fatalf("%q: want %v", s, want)
				}
			}
		}
	}
}

// Every beginning of a character against unicode/utf8, at the end of a string and before it.
func TestCharLen(t *testing.T) {
	third := []byte{0, 'a', 0x7F, 0x80, 0x8F, 0x90, 0xBF, 0xC0, 0xFF}
	for w := range uint32(1 << 16) {
		for _, c := range third {
			for _, d := range third {
				b := []byte{byte(w), byte(w >> 8), c, d}
				r, want := utf8.DecodeRune(b)
				if r == utf8.RuneError && want == 1 {
					want = 0
				}
				if b[0] >= utf8.RuneSelf {
					if n := charLen(w | uint32(c)<<16 | uint32(d)<<24); n != want {
						t.Fatalf("%x: %d, want %d", b, n, want)
					}
				}
			}
		}
	}
	for n := range 6 { // characters that end too early
		for at := range 20 {
			for _, c := range []string{"é", "日", "😀"} {
				s := strings.Repeat("a", at) + strings.Repeat(c, n+1)
				for cut := range len(s) {
					if want := utf8.ValidString(s[:cut]); ValidString(s[:cut]) != want || Valid([]byte(s[:cut])) != want {
						t.Fatalf("%q: want %v", s[:cut], want)
					}
				}
				for i := range len(s) {
					bad := s[:i] + "\x80" + s[i:]
					if want := utf8.ValidString(bad); ValidString(bad) != want {
						t.Fatalf("%q: want %v", bad, want)
					}
				}
			}
		}
	}
}

func BenchmarkValid(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"short", "Jörg Ł"}, {"name", "Łukasz Müller-Kowalski"}, {"Chinese 30", strings.Repeat("数据格式", 3)[:30]},
		{"Chinese 4k", strings.Repeat("数据格式", 340)}, {"German 4k", strings.Repeat("Größe der Nachrichten, ", 178)},
	} {
		for form, f := range map[string]func(string) bool{"wire": ValidString, "utf8": utf8.ValidString} {
			b.Run(c.name+"/"+form, func(b *testing.B) {
				for b.Loop() {
					if !f(c.text) {
						b.Fatal("not UTF-8")
					}
				}
			})
		}
	}
}

func FuzzValid(f *testing.F) {
	f.Add([]byte("abcdefgh\xc3\xa9ijklmnop"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if want := utf8.Valid(b); Valid(b) != want || ValidString(string(b)) != want {
			t.Fatalf("%q: want %v", b, want)
		}
	})
}

func TestTime(t *testing.T) {
	var b [TimeLen]byte
	for _, c := range []struct {
		t  time.Time
		ok bool
	}{
		{time.Time{}, true},
		{time.Unix(0, 999999999).UTC(), true},
		{time.Unix(minUnix, 0).UTC(), true},
		{time.Unix(maxUnix, 999999999).UTC(), true},
		{time.Unix(minUnix-1, 0), false},
		{time.Unix(maxUnix+1, 0), false},
		{time.Unix(math.MinInt64, 0), false},
	} {
		if ok := PutTime(b[:], c.t); ok != c.ok {
			t.Errorf("%v: %v", c.t, ok)
		}
		if got, ok := Time(b[:]); ok != c.ok || ok && got != c.t {
			t.Errorf("%v came back as %v, %v", c.t, got, ok)
		}
	}
	if PutTime(b[:], time.Time{}); !IsZero(b[:]) {
		t.Error("the zero time is not all zeros")
	}
}

func TestBigFloats(t *testing.T) {
	parse := func(s string, prec uint) *big.Float {
		x, _, err := big.ParseFloat(s, 0, prec, big.ToNearestEven)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	for _, x := range []*big.Float{
		new(big.Float), big.NewFloat(1), big.NewFloat(-0.1), big.NewFloat(math.MaxFloat64), big.NewFloat(math.SmallestNonzeroFloat64),
		big.NewFloat(math.Copysign(0, -1)), new(big.Float).SetInf(true), parse("3.14159265358979323846264338327950288", 113),
		parse("-1e1000", 300), parse("1e-1000", 65), parse("0x1p-64", 64), parse("12345678901234567890123", 4000),
		new(big.Float).SetMode(big.AwayFromZero).SetPrec(1).SetInt64(4),
	} {
		b, err := AppendBigFloat(nil, x)
		if err != nil {
			t.Fatalf("%v: %v", x, err)
		}
		y, c := ParseBigFloat(b)
		if c != OK || x.Cmp(y) != 0 || x.Prec() != y.Prec() || x.Mode() != y.Mode() || x.Signbit() != y.Signbit() {
			t.Errorf("%v came back as %v: %v", x, y, c)
		}
		if again, _ := AppendBigFloat(nil, y); !bytes.Equal(b, again) {
			t.Errorf("%v: %x, then %x", x, b, again)
		}
	}
	for _, x := range []*big.Float{new(big.Float).SetPrec(MaxPrec + 1), new(big.Float).SetMantExp(big.NewFloat(1), MaxExp+1),
		new(big.Float).SetMantExp(big.NewFloat(1), -MaxExp-2)} {
		if _, err := AppendBigFloat(nil, x); !errors.Is(err, ErrDomain) {
			t.Errorf("precision %d: %v", x.Prec(), err)
		}
	}
}

// What ParseBigFloat accepts has no second spelling.
func FuzzBigFloat(f *testing.F) {
	for _, x := range []float64{0, 1, -1.5, 1e300, math.Inf(1)} {
		b, _ := AppendBigFloat(nil, big.NewFloat(x))
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		x, c := ParseBigFloat(b)
		if c != OK {
			return
		}
		if again, err := AppendBigFloat(nil, x); err != nil || !bytes.Equal(again, b) {
			t.Fatalf("%x became %x: %v", b, again, err)
		}
	})
}

// Integers of every size class take their shortest kind, whatever their Go type.
func TestAnyIntegers(t *testing.T) {
	for _, c := range []struct {
		v    any
		size int
		back any
	}{
		{int8(-128), 2, -128}, {uint8(127), 2, 127}, {uint8(128), 3, 128}, {int64(-129), 3, -129},
		{uint16(65535), 5, 65535}, {int64(1 << 31), 9, asInt(1 << 31)}, {int32(math.MinInt32), 5, math.MinInt32},
		{uint64(math.MaxInt64), 9, asInt(math.MaxInt64)}, {uint64(1 << 63), 9, uint64(1 << 63)}, {uint(1), 2, 1}, {uintptr(0), 2, 0},
	} {
		e := NewEncoder(0, 1<<20)
		b, err := AppendAny(&e, nil, c.v, 1)
		if err != nil || len(b) != c.size {
			t.Errorf("%T %v: %x, %v", c.v, c.v, b, err)
		}
		d := Decoder{Budget: 1 << 20}
		if got, err := DecodeAny(&d, b, 1); err != nil || got != c.back {
			t.Errorf("%T %v came back as %T %v: %v", c.v, c.v, got, got, err)
		}
	}
}

// asInt is an int, or what stands for it where int has 32 bits.
func asInt(v int64) any {
	if int64(int(v)) != v {
		return v
	}
	return int(v)
}

// Decoding, the verifier and encoding agree on values of type any.
func FuzzAny(f *testing.F) {
	for _, v := range []any{
		1, "text", 2.5, []any{nil, []any{true}, map[string]any{"k": "v", "é": int64(1 << 40)}}, map[string]string{"a": "b"}, []string{"x"},
		[]float64{1}, time.Unix(5, 5).UTC(), []time.Time{{}}, big.NewInt(-77), big.NewFloat(0.1),
		Decimal{Scale: 3, Unscaled: big.NewInt(5)}, RawAny{200, []byte{1}},
	} {
		e := NewEncoder(0, 1<<20)
		b, err := AppendAny(&e, nil, v, 64)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) == 0 {
			return
		}
		d := Decoder{Budget: 1 << 40}
		v, err := DecodeAny(&d, b, 64)
		if verr := (verifier{}).any(b, 64); (err == nil) != (verr == nil) {
			t.Fatalf("decode says %v, verify says %v", err, verr)
		}
		if err != nil {
			return
		}
		e := NewEncoder(0, 1<<30)
		if again, err := AppendAny(&e, nil, v, 64); err != nil || !bytes.Equal(again, b) {
			t.Fatalf("%x became %x: %v", b, again, err)
		}
	})
}

// Boundaries of a list that was not verified may be anything, also numbers that are
// negative where int has 32 bits.
func TestListAtUnordered(t *testing.T) {
	const n = Narrow + 1000
	for _, words := range [][3]uint32{{12, 1 << 31, n}, {12, math.MaxUint32, n}, {12, n + 1, n}, {12, 8, n}} {
		b := make([]byte, n)
		for i, w := range words {
			PutU32(b[4*i:], w)
		}
		l := OpenListView(b)
		if l.Err() != nil || l.Len() != 2 {
			t.Fatalf("%v: %d elements, %v", words, l.Len(), l.Err())
		}
		if x := l.At(0); x != nil {
			t.Errorf("%v: element 0 has %d bytes", words, len(x))
		}
		if x := l.At(1); len(x) > n {
			t.Errorf("%v: element 1 has %d bytes", words, len(x))
		}
	}
}

// Widths of a list and of a map on both sides of 65,535, against their definition.
func TestWords(t *testing.T) {
	for n := 65500; n < 65560; n++ {
		list := []string{strings.Repeat("x", n-20), "b", ""}
		b, err := AppendStrings(nil, list)
		if err != nil {
			t.Fatal(err)
		}
		want := 2*4 + n - 20 + 1
		if want > Narrow {
			want += 2 * 4
		}
		if len(b) != want {
			t.Fatalf("%d bytes, want %d", len(b), want)
		}
		d := Decoder{Budget: 1 << 30}
		var back []string
		if err := DecodeStrings(&d, b, &back); err != nil || !reflect.DeepEqual(back, list) {
			t.Fatalf("%d bytes: %v", len(b), err)
		}
	}
}

func TestCodes(t *testing.T) {
	seen := map[string]bool{}
	for c := OK; c < numCodes; c++ {
		if c.Name() == "" || c.Error() == "" || seen[c.Name()] {
			t.Errorf("code %d: name %q, text %q", c, c.Name(), c.Error())
		}
		seen[c.Name()] = true
	}
	err := Fail(ErrUTF8, 1).At(3, 10).In("Items", 100)
	if err.Path != "Items[3]" || err.Offset != 111 || !errors.Is(err, ErrUTF8) {
		t.Errorf("%+v", err)
	}
}

func TestUnixNano(t *testing.T) {
	var b [8]byte
	for _, c := range []struct {
		t    time.Time
		want uint64
		ok   bool
	}{
		{time.Time{}, 0, true},
		{time.Unix(0, 0), 1 << 63, true},
		{time.Unix(0, 1), 1, true},
		{time.Unix(0, -1), 1<<64 - 1, true},
		{time.Unix(0, math.MaxInt64), 1<<63 - 1, true},
		{time.Unix(0, math.MaxInt64).Add(1), 0, false},
		{time.Unix(0, math.MinInt64+1), 1<<63 + 1, true},
		{time.Unix(0, math.MinInt64), 0, false},
		{time.Date(1, 1, 1, 0, 0, 0, 1, time.UTC), 0, false},
		{time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), 0, false},
	} {
		ok := PutUnixNano(b[:], c.t)
		if ok != c.ok || ok && (U64(b[:]) != c.want || !UnixNano(b[:]).Equal(c.t)) {
			t.Errorf("%v: %x, %v", c.t, b, ok)
		}
	}
}

func TestZoneTime(t *testing.T) {
	var b [16]byte
	for _, east := range []int{0, 1, -1, 19800, 64800, -64800, 64801, -64801, 1 << 30} {
		in := time.Unix(1e9, 5).In(time.FixedZone("", east))
		ok := PutZoneTime(b[:], in)
		out, ok2 := ZoneTime(b[:])
		_, off := out.Zone()
		if want := east <= 64800 && east >= -64800; ok != want || ok2 != want || zonesOK(b[:]) != want || want &&
			(!out.Equal(in) || off != east) {
			t.Errorf("%d: %v, %v, %v", east, ok, ok2, out)
		}
	}
}

// Methods that break their promise make errors, not messages.
func TestMethods(t *testing.T) {
	b := []byte("before")
	for name, f := range map[string]func([]byte) ([]byte, error){
		"error":   func([]byte) ([]byte, error) { return nil, errors.New("no") },
		"shorter": func(b []byte) ([]byte, error) { return b[:2], nil },
		"utf8":    func(b []byte) ([]byte, error) { return append(b, 0xff), nil },
	} {
		if out, err := AppendMethod(b, f, true); err == nil || string(out) != "before" {
			t.Errorf("%s: %q, %v", name, out, err)
		}
	}
}

// TestMove copies bytes and lists of all alignments and of lengths around that from which a copy may
// be slow.
func TestMove(t *testing.T) {
	src := make([]byte, 3*2048+64)
	for i := range src {
		src[i] = byte(i*7 + i>>8)
	}
	for _, n := range []int{0, 8, 2040, 2048, 2056, 4096, 3 * 2048} {
		for from := range 33 {
			b := src[from : from+n]
			for to := range 17 {
				dst := make([]byte, n+64)
				move(dst[to:to+n], b)
				if !bytes.Equal(dst[to:to+n], b) || dst[to+n] != 0 || to > 0 && dst[to-1] != 0 {
					t.Fatalf("%d bytes from %d to %d", n, from, to)
				}
			}
			d := Decoder{}
			if own := d.Message(b); !bytes.Equal(own, b) || cap(own) > 0 && n > 0 && &own[0] == &b[0] {
				t.Fatalf("%d bytes from %d: %x", n, from, own)
			}
			var ints []uint64
			var floats, again []float64
			d = Decoder{Budget: 1 << 30, Free: 1 << 30}
			if err := DecodeInts(&d, b, &ints, 8); err != nil {
				t.Fatal(err)
			}
			if err := DecodeFloats(&d, b, &floats, 8); err != nil {
				t.Fatal(err)
			}
			again = make([]float64, len(floats))
			d.Reuse = true
			if err := DecodeFloats(&d, b, &again, 8); err != nil {
				t.Fatal(err)
			}
			for i, x := range ints {
				if want := U64(b[8*i:]); x != want || math.Float64bits(floats[i]) != want || math.Float64bits(again[i]) != want {
					t.Fatalf("%d bytes from %d, element %d: %x, want %x", n, from, i, x, want)
				}
			}
			if len(ints) != n/8 || len(floats) != n/8 {
				t.Fatalf("%d and %d elements of %d bytes", len(ints), len(floats), n)
			}
		}
	}
}

// BenchmarkMake is the memory of a fresh message: 51 bytes fall into the allocator's class of 64,
// 65 into that of 80. Package flat's messages in ZMY are in either.
func BenchmarkMake(b *testing.B) {
	for _, n := range []int{51, 64, 65, 80} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				made = make([]byte, n)
			}
		})
	}
}

var made []byte // keeps what BenchmarkMake has made from staying on the stack

// BenchmarkMove copies 8 KiB from and to several alignments.
func BenchmarkMove(b *testing.B) {
	src, dst := make([]byte, 16<<10), make([]byte, 16<<10)
	for _, at := range [][2]int{{0, 0}, {0, 4}, {4, 0}, {4, 8}, {8, 0}} {
		for name, f := range map[string]func(dst, src []byte){"copy": func(dst, src []byte) { copy(dst, src) }, "move": move} {
			b.Run(fmt.Sprintf("from%d-to%d/%s", at[0], at[1], name), func(b *testing.B) {
				b.SetBytes(8 << 10)
				for b.Loop() {
					f(dst[at[1]:at[1]+8<<10], src[at[0]:at[0]+8<<10])
				}
			})
		}
	}
}
