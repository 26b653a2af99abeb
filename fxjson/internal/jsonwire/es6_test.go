package jsonwire

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"flag"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var es6Lines = flag.Int("es6", 1e6, "`lines` of the sequence of RFC 8785, appendix B: 1e4 to 1e8")

// TestES6 compares the digits of floats with those of the sequence that RFC 8785
// describes for that purpose, whose first numbers and whose hashes are read from
// the toolchain's own test, where it comes with one.
func TestES6(t *testing.T) {
	first, hashes := es6(t)
	n := *es6Lines
	if testing.Short() {
		n = 1e4
	}
	next := sequence(first)
	h, compared := sha256.New(), 0
	var out []byte
	for i := 1; i <= n; i++ {
		f := next()
		out = append(strconv.AppendUint(out, math.Float64bits(f), 16), ',')
		start := len(out)
		if f == 0 {
			out = append(out, '0') // which JSON writes with its sign
		} else {
			out = AppendFloat64(out, f)
		}
		if i%64 == 0 {
			checkParse(t, string(out[start:]))
		}
		out = append(out, '\n')
		want := hashes[i]
		if len(out) > 1<<16 || want != "" {
			h.Write(out)
			out = out[:0]
		}
		if want != "" {
			compared++
			if got := hex.EncodeToString(h.Sum(nil)); got != want {
				t.Fatalf("the first %d lines have the hash %s, want %s", i, got, want)
			}
		}
	}
	if compared == 0 {
		t.Errorf("no hash within %d lines", n)
	}
}

// es6 reads the test of the toolchain: the bits of the numbers that begin the
// sequence, and the SHA-256 of the lines up to a number of them.
func es6(t *testing.T) (first []uint64, hashes map[int]string) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("no go command")
	}
	src, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "src", "encoding", "json", "internal", "jsonwire",
		"encode_test.go"))
	if err != nil {
		t.Skip("the toolchain comes without its tests: ", err)
	}
	hashes = map[int]string{}
	for _, m := range regexp.MustCompile(`(1e\d): +"([0-9a-f]{64})"`).FindAllStringSubmatch(string(src), -1) {
		n, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		hashes[int(n)] = m[2]
	}
	_, list, _ := strings.Cut(string(src), "static := [...]uint64{")
	list, _, _ = strings.Cut(list, "}")
	for _, word := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r <= ' ' }) {
		bits, err := strconv.ParseUint(word, 0, 64)
		if err != nil {
			t.Fatal(err)
		}
		first = append(first, bits)
	}
	if len(first) == 0 || len(hashes) == 0 {
		t.Skip("the toolchain's test has another form")
	}
	return first, hashes
}

// sequence continues the first numbers: 2000 from the smallest normal one on, then
// what a chain of SHA-256 yields, eight bytes each, but for zeros and what is not
// finite.
func sequence(first []uint64) (next func() float64) {
	var block [sha256.Size]byte
	var rest []byte
	i := -1
	return func() float64 {
		if i++; i < len(first) {
			return math.Float64frombits(first[i])
		}
		if i < len(first)+2000 {
			return math.Float64frombits(1<<52 + uint64(i-len(first)))
		}
		for {
			if len(rest) == 0 {
				block = sha256.Sum256(block[:])
				rest = block[:]
			}
			f := math.Float64frombits(binary.LittleEndian.Uint64(rest))
			rest = rest[8:]
			if f-f == 0 && f != 0 {
				return f
			}
		}
	}
}

// TestHalfway parses numbers that lie between two floats, exactly and by a hair
// beside: what algorithms for floats go wrong on.
func TestHalfway(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 74))
	n := runs(4_000)
	for i := range n {
		bits := r.Uint64() >> 1
		switch i % 4 {
		case 0: // subnormal
			bits &= 1<<52 - 1
		case 1: // of usual size
			bits = bits&(1<<52-1) | uint64(1023-60+r.IntN(120))<<52
		case 2: // few bits, so that few digits are half way
			bits = bits &^ (1<<(20+r.IntN(30)) - 1)
		}
		f := math.Float64frombits(bits)
		g := math.Nextafter(f, math.Inf(1))
		if math.IsInf(g, 0) || math.IsNaN(g) {
			continue
		}
		checkNear(t, r, halfway(f, g))
	}
	for range n / 4 {
		f := math.Float32frombits(r.Uint32() >> 1)
		g := math.Nextafter32(f, float32(math.Inf(1)))
		if x := float64(g); x-x == 0 {
			checkNear(t, r, halfway(float64(f), float64(g)))
		}
	}
}

// halfway are the digits of (f+g)/2, all of them.
func halfway(f, g float64) string {
	x := new(big.Float).SetPrec(2000).SetFloat64(f)
	x.Add(x, new(big.Float).SetFloat64(g))
	x.Quo(x, big.NewFloat(2))
	if r, _ := x.Rat(nil); r.IsInt() {
		return r.Num().String()
	}
	return x.Text('e', 800)
}

// checkNear parses s, numbers next to it, and s in other forms.
func checkNear(t *testing.T, r *rand.Rand, s string) {
	t.Helper()
	digits, exp, hasExp := strings.Cut(s, "e")
	if hasExp {
		digits = strings.TrimRight(digits, "0")
		digits = strings.TrimSuffix(digits, ".")
		exp = "e" + exp
	}
	cut := 1 + r.IntN(len(digits))
	if digits[cut-1] == '.' {
		cut = len(digits)
	}
	for _, d := range []string{digits, nudged(digits, 1), nudged(digits, -1), digits[:cut], "-" + digits} {
		if d != "" {
			checkParse(t, d+exp)
		}
	}
	if strings.Contains(digits, ".") {
		checkParse(t, digits+strings.Repeat("0", r.IntN(40))+"1"+exp)
		checkParse(t, digits+strings.Repeat("0", 700+r.IntN(100))+"1"+exp)
	}
}

// nudged changes the last digit, unless that makes a carry.
func nudged(s string, by int) string {
	last := int(s[len(s)-1]) + by
	if last < '0' || last > '9' {
		return s
	}
	return s[:len(s)-1] + string(rune(last))
}

// checkParse compares both sizes with package strconv.
func checkParse(t *testing.T, s string) {
	t.Helper()
	if len(s) > 1 && s[0] == '0' && s[1] != '.' && s[1] != 'e' {
		return // no JSON
	}
	doc := padded(s)
	want, err := strconv.ParseFloat(s, 64)
	got, e := ParseFloat64(doc, 0)
	if (err == nil) != (e == len(s)) || err == nil && math.Float64bits(got) != math.Float64bits(want) {
		t.Fatalf("ParseFloat64(%s) = %v, %d, want %v, %v", s, got, e, want, err)
	}
	want, err = strconv.ParseFloat(s, 32)
	got32, e := ParseFloat32(doc, 0)
	if (err == nil) != (e == len(s)) || err == nil && math.Float32bits(got32) != math.Float32bits(float32(want)) {
		t.Fatalf("ParseFloat32(%s) = %v, %d, want %v, %v", s, got32, e, want, err)
	}
}
