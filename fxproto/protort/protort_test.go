package protort

import (
	"bytes"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/zmylab/zmy/fxproto"
	"github.com/zmylab/zmy/internal/pbwire"
)

// TestText compares with package pbwire, for strings of all lengths with one byte that is not ASCII at
// each place. The buffer ends just behind the text.
func TestText(t *testing.T) {
	for n := range 100 {
		for at := -1; at < n; at++ {
			for _, bad := range []string{"\xff", "é", "世", "\x80"} {
				s := strings.Repeat("0123456789", 10)[:n]
				if at >= 0 {
					s = s[:at] + bad + s[at+1:]
				}
				want := pbwire.AppendBytes([]byte("ab"), s)
				b := bytes.Repeat([]byte{0xee}, len(want)+1)
				copy(b, "ab")
				i := Text(b[:len(want):len(want)], 2, s)
				switch {
				case (i >= 0) != utf8.ValidString(s), valid(s) != utf8.ValidString(s), validBytes([]byte(s)) != utf8.ValidString(s):
					t.Fatalf("%q: index %d", s, i)
				case i >= 0 && (i != len(want) || !bytes.Equal(b[:i], want)):
					t.Fatalf("%q: %x, want %x", s, b[:i], want)
				case b[len(want)] != 0xee:
					t.Fatalf("%q: wrote behind the text", s)
				}
				if RawText(b, 2, s); !bytes.Equal(b[:len(want)], want) {
					t.Fatalf("%q: %x, want %x", s, b[:len(want)], want)
				}
			}
		}
	}
}

// numbers has a number of each length in bits, and its neighbours.
func numbers() (all []uint64) {
	for k := range 64 {
		all = append(all, 1<<k-1, 1<<k, 1<<k+1)
	}
	return append(all, math.MaxUint64)
}

func TestVarint(t *testing.T) {
	for _, x := range numbers() {
		want := pbwire.AppendVarint([]byte{1, 2}, x)
		for _, room := range []int{0, 1, 20} { // with and without room for a word
			b := append(bytes.Clone(want[:2]), make([]byte, len(want)-2+room)...)
			if i := Varint(b, 2, x); !bytes.Equal(b[:i], want) {
				t.Errorf("%#x: %x, want %x", x, b[:i], want)
			}
		}
		if y, i := Uvarint(want, 2); y != x || i != len(want) {
			t.Errorf("%x: %#x, %d", want, y, i)
		}
		if UnZigZag(ZigZag(int64(x))) != int64(x) || ZigZag(int64(x)) != pbwire.ZigZag(int64(x)) {
			t.Errorf("%#x: zigzag %#x", x, ZigZag(int64(x)))
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		b := make([]byte, r.IntN(13))
		for i := range b {
			b[i] = byte(r.Uint32()) | byte(r.IntN(4)/2)<<7
		}
		want, n := pbwire.ConsumeVarint(b)
		if x, i := Uvarint(b, 0); n < 0 && i >= 0 || n >= 0 && (x != want || i != n) {
			t.Fatalf("%x: %#x, %d, want %#x, %d", b, x, i, want, n)
		}
		if _, n := pbwire.ConsumeBytes(b); true {
			if _, i := LongSpan(b, 0); (i >= 0) != (n >= 0) || i >= 0 && i != n {
				t.Fatalf("%x: a span to %d, want %d", b, i, n)
			}
		}
	}
}

func TestClose(t *testing.T) {
	for _, n := range []int{128, 129, 16383, 16384, 1 << 21} {
		content := bytes.Repeat([]byte("x"), n)
		b, i := Close(append([]byte("ab?"), content...), 3, 3+n)
		if want := pbwire.AppendBytes([]byte("ab"), content); !bytes.Equal(b[:i], want) {
			t.Errorf("%d bytes: %.10x, want %.10x", n, b[:i], want)
		}
	}
}

func TestSorted(t *testing.T) {
	for _, n := range []int{0, 1, 2, few, few + 1, 1000} {
		m := map[int32]int{}
		for i := range n {
			m[int32(i*7919%1009-500)] = i
		}
		list := Sorted(nil, m)
		if len(list) != len(m) || !slices.IsSortedFunc(list, func(a, b Entry[int32, int]) int { return int(a.Key) - int(b.Key) }) {
			t.Errorf("%d entries: %v", n, list)
		}
		for _, e := range list {
			if m[e.Key] != e.Value {
				t.Errorf("%v", e)
			}
		}
	}
	if list := SortedBools(nil, map[bool]int{true: 1, false: 2}); len(list) != 2 || list[0].Key || !list[1].Key {
		t.Errorf("%v", list)
	}
}

// TestLists compares lists with their elements one by one.
func TestLists(t *testing.T) {
	var d Decoder
	d.memory = math.MaxInt64
	var i32 []int32
	var f64 []float64
	var i64 []int
	var b32, b64, bi, bv []byte
	for _, x := range numbers() {
		i32, f64, i64 = append(i32, int32(x)), append(f64, math.Float64frombits(x)), append(i64, int(x))
		b32, b64 = pbwire.AppendFixed32(b32, uint32(x)), pbwire.AppendFixed64(b64, x)
		bi, bv = pbwire.AppendFixed64(bi, uint64(int(x))), pbwire.AppendVarint(bv, uint64(int64(int32(x))))
	}
	out := make([]byte, 10*len(bi))
	for name, c := range map[string]struct {
		n    int
		want []byte
	}{
		"Fixed32": {Fixed32(out, 0, i32), b32}, "Float64": {Float64(out[1000:], 0, f64), b64}, "Fixed64": {Fixed64(out[4000:], 0, i64), bi},
		"Varints": {Varints(out[8000:], 0, i32), bv},
	} {
		from := map[string]int{"Fixed32": 0, "Float64": 1000, "Fixed64": 4000, "Varints": 8000}[name]
		if got := out[from : from+c.n]; !bytes.Equal(got, c.want) {
			t.Errorf("%s: %x, want %x", name, got, c.want)
		}
	}
	if SizeVarints(i32) != len(bv) {
		t.Errorf("size %d, want %d", SizeVarints(i32), len(bv))
	}
	a, ok1 := AppendFixed32(&d, i32[:1:1], b32[4:])
	c, ok2 := AppendFixed64(&d, i64[:1:1], bi[8:])
	v, ok3 := AppendVarints(&d, []int32{}, bv)
	f, ok4 := AppendFloat64(&d, []float64(nil), b64)
	same := func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }
	if !ok1 || !ok2 || !ok3 || !ok4 || !slices.Equal(a, i32) || !slices.Equal(c, i64) || !slices.Equal(v, i32) ||
		!slices.EqualFunc(f, f64, same) {
		t.Error("lists come back differently")
	}
	if _, ok := AppendFixed32(&d, a, b32[1:]); ok {
		t.Error("a part of a number is accepted")
	}
	d.memory = 10
	if _, ok := AppendFixed32(&d, a, b32); ok || !d.Exceeded() {
		t.Error("a list beyond the budget is accepted")
	}
}

// TestBudget shows that counted runs do not allocate more than the budget allows.
func TestBudget(t *testing.T) {
	d, in, _ := Decode(bytes.Repeat([]byte("\x0a\x00"), 1000), fxproto.UnmarshalOptions{MaxMemory: 1000}, true)
	if n := Run(in, 2, 0x0a); n != 1000 {
		t.Fatalf("a run of %d", n)
	}
	if list := Grow(&d, []string(nil), Run(in, 2, 0x0a)); cap(list) != 1 {
		t.Errorf("room for %d strings", cap(list))
	}
	if n := d.RunOf(in, 2, 0x0a, 32); n != 1 {
		t.Errorf("a map for %d entries", n)
	}
}

func TestTimes(t *testing.T) {
	for _, at := range []time.Time{{}, Epoch(), time.Unix(-5, 7).UTC(), time.Unix(1<<40, 999999999).UTC(), time.Unix(0, 1).UTC()} {
		b := make([]byte, MaxTime)
		n := Time(b, 0, at)
		var got time.Time
		if n != SizeTime(at) || !MergeTime(&got, b[1:n], 1) || !got.Equal(at) {
			t.Errorf("%v: %v, %x", at, got, b[:n])
		}
	}
	for _, d := range []time.Duration{0, 1, -1, time.Second, math.MaxInt64, math.MinInt64} {
		b := make([]byte, MaxTime)
		n := Duration(b, 0, d)
		var got time.Duration
		if n != SizeDuration(d) || !MergeDuration(&got, b[1:n], 1) || got != d {
			t.Errorf("%v: %v, %x", d, got, b[:n])
		}
	}
	if HasTime(time.Time{}) || !HasTime(Epoch()) {
		t.Error("HasTime is wrong")
	}
}

// TestLongUvarint compares with package pbwire, for varints of all lengths and longer than they have to be,
// with and without bytes behind them.
func TestLongUvarint(t *testing.T) {
	check := func(b []byte) {
		want, n := pbwire.ConsumeVarint(b)
		got, next := LongUvarint(b, 0)
		if n < 0 && next >= 0 || n > 0 && (next != n || got != want) {
			t.Fatalf("%x: %d, %d, want %d, %d", b, got, next, want, n)
		}
	}
	for _, x := range numbers() {
		b := pbwire.AppendVarint(nil, x)
		long := append(bytes.Clone(b[:len(b)-1]), b[len(b)-1]|0x80, 0x80, 0)
		for _, behind := range []string{"", "\x00", "\xff\xff\xff\xff\xff\xff\xff\xff\xff", "\x01\x02\x03\x04\x05\x06\x07\x08"} {
			check(append(bytes.Clone(b), behind...))
			check(append(bytes.Clone(long), behind...))
		}
		check(b[:len(b)-1])
	}
	r := rand.New(rand.NewPCG(5, 6))
	for range 20000 {
		b := make([]byte, r.IntN(14))
		for i := range b {
			b[i] = byte(r.Uint32()) | byte(r.IntN(8)/2)<<6
		}
		check(b)
	}
}

// TestReadPair compares Timestamps as encoders write them with the same fields in another order, which takes
// the general way.
func TestReadPair(t *testing.T) {
	for _, s := range numbers() {
		for _, n := range []uint64{0, 1, 127, 128, 1<<14 - 1, 1 << 20, 999999999, math.MaxUint64, 1 << 33} {
			seconds := pbwire.AppendVarint([]byte{tagSeconds}, s)
			nanos := pbwire.AppendVarint([]byte{tagNanos}, n)
			got, ok := readPair(append(bytes.Clone(seconds), nanos...))
			want, wantOK := readPair(append(nanos, seconds...))
			if got != want || !ok || !wantOK {
				t.Errorf("%d, %d: %+v, %v, want %+v", s, n, got, ok, want)
			}
		}
	}
}

// TestMergeStrings compares entries as encoders write them with the general way.
func TestMergeStrings(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	texts := []string{"", "a", "key", "żółć", "\xff", strings.Repeat("long", 40)}
	accepted := 0
	for range 20000 {
		var b []byte
		for _, tag := range []byte{0x0a, 0x12} {
			if r.IntN(8) > 0 {
				b = pbwire.AppendBytes(append(b, tag), texts[r.IntN(len(texts))])
			}
		}
		if at := r.IntN(len(b) + 1); r.IntN(3) == 0 {
			b = append(b[:at:at], append([]byte{byte(r.Uint32())}, b[at:]...)...)
		}
		o := fxproto.UnmarshalOptions{MaxMemory: 1 << 20}
		d, in, _ := Decode(b, o, true)
		e, _, _ := Decode(b, o, true)
		got, want := map[string]string{}, map[string]string{}
		ok, wantOK := MergeStrings(&d, in, got), mergeStrings(&e, in, want)
		if ok != wantOK || ok && (!maps.Equal(got, want) || d.memory != e.memory) {
			t.Fatalf("%x: %q, %v, %d, want %q, %v, %d", b, got, ok, d.memory, want, wantOK, e.memory)
		}
		if ok {
			accepted++
		}
	}
	if accepted < 5000 {
		t.Errorf("%d entries accepted: too few", accepted)
	}
}
